// What the rules found in both texts: shared, distinctive, and all of it counted.

import { make, note } from "./dom.js";
import { fixed, grouped, signed } from "./numbers.js";
import { kwicColumns } from "./concordance.js";
import { LABELS, withOurNames } from "./sides.js";

const MOST_SHOWN = 5; // findings at first sight

export function habitsSection(habits, { habits: words }) {
  if (!habits || !words) return null;
  return make("section", { class: "habits", "aria-label": "Linguistic habits" },
    make("h2", {}, "Habits of the writing"),
    note(`Found by rules, apart from the network, and not part of the likelihood ratio. Reference: ${words.reference}.`),
    make("div", { class: "pair" },
      findings("Shared habits", "What both sides show, the most telling first: rare habits tell more than common ones.", words.shared),
      findings("Distinctive habits", "What one side shows more often than chance would have it, or in the place of a word that the other uses.", words.distinctive)),
    make("details", { class: "card" },
      make("summary", {}, `All ${habits.categories.length} categories that were met`),
      categories(habits, words)));
}

function findings(title, lead, table) {
  const { rows } = table;
  return make("div", { class: "card" },
    make("h3", {}, title), note(lead),
    rows.length ? rows.slice(0, MOST_SHOWN).map(finding) : make("p", {}, "None worth telling."),
    rows.length > MOST_SHOWN ? make("details", { class: "more" }, make("summary", {}, `${rows.length - MOST_SHOWN} more`), rows.slice(MOST_SHOWN).map(finding)) : null,
    table.left_out ? note(`${grouped(table.left_out)} less telling ones are not shown here.`) : null);
}

function finding(row) {
  return make("div", { class: "finding" },
    make("p", {}, make("strong", { dir: "auto" }, row.words), row.words === row.category ? null : make("span", { class: "note" }, ` ${row.category}`)),
    note(withOurNames(`${row.use}; ${row.share}`)),
    make("table", { class: "kwic" },
      make("caption", { class: "unseen" }, `Where it stands: ${row.words}`), kwicColumns(),
      make("thead", { class: "unseen" }, make("tr", {}, ["Side", "Before", "The place", "After"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, row.lines.map(line))),
    row.lines_left_out ? note(`and ${grouped(row.lines_left_out)} more`) : null);
}

function line({ side, context }) {
  return make("tr", {},
    make("th", { scope: "row" }, LABELS[side].toLowerCase()),
    make("td", { class: "before" }, make("bdi", {}, context.before)),
    make("td", { class: "own" }, make("b", { dir: "auto" }, context.own)),
    make("td", { class: "after" }, make("bdi", {}, context.after)));
}

function categories(habits, words) {
  const told = new Map(words.categories.map((one) => [one.name, one.description]));
  const carries = habits.categories.some((row) => known(row.left.contribution) || known(row.right.contribution));
  const side = (name) => [name, "per 1,000", ...(carries ? ["carry"] : [])];
  const head = ["Category", ...side("Known"), ...side("Questioned"), "usual"];
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "All categories" },
    make("table", { class: "categories" },
      make("caption", { class: "unseen" }, "Hits, and hits in 1,000 tokens"),
      make("thead", {}, make("tr", {}, head.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, habits.categories.map((row, i) => make("tr", {},
        make("td", {}, make("sup", {}, String(i + 1)), " ", make("b", {}, row.name), row.experimental ? " †" : null, told.has(row.name) ? make("span", { class: "note block" }, told.get(row.name)) : null),
        counts(row.left, carries), counts(row.right, carries), make("td", {}, fixed(row.reference_per_thousand, 1)))))),
    carries && note("“Carry” is the part of the log₁₀ likelihood ratio that the words of a category carry: above 0 they pull the texts together."),
    habits.categories.some((row) => row.experimental) && note("† experimental: fewer than seven in ten of the hits that were checked by hand were right."),
    words.absent.length ? note(`In neither text: ${words.absent.join(", ")}.`) : null);
}

const known = (part) => part !== null && part !== undefined;

function counts({ count, per_thousand: rate, contribution }, carries) {
  return [make("td", {}, String(count)), make("td", {}, fixed(rate, 1)), carries ? make("td", {}, count && known(contribution) ? signed(contribution) : "") : null];
}
