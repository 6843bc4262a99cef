// SPDX-License-Identifier: MIT
// Geometry, light, pictures and the scene of an open map.
import type * as api from "./api.js";
import type { GameFiles } from "./game.js";
import * as lib from "./generated.js";
import { MapQueries } from "./map.js";
import { BspError, Callback, NONE, type Memory, type Scope } from "./memory.js";

/** A picture of the library's, copied; null without pixels. */
export function copyPicture(m: Memory, image: number): api.Picture | null {
    const { width, height } = m.read(lib.bsp_image, image);
    const pixels = m.member(lib.bsp_image, image, "pixels");
    return pixels === 0 || width === 0 ? null : { width, height, pixels: m.copy(pixels, width * height * 4) };
}

/** A progress report that C calls, as members of options that have `progress`. */
export function progressOptions<T>(m: Memory, report: ((stage: string, done: number, total: number) => boolean | void) | undefined,
                                   use: (progress: object | undefined) => T): T {
    if (report === undefined) return use(undefined);
    return m.calling((stage, done, total) => report(m.string(stage!) ?? "", done!, total!),
                     user => use({ report: m.function(Callback.Report), user }));
}

const SIDES = lib.BSP_SKY_SIDES;
const MODEL_WORDS = 11; // words of a vertex that are handed out

/** The mesh at an address, its arrays made by `floats` and `words` (copies or views). */
function meshOf(m: Memory, mesh: number, copied: boolean, light: api.LightData | null): api.MeshData {
    const facts = m.read(lib.bsp_mesh, mesh);
    const at = (name: string) => m.member(lib.bsp_mesh, mesh, name);
    const floats = m.floats(at("vertices"), facts.num_vertices * lib.bsp_mesh_vertex.size / 4);
    const vertices = copied ? floats.slice() : floats;
    const words = (name: string, count: number) => copied ? m.words(at(name), count).slice() : m.words(at(name), count);
    return {
        vertices, bytes: new Uint8Array(vertices.buffer, vertices.byteOffset, vertices.byteLength),
        indices: words("indices", facts.num_indices),
        groups: m.list(lib.bsp_mesh_group, at("groups"), facts.num_groups),
        faces: words("faces", facts.num_faces * lib.bsp_mesh_face.size / 4),
        mins: facts.mins, maxs: facts.maxs, light,
    };
}

function lightOf(m: Memory, lightmap: number): api.LightData {
    const facts = m.read(lib.bsp_lightmap, lightmap);
    const pages = m.member(lib.bsp_lightmap, lightmap, "pages");
    return {
        pages: Array.from({ length: facts.num_pages }, (_, n) => {
            const page = pages + n * lib.bsp_light_page.size;
            const { width, height } = m.read(lib.bsp_light_page, page);
            return { width, height, pixels: m.copy(m.member(lib.bsp_light_page, page, "rgba"), width * height * 4) };
        }),
        range: facts.range, lit: facts.num_lit, dropped: facts.num_dropped,
    };
}

/** Model vertices as those of the map's mesh: no light_uv, the first of the two colours. */
function modelVertices(m: Memory, mesh: number, count: number): Float32Array {
    const from = m.words(m.member(lib.bsp_model_mesh, mesh, "vertices"), count * lib.bsp_model_vertex.size / 4);
    const step = lib.bsp_model_vertex.size / 4;
    const out = new Uint32Array(count * MODEL_WORDS);
    for (let i = 0; i < count; i++) {
        for (let k = 0; k < 8; k++) out[i * MODEL_WORDS + k] = from[i * step + k]!;
        out[i * MODEL_WORDS + 10] = from[i * step + 8]!;
    }
    return new Float32Array(out.buffer);
}

function modelOf(m: Memory, model: number): api.SceneModel {
    const mesh = m.member(lib.bsp_scene_model, model, "mesh");
    const facts = m.read(lib.bsp_model_mesh, mesh);
    const materials = m.member(lib.bsp_scene_model, model, "materials");
    const vertices = modelVertices(m, mesh, facts.num_vertices);
    const groups = m.list(lib.bsp_model_group, m.member(lib.bsp_model_mesh, mesh, "groups"), facts.num_groups);
    return {
        name: m.read(lib.bsp_scene_model, model).name, vertices, bytes: new Uint8Array(vertices.buffer),
        indices: m.words(m.member(lib.bsp_model_mesh, mesh, "indices"), facts.num_indices).slice(),
        groups: groups.map((group, n) => {
            const material = m.pointer(materials + 4 * n);
            return { first_index: group.first_index, num_indices: group.num_indices,
                     material: material === NONE ? null : material };
        }),
        mins: facts.mins, maxs: facts.maxs, sprite: facts.sprite, facing: facts.facing,
    };
}

