// A menu at a place of the window, for mouse and keys.

import { h } from "./dom.js";

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
