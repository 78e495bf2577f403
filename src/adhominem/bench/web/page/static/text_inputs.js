// The boxes for the texts of one side: type, paste, drop or open files.

import { copyOf, fill, find, make } from "./dom.js";
import { passagesOf, takeFiles } from "./files.js";
import { counted, wordsIn } from "./numbers.js";
import { filled, listen, state } from "./state.js";

const SHORT = 80; // words; below, the model has hardly been tested

export function startInputs(side) {
  const fieldset = find(`${side}-input`);
  const boxes = fieldset.querySelector(".boxes");

  function draw() {
    fill(boxes, state[side].map(box));
  }
  function box(one, i) {
    const id = `${side}-text-${i}`;
    const name = one.name || `Text ${i + 1}`;
    const isAlone = state[side].length === 1;
    const node = copyOf("text-box");
    const [label, remove, area, size] = node.querySelectorAll("label, button, textarea, .size");
    Object.assign(label, { htmlFor: id, textContent: name });
    label.classList.toggle("unseen", isAlone && !one.name);
    remove.hidden = isAlone;
    remove.setAttribute("aria-label", `Remove ${name}`);
    remove.addEventListener("click", () => {
      state[side].splice(i, 1);
      draw();
    });
    size.id = `${id}-size`;
    area.setAttribute("aria-describedby", size.id);
    const rows = isAlone ? 9 : 7;
    Object.assign(area, { id, rows, placeholder: fieldset.dataset.hint, value: one.text });
    const measure = () => {
      one.text = area.value;
      fill(size, sizeWords(one.text));
    };
    area.addEventListener("input", measure);
    measure();
    const passages = passagesOf(one, draw);
    if (passages) node.append(passages);
    return node;
  }
  fieldset.querySelector(".add").addEventListener("click", () => {
    state[side].push({ name: "", text: "" });
    draw();
    boxes.querySelector(".box:last-child textarea").focus();
  });
  takeFiles(fieldset, [`${side}-files`], (texts) => {
    const read = texts.map((one) => ({ ...one, read: one.text }));
    if (texts.length) state[side] = [...filled(side), ...read];
    draw();
  });
  listen("texts", draw);
  draw();
}

function sizeWords(text) {
  const n = wordsIn(text);
  if (!n) return ["empty"];
  if (n >= SHORT) return [counted(n, "word")];
  const isTooShort = n < state.limits.min_tokens;
  const warning = isTooShort ? "too short to be judged alone" : "short: expect weak evidence";
  return [counted(n, "word"), make("span", { class: "warn" }, ` · ${warning}`)];
}
