// The answer before and after, and the way between them.

import { make, svg } from "./dom.js";
import { distanceScale, evidenceScale } from "./scales.js";
import { fixed, signed } from "./numbers.js";

export function beforeAfter(before, after, trail) {
  const [one, two] = [before.explanation.decision, after.explanation.decision];
  const rows = [
    ["Verdict", before.words.verdict, after.words.verdict, null],
    ["Score", before.words.score, after.words.score, null],
    ["log₁₀ LR", signed(one.llr), signed(two.llr), two.llr - one.llr],
    ...(two.distance === null ? [] : [["Distance", fixed(one.distance), fixed(two.distance), two.distance - one.distance]]),
  ];
  const judged = two.reasons.length === 0 || two.distance !== null;
  return [
    make("div", { class: "before-after" },
      make("table", {},
        make("caption", { class: "unseen" }, "The answer before and after"),
        make("thead", {}, make("tr", {}, ["", "Before", "After", "Change"].map((name) => make("th", { scope: "col" }, name || make("span", { class: "unseen" }, "What"))))),
        make("tbody", {}, rows.map(([name, was, is, change]) => make("tr", {},
          make("th", { scope: "row" }, name), make("td", {}, was), make("td", { class: was === is ? "" : "changed" }, is),
          make("td", {}, change === null ? "" : Math.abs(change) < 0.005 ? "none" : signed(change)))))),
      trailChart(trail)),
    two.reasons.length ? make("ul", { class: "reasons" }, two.reasons.map((reason) => make("li", {}, reason))) : null,
    judged && evidenceScale(two.llr, after.words.scale, one.llr),
    judged && distanceScale(two, after.words.distance_scale, one.distance),
  ];
}

/** The log10 likelihood ratio after every change. */
function trailChart(trail) {
  const [width, height] = [240, 96];
  const end = Math.max(1, ...trail.map(({ llr }) => Math.abs(llr ?? 0))) * 1.15;
  const x = (i) => 12 + (i * (width - 24)) / Math.max(trail.length - 1, 1);
  const y = (llr) => height / 2 - ((llr ?? 0) * (height / 2 - 6)) / end;
  const steps = trail.map(({ llr }, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(llr).toFixed(1)}`).join("");
  return make("figure", { class: "trail" },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `log10 LR after each of ${trail.length - 1} changes` },
      svg("rect", { x: 0, y: 0, width, height: height / 2, class: "one" }), svg("rect", { x: 0, y: height / 2, width, height: height / 2, class: "two" }),
      svg("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
      svg("path", { d: steps }),
      trail.map(({ words, llr }, i) => svg("circle", { cx: x(i), cy: y(llr), r: i === trail.length - 1 ? 5 : 3 }, svg("title", {}, `${words}: ${signed(llr)}`)))),
    make("figcaption", { class: "note" }, trail.length > 1 ? `last: ${trail.at(-1).words}` : "log₁₀ LR, change by change"));
}
