// SPDX-License-Identifier: MIT
// node web/view/build.mjs OUT [LIBRARY PREFIX]: makes OUT/index.html, one page with everything in it: scripts, style,
// and the library as WebAssembly (gzip, base64). No script but its own may run: the policy names their hashes.
// LIBRARY is libbspkit.a for WebAssembly, PREFIX has the libraries that it needs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const builds = resolve(here, '../../build/web');
const [out, library = join(builds, 'simd/libbspkit.a'), prefix = join(builds, 'simd-deps')] = process.argv
  .slice(2)
  .map((path) => resolve(path));
if (!out) {
  console.error('usage: node web/view/build.mjs OUT [LIBRARY PREFIX]');
  process.exit(2);
}
const moduleFolder = resolve(here, '../../build/view');
execFileSync(join(here, 'build-native.sh'), [library, prefix, moduleFolder], { stdio: 'inherit' });

const common = {
  bundle: true,
  minify: true,
  write: false,
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
};

async function bundle(options) {
  const { outputFiles } = await build({ ...common, ...options });
  return outputFiles[0].text;
}

const worker = await bundle({
  entryPoints: [join(here, 'src/worker/worker.ts')],
  format: 'iife',
  alias: { 'bspkit-view-module': join(moduleFolder, 'view.mjs') },
  define: { 'import.meta.url': '""' },
});
const script = await bundle({
  entryPoints: [join(here, 'src/main.ts')],
  format: 'esm',
  define: { WORKER_SOURCE: JSON.stringify(worker) },
});

const js = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const css = readFileSync(join(here, 'style.css'), 'utf8');
const wasm = gzipSync(readFileSync(join(moduleFolder, 'view.wasm')), { level: 9 }).toString('base64');
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(js)} 'wasm-unsafe-eval'`,
  `style-src ${hash(css)}`,
  'worker-src blob:',
  'img-src blob: data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const page = readFileSync(join(here, 'page.html'), 'utf8')
  .replace('@@CSP@@', () => policy)
  .replace('@@CSS@@', () => css)
  .replace('@@WASM@@', () => wasm)
  .replace('@@JS@@', () => js);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'index.html'), page);
console.log(`${join(out, 'index.html')}: ${page.length} bytes, gzip ${gzipSync(page, { level: 9 }).length}`);
