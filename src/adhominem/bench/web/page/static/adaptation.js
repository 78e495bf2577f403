// A labelled corpus in, a model calibrated or adapted to it out.

import { button, make, note } from "./dom.js";
import { busy, complain, inform, quiet } from "./notices.js";
import { post } from "./api.js";
import { state } from "./state.js";
import { follow } from "./job.js";
import { onDrop, readAll, withPaths } from "./files.js";
import { counted, fixed } from "./numbers.js";

/** `made(name, table)` is called with the name of the new model and what it gained. */
export function adaptationCard(model, made) {
  let rows = [];
  const files = make("input", { type: "file", id: "corpus-files", multiple: true, accept: ".csv,.jsonl,.zip", on: { change: () => take(withPaths(files.files)) } });
  const told = make("p", { class: "note", role: "status" }, "No corpus yet.");
  const name = make("input", { type: "text", id: "model-name", value: "my-texts", pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}", maxlength: "64", spellcheck: "false" });
  const only = make("input", { type: "radio", name: "how", id: "how-calibrate", checked: true });
  const start = button("Start", run, { class: "primary", disabled: true, id: "adapt-start" });
  const progress = make("div", { class: "progress", hidden: true });

  async function take(chosen) {
    try {
      const texts = await readAll(chosen);
      rows = texts.filter((one) => one.author).map(({ author, text, topic = null }) => ({ author, text, topic }));
      const authors = new Set(rows.map((row) => row.author)).size;
      const without = texts.length - rows.length;
      told.textContent = `${counted(rows.length, "text")} by ${counted(authors, "author")}${without ? `; ${counted(without, "text")} without an author left out` : ""}.`;
      start.disabled = authors < 2;
    } catch (error) {
      complain(error);
    }
  }
  async function run() {
    if (!name.checkValidity() || !name.value) {
      inform("The name of a model is made of letters, digits, dots, dashes and underscores.");
      name.focus();
      return;
    }
    quiet();
    start.disabled = true;
    try {
      const { job } = await post("/api/adaptations", { model: state.model, rows, name: name.value, only_calibrate: only.checked }, { busy });
      const result = await follow(job, progress, only.checked ? "Calibrating" : "Adapting");
      if (!result) inform("Cancelled; nothing was changed.");
      else await made(result.model?.name ?? name.value, gains(result.report));
    } catch (error) {
      complain(error);
    } finally {
      start.disabled = rows.length === 0;
    }
  }
  const card = make("section", { class: "card", "aria-label": "Calibrate or adapt" },
    make("h2", {}, "Fit it to texts like yours"),
    note(`A table (csv or jsonl) with the columns text and author, several texts of each author; ${model?.name ?? "the model"} stays as it is, and a new model stands beside it.`),
    make("p", { class: "actions tight" }, files, make("label", { for: "corpus-files", class: "button" }, "Open a corpus…"), told),
    make("fieldset", { class: "models" }, make("legend", { class: "unseen" }, "How"),
      make("div", { class: "model-row" }, only, make("label", { for: "how-calibrate" }, make("strong", {}, "Calibrate"), " the network stays, the likelihood ratios are fitted anew (quick)")),
      make("div", { class: "model-row" }, make("input", { type: "radio", name: "how", id: "how-adapt" }), make("label", { for: "how-adapt" }, make("strong", {}, "Adapt"), " the network learns further (slow, needs many authors)"))),
    make("p", { class: "actions" }, make("label", { for: "model-name" }, "Name "), name, start),
    progress);
  onDrop(card, take);
  return card;
}

function gains(report) {
  const names = { before: "as it was", recalibrated: "calibrated anew", after: "adapted" };
  const shown = Object.keys(names).filter((key) => report?.[key]);
  if (!shown.length) return note("Done.");
  return make("table", {},
    make("caption", {}, "On authors kept apart"),
    make("thead", {}, make("tr", {}, ["", "Error", "AUC", "Cllr"].map((title) => make("th", { scope: "col" }, title || make("span", { class: "unseen" }, "Model"))))),
    make("tbody", {}, shown.map((key) => make("tr", {}, make("th", { scope: "row" }, names[key]), make("td", {}, `${fixed(100 * report[key].error, 1)}%`), make("td", {}, fixed(report[key].auc, 3)), make("td", {}, fixed(report[key].cllr, 3))))));
}
