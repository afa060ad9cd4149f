// Files in, by choice or drop, and out.

import { h } from "./dom.js";

/** Whether a file is read as a table, by its name. @param {string} name */
export const isTable = (name) => /\.((csv|tsv)(\.gz)?|txt|parquet)$/i.test(name);

/** Let the person choose files. @param {(files: File[]) => void} chosen */
export function chooseFile(chosen) {
  const input = h("input", { type: "file", multiple: true, onchange: () => chosen([...input.files]) });
  input.click();
}

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
