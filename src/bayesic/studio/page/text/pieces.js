// Pieces of a text: those of the last answer are kept where the text has not changed since.

/**
 * The pieces of a text that is a little different from the one that was answered. What is new has no weight yet.
 * @param {Piece[]} pieces @param {string} text
 * @returns {Piece[]}
 */
export function carried(pieces, text) {
  let first = 0;
  let begin = 0;
  while (first < pieces.length && text.startsWith(pieces[first].text, begin)) begin += pieces[first++].text.length;
  if (begin === text.length) return pieces.slice(0, first);
  let last = pieces.length;
  let end = text.length;
  while (last > first && end - pieces[last - 1].text.length >= begin && text.endsWith(pieces[last - 1].text, end)) {
    end -= pieces[--last].text.length;
  }
  return [...pieces.slice(0, first), { text: text.slice(begin, end) }, ...pieces.slice(last)];
}

/** The number of the piece that holds a place of the text, from 0 on. @param {Piece[]} pieces */
export function pieceAt(pieces, place) {
  let end = 0;
  return pieces.findIndex(({ text }) => (end += text.length) >= place && text.length > 0);
}

/** How strongly a weight is drawn, from 0 to 1; the same weight always looks the same. @param {Weight} weight */
export const strength = (weight) => 1 - Math.exp(-Math.abs(Number(weight === "inf" ? Infinity : weight === "-inf" ? -Infinity : weight)));

/** @param {Weight} weight */
export const isFor = (weight) => weight === "inf" || Number(weight) > 0;

/** A weight with its sign and so many digits behind the point. @param {Weight} weight */
export function signed(weight, places = 2) {
  if (typeof weight === "string") return weight === "inf" ? "+∞" : "−∞";
  const text = Math.abs(weight).toFixed(places);
  return `${weight < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}
