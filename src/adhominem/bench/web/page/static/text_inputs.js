// The boxes for the texts of one side: type, paste, drop or open files.

import { button, fill, find, make } from "./dom.js";
import { readAll, takeFiles } from "./files.js";
import { complain, say } from "./notices.js";
import { counted, wordsIn } from "./numbers.js";
import { listen, state } from "./state.js";

const SHORT = 80; // words; below, the model has hardly been tested

export function startInputs(side) {
  const fieldset = find(`${side}-input`);
  const boxes = fieldset.querySelector(".boxes");

  function draw() {
    fill(boxes, state[side].map(box));
  }
  function box(one, i) {
    const id = `${side}-text-${i}`;
    const several = state[side].length > 1;
    const size = make("span", { class: "size", id: `${id}-size` });
    const area = make("textarea", {
      id,
      rows: several ? 7 : 9,
      placeholder: fieldset.dataset.hint,
      spellcheck: "false",
      "aria-describedby": size.id,
      dir: "auto",
    });
    const measure = () => {
      one.text = area.value;
      fill(size, sizeWords(one.text));
    };
    const drop = () => {
      state[side].splice(i, 1);
      draw();
    };
    const name = one.name || `Text ${i + 1}`;
    area.value = one.text;
    area.addEventListener("input", measure);
    measure();
    const removal = { class: "link-button", "aria-label": `Remove ${name}` };
    const head = make(
      "div",
      { class: "box-head" },
      make("label", { for: id, class: one.name || several ? null : "unseen" }, name),
      several ? button("Remove", drop, removal) : null,
    );
    return make("div", { class: "box" }, head, area, size);
  }
  async function take(chosen) {
    try {
      const texts = await readAll(chosen);
      const filled = state[side].filter((one) => one.text.trim());
      const added = texts.map(({ name, text }) => ({ name, text }));
      if (added.length) state[side] = [...filled, ...added];
      say(`${counted(added.length, "text")} added`);
      draw();
    } catch (error) {
      complain(error);
    }
  }

  fieldset.querySelector(".add").addEventListener("click", () => {
    state[side].push({ name: "", text: "" });
    draw();
    boxes.querySelector(".box:last-child textarea").focus();
  });
  takeFiles(fieldset, [`${side}-files`], take);
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
