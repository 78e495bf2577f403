// The tree of a case, lying on its side: leaves to the right, in the rows of the matrix.

import { svg } from "./dom.js";
import { signed } from "./numbers.js";

export function dendrogram(result, size, width) {
  const { merges, order, names, neutral } = result;
  const n = order.length;
  const row = new Map(order.map((leaf, place) => [leaf, (place + 0.5) * size]));
  const highest = Math.max(neutral * 1.15, ...merges.map((merge) => merge[2]), 1e-9);
  const x = (height) => 8 + (width - 10) * (1 - height / highest);
  const nodes = names.map((_, i) => ({ x: x(0), y: row.get(i) }));
  const branches = merges.map(([a, b, height]) => {
    const here = { x: x(height), y: (nodes[a].y + nodes[b].y) / 2 };
    const d = `M${nodes[a].x.toFixed(1)} ${nodes[a].y.toFixed(1)}H${here.x.toFixed(1)}V${nodes[b].y.toFixed(1)}H${nodes[b].x.toFixed(1)}`;
    nodes.push(here);
    return svg("path", { d, class: height < neutral ? "one" : "two" }, svg("title", {}, `mean log10 LR ${signed(neutral - height)}`));
  });
  return svg("svg", { class: "dendrogram", width, height: n * size, viewBox: `0 0 ${width} ${n * size}`, preserveAspectRatio: "none", role: "img", "aria-label": `Dendrogram of ${n} texts` },
    svg("line", { x1: x(neutral), x2: x(neutral), y1: 0, y2: n * size, class: "neutral" }), branches);
}
