// The view Model: which one answers, what it was measured at, and new ones for other texts.

import { button, fill, find, make, note } from "./dom.js";
import { complain, inform } from "./notices.js";
import { get } from "./api.js";
import { state, tell } from "./state.js";
import { markdown } from "./markdown.js";
import { adaptationCard } from "./adaptation.js";
import { grouped } from "./numbers.js";
import { checkKind } from "./kind.js";

const gains = new Map(); // what adaptations brought, by the name of the new model

export async function loadModels() {
  const { current, models } = await get("/api/models");
  state.models = models;
  state.model ??= current;
  checkKind();
  tell("models");
  showChip();
}

export function showModel() {
  if (!state.models) {
    fill(find("model-body"), make("div", { class: "card waiting" }, "Looking for models…"));
    return;
  }
  const current = state.models.find((model) => model.name === state.model);
  fill(find("model-body"),
    make("div", { class: "pair" }, make("div", { class: "stack" }, chooser(), adaptationCard(current, adopt)), figures(current)),
    current?.card ? make("details", { class: "card model-card" }, make("summary", {}, `Card of ${current.name}`), markdown(current.card)) : null);
}

async function adopt(name, table) {
  gains.set(name, table);
  await loadModels();
  choose(name);
}

function choose(name) {
  state.model = name;
  checkKind();
  showChip();
  showModel();
  tell("models");
  tell("settings");
  inform(`From now on “${name}” answers.`);
  document.getElementById(`model-${state.models.findIndex((model) => model.name === name)}`)?.focus();
}

function showChip() {
  const current = state.models.find((model) => model.name === state.model);
  fill(find("model-chip"), make("span", { class: "unseen" }, "Model: "), current ? `${current.name} ${current.version ?? ""}` : "");
}

function chooser() {
  return make("section", { class: "card", "aria-label": "Models" },
    make("h2", {}, "Which model answers"),
    make("fieldset", { class: "models" }, make("legend", { class: "unseen" }, "Model"), state.models.map(option)),
    button("Look again", () => loadModels().then(showModel, complain), { class: "quiet-button" }));
}

function option(model, i) {
  const id = `model-${i}`;
  return make("div", { class: "model-row" },
    make("input", { type: "radio", name: "model", id, checked: model.name === state.model, disabled: Boolean(model.error), on: { change: () => choose(model.name) } }),
    make("label", { for: id }, make("strong", {}, model.name), model.error ? ` ${model.error}` : ` version ${model.version}, ${model.kind}`,
      model.sha256 ? make("span", { class: "note block" }, make("code", {}, `sha256 ${model.sha256.slice(0, 16)}…`)) : null));
}

/** How often it was wrong on test pairs, by kind and length of the texts. */
function figures(model) {
  const rows = model?.figures?.track_record ?? [];
  const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)}%`);
  return make("section", { class: "card", "aria-label": "Figures" },
    make("h2", {}, "How often it errs"),
    rows.length
      ? make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "Errors by kind and length" }, make("table", {},
          make("caption", { class: "unseen" }, "Errors on test pairs"),
          make("thead", {}, make("tr", {}, ["Texts", "Tokens", "Pairs", "Error", "Reliable", "Error there"].map((name) => make("th", { scope: "col" }, name)))),
          make("tbody", {}, rows.map((row, i) => make("tr", { class: i && row.genre !== rows[i - 1].genre ? "next-kind" : null },
            make("th", { scope: "row" }, i && row.genre === rows[i - 1].genre ? make("span", { class: "unseen" }, row.genre ?? "all") : row.genre ?? "all"), make("td", { class: "together-words" }, row.longest === null ? `${row.shortest}+` : `${row.shortest}–${row.longest}`),
            make("td", {}, grouped(row.pairs)), make("td", {}, percent(row.error)), make("td", {}, percent(row.reliable_share)), make("td", {}, percent(row.reliable_error)))))))
      : make("p", {}, "This model carries no record of its errors by kind and length."),
    rows.length > 0 && note("Of pairs of test authors that the model has never seen; the tokens are those of the shorter text."),
    gains.get(model?.name));
}
