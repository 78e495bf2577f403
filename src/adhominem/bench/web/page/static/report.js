// The view Report: files to hand over.

import { download } from "./api.js";
import { find, on } from "./dom.js";
import { complain, inform, quiet } from "./notices.js";
import { counted } from "./numbers.js";
import { state, withSettings } from "./state.js";

export function startReport() {
  for (const save of document.querySelectorAll("#report-body [data-path]")) {
    save.addEventListener("click", () => saveFile(save));
  }
  on("print", "click", () => {
    addEventListener("hashchange", () => setTimeout(print, 100), { once: true });
    location.hash = "compare"; // the view that goes on paper
  });
}

export function showReport() {
  const { answer, caseAsked } = state;
  find("report-empty").hidden = Boolean(answer);
  find("report-pair").hidden = !answer;
  find("report-no-case").hidden = Boolean(caseAsked);
  find("report-case").hidden = !caseAsked;
  for (const save of document.querySelectorAll("#report-body [data-form=pdf]")) {
    save.disabled = !state.limits.pdf_report;
  }
  if (answer) {
    const { left, right, changes } = answer;
    const texts = `${counted(left.length, "known text")}, ${counted(right.length, "questioned text")}`;
    find("report-words").textContent = `${changes.dataset.said} ${texts}.`;
  }
  if (caseAsked) {
    const { texts, questioned } = caseAsked;
    const which = questioned ? `, “${questioned}” questioned` : "";
    find("report-case-words").textContent = `${counted(texts.length, "text")}${which}.`;
  }
}

async function saveFile(save) {
  const { path, form } = save.dataset;
  const { left, right, names } = state.answer ?? {};
  const inputs = save.closest("section").querySelectorAll(".cover input");
  const cover = Object.fromEntries([...inputs].map((one) => [one.name, one.value]));
  const bodies = {
    report: { left, right, form, cover: { ...cover, ...names } },
    "case-report": { ...state.caseAsked, form, cover },
    bundle: form === "case" ? { kind: form, ...state.caseAsked } : { kind: form, left, right },
  };
  quiet();
  save.disabled = true;
  save.textContent = "Making it…";
  try {
    inform(`Saved as ${await download(`/api/${path}`, withSettings(bodies[path]))}.`);
  } catch (error) {
    complain(error);
  } finally {
    save.disabled = false;
    save.textContent = "Save";
  }
}