/** Also the geometry, light and pictures of a map. */
export class MapGeometry extends MapQueries {
    // --- light ----------------------------------------------------------------------------------

    /** Quake 3: light in files beside the map (bsp_external_light). */
    private external(): number {
        const stem = this.name.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
        return this.memory.with(scope => this.memory.checked(error =>
            this.native._bsp_external_light_load(this.handles.textures, scope.text(stem), error)));
    }

    /** Calls `use` with a lightmap that is freed afterwards. */
    private withLight<T>(options: api.LightOptions, use: (lightmap: number) => T): T {
        const { memory: m, native, map, file } = this;
        const external = this.external();
        try {
            const lightmap = m.with(scope => {
                let styles = 0;
                if (options.styles !== undefined) {
                    styles = scope.alloc(4 * lib.BSP_LIGHT_STYLES);
                    m.floats(styles, lib.BSP_LIGHT_STYLES).set(Array.from(options.styles).slice(0, lib.BSP_LIGHT_STYLES));
                }
                const o = scope.struct(lib.bsp_lightmap_options, {
                    styles, range: options.range ?? 0, gain: options.gain ?? 0, hdr: options.hdr ?? false,
                    width: options.width ?? 0, external });
                return m.checked(error => native._bsp_lightmap_build(map, file, o, error));
            });
            try {
                return use(lightmap);
            } finally {
                native._bsp_lightmap_free(lightmap);
            }
        } finally {
            native._bsp_external_light_free(external);
        }
    }

    lightPages(options: api.LightOptions = {}): api.LightData {
        return this.withLight(options, lightmap => lightOf(this.memory, lightmap));
    }

    private state(scope: Scope, options: { time?: number; open?: boolean; styles?: [number, number][];
                                           keys?: api.SceneOptions["keys"] }): number {
        const m = this.memory;
        const styles = options.styles ?? [];
        const keys = options.keys ?? [];
        const list = scope.alloc(styles.length * lib.bsp_scene_style.size);
        styles.forEach(([style, value], i) =>
            m.write(lib.bsp_scene_style, list + i * lib.bsp_scene_style.size, { style, value }, scope));
        const changed = scope.alloc(keys.length * lib.bsp_scene_key.size);
        keys.forEach((key, i) =>
            m.write(lib.bsp_scene_key, changed + i * lib.bsp_scene_key.size, { ...key }, scope));
        return scope.struct(lib.bsp_scene_state, { time: options.time ?? 0, open: options.open ?? false, styles: list,
                                                   num_styles: styles.length, keys: changed, num_keys: keys.length });
    }

    styles(time = 0): Float32Array {
        return this.memory.with(scope => {
            const out = scope.alloc(4 * lib.BSP_LIGHT_STYLES);
            this.native._bsp_scene_styles(this.map, this.state(scope, { time }), out);
            return this.memory.floats(out, lib.BSP_LIGHT_STYLES).slice();
        });
    }

    // --- meshes ---------------------------------------------------------------------------------

    private withMesh<T>(options: api.MeshOptions, lightmap: number, use: (mesh: number) => T): T {
        const { memory: m, native, map, file } = this;
        if (options.model !== undefined && !(options.model >= 0 && options.model < this.count("models"))) {
            throw new BspError(`there is no model ${options.model}`, "argument");
        }
        const mesh = m.with(scope => {
            const o = scope.struct(lib.bsp_mesh_options, {
                first_model: options.model ?? 0, num_models: options.model === undefined ? 0 : 1,
                hidden: options.hidden ?? false, sky: options.sky ?? false, overlays: options.overlays ?? false,
                patch_tolerance: options.patchTolerance ?? 0, flare_size: options.flareSize ?? 0, lightmap, file });
            return m.checked(error => native._bsp_mesh_build(map, o, error));
        });
        try {
            return use(mesh);
        } finally {
            native._bsp_mesh_free(mesh);
        }
    }

    mesh(options: api.MeshOptions = {}): api.MeshData {
        return this.makeMesh(options, (mesh, light) => meshOf(this.memory, mesh, true, light));
    }

