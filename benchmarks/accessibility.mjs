// Checks pages for barriers with axe-core in a real browser: every layer, light and dark, desktop
// and phone, and as printed.
//
//     npm install --prefix .local/axe axe-core puppeteer-core
//     node benchmarks/accessibility.mjs /usr/bin/chromium demo/report.html > results/accessibility.json
//
// Prints what was checked and every finding with its impact.

import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";

const require = createRequire(resolve(".local/axe/package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [executablePath, ...pages] = process.argv.slice(2);

async function check(browser, path, scheme, width, media) {
  const page = await browser.newPage();
  await page.setBypassCSP(true); // the page itself allows no script
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaType(media);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`file://${resolve(path)}`);
  await page.addScriptTag({ content: axe });
  const layers = await page.$$eval("input[name=layer]", (inputs) => inputs.map((i) => i.id));
  const found = [];
  for (const layer of layers) {
    const result = await page.evaluate(async (id) => {
      document.getElementById(id).checked = true;
      const { violations, passes } = await axe.run();
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        passed: passes.length,
        too_wide: Math.max(0, scrollWidth - clientWidth),
        findings: violations.map((v) => ({ rule: v.id, impact: v.impact, places: v.nodes.length })),
      };
    }, layer);
    found.push({ layer, scheme, width, media, ...result });
  }
  await page.close();
  return found;
}

const browser = await puppeteer.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const report = { axe: require("axe-core/package.json").version, pages: [] };
for (const path of pages) {
  const checks = [];
  for (const scheme of ["light", "dark"])
    for (const width of [1200, 390])
      checks.push(...(await check(browser, path, scheme, width, "screen")));
  checks.push(...(await check(browser, path, "light", 800, "print")));
  report.pages.push({ page: basename(path), bytes: statSync(path).size, checks });
}
await browser.close();
console.log(JSON.stringify(report, null, 1));
