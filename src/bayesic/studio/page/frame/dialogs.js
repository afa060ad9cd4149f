// Small questions to the person, in a native dialog.

import { button, h, replace } from "./dom.js";
import { say } from "./words.js";

/** A dialog with these children; it goes when it is closed. */
export function openDialog(title, children, attributes = {}) {
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove(), ...attributes },
    h("header", {}, h("h2", {}, title), button("×", () => dialog.close(), { class: "plain", "aria-label": say("close") })),
    children);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask for a text. `check` may refuse it with a sentence.
 * @param {(text: string) => Promise<string | any[] | null>} check null: all is well
 * @param {string[]} told sentences above the field
 */
export function askText(title, initial, check, told = []) {
  const input = h("input", { value: initial, "aria-label": title, spellcheck: "false", autocomplete: "off" });
  const refused = h("p", { class: "refused", role: "alert" });
  const form = h("form", {
    method: "dialog",
    onsubmit: async (event) => {
      event.preventDefault();
      const sentence = await check(input.value);
      replace(refused, sentence ?? "");
      if (sentence === null) dialog.close();
    },
  }, told.map((sentence) => h("p", { class: "quiet" }, sentence)), input, refused, h("div", { class: "buttons" },
    button(say("cancel"), () => dialog.close()), h("button", { type: "submit", class: "main" }, say("OK"))));
  const dialog = openDialog(title, [form], { class: "small" });
  input.focus();
  input.select();
}
