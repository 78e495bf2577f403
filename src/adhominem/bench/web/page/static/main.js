// The page starts here: what the server offers is asked for, then the view of the address is shown.

import { button, fill, find, make } from "./dom.js";
import { complain } from "./notices.js";
import { get } from "./api.js";
import { state, tell } from "./state.js";
import { startCompare } from "./compare.js";
import { showWhatIf, startWhatIf } from "./whatif.js";
import { startCase } from "./case.js";
import { showReport } from "./report.js";
import { loadModels, showModel } from "./model.js";
import { startGuide } from "./guide.js";
import { close } from "./concordance.js";

const TITLES = { compare: "Compare", whatif: "What if", case: "Case", report: "Report", model: "Model" };
const SHOW = { whatif: showWhatIf, report: showReport, model: showModel };

function showView() {
  const wanted = location.hash.slice(1);
  if (wanted === "view") return; // the link that skips the masthead
  const view = wanted in TITLES ? wanted : "compare";
  for (const name of Object.keys(TITLES)) find(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll(".masthead nav a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[view]} · adhominem`;
  close();
  SHOW[view]?.();
  scrollTo({ top: 0, behavior: "instant" });
}

function startColours() {
  const ways = ["system", "light", "dark"];
  const words = { system: "as the system has them", light: "light", dark: "dark" };
  const glyphs = { system: "◐", light: "☀", dark: "☾" };
  const set = (way) => {
    if (way === "system") delete document.documentElement.dataset.colours;
    else document.documentElement.dataset.colours = way;
    find("theme").textContent = glyphs[way];
    find("theme").setAttribute("aria-label", `Colours: ${words[way]}`);
    tell("colours");
  };
  let at = Math.max(0, ways.indexOf(localStorage.getItem("adhominem-colours")));
  set(ways[at]);
  find("theme").addEventListener("click", () => {
    at = (at + 1) % ways.length;
    localStorage.setItem("adhominem-colours", ways[at]);
    set(ways[at]);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tell("colours"));
}

async function start() {
  startColours();
  try {
    [state.limits, state.sample] = await Promise.all([get("/api/limits"), get("/api/sample")]);
  } catch (error) {
    complain(error);
    fill(find("view"), make("div", { class: "card empty" }, make("h2", {}, "The workbench could not start"), make("p", {}, error.message), make("p", { class: "actions" }, button("Try again", () => location.reload(), { class: "primary" }))));
    return;
  }
  startCompare();
  startWhatIf();
  startCase();
  startGuide();
  addEventListener("hashchange", showView);
  showView();
  document.documentElement.dataset.ready = "yes";
  await loadModels();
  if (location.hash === "#model") showModel();
}

start().catch(complain);
