// The view Model: which one answers, its figures and card, and new ones for other texts.

import { get, getNodes, post } from "./api.js";
import { fill, find, make, on } from "./dom.js";
import { takeFiles } from "./files.js";
import { follow } from "./job.js";
import { currentModel } from "./kind.js";
import { complain, inform, quiet } from "./notices.js";
import { counted } from "./numbers.js";
import { listen, state, tell } from "./state.js";

let rows = [];

export function startModel() {
  takeFiles(find("corpus-drop"), ["corpus-files"], takeCorpus);
  on("adapt-start", "click", adapt);
  on("model-list", "change", ({ target }) => choose(target.value));
  on("method", "change", ({ target }) => choose(target.value));
  on("model-list", "click", ({ target }) => {
    if (target.id === "models-again") loadModels().catch(complain);
  });
  listen("models", () => {
    const { name, version } = currentModel();
    fill(find("model-chip"), make("span", { class: "unseen" }, "Model: "), `${name} ${version}`);
    const sound = state.models.filter((model) => !model.error);
    const words = (model) => `${model.name} (${model.kind})`;
    const options = sound.map((model) => make("option", { value: model.name }, words(model)));
    fill(find("method"), options);
    find("method").value = state.model;
    find("methods").hidden = sound.length < 2;
  });
}

export async function loadModels() {
  const [{ current, models }, { nodes }] = await Promise.all([
    get("/api/models"),
    getNodes("/api/models"),
  ]);
  state.models = models;
  state.model ??= current;
  fill(find("model-list"), nodes);
  show();
}

function show() {
  for (const node of find("model-list").querySelectorAll("input")) {
    node.checked = node.value === state.model;
  }
  for (const node of find("model-list").querySelectorAll("[data-model]")) {
    node.hidden = node.dataset.model !== state.model;
  }
  tell("models");
}

function choose(name) {
  state.model = name;
  show();
  tell("settings");
  inform(`From now on “${name}” answers.`);
}

function takeCorpus(texts) {
  rows = texts
    .filter((one) => one.author)
    .map(({ author, text, topic = null }) => ({ author, text, topic }));
  const authors = new Set(rows.map((row) => row.author)).size;
  const without = texts.length - rows.length;
  const rest = without ? `; ${counted(without, "text")} without an author left out` : "";
  const found = `${counted(rows.length, "text")} by ${counted(authors, "author")}`;
  find("corpus-words").textContent = `${found}${rest}.`;
  find("adapt-start").disabled = authors < 2;
}

async function adapt() {
  const field = find("model-name");
  if (!field.checkValidity()) {
    inform("The name of a model is made of letters, digits, dots, dashes and underscores.");
    field.focus();
    return;
  }
  const only = find("how-calibrate").checked;
  const body = { model: state.model, rows, name: field.value, only_calibrate: only };
  quiet();
  find("adapt-start").disabled = true;
  try {
    const { job } = await post("/api/adaptations", body);
    const title = only ? "Calibrating" : "Adapting";
    const nodes = await follow(job, find("adapt-progress"), title);
    if (!nodes) {
      inform("Cancelled; nothing was changed.");
      return;
    }
    const { name } = nodes.querySelector("[data-name]").dataset;
    fill(find("adapt-result"), nodes);
    await loadModels();
    choose(name);
  } catch (error) {
    complain(error);
  } finally {
    find("adapt-start").disabled = !rows.length;
  }
}
