// SPDX-License-Identifier: MIT
// node validate_gltf.js FILE...: each file through Khronos' validator (npm package gltf-validator,
// found by NODE_PATH). A line for each error and warning and one for each file; exit status 1 if
// there was any.
'use strict';
const fs = require('fs');
const path = require('path');
const validator = require('gltf-validator');

const ERROR = 0;
const WARNING = 1;

async function check(file) {
    const folder = path.dirname(file);
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
        uri: path.basename(file),
        maxIssues: 0,
        // A normal map without tangents: the specification says how readers make them.
        ignoredIssues: ['MESH_PRIMITIVE_GENERATED_TANGENT_SPACE'],
        externalResourceFunction: async (uri) =>
            new Uint8Array(fs.readFileSync(path.join(folder, decodeURIComponent(uri)))),
    });
    for (const issue of report.issues.messages) {
        if (issue.severity === ERROR || issue.severity === WARNING) {
            console.log(`${file}: ${issue.code}: ${issue.message} ${issue.pointer || ''}`);
        }
    }
    const bad = report.issues.numErrors + report.issues.numWarnings;
    console.log(`${file}: ${bad} errors and warnings, ${report.info.totalTriangleCount} triangles`);
    return bad === 0;
}

async function main() {
    let good = true;
    for (const file of process.argv.slice(2)) {
        good = await check(file) && good;
    }
    process.exit(good ? 0 : 1);
}

main().catch((error) => {
    console.log(String(error));
    process.exit(1);
});
