// A long task of the server: its progress is shown, and it can be cancelled.

import { button, fill, make } from "./dom.js";
import { get, remove } from "./api.js";
import { grouped } from "./numbers.js";

const BETWEEN = 400; // milliseconds between two looks

/** The result of a job, or null when it was cancelled. */
export async function follow(id, node, title) {
  const bar = make("progress", { "aria-label": title });
  const words = make("span", { class: "note", role: "status" }, "Waiting for its turn…");
  let isCancelled = false;
  const cancel = button("Cancel", async () => {
    isCancelled = true;
    cancel.disabled = true;
    await remove(`/api/jobs/${encodeURIComponent(id)}`).catch(() => {});
  });
  node.hidden = false;
  fill(node, make("div", {}, make("strong", {}, title), cancel), bar, words);
  try {
    for (;;) {
      const job = await get(`/api/jobs/${encodeURIComponent(id)}`);
      if (job.state === "done") return job.result;
      if (job.state === "cancelled" || isCancelled) return null;
      if (job.state === "failed") throw Object.assign(new Error(job.error ?? "The task failed."), { status: 422 });
      if (job.total) {
        bar.max = job.total;
        bar.value = job.done;
        words.textContent = `${grouped(job.done)} of ${grouped(job.total)}`;
      } else if (job.state === "running") words.textContent = "Working…";
      await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    }
  } finally {
    node.hidden = true;
  }
}
