// The view Case: many texts, every one against every other.

import { button, fill, find, make, note } from "./dom.js";
import { busy, complain, inform, quiet, say } from "./notices.js";
import { post } from "./api.js";
import { on, state, tell, withSettings } from "./state.js";
import { follow } from "./job.js";
import { caseTexts } from "./case_texts.js";
import { clusterMap } from "./cluster_map.js";
import { authorMap } from "./author_map.js";
import { rankingCard } from "./ranking.js";
import { linksCard } from "./links.js";
import { compare } from "./compare.js";
import { counted, grouped } from "./numbers.js";

export function startCase() {
  const input = caseTexts(find("case-input"), run);
  on("case-texts", () => {
    input.draw();
    if (!state.caseResult) show(true);
  });
  on("settings", () => state.caseResult && run());
}

async function run() {
  const texts = state.caseTexts.map(({ name, author, text }) => ({ name, author: author || null, text }));
  const asked = withSettings({ texts, questioned: state.questioned });
  quiet();
  show(false);
  try {
    const { job } = await post("/api/cases", asked, { busy });
    const result = await follow(job, find("case-progress"), `Comparing ${grouped((texts.length * (texts.length - 1)) / 2)} pairs`);
    quiet();
    if (!result) {
      show(true);
      inform("The case was cancelled. The texts are still here.");
      return;
    }
    state.caseResult = result;
    state.caseTextsAsked = texts;
    draw();
    tell("case-result");
    say(`Done: ${counted(texts.length, "text")} compared.`);
  } catch (error) {
    show(true);
    complain(error);
  }
}

function show(isInput) {
  find("case-input").hidden = !isInput;
  fill(find("case-result"));
}

/** What happens to one text is shown in all pictures. */
function draw() {
  const result = state.caseResult;
  const parts = [];
  const point = (index) => parts.forEach((part) => part.point(index));
  const open = (i, j) => openPair(state.caseTextsAsked, i, j, result.questioned);
  const cluster = clusterMap(result, point, open);
  const plane = authorMap(result, point);
  parts.push(cluster, plane);
  const groups = new Map();
  result.groups.forEach((group) => groups.set(group, (groups.get(group) ?? 0) + 1));
  const together = [...groups.values()].filter((size) => size > 1).length;
  const doubtful = result.doubts?.filter((doubts) => doubts.length).length ?? 0;
  fill(find("case-result"),
    make("div", { class: "asked" },
      make("span", {}, make("b", {}, counted(result.names.length, "text")), `, ${counted(together, "group")} of texts that speak for one author`),
      button("Change the texts", () => show(true)), make("a", { class: "button", href: "#report" }, "Bundle")),
    doubtful ? note(`${counted(doubtful, "text")} could not be judged (too short, not English or unlike anything the model knows) and ${doubtful === 1 ? "stands" : "stand"} alone.`) : null,
    result.ranking ? rankingCard(result.ranking, result.questioned) : null,
    cluster.isWide ? [cluster.node, make("div", { class: "pair" }, plane.node, linksCard(result, open))] : [make("div", { class: "case-figures" }, cluster.node, plane.node), linksCard(result, open)]);
  cluster.redraw();
}

/** A pair of the case in the view Compare, the questioned text on the right. */
function openPair(texts, i, j, questioned) {
  const [left, right] = texts[i].name === questioned ? [texts[j], texts[i]] : [texts[i], texts[j]];
  state.left = [{ name: left.name, text: left.text }];
  state.right = [{ name: right.name, text: right.text }];
  state.answer = null;
  tell("texts-replaced");
  tell("answer");
  location.hash = "compare";
  compare();
}
