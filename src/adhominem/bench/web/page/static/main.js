// The page starts here: limits and sample are asked for, then the view of the address is shown.

import { get } from "./api.js";
import { startCase } from "./case.js";
import { startCompare } from "./compare.js";
import { closeConcordance, startConcordance } from "./concordance.js";
import { find, on } from "./dom.js";
import { startGuide } from "./guide.js";
import { startKinds } from "./kind.js";
import { loadModels, startModel } from "./model.js";
import { complain } from "./notices.js";
import { startReference } from "./reference.js";
import { showReport, startReport } from "./report.js";
import { filled, isSample, state } from "./state.js";
import { showWhatIf, startWhatIf } from "./whatif.js";

const VIEWS = ["compare", "whatif", "case", "report", "model"];
const SHOW = { whatif: showWhatIf, report: showReport };
const COLOURS = [
  { way: "system", glyph: "◐", words: "as the system has them" },
  { way: "light", glyph: "☀", words: "light" },
  { way: "dark", glyph: "☾", words: "dark" },
];

function showView() {
  const wanted = location.hash.slice(1);
  if (wanted === "view") return; // the link that skips the masthead
  const view = VIEWS.includes(wanted) ? wanted : "compare";
  for (const name of VIEWS) find(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll(".masthead nav a")) {
    const isCurrent = link.hash === `#${view}`;
    if (isCurrent) document.title = `${link.textContent} · adhominem`;
    link.toggleAttribute("aria-current", isCurrent);
  }
  closeConcordance();
  SHOW[view]?.();
  scrollTo({ top: 0, behavior: "instant" });
}

function startColours() {
  const remembered = localStorage.getItem("adhominem-colours");
  const known = COLOURS.findIndex(({ way }) => way === remembered);
  let at = Math.max(0, known);
  const set = ({ way, glyph, words }) => {
    if (way === "system") delete document.documentElement.dataset.colours;
    else document.documentElement.dataset.colours = way;
    find("theme").textContent = glyph;
    find("theme").setAttribute("aria-label", `Colours: ${words}`);
  };
  set(COLOURS[at]);
  on("theme", "click", () => {
    at = (at + 1) % COLOURS.length;
    localStorage.setItem("adhominem-colours", COLOURS[at].way);
    set(COLOURS[at]);
  });
}

async function start() {
  startColours();
  try {
    [state.limits, state.sample] = await Promise.all([get("/api/limits"), get("/api/sample")]);
  } catch (error) {
    find("not-started").hidden = false;
    throw error;
  }
  startConcordance();
  startCompare();
  startWhatIf();
  startCase();
  startReport();
  startModel();
  startKinds();
  startReference();
  startGuide();
  addEventListener("hashchange", showView);
  addEventListener("beforeunload", (event) => {
    if ([...filled("left"), ...filled("right")].some((one) => !isSample(one)))
      event.preventDefault();
  });
  showView();
  document.documentElement.dataset.ready = "yes";
  await loadModels();
}

start().catch(complain);
