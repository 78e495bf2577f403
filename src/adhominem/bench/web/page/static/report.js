// The view Report: files to hand over.

import { button, fill, find, make, note } from "./dom.js";
import { complain, inform, quiet } from "./notices.js";
import { download } from "./api.js";
import { state, withSettings } from "./state.js";
import { counted } from "./numbers.js";

const FORMS = [
  ["html", "Page (HTML)", "One file that opens in any browser, with layers that can be switched."],
  ["pdf", "Document (PDF)", "For paper and for the record."],
  ["json", "Numbers (JSON)", "Every weight, every place, every setting."],
];

export function showReport() {
  fill(find("report-body"), pairCard(), caseCard());
}

function pairCard() {
  const { answer } = state;
  if (!answer) return emptyCard("Report of a comparison", "No comparison yet.", "compare", "Compare two texts");
  const { left, right, words } = answer;
  const noPdf = state.limits.pdf_report === false;
  return make("section", { class: "card", "aria-label": "Report of the comparison" },
    make("h2", {}, "Report of the comparison"),
    note(`${words.verdict}: ${words.support}. ${counted(left.length, "known text")}, ${counted(right.length, "questioned text")}.`),
    make("ul", { class: "files" },
      FORMS.map(([form, title, told]) => file(title, form === "pdf" && noPdf ? "Needs chromium on this machine; or open the page and print it." : told, () => download("/api/report", withSettings({ left, right, form }), `adhominem-report.${form}`), { disabled: form === "pdf" && noPdf, id: `save-${form}` })),
      file("Bundle (zip)", "Texts, settings, hashes and results, to be repeated.", () => download("/api/bundle", withSettings({ kind: "pair", left, right }), "adhominem-pair.zip"), { id: "save-bundle" }),
      make("li", {}, make("div", {}, make("strong", {}, "On paper"), make("span", { class: "note block" }, "The answer as the page shows it, through the browser.")), button("Print", printAnswer))),
    repeat("adhominem-pair.zip"));
}

/** The view Compare is what goes on paper. */
function printAnswer() {
  addEventListener("hashchange", () => setTimeout(print, 100), { once: true });
  location.hash = "compare";
}

function caseCard() {
  const { caseResult, caseTextsAsked: texts } = state;
  if (!caseResult) return emptyCard("Bundle of a case", "No case yet.", "case", "Compare many texts");
  return make("section", { class: "card", "aria-label": "Bundle of the case" },
    make("h2", {}, "Bundle of the case"),
    note(`${counted(texts.length, "text")}${caseResult.questioned ? `, “${caseResult.questioned}” questioned` : ""}.`),
    make("ul", { class: "files" },
      file("Bundle (zip)", "All texts, settings, hashes and results.", () => download("/api/bundle", withSettings({ kind: "case", texts, questioned: caseResult.questioned }), "adhominem-case.zip"), { id: "save-case" })),
    repeat("adhominem-case.zip"));
}

function emptyCard(title, words, view, action) {
  return make("section", { class: "card empty" }, make("h2", {}, title), make("p", {}, words), make("p", { class: "actions" }, make("a", { class: "button", href: `#${view}` }, action)));
}

function file(title, told, save, properties) {
  const act = async () => {
    quiet();
    node.disabled = true;
    node.textContent = "Making it…";
    try {
      inform(`Saved as ${await save()}.`);
    } catch (error) {
      complain(error);
    } finally {
      node.disabled = false;
      node.textContent = "Save";
    }
  };
  const node = button("Save", act, { ...properties, "aria-label": `Save: ${title}` });
  return make("li", {}, make("div", {}, make("strong", {}, title), make("span", { class: "note block" }, told)), node);
}

function repeat(name) {
  return make("p", { class: "note" }, "Anybody with the same model gets the same numbers from the bundle: ", make("code", {}, `adhominem reproduce ${name}`));
}
