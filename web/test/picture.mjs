// SPDX-License-Identifier: MIT
// A picture of the page against one of `bspkit render` from the same eye.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** The place from which the page shows the map now, as options of `bspkit render`. */
export async function eyeOf(page) {
    const { eye, pitch, yaw, fov } = await page.evaluate(() => window.bspkitView.pose);
    return ["--from", eye.join(), "--angles", `${pitch},${yaw},0`, "--fov", String(fov)];
}

/** Draws the page at a size at the time 0, with the renderer's choice of texels, and leaves the picture in window.drawn. */
async function draw(page, width, height) {
    await page.evaluate(async (width, height) => {
        const view = window.bspkitView;
        view.options.animate = false;
        view.options.smooth = false;
        await view.refresh(0);
        const deadline = performance.now() + 60_000;
        while (view.pending > 0 && performance.now() < deadline) await new Promise(done => setTimeout(done, 20));
        view.stage.resize(width, height, 1);
        view.stage.draw(view.pose, 0);
        const blob = await new Promise(done => view.canvas.toBlob(done, "image/png"));
        window.drawn = await createImageBitmap(blob);
    }, width, height);
}

/**
 * Compares window.drawn with a PNG: the share of pixels within 8/255 in every channel, among those that are more than
 * three pixels from an edge (neighbours in one of the pictures that differ by more than 32/255), and the share of these.
 */
async function compare(page, png) {
    return page.evaluate(async png => {
        const bytes = Uint8Array.from(atob(png), letter => letter.charCodeAt(0));
        const wanted = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const { width, height } = wanted;
        const pixelsOf = image => {
            const canvas = new OffscreenCanvas(width, height);
            const context = canvas.getContext("2d", { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            return context.getImageData(0, 0, width, height).data;
        };
        const [a, b] = [wanted, window.drawn].map(pixelsOf);
        const far = (x, y, most) => Math.max(Math.abs(x[0] - y[0]), Math.abs(x[1] - y[1]), Math.abs(x[2] - y[2])) > most;
        const at = (data, n) => [data[4 * n], data[4 * n + 1], data[4 * n + 2]];
        const edge = new Uint8Array(width * height);
        const mark = (x, y) => {
            for (let v = Math.max(0, y - 3); v <= Math.min(height - 1, y + 3); v++) {
                edge.fill(1, v * width + Math.max(0, x - 3), v * width + Math.min(width - 1, x + 3) + 1);
            }
        };
        for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
                const n = y * width + x;
                for (const data of [a, b]) {
                    if ((x + 1 < width && far(at(data, n), at(data, n + 1), 32)) ||
                        (y + 1 < height && far(at(data, n), at(data, n + width), 32))) mark(x, y);
                }
            }
        }
        let clear = 0, good = 0, all = 0;
        const shown = new Uint8ClampedArray(4 * width * height);
        for (let n = 0; n < width * height; n++) {
            const same = !far(at(a, n), at(b, n), 8);
            all += same;
            clear += !edge[n];
            good += !edge[n] && same;
            shown.set(same ? [0, 0, 0, 255] : edge[n] ? [60, 60, 160, 255] : [255, 40, 40, 255], 4 * n);
        }
        const canvas = new OffscreenCanvas(3 * width, height);
        const context = canvas.getContext("2d");
        context.drawImage(wanted, 0, 0);
        context.drawImage(window.drawn, width, 0);
        context.putImageData(new ImageData(shown, width, height), 2 * width, 0);
        const out = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
        let text = "";
        for (let i = 0; i < out.length; i += 8192) text += String.fromCharCode(...out.subarray(i, i + 8192));
        return { good: good / Math.max(1, clear), clear: clear / (width * height), all: all / (width * height), image: btoa(text) };
    }, png);
}

/** Compares the page's picture with the command's, which leaves out what the map's visibility hides unless it is told; `out` is where both are put side by side, with what differs. */
export async function compareWithRender(page, command, words, { width = 640, height = 360, out, work }) {
    await draw(page, width, height);
    const eye = await eyeOf(page);
    const file = path.join(work, "render.png");
    const done = spawnSync(command, ["render", "--no-vis", ...words, ...eye, "--size", `${width}x${height}`, "-o", file], { encoding: "utf8" });
    if (done.status > 1 || done.status === null) throw new Error(`${words.join(" ")}: ${done.stderr}`);
    const { image, ...shares } = await compare(page, fs.readFileSync(file).toString("base64"));
    if (out) fs.writeFileSync(out, Buffer.from(image, "base64"));
    return { ...shares, eye };
}
