// The order of what a search finds. Without it every page with the word has the same score, and the alphabet decides.
var Scorer = {
  pages: {
    glossary: 4, "how-to": 3, troubleshooting: 3, "concepts/agreement": 3, "concepts/correlation": 3, "concepts/intervals": 3,
    install: 2, data: 2, annotation: 2, publish: 2, measures: 2, systems: 2, gold: 2, reliability: 2, training: 2, prompted: 1,
    "first-steps": 1, choosing: 1, confidence: 3, judgements: 1, candidates: 1, suspects: 1, deployment: 1, design: 1, suites: 1, report: 1,
    python: -1, cli: -1, tour: -2, "reference/toml": -2, peers: -1, usts: -3, evidence: -3, "evidence-data": -3, speed: -1,
    site: -4, contributing: -4, genindex: -4,
  },
  score: ([page, title, anchor, description, score, file, kind]) => {
    if (kind === "object") return title.split(".").length > 2 ? Math.min(score, 1) : score / 2; // an attribute of a class comes last
    const prior = page.startsWith("reference/api") ? -2 : Scorer.pages[page] ?? 0;
    return score + prior;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 6,
  partialTerm: 2,
};
