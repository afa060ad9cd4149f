// The text: a field to type in, and behind it the same text with every word coloured by its evidence.

import { h, setText } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { carried, isFor, pieceAt, signed, strength } from "./pieces.js";

const PAUSE = 1000; // milliseconds after which typing is another step for undo

/**
 * The colours lie behind the words: a layer with the same text, as one text, tells where each word is. So lines
 * end where they end in the field, to the last pixel.
 * @param {TextApp} app
 */
export function createEditor(app, place) {
  const same = document.createTextNode("");
  const layer = h("div", { class: "same-text", "aria-hidden": "true" }, same, "\u200b"); // a last empty line has its height
  const marks = h("div", { class: "marks", "aria-hidden": "true" });
  const field = h("textarea", { spellcheck: "false", rows: 1, oninput: typed, onpointermove: pointed, onpointerleave: () => look(null) });
  const layers = h("div", { class: "layers" }, layer, marks, field);
  const detail = h("p", { class: "word quiet" });
  place.append(h("div", { class: "sheet", onclick: (event) => event.target === event.currentTarget && field.focus() }, layers), detail);
  document.addEventListener("selectionchange", () => document.activeElement === field && atCaret());
  new ResizeObserver(() => draw()).observe(layers);

  let gesture = 0;
  let lastTyped = 0;
  function typed() {
    const now = performance.now();
    if (now - lastTyped > PAUSE) gesture += 1;
    lastTyped = now;
    app.send({ kind: "text_typed", text: field.value, gesture: `typing ${gesture}` });
  }

  /** @type {Piece[]} */
  let pieces = [];
  /** @type {number | null} */
  let looked = null; // the word under mouse or caret

  function render() {
    const { text, language, model } = app.state;
    if (field.value !== text) field.value = text;
    field.setAttribute("aria-label", say("text"));
    field.setAttribute("placeholder", say("Type or paste a text here."));
    field.lang = language === "zh" ? "zh-CN" : "en";
    place.hidden = model === null;
    const { answer } = app.data;
    const next = answer?.pieces && joined(answer.pieces) === text ? answer.pieces : carried(pieces, text);
    if (next.length !== pieces.length || next.some((piece, number) => piece !== pieces[number])) {
      pieces = next;
      same.data = text;
      draw();
    }
    showDetail();
  }

  /** Lay a coloured box behind each word. */
  function draw() {
    const range = document.createRange();
    const origin = layers.getBoundingClientRect();
    let begin = 0;
    const boxes = pieces.flatMap((piece, number) => {
      const end = begin + piece.text.length;
      range.setStart(same, begin);
      range.setEnd(same, end);
      begin = end;
      if (piece.weight === undefined) return [];
      return [...range.getClientRects()].map((box, part) => drawn(piece, number, part, box, origin));
    });
    marks.replaceChildren(...boxes);
  }

  /** The word under the mouse. @param {PointerEvent} event */
  function pointed({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY).find((one) => one.parentElement === marks);
    look(found ? Number(found.getAttribute("data-piece")) : null);
  }

  const atCaret = () => { if (field.selectionStart === field.selectionEnd) look(pieceAt(pieces, field.selectionStart)); };

  /** @param {number | null} number */
  function look(number) {
    looked = number;
    showDetail();
  }

  function showDetail() {
    const piece = looked === null ? undefined : pieces[looked];
    setText(detail, piece?.tokens ? detailOf(app, piece) : say("Point at a word, or put the caret into it, to see what it says."));
  }
  return { render, field };
}

/** @param {Piece[]} pieces */
const joined = (pieces) => pieces.map(({ text }) => text).join("");

/**
 * A box behind a word, or behind the part of it that is on one line.
 * @param {Piece} piece @param {DOMRect} box @param {DOMRect} origin
 */
function drawn({ text, weight = null }, number, part, box, origin) {
  const known = weight !== null;
  const mark = h("i", {
    class: `mark-word ${!known ? "unknown" : isFor(weight) ? "for" : "against"}`,
    "data-piece": number, "data-text": part === 0 ? text : null, "data-weight": known && part === 0 ? weight : null,
  });
  Object.assign(mark.style, {
    left: `${box.left - origin.left}px`, top: `${box.top - origin.top}px`, width: `${box.width}px`, height: `${box.height}px`,
  });
  if (known) mark.style.setProperty("--strength", strength(weight).toFixed(3));
  return mark;
}

/** What a word says. @param {TextApp} app @param {Piece} piece */
function detailOf(app, { text, weight, tokens = [] }) {
  if (weight === undefined || weight === null) return say("{0}: the model has not learned this word", text);
  const { answer, against } = app.data.answer ?? {};
  const parts = tokens.map(([token, share]) => `${token} ${signed(share, 3)}`).join(", ");
  const sentence = isFor(weight)
    ? say("{0}: {1}, for {2}", text, signed(weight, 3), answer ?? "")
    : say("{0}: {1}, for {2}", text, signed(weight, 3), against ?? say("the rest"));
  return tokens.length > 1 ? `${sentence} (${parts})` : sentence;
}
