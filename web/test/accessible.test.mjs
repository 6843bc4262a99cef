// SPDX-License-Identifier: MIT
// The page for people who read it with other means: axe-core finds no serious fault in any panel, with a map and
// without, in both themes, and at 200 %.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { root } from "./lib.mjs";

process.env.BSPKIT_PAGE ??= path.join(root, "web/dist/index.html");
const { closeBrowser, give, openPage, pagePath } = await import("../view/test/browser.mjs");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = !fs.existsSync(chromium) ? `${chromium} is not there` : !fs.existsSync(pagePath) ? "the page is not built" : false;
test.after(closeBrowser);
const THOROUGH = process.env.THOROUGH === "1"; // all rules in each look
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Themes differ in colours, and sizes in what has room: the other rules are those of the first look.
const COLORS = ["color-contrast", "link-in-text-block"];
const ROOM = ["color-contrast", "target-size", "scrollable-region-focusable", "aria-hidden-focus"];

/** What axe finds: "rule (impact): the element", for those that keep people out. By `rules`, or by all. */
async function faultsOf(page, rules) {
    // Not as a script of the page, whose policy allows none.
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
    return page.evaluate(async rules => {
        const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
        const { violations, passes } = await window.axe.run(document, { resultTypes: ["violations"], ...only });
        if (passes.length < (rules ? 1 : 10)) return ["axe found nothing to test"];
        return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
            .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html.slice(0, 120)} ${failureSummary.slice(0, 200)}`));
    }, rules);
}

async function checkPanels(page, where, found, rules) {
    const look = async what => {
        for (const fault of await faultsOf(page, rules)) found.push(`${where}, ${what}: ${fault}`);
    };
    for (const tab of await page.$$("[role=tab]")) {
        await tab.evaluate(node => node.click());
        await page.evaluate(() => document.querySelectorAll("details").forEach(node => { node.open = true; }));
        await look(await tab.evaluate(node => node.textContent));
    }
    await page.focus("#picture");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("[role=tab][aria-selected=true]").textContent.length > 0);
    await look("a pick");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
    await look("help");
    await page.keyboard.press("Escape");
}

for (const scheme of ["light", "dark"]) {
    test(`no serious fault in the ${scheme} theme`, { skip }, async () => {
        const { browser, page } = await openPage({ scheme });
        const found = [];
        try {
            for (const fault of await faultsOf(page)) found.push(`before a map: ${fault}`);
            await give(page, [path.join(root, "samples/source/lobby.bsp")]);
            await checkPanels(page, "100 %", found, scheme === "light" || THOROUGH ? null : COLORS);
            // What 200 % leaves of a window of 1280 by 720. Colours are those of before.
            await page.setViewport({ width: 640, height: 360, deviceScaleFactor: 2 });
            if (scheme === "light") await checkPanels(page, "200 %", found, THOROUGH ? null : ROOM);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            if (wide > 0) found.push(`200 %: the page is ${wide} pixels wider than the window`);
            const lost = await page.evaluate(() => [...document.querySelectorAll("button, [role=tab], #picture")].filter(node => {
                const box = node.getBoundingClientRect();
                return node.offsetParent !== null && (box.width < 1 || box.height < 1);
            }).map(node => node.outerHTML.slice(0, 100)));
            if (lost.length > 0) found.push(`200 %: no room for ${lost}`);
        } finally {
            await browser.close();
        }
        assert.deepEqual([...new Set(found)], []);
    });
}
