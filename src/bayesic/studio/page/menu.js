// The menu of a card, a state or an edge: the actions, with their keys beside.

import { ACTIONS } from "./actions.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * @param {App} app
 * @param {{variable: string, state: number | null}} place
 * @param {{x: number, y: number}} at in the window
 */
export function openMenu(app, place, at) {
  const actions = ACTIONS.filter(({ on }) => on === "variable" || (on === "state" && place.state !== null));
  showMenu(actions.map((action) => ({
    title: say(action.title), key: action.keys[0], run: () => action.run(app, place),
  })), at, place.variable);
}

/** @param {{title: string, key?: string, run: () => void}[]} items */
export function showMenu(items, at, label) {
  const before = /** @type {any} */ (document.activeElement);
  const close = () => { menu.remove(); before?.focus?.({ preventScroll: true }); };
  const menu = h("div", {
    class: "menu", role: "menu", "aria-label": label,
    onfocusout: ({ relatedTarget }) => { if (!menu.contains(relatedTarget)) queueMicrotask(() => menu.remove()); },
    onkeydown: (event) => {
      event.stopPropagation();
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") close();
      if (!step) return;
      event.preventDefault();
      const place = [...menu.children].indexOf(document.activeElement);
      menu.children[(place + step + menu.children.length) % menu.children.length].focus();
    },
  }, items.map(({ title, key, run }) => h("button", {
    type: "button", role: "menuitem", tabindex: -1, onclick: () => { close(); run(); },
  }, title, key && h("kbd", {}, key))));
  document.body.append(menu);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(at.x, innerWidth - width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(at.y, innerHeight - height - 4))}px`;
  menu.firstElementChild?.focus();
}
