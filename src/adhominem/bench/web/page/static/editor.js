// A text that is edited on its own heat map: boxes of colour lie under a see-through text field. They
// are measured on a copy of the text, so that colours and letters break their lines alike. Until the
// next answer comes, the colours of the unchanged parts move along.

import { fill, make } from "./dom.js";

/** The editor of a `.editor` element; `changed()` is called when somebody types. */
export function startEditor(node, changed) {
  const [copy, boxes, area] = [".copy", ".boxes-of-colour", ".over"].map((name) =>
    node.querySelector(name),
  );
  let coloured = { text: "", spans: [] };
  area.addEventListener("input", () => {
    draw();
    changed();
  });
  new ResizeObserver(draw).observe(node);

  function draw() {
    copy.textContent = `${area.value}\n`;
    const origin = copy.getBoundingClientRect();
    const shift = shiftBetween(coloured.text, area.value);
    const drawn = coloured.spans.flatMap((span) =>
      shift(span).flatMap(([start, end]) => boxesOf(span, start, end, copy.firstChild, origin)),
    );
    fill(boxes, drawn);
  }

  return {
    get text() {
      return area.value;
    },
    /** Replaces the text without calling `changed`. */
    put(text) {
      area.value = text;
      draw();
    },
    /** Takes the colours of a heat map. */
    colour(heat) {
      coloured = { text: heat.textContent, spans: spansOf(heat) };
      draw();
    },
  };
}

/** The sentences and words of a heat map with their positions and colours, sentences first. */
function spansOf(heat) {
  const spans = [];
  let position = 0;
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      position += node.length;
      return;
    }
    const start = position;
    node.childNodes.forEach(visit);
    if (node.matches("b, .sentence")) spans.push({ node, start, end: position });
  };
  visit(heat);
  return spans.sort((a, b) => (a.node.tagName === "B") - (b.node.tagName === "B"));
}

/** A box on each line over which a stretch of the text goes. */
function boxesOf({ node }, start, end, text, origin) {
  const range = document.createRange();
  range.setStart(text, start);
  range.setEnd(text, end);
  const rects = [...range.getClientRects()].filter((rect) => rect.width);
  return rects.map(({ left, top, width, height }) => {
    const word = node.tagName === "B" ? node.textContent : null;
    const box = make(node.tagName, { class: node.className || null, "data-word": word });
    box.style.cssText = node.style.cssText;
    const place = { left: left - origin.left, top: top - origin.top, width, height };
    for (const [name, pixels] of Object.entries(place)) box.style[name] = `${pixels}px`;
    return box;
  });
}

/** The new positions of a span of the old text: none for one in which something was changed. */
function shiftBetween(old, text) {
  const most = Math.min(old.length, text.length);
  let same = 0;
  while (same < most && old[same] === text[same]) same += 1;
  let rest = 0;
  while (rest < most - same && old.at(-1 - rest) === text.at(-1 - rest)) rest += 1;
  const by = text.length - old.length;
  return ({ start, end }) => {
    if (end <= start) return [];
    if (end <= same) return [[start, end]];
    return start >= old.length - rest ? [[start + by, end + by]] : [];
  };
}
