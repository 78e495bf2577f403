// Two scales with a needle: the strength of the evidence in words, and the distance with its band.

import { make } from "./dom.js";
import { state } from "./state.js";
import { fixed, grouped, signed } from "./numbers.js";

const END = 5; // of the axis of log10 likelihood ratios; what lies beyond stands at its end
const place = (llr) => `${(50 + (50 * Math.max(-END, Math.min(END, llr))) / END).toFixed(2)}%`;

/** The verbal scale drawn to measure; `before` puts a second, hollow needle. */
export function evidenceScale(llr, steps, before = null) {
  const edges = state.limits.verbal_edges;
  const reached = steps.findIndex((step) => step.is_reached);
  const cuts = [-END, ...edges, END];
  const bands = steps.map((step, i) => make("li", {
    class: `${step.side}${i === reached ? " reached" : ""}`, "aria-current": i === reached ? "true" : null,
    style: { "flex-grow": String(cuts[i + 1] - cuts[i]), "--step": String(Math.abs(i - (steps.length - 1) / 2)) },
  }, make("span", { class: "unseen" }, step.words)));
  const names = steps.map((step, i) => make("span", { class: i === reached ? "reached" : null, style: { "flex-grow": String(cuts[i + 1] - cuts[i]) } }, step.words));
  return make("div", { class: "evidence-scale" },
    needleLabel(place(llr ?? 0), `log₁₀ LR ${signed(llr)}`),
    make("div", { class: "track" },
      make("ol", { "aria-label": "Verbal scale of the evidence, from two authors to one" }, bands),
      before !== null && needle(place(before), "hollow"), needle(place(llr ?? 0))),
    make("div", { class: "names", "aria-hidden": "true" }, names),
    make("div", { class: "ticks", "aria-hidden": "true" }, ["two", "one"].flatMap((side) => ticks(edges, side)), make("span", { class: "zero", style: { left: "50%" } }, "1×")),
    make("p", { class: "ends" }, make("span", {}, "← two authors"), make("span", { class: "interval" }, intervalWords(edges, reached, steps)), make("span", {}, "one author →")));
}

function ticks(edges, side) {
  const wanted = side === "one" ? [1, 2, 4] : [-1, -2, -4];
  return edges.filter((edge) => wanted.includes(edge)).map((edge) => make("span", { style: { left: place(edge) } }, times(edge)));
}

const times = (edge) => `${grouped(Math.round(10 ** Math.abs(edge)))}×`;

/** Between which ratios the reached step lies. */
export function intervalWords(edges, reached, steps) {
  if (reached < 0) return "";
  const { words, side } = steps[reached];
  const rounded = (edge) => grouped(Number((10 ** Math.abs(edge)).toPrecision(1)));
  if (side === "neither") return `“${words}”: less than ${rounded(edges[reached])} times either way`;
  const [near, far] = side === "one" ? [edges[reached - 1], edges[reached]] : [edges[reached], edges[reached - 1]];
  return far === undefined ? `“${words}”: ${rounded(near)} times and more` : `“${words}”: ${rounded(near)} to ${rounded(far)} times`;
}

/** `scale` has places from 0 to 1; null where the method has no distance. */
export function distanceScale(decision, scale, before = null) {
  if (!scale) return decision.distance === null ? null : make("p", { class: "note" }, `Distance ${fixed(decision.distance)}.`);
  const at = (share) => `${(100 * share).toFixed(2)}%`;
  const hollow = before === null ? null : Math.min(before / scale.end, 1);
  const label = `Distance ${fixed(decision.distance)}; sure of one author up to ${fixed(decision.tau_s)}, of two from ${fixed(decision.tau_d)}`;
  return make("div", { class: "distance", role: "img", "aria-label": label, style: { "--s": at(scale.tau_s), "--d": at(scale.tau_d) } },
    needleLabel(at(scale.needle), `distance ${fixed(decision.distance)}`),
    make("div", { class: "track" },
      make("div", { class: "zones" }, make("span", { class: "one" }), make("span", { class: "band" }), make("span", { class: "two" })),
      hollow !== null && needle(at(hollow), "hollow"), needle(at(scale.needle))),
    make("div", { class: "names" }, make("span", { class: "one" }, "one author"), make("span", { class: "band" }, "unsure"), make("span", { class: "two" }, "two authors")),
    make("div", { class: "ticks" }, make("span", { class: "first" }, "0"), make("span", { style: { left: at(scale.tau_s) } }, fixed(decision.tau_s)), make("span", { style: { left: at(scale.tau_d) } }, fixed(decision.tau_d))));
}

function needleLabel(left, words) {
  return make("div", { class: "needle-label" }, make("span", { style: { "--x": left } }, words));
}

function needle(left, kind = "") {
  return make("span", { class: `needle ${kind}`, style: { left } });
}