    meshView<T>(options: api.MeshOptions, use: (mesh: api.MeshData) => T): T {
        return this.makeMesh(options, (mesh, light) => use(meshOf(this.memory, mesh, false, light)));
    }

    private makeMesh<T>(options: api.MeshOptions, use: (mesh: number, light: api.LightData | null) => T): T {
        if (options.light === false) return this.withMesh(options, 0, mesh => use(mesh, null));
        return this.withLight(options.light ?? {}, lightmap => this.withMesh(options, lightmap, mesh =>
            use(mesh, lightOf(this.memory, lightmap))));
    }

    brushes(first = 0, count = 0): { points: Float64Array; indices: Uint32Array; polygons: Uint32Array; hulls: Uint32Array } {
        const { memory: m, native, map } = this;
        const mesh = m.with(scope => {
            const o = scope.struct(lib.bsp_brush_mesh_options, { first_brush: first, num_brushes: count });
            return m.checked(error => native._bsp_brush_mesh_build(map, o, error));
        });
        const facts = m.read(lib.bsp_brush_mesh, mesh);
        const at = (name: string) => m.member(lib.bsp_brush_mesh, mesh, name);
        const out = {
            points: new Float64Array(m.copy(at("points"), facts.num_points * lib.bsp_brush_point.size).buffer),
            indices: m.words(at("indices"), facts.num_indices).slice(),
            polygons: m.words(at("polygons"), facts.num_polygons * lib.bsp_brush_polygon.size / 4).slice(),
            hulls: m.words(at("hulls"), facts.num_hulls * lib.bsp_brush_hull.size / 4).slice(),
        };
        native._bsp_brush_mesh_free(mesh);
        return out;
    }

    // --- pictures -------------------------------------------------------------------------------

    setGame(game: api.GameFilesApi | null): void {
        this.handles.setGame(game as GameFiles | null);
    }

    private textureAt(texture: number): api.Texture {
        const { image: _unused, ...facts } = this.memory.read(lib.bsp_texture, texture);
        return { ...facts, picture: copyPicture(this.memory, texture + this.memory.offset(lib.bsp_texture, "image")) };
    }

    private find(call: (scope: Scope, out: number, error: number) => number): api.Texture {
        const m = this.memory;
        return m.with(scope => {
            const out = scope.alloc(lib.bsp_texture.size);
            m.checked(error => call(scope, out, error) & 1);
            const texture = this.textureAt(out);
            this.native._bsp_texture_free(out);
            return texture;
        });
    }

    texture(material: number): api.Texture {
        const textures = this.handles.textures;
        return this.find((_, out, error) => this.native._bsp_textures_find(textures, material, out, error));
    }

    secondTexture(material: number): api.Texture | null {
        const textures = this.handles.textures;
        const out = this.find((_, at, error) => this.native._bsp_textures_find_second(textures, material, at, error));
        return out.found ? out : null;
    }

    textureNamed(name: string): api.Texture {
        const textures = this.handles.textures;
        return this.find((scope, out, error) =>
            this.native._bsp_textures_find_name(textures, scope.text(name), out, error));
    }

    sky(): api.Sky {
        const { memory: m, native } = this;
        const textures = this.handles.textures;
        return m.with(scope => {
            const sky = scope.alloc(lib.bsp_sky.size);
            m.checked(error => native._bsp_textures_find_sky(textures, sky, error) & 1);
            const facts = m.read(lib.bsp_sky, sky);
            const image = sky + m.offset(lib.bsp_sky, "sides");
            const layer = sky + m.offset(lib.bsp_sky, "layers");
            const out: api.Sky = {
                sides: Array.from({ length: SIDES }, (_, n) => copyPicture(m, image + n * lib.bsp_image.size)),
                layers: facts.layers.slice(0, facts.num_layers).flatMap((row, n) => {
                    const picture = copyPicture(m, layer + n * lib.bsp_sky_layer.size
                                                + m.offset(lib.bsp_sky_layer, "image"));
                    return picture === null ? [] : [{ picture, alpha: row.alpha, scale: row.scale, shift: row.shift }];
                }),
                flat: facts.flat, cloud_height: facts.cloud_height,
            };
            native._bsp_sky_free(sky);
            return out;
        });
    }

    // --- scene ----------------------------------------------------------------------------------

