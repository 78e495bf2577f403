// The texts as points in a plane: near each other where the evidence speaks for one author.

import { make, note, svg } from "./dom.js";

const EDGE = 56;
const MOST_LABELS = 45;
const MOST_LINKED = 80;
const COLOURS = 8;

export function authorMap(result, point) {
  const n = result.names.length;
  const [width, height] = innerWidth < 700 ? [330, 300] : [520, 440];
  const x = (i) => width / 2 + result.map[i][0] * (width / 2 - EDGE);
  const y = (i) => height / 2 + result.map[i][1] * (height / 2 - EDGE);
  const sizes = new Map();
  result.groups.forEach((group) => sizes.set(group, (sizes.get(group) ?? 0) + 1));
  const place = labelPlaces(x, y, width, result);
  const points = result.names.map((name, i) => svg("g", {
    class: `point ${sizes.get(result.groups[i]) > 1 ? `g${result.groups[i] % COLOURS}` : "alone"}${name === result.questioned ? " questioned" : ""}`, "data-index": i,
    on: { pointerenter: () => point(i), pointerleave: () => point(null) },
  },
    name === result.questioned ? svg("circle", { cx: x(i), cy: y(i), r: 12, class: "ring" }) : null,
    svg("circle", { cx: x(i), cy: y(i), r: n > 150 ? 3.5 : 6 }),
    n <= MOST_LABELS && place[i] ? svg("text", place[i], name) : null,
    svg("title", {}, result.authors[i] ? `${name}, by ${result.authors[i]}` : name)));
  const node = make("section", { class: "card", "aria-label": "Map" },
    make("h2", {}, "Map"),
    svg("svg", { class: "author-map", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Map of ${n} texts; texts of one group: ${groupWords(result)}` }, links(result, x, y), points),
    note("Near means alike. Lines join pairs that reliably speak for one author; colours are groups of the tree. Distances are for the eye, the numbers are in the matrix."));
  return { node, point: (index) => node.querySelectorAll("[data-index]").forEach((one) => one.classList.toggle("pointed", one.dataset.index === String(index))) };
}

function links(result, x, y) {
  const n = result.names.length;
  if (n > MOST_LINKED) return [];
  const found = [];
  for (let i = 0; i < n; i += 1)
    for (let j = i + 1; j < n; j += 1)
      if (result.verdict[i][j] === "same" && result.reliable[i][j]) found.push(svg("line", { x1: x(i), y1: y(i), x2: x(j), y2: y(j) }));
  return found;
}

/** Beside its point where there is room: right, left, below, above; undefined where there is none. */
function labelPlaces(x, y, most, { names, questioned }) {
  const around = (i, off) => ({ left: x(i) - off, right: x(i) + off, top: y(i) - off, bottom: y(i) + off });
  const taken = names.map((name, i) => around(i, name === questioned ? 13 : 7));
  return names.map((name, i) => {
    const [width, off] = [name.length * 6.8, name === questioned ? 17 : 11];
    const places = [
      { x: x(i) + off, y: y(i) + 4, "text-anchor": "start" },
      { x: x(i) - off, y: y(i) + 4, "text-anchor": "end" },
      { x: x(i), y: y(i) + off + 11, "text-anchor": "middle" },
      { x: x(i), y: y(i) - off - 2, "text-anchor": "middle" },
      { x: x(i) + off, y: y(i) + 18, "text-anchor": "start" },
      { x: x(i) + off, y: y(i) - 10, "text-anchor": "start" },
    ];
    const area = (place) => {
      const left = place.x - { start: 0, middle: width / 2, end: width }[place["text-anchor"]];
      return { left, right: left + width, top: place.y - 11, bottom: place.y + 3 };
    };
    const isFree = (one) => one.left > 0 && one.right < most && taken.every((other) => other.right < one.left || one.right < other.left || other.bottom < one.top || one.bottom < other.top);
    const found = places.find((place) => isFree(area(place)));
    if (found) taken.push(area(found));
    return found;
  });
}

function groupWords(result) {
  const groups = new Map();
  result.groups.forEach((group, i) => groups.set(group, [...(groups.get(group) ?? []), result.names[i]]));
  const several = [...groups.values()].filter((names) => names.length > 1);
  return several.slice(0, 12).map((names) => names.slice(0, 12).join(", ")).join("; ") || "none";
}
