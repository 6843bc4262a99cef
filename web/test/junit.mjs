// SPDX-License-Identifier: MIT
// A reporter of node's tests as one JUnit suite, which scripts/summary.sh adds up.
const quoted = text => String(text).replace(/[<>&"]/g, c => `&#${c.charCodeAt(0)};`);

export default async function* junit(source) {
    const cases = [];
    let failures = 0;
    let skipped = 0;
    for await (const { type, data } of source) {
        if (type !== "test:pass" && type !== "test:fail") continue;
        const failed = type === "test:fail";
        const left = data.skip !== undefined && data.skip !== false;
        failures += failed ? 1 : 0;
        skipped += left ? 1 : 0;
        const inside = failed ? `<failure message="${quoted(data.details.error?.message)}"/>` : left ? "<skipped/>" : "";
        cases.push(`<testcase name="${quoted(data.name)}" time="${data.details.duration_ms / 1000}">${inside}</testcase>`);
    }
    yield `<testsuite name="web" tests="${cases.length}" failures="${failures}" skipped="${skipped}">\n`;
    yield `${cases.join("\n")}\n</testsuite>\n`;
}
