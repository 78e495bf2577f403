// The strongest evidence for one author among the pairs of a case, as a list.

import { button, make, note } from "./dom.js";
import { grouped, signed } from "./numbers.js";
import { supportWords } from "./verbal.js";

const MOST = 15;

export function linksCard(result, open) {
  const pairs = [];
  for (let i = 0; i < result.names.length; i += 1)
    for (let j = i + 1; j < result.names.length; j += 1) if (result.verdict[i][j] === "same") pairs.push({ i, j, llr: result.llr[i][j] });
  pairs.sort((a, b) => b.llr - a.llr);
  return make("section", { class: "card", "aria-label": "Strongest links" },
    make("h2", {}, "Strongest links"),
    pairs.length
      ? make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "Pairs" }, make("table", { class: "links" },
          make("caption", { class: "unseen" }, "Pairs that speak for one author"),
          make("thead", {}, make("tr", {}, ["Pair", "log₁₀ LR", "Evidence"].map((name) => make("th", { scope: "col" }, name)))),
          make("tbody", {}, pairs.slice(0, MOST).map(({ i, j, llr }) => make("tr", {},
            make("td", {}, button(`${result.names[i]} – ${result.names[j]}`, () => open(i, j), { class: "link-button" })),
            make("td", {}, signed(llr)), make("td", {}, supportWords(llr), result.reliable[i][j] ? null : make("span", { class: "note" }, " (less reliable)")))))))
      : make("p", {}, "No two texts speak for one author."),
    pairs.length > MOST ? note(`and ${grouped(pairs.length - MOST)} more`) : null);
}
