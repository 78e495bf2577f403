// A model card as elements: headings, paragraphs, lists, tables, code. Anything else stays as it is written.

import { make } from "./dom.js";

export function markdown(text) {
  const blocks = text.replace(/\r\n/g, "\n").split(/\n{2,}/).filter((block) => block.trim());
  return blocks.map((block, i) => drawBlock(block, i));
}

function drawBlock(block, i) {
  const lines = block.split("\n");
  const heading = /^(#{1,4}) (.*)$/.exec(lines[0]);
  if (heading) return [make(`h${Math.min(heading[1].length + 2, 6)}`, {}, spans(heading[2])), lines.length > 1 ? drawBlock(lines.slice(1).join("\n"), i) : null];
  if (lines.length > 1 && lines[0].startsWith("|") && /^\|[\s:|-]+\|?$/.test(lines[1])) return drawTable(lines, i);
  if (lines.every((line) => /^([-*] |\s+)/.test(line))) return make("ul", {}, items(lines).map((item) => make("li", {}, spans(item))));
  if (lines[0].startsWith("```")) return make("pre", {}, make("code", {}, lines.slice(1, lines.at(-1).startsWith("```") ? -1 : undefined).join("\n")));
  return make("p", {}, spans(lines.join(" ")));
}

function items(lines) {
  const found = [];
  for (const line of lines) {
    if (/^[-*] /.test(line) || !found.length) found.push(line.replace(/^[-*] /, ""));
    else found.push(`${found.pop()} ${line.trim()}`);
  }
  return found;
}

function drawTable(lines, i) {
  const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines.filter((line) => line.startsWith("|"));
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": `Table, paragraph ${i + 1}` },
    make("table", {},
      make("thead", {}, make("tr", {}, cells(head).map((cell) => make("th", { scope: "col" }, cell ? spans(cell) : make("span", { class: "unseen" }, "row"))))),
      make("tbody", {}, rows.map((row) => make("tr", {}, cells(row).map((cell) => make("td", {}, spans(cell))))))));
}

/** Bold, code and links; of a link the words alone, for nothing here leads outside. */
function spans(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)]*\))/).map((part) => {
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    return /^\[[^\]]+\]\(/.test(part) ? part.slice(1, part.indexOf("]")) : part;
  });
}