    scene(options: api.SceneOptions = {}): api.SceneData {
        const m = this.memory;
        const image = m.offset(lib.bsp_texture, "image");
        const user = m.keep((...n) => {
            if (n[0] === 1) {
                const decal = copyPicture(m, n[3]! + image);
                if (decal !== null) options.decals?.(n[1]!, decal);
                return;
            }
            const first = copyPicture(m, n[3]! + image);
            if (first !== null) options.pictures?.(n[1]!, first, copyPicture(m, n[4]! + image));
        });
        try {
            return progressOptions(m, options.progress, progress => this.buildScene(options, user, progress));
        } finally {
            m.drop(user);
        }
    }

    private buildScene(options: api.SceneOptions, user: number, progress: object | undefined): api.SceneData {
        const { memory: m, native, map, file } = this;
        const external = this.external();
        const scene = m.with(scope => {
            const o = scope.struct(lib.bsp_scene_options, {
                file, textures: this.handles.textures, external,
                pictures: options.pictures === undefined ? 0 : m.function(Callback.Pictures), user,
                decals: options.decals === undefined ? 0 : m.function(Callback.Decals),
                light_range: options.range ?? 0, full_bright: options.fullBright ?? false,
                hidden: options.hidden ?? false, sky: options.sky ?? false, hdr: options.hdr ?? false,
                patch_tolerance: options.patchTolerance ?? 0, props: options.props ?? false, progress,
                state: isMoment(options) ? this.state(scope, options) : 0 });
            try {
                return m.checked(error => native._bsp_scene_build(map, o, error));
            } finally {
                native._bsp_external_light_free(external);
            }
        });
        try {
            return this.sceneOf(scene);
        } finally {
            native._bsp_scene_free(scene);
        }
    }

    /** The light on a prop along each axis. */
    private propFactors(scene: number, prop: number): number[][] {
        return this.memory.with(scope => [0, 1, 2, 3, 4, 5].map(side => {
            const normal = [0, 0, 0];
            normal[side >> 1] = side % 2 === 0 ? 1 : -1;
            const out = scope.alloc(12);
            this.native._bsp_scene_prop_light(scene, prop, scope.vector(normal), out);
            return [...this.memory.floats(out, 3)];
        }));
    }

    /** The light of a prop's vertices; null without. */
    private vertexLight(prop: number, model: number): Uint8Array | null {
        const m = this.memory;
        const light = m.member(lib.bsp_scene_prop, prop, "vertex_light");
        if (light === 0) return null;
        const mesh = m.member(lib.bsp_scene_model, model, "mesh");
        return m.copy(light, 4 * m.read(lib.bsp_model_mesh, mesh).num_vertices);
    }

    private sceneOf(scene: number): api.SceneData {
        const m = this.memory;
        const facts = m.read(lib.bsp_scene, scene);
        const at = (name: string) => m.member(lib.bsp_scene, scene, name);
        const lightmap = at("lightmap");
        const light = lightmap === 0 ? null : lightOf(m, lightmap);
        const names = at("decal_names");
        const models = at("models");
        return {
            mesh: meshOf(m, at("mesh"), true, light), light,
            instances: m.list(lib.bsp_scene_instance, at("instances"), facts.num_instances),
            materials: m.list(lib.bsp_scene_material, at("materials"), facts.num_materials),
            fog: facts.fog, sky_room: facts.sky_room,
            models: Array.from({ length: facts.num_models }, (_, n) => modelOf(m, models + n * lib.bsp_scene_model.size)),
            props: m.list(lib.bsp_scene_prop, at("props"), facts.num_props).map((prop, n) => ({
                ...prop, factors: this.propFactors(scene, at("props") + n * lib.bsp_scene_prop.size), vertex_light: this.vertexLight(at("props") + n * lib.bsp_scene_prop.size,
                                                        models + prop.model * lib.bsp_scene_model.size) })),
            missing: m.list(lib.bsp_scene_missing, at("missing"), facts.num_missing),
            decals: m.list(lib.bsp_scene_decal, at("decals"), facts.num_decals),
            decal_vertices: m.floats(at("decal_vertices"), facts.num_decal_vertices * lib.bsp_mesh_vertex.size / 4).slice(),
            decal_names: Array.from({ length: facts.num_decal_names }, (_, n) => m.text(names + 8 * n)),
            flares: m.list(lib.bsp_scene_flare, at("flares"), facts.num_flares),
            fog_volumes: m.list(lib.bsp_scene_fog_volume, at("fog_volumes"), facts.num_fog_volumes),
        };
    }
}

function isMoment(options: api.SceneOptions): boolean {
    return options.time !== undefined || options.open !== undefined || options.styles !== undefined
        || options.keys !== undefined;
}
