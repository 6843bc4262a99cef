// SPDX-License-Identifier: MIT
// Makes the npm package: node build-package.mjs DIST LICENCES OUT. DIST has what build-lib.mjs made, LICENCES
// those of the libraries that are linked in. OUT receives the folder `package` and the packed archive.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";

const MOST = { raw: 2_000_000, brotli: 600_000 }; // bytes of a module

const [dist, licences, out] = process.argv.slice(2).map(name => path.resolve(name));
const folder = path.join(out, "package");
fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder, { recursive: true });

const header = fs.readFileSync("../include/bspkit/core.h", "utf8");
const version = ["MAJOR", "MINOR", "PATCH"].map(word => new RegExp(`BSP_VERSION_${word} (\\d+)`).exec(header)[1]).join(".");
const facts = { ...JSON.parse(fs.readFileSync("package/package.json", "utf8")), version };
fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(facts, null, 2)}\n`);
fs.copyFileSync("package/README.md", path.join(folder, "README.md"));
fs.copyFileSync("../LICENSE", path.join(folder, "LICENSE"));
const parts = fs.readdirSync(licences).sort().map(name =>
    `${"=".repeat(100)}\n${name.replace(".txt", "")}\n${"=".repeat(100)}\n\n${fs.readFileSync(path.join(licences, name), "utf8")}\n`);
fs.writeFileSync(path.join(folder, "LICENCES"), parts.join("\n"));
for (const name of ["bspkit.mjs", "bspkit-worker.mjs", "bspkit.wasm", "bspkit-plain.wasm"]) {
    const bytes = fs.readFileSync(path.join(dist, name));
    fs.writeFileSync(path.join(folder, name), bytes);
    const packed = brotliCompressSync(bytes).length;
    console.log(`${name}: ${bytes.length} bytes, ${packed} with Brotli`);
    if (bytes.length > MOST.raw || packed > MOST.brotli) {
        console.error(`${name} is larger than ${MOST.raw} bytes, or ${MOST.brotli} with Brotli`);
        process.exitCode = 1;
    }
}
fs.cpSync(path.join(dist, "types"), path.join(folder, "types"), { recursive: true });
const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", out, folder], { encoding: "utf8" }).trim();
console.log(`${path.join(out, packed.split("\n").at(-1))}: ${fs.statSync(path.join(out, packed.split("\n").at(-1))).size} bytes`);
