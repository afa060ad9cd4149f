// The same question in Python, and on the command line.

/** A text as Python writes it. */
const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (character) => character);

// Texts that might stand for numbers or truth values are looked up in the network instead.
const PLAIN = /^(?!-?[\d.]|True$|False$|None$|nan$|inf)/;

/** @param {App} app */
const statesOf = (app) => new Map(app.data.network.variables.map(({ name, states }) => [name, states]));

/** @param {App} app */
const fileOf = ({ data, state }) => data.network.file ?? `${state.document}.bif`;

/** One of several states, as likelihoods of 1 and 0. @param {Evidence} evidence @param {Map<string, string[]>} states */
const softOf = (evidence, states) => ({
  ...evidence.likelihoods,
  ...Object.fromEntries(Object.entries(evidence.some).map(([name, some]) =>
    [name, (states.get(name) ?? []).map((_, number) => Number(some.includes(number)))])),
});

/** @param {App} app */
export function asPython(app) {
  const { evidence } = app.state;
  const states = statesOf(app);
  const state = (name, number) => {
    const text = states.get(name)?.[number] ?? "";
    return PLAIN.test(text) ? quoted(text) : `net.states(${quoted(name)})[${number}]`;
  };
  const written = (pairs) => `{${pairs.join(", ")}}`;
  const chosen = (values) =>
    written(Object.entries(values).map(([name, number]) => `${quoted(name)}: ${state(name, number)}`));
  const numbers = (values) => written(Object.entries(values).map(([name, its]) => `${quoted(name)}: [${its.join(", ")}]`));
  const [soft, told] = [numbers(softOf(evidence, states)), numbers(evidence.becomes)];
  const parts = [["given", chosen(evidence.given)], ["likelihoods", soft], ["distributions", told], ["do", chosen(evidence.do)]]
    .filter(([, text]) => text !== "{}").map(([name, text]) => `${name}=${text}`);
  if (app.state.target !== null) parts.unshift(quoted(app.state.target));
  return `import bayesic as by\n\nnet = by.read_network(${quoted(fileOf(app))})\nprint(net.query(${parts.join(", ")}))\n`;
}

const shell = (text) => (/^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** null: the command has no option for beliefs that become something. @param {App} app */
export function asCommand(app) {
  const { evidence } = app.state;
  if (Object.keys(evidence.becomes).length > 0) return null;
  const states = statesOf(app);
  const pair = (name, number) => `${name}=${states.get(name)?.[number]}`;
  const soft = Object.entries(softOf(evidence, states)).map(([name, values]) =>
    `${name}=${values.map((value, number) => `${states.get(name)?.[number]}:${value}`).join(",")}`);
  return [
    "bayesic", "network", "query", fileOf(app), ...(app.state.target === null ? [] : [app.state.target]),
    ...Object.entries(evidence.given).flatMap(([name, number]) => ["--given", pair(name, number)]),
    ...soft.flatMap((text) => ["--likelihood", text]),
    ...Object.entries(evidence.do).flatMap(([name, number]) => ["--do", pair(name, number)]),
  ].map(shell).join(" ");
}
