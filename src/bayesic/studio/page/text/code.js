// The same question in Python, and on the command line. The model is the file that can be downloaded.

/** A text as Python writes it. */
const quoted = (text) => JSON.stringify(text);

/** @param {TextState} state */
export function asPython({ model, text, answer }) {
  const chosen = answer === null ? "" : `, answer=${quoted(answer)}`;
  return [
    "import bayesic as by", "",
    `model = by.load(${quoted(`${model}.bayes`)})`, `text = ${quoted(text)}`,
    "print(dict(zip(model.classes_, model.predict_proba([text])[0])))",
    `print(model.explain([text]${chosen})[0])`, "",
  ].join("\n");
}

const shell = (text) => (/^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** @param {TextState} state */
export const asCommand = ({ model, text, answer }) => [
  "bayesic", "explain", `${model}.bayes`, `--text=${text}`, ...(answer === null ? [] : ["--answer", answer]),
].map(shell).join(" ");
