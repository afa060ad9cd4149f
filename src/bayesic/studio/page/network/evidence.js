// What is known, as a value. No DOM here.

import { at } from "../frame/maps.js";

/** @type {Evidence} */
export const NOTHING = Object.freeze({ given: {}, some: {}, likelihoods: {}, becomes: {}, do: {} });

/** @type {("given" | "some" | "likelihoods" | "becomes" | "do")[]} */
const KINDS = ["given", "some", "likelihoods", "becomes", "do"];

/** How something is known of a variable, or null. @param {Evidence} evidence */
export const kindOf = (evidence, variable) =>
  KINDS.find((kind) => Object.hasOwn(evidence[kind], variable)) ?? null;

/** @param {Evidence} evidence */
export const knownVariables = (evidence) => KINDS.flatMap((kind) => Object.keys(evidence[kind]));

/** What was seen, and not told or set. @param {Evidence} evidence */
export const findings = ({ given, some, likelihoods }) => Object.keys({ ...given, ...some, ...likelihoods });

/** @param {Evidence} evidence */
export const without = (evidence, variable) => mapped(evidence, (name) => name !== variable);

/** @param {Evidence} evidence @param {(name: string, value: any) => boolean} keeps */
function mapped(evidence, keeps) {
  const kept = (values) =>
    Object.fromEntries(Object.entries(values).filter(([name, value]) => keeps(name, value)));
  return /** @type {any} */ (
    Object.fromEntries(KINDS.map((kind) => [kind, kept(evidence[kind])]))
  );
}

/** @param {Evidence} evidence @param {"given" | "some" | "likelihoods" | "becomes" | "do"} kind */
function withValue(evidence, variable, kind, value) {
  const rest = without(evidence, variable);
  return { ...rest, [kind]: { ...rest[kind], [variable]: value } };
}

/** Observed; the same state once more: retracted. @param {Evidence} evidence */
export const observed = (evidence, variable, state) =>
  at(evidence.given, variable) === state
    ? without(evidence, variable)
    : withValue(evidence, variable, "given", state);

/** Set from outside; the same state once more: retracted. @param {Evidence} evidence */
export const intervened = (evidence, variable, state) =>
  at(evidence.do, variable) === state
    ? without(evidence, variable)
    : withValue(evidence, variable, "do", state);

/** The states that are possible as far as observed here, of n. @param {Evidence} evidence */
export function possible(evidence, variable, n) {
  if (Object.hasOwn(evidence.given, variable)) return [evidence.given[variable]];
  return at(evidence.some, variable) ?? Array.from({ length: n }, (_, state) => state);
}

/** @param {Evidence} evidence */
function withSome(evidence, variable, states, n) {
  if (states.length === 0 || states.length >= n) return without(evidence, variable);
  if (states.length === 1) return withValue(evidence, variable, "given", states[0]);
  return withValue(evidence, variable, "some", [...states].sort((a, b) => a - b));
}

/** Not this state; once more: it is possible again. @param {Evidence} evidence */
export function excluded(evidence, variable, state, n) {
  const all = Array.from({ length: n }, (_, number) => number);
  const free = Object.hasOwn(evidence.given, variable) && evidence.given[variable] === state;
  const states = free ? all : possible(evidence, variable, n);
  const left = states.includes(state)
    ? states.filter((other) => other !== state)
    : [...states, state];
  return withSome(evidence, variable, left, n);
}

/** One more, or one fewer, of several states. @param {Evidence} evidence */
export function toggled(evidence, variable, state, n) {
  const kind = kindOf(evidence, variable);
  const states = kind === "given" || kind === "some" ? possible(evidence, variable, n) : [];
  const next = states.includes(state)
    ? states.filter((other) => other !== state)
    : [...states, state];
  return withSome(evidence, variable, next, n);
}

/** How probable what was seen is under a state; all equal: nothing is known. @param {Evidence} evidence */
export function withLikelihood(evidence, variable, state, value, n) {
  const before = at(evidence.likelihoods, variable) ?? Array(n).fill(1);
  const after = before.map((old, number) => (number === state ? value : old));
  return after.every((one) => one === after[0])
    ? without(evidence, variable)
    : withValue(evidence, variable, "likelihoods", after);
}

/**
 * What the belief in a variable becomes: this share for a state, and the rest as it was among the others.
 * @param {Evidence} evidence @param {number[]} now what is believed
 */
export function withBelief(evidence, variable, state, share, now) {
  const before = at(evidence.becomes, variable) ?? now;
  const rest = before.reduce((sum, one, number) => (number === state ? sum : sum + one), 0);
  const others = (one) => (rest > 0 ? (one / rest) * (1 - share) : (1 - share) / (before.length - 1));
  return withValue(evidence, variable, "becomes", before.map((one, number) => (number === state ? share : others(one))));
}

/**
 * Without what the network does not have.
 * @param {Evidence} evidence
 * @param {Variable[]} variables
 */
export function fittingEvidence(evidence, variables) {
  const sizes = new Map(variables.map(({ name, states }) => [name, states.length]));
  const fits = mapped(evidence, (name) => sizes.has(name));
  return mapped(fits, (name, value) => {
    const n = sizes.get(name) ?? 0;
    const kind = kindOf(fits, name);
    if (kind === "likelihoods" || kind === "becomes") return value.length === n;
    return kind === "some" ? value.every((x) => x < n) : value < n;
  });
}

/** After a variable got another name. @param {Evidence} evidence */
export function renamed(evidence, from, to) {
  const names = (values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name === from ? to : name, value]));
  return /** @type {any} */ (
    Object.fromEntries(KINDS.map((kind) => [kind, names(evidence[kind])]))
  );
}

/** What goes to the server: only what there is. @param {Evidence} evidence */
export const asJson = (evidence) =>
  Object.fromEntries(KINDS.filter((kind) => Object.keys(evidence[kind]).length > 0)
    .map((kind) => [kind, evidence[kind]]));

/** From JSON, in which kinds may be missing. @param {Partial<Evidence>} json */
export const fromJson = (json) => ({ ...NOTHING, ...json });
