// SPDX-License-Identifier: MIT
// A headless Chromium with the page in it, for the scripts of this folder.
import { mkdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import puppeteer from 'puppeteer-core';

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, '../../..');
export const pagePath = process.env.BSPKIT_PAGE ?? resolve(root, 'build/view/dist/index.html');
export const shared = process.env.BSPKIT_SHARED ?? resolve(root, '../shared');
export const outFolder = process.env.BSPKIT_OUT ?? resolve(root, 'build/view/shots');
mkdirSync(outFolder, { recursive: true });

// One browser serves all pages of a script: to start one takes seconds.
let started = null;

/** Ends the browser, if there is one: a script that does not hangs. */
export async function closeBrowser() {
  const browser = await started;
  started = null;
  await browser?.close();
}

/** Opens the page in a profile of its own, which `browser.close()` ends; faults of its scripts are collected in `faults`. */
export async function openPage({ width = 1280, height = 720, scheme = 'light', address } = {}) {
  started ??= puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    protocolTimeout: 300_000,
  });
  const browser = await (await started).createBrowserContext();
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const faults = [];
  page.on('pageerror', (fault) => faults.push(String(fault)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(address ?? pathToFileURL(pagePath).href, { waitUntil: 'load' });
  await page.waitForFunction(() => window.bspkitView, { timeout: 60_000 });
  return { browser, page, faults };
}

export const statusOf = (page) => page.$eval('#status', (node) => node.textContent);

/** Does what gives files to the page, and waits for what it says of them. Returns that. */
async function giving(page, timeout, act) {
  await page.evaluate(() => {
    window.bspkitView.times.all = 0;
    document.getElementById('status').textContent = '';
    document.getElementById('status').className = '';
  });
  await act();
  await page.waitForFunction(
    () => window.bspkitView.times.all > 0 || document.querySelector('#status.fault'),
    { timeout, polling: 100 },
  );
  await page.waitForFunction(() => window.bspkitView.pending === 0, { timeout, polling: 100 });
  return statusOf(page);
}

/** Gives files of the disk to the page, as they are picked one by one. */
export async function give(page, paths, timeout = 120_000) {
  const input = await page.$('#files');
  return giving(page, timeout, () => input.uploadFile(...paths));
}

/** Gives files by their paths and bytes, as a folder has them. */
export async function giveFiles(page, files, timeout = 120_000) {
  const texts = files.map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]);
  return giving(page, timeout, () => page.evaluate((list) => {
    const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    void window.bspkitView.open(list.map(([path, text]) => ({ path, data: new Blob([bytesOf(text)]) })));
  }, texts));
}

export const stem = (path) => basename(path).replace(/\.bsp$/, '');
