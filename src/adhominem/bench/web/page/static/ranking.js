// The candidates for the questioned text, in the order of the evidence.

import { make, note } from "./dom.js";
import { signed } from "./numbers.js";
import { supportWords } from "./verbal.js";

export function rankingCard(ranking, questioned) {
  const { answer, candidates, none } = ranking;
  const judged = candidates.some((one) => !one.reasons.length);
  const headline = answer !== null ? answer : judged ? "None of these" : "Cannot say";
  return make("section", { class: "card ranking", "aria-label": "Ranking of candidates" },
    make("p", { class: "kicker" }, `Who wrote “${questioned}”?`),
    make("h2", { class: "headline" }, headline),
    note(answer !== null || judged ? "Most probable, if all candidates and an unknown author were equally so beforehand." : "No candidate could be judged."),
    make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "Candidates" }, make("table", {},
      make("caption", { class: "unseen" }, "Candidates"),
      make("thead", {}, make("tr", {}, ["Candidate", "Probability", "log₁₀ LR", "Evidence"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, candidates.map((one) => row(one.name, one.reasons.length ? null : one.probability, one.reasons.length ? null : one.llr, one.reasons.join("; ") || supportWords(one.llr), one.name === answer)),
        row("none of these", none, null, "", answer === null && judged)))));
}

/** Never rounded to certainty. */
function percent(probability) {
  if (probability === null) return "–";
  if (probability < 0.001) return "< 0.1%";
  return probability > 0.999 ? "> 99.9%" : `${(100 * probability).toFixed(1)}%`;
}

function row(name, probability, llr, words, isAnswer) {
  return make("tr", { class: isAnswer ? "answer" : null },
    make("th", { scope: "row" }, name),
    make("td", {}, make("span", { class: "bar" }, make("span", { class: "bar-track", "aria-hidden": "true" }, make("span", { style: { width: `${(100 * (probability ?? 0)).toFixed(1)}%` } })), make("span", {}, percent(probability)))),
    make("td", {}, signed(llr)), make("td", {}, words));
}
