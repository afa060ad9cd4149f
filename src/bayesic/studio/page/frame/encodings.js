// Tables that are not UTF-8: the person sees their first lines in some encodings, and says which it is.

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { say } from "./words.js";

const FIRST = 2 ** 20; // bytes that are looked at

// what browsers call it -> what Python calls it, and people
const ENCODINGS = {
  gb18030: ["gb18030", "GBK 简体中文"],
  big5: ["big5hkscs", "Big5 繁體中文"],
  shift_jis: ["cp932", "Shift-JIS 日本語"],
  "euc-kr": ["cp949", "EUC-KR 한국어"],
  "windows-1252": ["cp1252", "Windows-1252"],
};
/** The first two bytes. @type {Object<string, string>} */
const MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" };

/**
 * A table that was refused as UTF-8, and the encoding that it was in; null: it was refused for another reason, or nobody knows.
 * @param {File} file
 * @returns {Promise<{file: File, encoding: string} | null>}
 */
export async function inUtf8(file) {
  const bytes = await file.arrayBuffer();
  if (decoded(bytes, "utf-8") !== null) return null;
  const mark = MARKS[new Uint8Array(bytes.slice(0, 2)).join()];
  const name = mark ?? await chosen(file.name, bytes.slice(0, FIRST), bytes.byteLength <= FIRST);
  const text = name === null ? null : decoded(bytes, name);
  if (name === null || text === null) return null;
  const encoding = mark ? "utf-16" : ENCODINGS[/** @type {"big5"} */ (name)][0];
  return { file: new File([text], file.name), encoding };
}

/** @param {ArrayBuffer} bytes @param {boolean} isAll whether no character is cut off at the end */
function decoded(bytes, encoding, isAll = true) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isAll });
  } catch {
    return null;
  }
}

/** What the person takes it for. @param {ArrayBuffer} bytes @returns {Promise<string | null>} */
const chosen = (file, bytes, isAll) => new Promise((resolve) => {
  const title = say("{0} is not UTF-8. Which of these can you read?", file);
  const choices = Object.entries(ENCODINGS).flatMap(([name, [, known]]) => {
    const text = decoded(bytes, name, isAll);
    const lines = text?.match(/.*[^\0-\x7f].*/g) ?? text?.split("\n"); // others look the same in all
    const onclick = () => { resolve(name); dialog.close(); };
    return lines ? [h("button", { type: "button", onclick, "data-encoding": name }, h("small", {}, known), lines.slice(0, 2).map((line) => h("span", {}, line.slice(0, 60))))] : [];
  });
  const dialog = openDialog(title, [h("div", { class: "encodings" }, choices)], { class: "small" });
  dialog.addEventListener("close", () => resolve(null));
});
