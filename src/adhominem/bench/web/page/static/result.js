// The answer: verdict, strength, error rate, and how to take it.

import { make } from "./dom.js";
import { distanceScale, evidenceScale } from "./scales.js";
import { reasonWords } from "./sides.js";

export function resultCard({ decision, words }) {
  const judged = isJudged(decision);
  return make("section", { class: `card result ${decision.verdict}`, "aria-label": "Result" },
    make("div", { class: "result-head" },
      make("div", { class: "verdict-words" },
        make("p", { class: "kicker" }, "Verdict"),
        make("h1", { tabindex: "-1", id: "verdict" }, words.verdict),
        decision.reasons.length ? reasons(decision) : make("p", { class: "ratio" }, words.ratio)),
      judged && make("dl", { class: "facts" },
        fact("Strength of evidence", words.support, null, "words"),
        fact("Score", words.score, "probability of one author at equal prior odds"),
        fact("Reliability", decision.reliable ? "High" : "Low", words.reliability))),
    judged && evidenceScale(decision.llr, words.scale),
    judged && distanceScale(decision, words.distance_scale),
    judged && words.track_record && make("p", { class: "track_record" }, make("strong", {}, "Errors on texts like these. "), words.track_record));
}

/** Both sides could be read; perhaps they speak for neither answer. */
export function isJudged({ reasons: why }) {
  return why.every((reason) => /neither/.test(reason));
}

function reasons(decision) {
  return [
    make("ul", { class: "reasons" }, decision.reasons.map((reason) => make("li", {}, reasonWords(reason)))),
    make("p", { class: "note" }, advice(decision)),
  ];
}

function advice({ reasons: why, left, right }) {
  const all = why.join(" ");
  if (/tokens?, at least/.test(all)) return "Add more text by the same author to that side: several short texts count together.";
  if (/English/.test(all)) return "The model has learnt from English texts and does not judge others.";
  if (left.out_of_domain || right.out_of_domain) return "Texts unlike those that the model has learnt from are not judged. A model adapted to such texts may help.";
  return "The texts were read, but they speak for neither side. Longer texts, or more of them, may.";
}

function fact(name, value, note, kind = "") {
  return make("div", { class: kind }, make("dt", {}, name), make("dd", {}, make("strong", {}, value), note && make("span", {}, note)));
}
