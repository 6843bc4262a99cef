// SPDX-License-Identifier: MIT
// What compilers bake into a map: portals and visibility, computed again, and what no longer fits the rest. (Light is
// left out: with it the module is larger than 600 kB with Brotli. The viewer has it.)
import type * as api from "./api.js";
import * as lib from "./generated.js";
import { MapGeometry, progressOptions } from "./geometry.js";
import { Callback, NONE, type Scope } from "./memory.js";

const STATES = ["fits", "stale", "undecided"] as const;

/** An open map whose baked data can be made anew. */
export class MapBake extends MapGeometry {
    /** The file with changed lumps: `changes` is a list of `count` bsp_lump_change. */
    protected withChanges(scope: Scope, changes: number, count: number): Uint8Array {
        const { memory: m, native, file } = this;
        const out = scope.alloc(lib.bsp_blob.size);
        m.checked(error => native._bsp_file_rewrite(file, changes, count, 0, out, error) & 1);
        return m.take(out);
    }

    private withPortals<T>(use: (portals: number) => T): T {
        const { memory: m, native, map } = this;
        const portals = m.checked(error => native._bsp_portals_build(map, 0, error));
        try {
            return use(portals);
        } finally {
            native._bsp_portals_free(portals);
        }
    }

    portals(): Uint8Array {
        const { memory: m, native, map } = this;
        return this.withPortals(portals => m.collect(user => m.checked(error => native._bsp_portals_write(
            portals, native._bsp_portals_form_of(map, portals), m.function(Callback.Sink), user, error) & 1)));
    }

    vis(options: api.VisOptions = {}): Uint8Array {
        const { memory: m, native, map, file } = this;
        return this.withPortals(portals => m.with(scope => {
            const vis = progressOptions(m, options.progress, progress => {
                const o = scope.struct(lib.bsp_vis_options, { base: options.base ?? false,
                                                              distance: options.distance ?? 0, progress });
                return m.checked(error => native._bsp_vis_build(portals, o, error));
            });
            try {
                const made = m.checked(error => native._bsp_vis_lumps(vis, portals, map, file, 0, error));
                try {
                    return this.withChanges(scope, m.member(lib.bsp_vis_changes, made, "changes"),
                                            m.read(lib.bsp_vis_changes, made).num_changes);
                } finally {
                    native._bsp_vis_changes_free(made);
                }
            } finally {
                native._bsp_vis_free(vis);
            }
        }));
    }

    stale(): api.Stale[] {
        const { memory: m, native, map, file } = this;
        const found: api.Stale[] = [];
        m.calling(at => {
            const { part, state, entity, text } = m.read(lib.bsp_stale, at!);
            found.push({ part: part!, state: STATES[state]!, entity: entity === NONE ? null : entity, text: text! });
        }, user => m.checked(error => native._bsp_stale_find(file, map, 0, m.function(Callback.Stale), user, 0, error) & 1));
        return found;
    }
}
