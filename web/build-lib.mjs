// SPDX-License-Identifier: MIT
// Bundles web/lib to bspkit.mjs and bspkit-worker.mjs, and writes its types: node build-lib.mjs GLUE OUT.
// GLUE is the code that emscripten makes for the module.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";

const [glue, out] = process.argv.slice(2);
const licence = fs.readFileSync("../LICENSE", "utf8").trim();

const takesGlue = {
    name: "glue",
    setup(build) {
        build.onResolve({ filter: /^\.\/glue\.js$/ }, () => ({ path: path.resolve(glue) }));
    },
};

for (const [from, to] of [["index", "bspkit"], ["worker", "bspkit-worker"]]) {
    if (!fs.existsSync(`lib/${from}.ts`)) continue;
    await esbuild.build({
        entryPoints: [`lib/${from}.ts`], outfile: `${out}/${to}.mjs`, bundle: true, format: "esm", target: "es2022",
        minify: true, keepNames: false, external: ["node:*"], plugins: [takesGlue],
        banner: { js: `/*!\n${licence}\n*/` },
    });
}
execFileSync("node_modules/.bin/tsc", ["-p", "lib"], { stdio: "inherit" });
