// Numbers out of what a spreadsheet puts on the clipboard.

/**
 * Lines of cells: tabs between cells, or semicolons, or commas where they are not decimal points.
 * Decimal commas and percent signs are understood; cells that are no numbers (headers) are left out.
 */
export function numbersIn(text) {
  const lines = text.replace(/\r/g, "").split("\n").filter((line) => line.trim() !== "");
  const mark = text.includes("\t") ? "\t" : text.includes(";") ? ";" : /\d,\s*\d/.test(text) && text.includes(".") ? "," : /\s+/;
  return lines.map((line) => line.trim().split(mark).map(numberText).filter((cell) => cell !== null))
    .filter((line) => line.length > 0);
}

function numberText(cell) {
  const plain = cell.trim().replace(/^"|"$/g, "").replace(/^(\S*\d),(\d+%?)$/, "$1.$2");
  const isPercent = plain.endsWith("%");
  const value = Number(isPercent ? plain.slice(0, -1) : plain);
  if (plain === "" || !Number.isFinite(value)) return null;
  return isPercent ? String(value / 100) : plain;
}
