// The text: a field to type in, and behind it the same text with every word coloured by its evidence.

import { h, setText } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { carried, changedPart, isFor, pieceAt, signed, strength } from "./pieces.js";

const PAUSE = 1000; // milliseconds after which typing is another step for undo

/** @param {TextApp} app */
export function createEditor(app, place) {
  const marks = h("div", { class: "marks", "aria-hidden": "true" });
  const field = h("textarea", { spellcheck: "false", rows: 1, oninput: typed, onpointermove: pointed, onpointerleave: () => look(null) });
  const detail = h("p", { class: "word quiet" });
  place.append(h("div", { class: "sheet", onclick: (event) => event.target === event.currentTarget && field.focus() },
    h("div", { class: "layers" }, marks, field)), detail);
  document.addEventListener("selectionchange", () => document.activeElement === field && atCaret());

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
  /** @type {any[]} */
  let nodes = []; // one for each piece
  const end = document.createTextNode("\u200b"); // so that a last empty line has its height
  marks.append(end);
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
    draw(next);
    showDetail();
  }

  /** Draw what is not there already: typing changes little of a long text. @param {Piece[]} next */
  function draw(next) {
    const { first, last } = changedPart(pieces, next);
    for (const old of nodes.slice(first, pieces.length - last)) old.remove();
    const made = next.slice(first, next.length - last).map(drawn);
    marks.insertBefore(fragmentOf(made), nodes[pieces.length - last] ?? end);
    nodes = [...nodes.slice(0, first), ...made, ...nodes.slice(pieces.length - last)];
    pieces = next;
  }

  /** The word under the mouse. @param {PointerEvent} event */
  function pointed({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY).find((one) => one.parentElement === marks);
    look(found ? nodes.indexOf(found) : null);
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

/** @param {Node[]} children */
function fragmentOf(children) {
  const fragment = document.createDocumentFragment();
  fragment.append(...children);
  return fragment;
}

/** A piece of the text, coloured. @param {Piece} piece */
function drawn({ text, weight }) {
  if (weight === undefined) return document.createTextNode(text);
  const known = weight !== null;
  const mark = h("span", {
    class: `mark-word ${!known ? "unknown" : isFor(weight) ? "for" : "against"}`,
    "data-weight": known ? weight : null,
  }, text);
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
