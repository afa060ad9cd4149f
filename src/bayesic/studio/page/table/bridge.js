// Places and words for weights of evidence.

import { digits } from "../frame/words.js";

/** Where on a line of 100 % a sum is, as the weights are added one by one; infinite ones reach its end. */
export function scaleOf(weights) {
  let at = 0;
  let [least, most] = [0, 0];
  for (const weight of weights.filter(Number.isFinite)) {
    at += weight;
    [least, most] = [Math.min(least, at), Math.max(most, at)];
  }
  const width = most - least || 1;
  return (sum) => Math.max(0, Math.min(100, 2 + (96 * (sum - least)) / width));
}

/** A weight with its sign. */
export function signed(weight) {
  if (Number.isFinite(weight)) return `${weight < 0 ? "−" : "+"}${Math.abs(weight) < 5e-4 && weight !== 0 ? digits(Math.abs(weight), 2) : Math.abs(weight).toFixed(3)}`;
  return weight > 0 ? "+∞" : "−∞";
}
