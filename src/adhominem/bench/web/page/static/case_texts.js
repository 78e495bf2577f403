// The texts of a case: dropped or opened, named, and one of them perhaps questioned.

import { button, fill, make, note } from "./dom.js";
import { complain, say } from "./notices.js";
import { state, tell } from "./state.js";
import { accepted, onDrop, readAll, withPaths } from "./files.js";
import { loadSample } from "./sample.js";
import { counted, grouped, wordsIn } from "./numbers.js";
import { kindChoice } from "./kind.js";

const MOST_SHOWN = 100;

export function caseTexts(node, start) {
  const status = make("p", { class: "note", role: "status" });
  const files = picker("case-files", "Open files…", {});
  const folder = picker("case-folder", "Open a folder…", { webkitdirectory: true });
  const zone = make("div", { class: "card drop-zone" },
    make("p", {}, make("strong", {}, "Drop texts here"), " files, a folder, a zip, or a table (csv, jsonl) with the columns text, author and name. A folder inside a folder is an author."),
    make("p", { class: "actions tight" }, files, folder, button("Use the sample case", loadSample)), status);
  const list = make("div", {});
  const kind = kindChoice("case-kind");
  onDrop(zone, take);

  function picker(id, words, properties) {
    const input = make("input", { type: "file", id, multiple: true, accept: properties.webkitdirectory ? null : accepted(), ...properties, on: { change: () => take(withPaths(input.files)) } });
    return [input, make("label", { for: id, class: "button" }, words)];
  }
  async function take(chosen) {
    const forms = state.limits.forms;
    const readable = chosen.length === 1 || !forms ? chosen : chosen.filter(({ file }) => forms.includes(file.name.split(".").pop().toLowerCase()));
    try {
      const texts = await readAll(readable, (done, total) => {
        status.textContent = `Read ${done} of ${counted(total, "file")}…`;
      });
      state.caseTexts = named([...state.caseTexts, ...texts]);
      say(`${counted(texts.length, "text")} added`);
    } catch (error) {
      complain(error);
    } finally {
      status.textContent = "";
    }
    tell("case-texts");
  }
  function draw() {
    const texts = state.caseTexts;
    const go = button(texts.length < 2 ? "Compare all" : `Compare all ${grouped((texts.length * (texts.length - 1)) / 2)} pairs`, start, { class: "primary", disabled: texts.length < 2, id: "case-start" });
    const clear = button("Clear", () => {
      state.caseTexts = [];
      state.questioned = null;
      tell("case-texts");
    });
    fill(list, texts.length ? [table(texts), make("p", { class: "actions" }, kind), make("p", { class: "actions" }, go, clear, texts.length < 2 ? make("span", { class: "note" }, "A case needs two texts or more.") : null)] : null);
  }
  fill(node, zone, list);
  draw();
  return { draw };
}

function table(texts) {
  const unset = make("input", { type: "radio", name: "questioned", id: "questioned-none", checked: state.questioned === null, on: { change: () => { state.questioned = null; } } });
  return make("div", { class: "card scrolling", tabindex: "0", role: "region", "aria-label": "Texts of the case" },
    make("table", { class: "case-texts" },
      make("caption", {}, `${counted(texts.length, "text")} of ${counted(new Set(texts.map((one) => one.author).filter(Boolean)).size, "known author")}`),
      make("thead", {}, make("tr", {}, ["Text", "Author, if known", "Words", "Questioned", ""].map((name) => make("th", { scope: "col" }, name || make("span", { class: "unseen" }, "Remove"))))),
      make("tbody", {}, texts.slice(0, MOST_SHOWN).map(row))),
    texts.length > MOST_SHOWN ? note(`and ${grouped(texts.length - MOST_SHOWN)} more`) : null,
    make("p", { class: "note none-questioned" }, unset, " ", make("label", { for: "questioned-none" }, "No text is questioned: compare all with all")));
}

function row(one, i) {
  const author = make("input", { type: "text", value: one.author ?? "", "aria-label": `Author of ${one.name}`, placeholder: "unknown", on: { input: () => { one.author = author.value.trim() || null; } } });
  const question = make("input", { type: "radio", name: "questioned", "aria-label": `${one.name} is questioned`, checked: state.questioned === one.name, on: { change: () => { state.questioned = one.name; } } });
  const drop = () => {
    state.caseTexts.splice(i, 1);
    if (state.questioned === one.name) state.questioned = null;
    tell("case-texts");
  };
  return make("tr", {},
    make("td", {}, make("strong", {}, one.name), make("span", { class: "note block excerpt", dir: "auto" }, one.text.slice(0, 90))),
    make("td", {}, author), make("td", {}, grouped(wordsIn(one.text))), make("td", {}, question),
    make("td", {}, button("×", drop, { class: "quiet-button", "aria-label": `Remove ${one.name}` })));
}

/** Every text has a name of its own. */
function named(texts) {
  const taken = new Set();
  return texts.map((one, i) => {
    const base = one.name || `text ${i + 1}`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base} (${n})`;
    taken.add(name);
    return { ...one, name };
  });
}
