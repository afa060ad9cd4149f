// How Sphinx sorts what it finds: the page whose title has the words comes first, then the page that
// says most about them. Each result shows its best sentence, from sentences.js, or its first.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  inTitle: 20, // all words, or the share of them that is there
  isTitle: 10, // or the name of a class or function, without its module
  longest: 240, // characters of a sentence

  // where one reads first, and what repeats or lists what others say
  places: [
    [/^how-to\//, 8],
    [/^(index|glossary|changelog|contributing|reference\/results)$|misprints|exercises/, -12],
    [/^reference\//, -6],
  ],

  score: (result) => {
    const [page, title, , description, score] = result;
    const stems = Scorer.stems();
    const share = (text) => Scorer.share(text.toLowerCase(), stems);
    const said = (pageSentences[page] ?? []).map((text) => [share(text), text]);
    const best = said.reduce((one, other) => (other[0] > one[0] ? other : one), said[0]);
    if (!description && best) result[3] = best[1].slice(0, Scorer.longest);
    const often = said.filter(([found]) => found === 1).length;
    const [, place] = Scorer.places.find(([pattern]) => pattern.test(page)) ?? [null, 0];
    const isTitle = title.toLowerCase().split(".").at(-1) === Scorer.query();
    const inTitle = Scorer.inTitle * share(title) + (isTitle ? Scorer.isTitle : 0);
    return score + inTitle + 3 * Math.log2(1 + often) + place - title.length / 100;
  },

  query: () =>
    (new URLSearchParams(window.location.search).get("q") ?? "").toLowerCase().trim(),

  stems: () => {
    const stemmer = new Stemmer();
    return splitQuery(Scorer.query()).map((word) => stemmer.stemWord(word));
  },

  share: (text, stems) => stems.filter((stem) => text.includes(stem)).length / stems.length,
};
