// Find a variable by a part of its name.

import { h, replace } from "../frame/dom.js";
import { say } from "../frame/words.js";

const MOST = 12;

/** @param {App} app */
export function createSearch(app) {
  let chosen = 0;
  const list = h("ul", { id: "found", role: "listbox", hidden: true });
  const input = h("input", {
    type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list", autocomplete: "off",
    spellcheck: "false", oninput: () => { chosen = 0; draw(); }, onfocus: draw,
    onblur: () => setTimeout(close, 150), onkeydown: pressed,
  });
  const element = h("span", { class: "search" }, input, list);

  function matches() {
    const text = input.value.trim().toLowerCase();
    if (text === "" || !app.data.network?.variables) return [];
    const names = app.data.network.variables.map(({ name }) => name)
      .filter((name) => name.toLowerCase().includes(text));
    const rank = (name) => Number(!name.toLowerCase().startsWith(text));
    return names.sort((one, other) => rank(one) - rank(other)).slice(0, MOST);
  }

  function draw() {
    const names = matches();
    list.hidden = names.length === 0;
    list.setAttribute("aria-label", say("Find a variable"));
    input.setAttribute("aria-expanded", String(names.length > 0));
    replace(list, names.map((name, number) => h("li", {
      role: "option", id: `found-${number}`, "aria-selected": number === chosen,
      onpointerdown: (event) => { event.preventDefault(); find(name); },
    }, name)));
    if (names.length > 0) input.setAttribute("aria-activedescendant", `found-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  function find(name) {
    input.value = "";
    close();
    app.parts.desk.find(name);
  }

  function pressed(event) {
    const names = matches();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && names.length > 0) {
      event.preventDefault();
      chosen = (chosen + step + names.length) % names.length;
      draw();
    } else if (event.key === "Enter" && names[chosen] !== undefined) find(names[chosen]);
    else if (event.key === "Escape") { input.value = ""; close(); input.blur(); }
  }

  return {
    element,
    focus: () => input.focus(),
    translate() {
      input.setAttribute("placeholder", say("find /"));
      input.setAttribute("aria-label", say("Find a variable"));
    },
  };
}
