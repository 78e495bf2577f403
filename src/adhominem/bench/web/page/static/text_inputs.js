// The boxes for the texts of one side: type, paste, drop or open files.

import { button, fill, make } from "./dom.js";
import { complain, say } from "./notices.js";
import { state } from "./state.js";
import { accepted, onDrop, readAll, withPaths } from "./files.js";
import { counted, wordsIn } from "./numbers.js";

const HINTS = { left: "Paste a text whose author is known, or drop files here.", right: "Paste the text in question, or drop a file here." };
const SHORT = 80; // words; below, the model has hardly been tested

export function textInputs(fieldset, side, changed) {
  const legend = fieldset.querySelector("legend");
  const boxes = make("div", { class: "boxes" });
  const files = make("input", { type: "file", id: `${side}-files`, multiple: true, accept: accepted() });
  const add = button("Add another text", () => {
    state[side].push({ name: "", text: "" });
    draw();
    boxes.querySelector(".box:last-child textarea").focus();
  });
  files.addEventListener("change", () => take(side, withPaths(files.files), redraw));
  onDrop(fieldset, (dropped) => take(side, dropped, redraw));
  fill(fieldset, legend, boxes, make("p", { class: "actions" }, add, files, make("label", { for: `${side}-files`, class: "button" }, "Open files…")));

  function redraw() {
    draw();
    changed();
  }
  function draw() {
    fill(boxes, state[side].map((one, i) => box(one, i)));
  }
  function box(one, i) {
    const id = `${side}-text-${i}`;
    const size = make("span", { class: "size", id: `${id}-size` });
    const area = make("textarea", { id, rows: state[side].length > 1 ? "7" : "9", placeholder: HINTS[side], spellcheck: "false", "aria-describedby": `${id}-size`, dir: "auto" });
    area.value = one.text;
    area.addEventListener("input", () => {
      one.text = area.value;
      fill(size, ...sizeWords(one.text));
      changed();
    });
    fill(size, ...sizeWords(one.text));
    const drop = () => {
      state[side].splice(i, 1);
      redraw();
    };
    return make("div", { class: "box" },
      make("div", { class: "box-head" }, make("label", { for: id, class: one.name || state[side].length > 1 ? null : "unseen" }, one.name || `Text ${i + 1}`), state[side].length > 1 ? button("Remove", drop, { class: "link-button", "aria-label": `Remove ${one.name || `text ${i + 1}`}` }) : null),
      area, size);
  }
  draw();
  return { draw };
}

async function take(side, chosen, done) {
  try {
    const texts = await readAll(chosen);
    if (!texts.length) return;
    const kept = state[side].filter((one) => one.text.trim());
    state[side] = [...kept, ...texts.map(({ name, text }) => ({ name, text }))];
    say(`${counted(texts.length, "text")} added`);
    done();
  } catch (error) {
    complain(error);
  }
}

function sizeWords(text) {
  const n = wordsIn(text);
  if (!n) return ["empty"];
  const least = state.limits.min_tokens;
  if (n < least) return [counted(n, "word"), make("span", { class: "warn" }, ` · too short to be judged alone`)];
  if (n < SHORT) return [counted(n, "word"), make("span", { class: "warn" }, " · short: expect weak evidence")];
  return [counted(n, "word")];
}
