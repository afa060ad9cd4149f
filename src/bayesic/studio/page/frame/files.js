// Files in, by choice or drop, and out.

import { h } from "./dom.js";

/** Whether a file is read as a table, by its name. @param {string} name */
export const isTable = (name) => /\.((csv|tsv)(\.gz)?|txt|parquet)$/i.test(name);

/** Let the person choose files. @param {(files: File[]) => void} chosen */
export function chooseFile(chosen) {
  const input = h("input", { type: "file", multiple: true, onchange: () => chosen([...input.files]) });
  input.click();
}

/**
 * Send a table. One that is refused and is not UTF-8 is sent again as such, if the person knows what it is.
 * @param {File} file
 * @param {(file: File, encoding: Object<string, string>) => Promise<any>} send encoding: what the table was in, for an address
 */
export async function sendTable(file, send) {
  const answer = await send(file, {});
  if (!answer.refused || !/\.(csv|tsv|txt)$/i.test(file.name)) return answer;
  const again = await (await import("./encodings.js")).inUtf8(file);
  return again === null ? answer : send(again.file, { encoding: again.encoding });
}

/** The same, to the tables that are open. @param {PageApp<any>} app @param {File} file */
export const openCases = (app, file) => sendTable(file, (table, encoding) =>
  app.server.ask(`/cases?${new URLSearchParams({ name: file.name, ...encoding })}`, { bytes: table }));

/** Files that are dropped anywhere on the page. @param {(files: File[]) => void} dropped */
export function listenToDrops(dropped) {
  const { body } = document;
  body.addEventListener("dragover", (event) => {
    event.preventDefault();
    body.classList.add("dropping");
  });
  body.addEventListener("dragleave", (event) => event.relatedTarget === null && body.classList.remove("dropping"));
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    body.classList.remove("dropping");
    dropped([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Hand a file to the person. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
