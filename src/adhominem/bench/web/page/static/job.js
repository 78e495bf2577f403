// A long task of the server: its progress is shown, and it can be cancelled.

import { ApiError, getNodes, remove } from "./api.js";
import { grouped } from "./numbers.js";

const BETWEEN = 400; // milliseconds between two requests

/** The rendered result of a job, null when it was cancelled. `node` is a `.progress` element. */
export async function follow(id, node, title) {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  const [bar, words, cancel] = ["progress", ".note", "button"].map((name) =>
    node.querySelector(name),
  );
  let isCancelled = false;
  cancel.onclick = async () => {
    isCancelled = true;
    cancel.disabled = true;
    await remove(path).catch(() => {});
  };
  cancel.disabled = false;
  node.querySelector("strong").textContent = title;
  bar.setAttribute("aria-label", title);
  bar.removeAttribute("value");
  words.textContent = "Waiting for its turn…";
  node.hidden = false;
  try {
    for (;;) {
      const job = await getNodes(path);
      if (job.nodes) return job.nodes;
      if (job.state === "cancelled" || isCancelled) return null;
      if (job.state === "failed") throw new ApiError(job.error, 422);
      if (job.total) {
        Object.assign(bar, { max: job.total, value: job.done });
        words.textContent = `${grouped(job.done)} of ${grouped(job.total)}`;
      } else if (job.state === "running") words.textContent = "Working…";
      await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    }
  } finally {
    node.hidden = true;
  }
}
