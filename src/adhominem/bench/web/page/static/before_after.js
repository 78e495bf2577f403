// The answer before and after, and the way between them.

import { make, svg } from "./dom.js";
import { distanceScale, evidenceScale } from "./scales.js";
import { reasonWords } from "./sides.js";
import { fixed, signed } from "./numbers.js";
import { isJudged } from "./result.js";

/** The numbers on one line. */
export function changes(before, after) {
  const [one, two] = [before.explanation.decision, after.explanation.decision];
  return make("dl", { class: "changes" },
    change("Verdict", before.words.verdict, after.words.verdict),
    change("Score", before.words.score, after.words.score),
    change("log₁₀ LR", signed(one.llr), signed(two.llr), two.llr - one.llr),
    two.distance === null || one.distance === null ? null : change("Distance", fixed(one.distance), fixed(two.distance), two.distance - one.distance));
}

function change(name, was, is, by = null) {
  const told = was === is
    ? [make("span", { class: "is" }, is)]
    : [make("span", { class: "was" }, was), make("span", { class: "unseen" }, " becomes "), make("span", { "aria-hidden": "true" }, " → "), make("span", { class: "is changed" }, is), by === null ? null : make("span", { class: "by" }, ` ${signed(by)}`)];
  return make("div", {}, make("dt", {}, name), make("dd", {}, told));
}

/** The same on the scales, with hollow needles for what was, and every step between. */
export function movements(before, after, trail) {
  const [one, two] = [before.explanation.decision, after.explanation.decision];
  const judged = isJudged(two);
  return make("div", { class: "movements" },
    make("div", {},
      two.reasons.length ? make("ul", { class: "reasons" }, two.reasons.map((reason) => make("li", {}, reasonWords(reason)))) : null,
      judged && evidenceScale(two.llr, after.words.scale, one.llr),
      judged && distanceScale(two, after.words.distance_scale, one.distance)),
    trailChart(trail));
}

/** The log10 likelihood ratio after every change. */
function trailChart(trail) {
  const [width, height] = [240, 150];
  const end = Math.max(1, ...trail.map(({ llr }) => Math.abs(llr ?? 0))) * 1.15;
  const x = (i) => 12 + (i * (width - 24)) / Math.max(trail.length - 1, 1);
  const y = (llr) => height / 2 - ((llr ?? 0) * (height / 2 - 6)) / end;
  const steps = trail.map(({ llr }, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(llr).toFixed(1)}`).join("");
  return make("figure", { class: "trail" },
    make("figcaption", { class: "note" }, trail.length > 1 ? `log₁₀ LR; last: ${trail.at(-1).words}` : "log₁₀ LR, change by change"),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `log10 LR after each of ${trail.length - 1} changes` },
      svg("rect", { x: 0, y: 0, width, height: height / 2, class: "one" }), svg("rect", { x: 0, y: height / 2, width, height: height / 2, class: "two" }),
      svg("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
      svg("path", { d: steps }),
      trail.map(({ words, llr }, i) => svg("circle", { cx: x(i), cy: y(llr), r: i === trail.length - 1 ? 5 : 3 }, svg("title", {}, `${words}: ${signed(llr)}`)))));
}
