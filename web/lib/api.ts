// SPDX-License-Identifier: MIT
// What the package offers: the types of everything that goes in and out. Structs of the library
// (BspFace, BspMeshGroup, ...) are generated from its headers by scripts/bindings.py, with the names of
// their members as they stand there and in the manual. Lengths are game units, z is up.
import type * as bsp from "./generated.js";

/** A point or direction: x, y, z. */
export type Vector = ArrayLike<number>;

/** How the library is loaded. */
export interface LoadOptions {
    /** The module's bytes, a compiled module, a response or an address of either. Default: the file
     *  bspkit.wasm beside this one, or bspkit-plain.wasm where the machine has no SIMD. */
    wasm?: ArrayBuffer | Uint8Array | WebAssembly.Module | Response | Promise<Response> | URL | string;
    /** false takes the build without SIMD. Default: what the machine can. */
    simd?: boolean;
}

/** How a map is opened. */
export interface OpenOptions {
    /** Name of the file, without a folder: for info, and for files that belong to it. */
    name?: string;
    /** Files beside the map that the game reads in the place of its lumps (NAME_l_0.lmp, .ent, .lit),
     *  by name. */
    beside?: Iterable<readonly [string, Uint8Array]>;
    /** Where textures and models are looked for; may be set later: OpenMap.setGame. */
    game?: GameFilesApi;
}

/** Where something is in the file. Members that are not known are absent. */
export interface Place {
    /** Place for people, such as "MODELS[3].headnode[2]". */
    text: string;
    lump?: string;
    record?: number;
    field?: string;
    element?: number;
    offset?: number;
}

/** Something that check found. */
export interface Issue {
    /** Stable word, such as "index-out-of-range". */
    id: string;
    severity: "note" | "warning" | "error";
    place: Place;
    /** What is wrong there. */
    text: string;
    /** One line, and a paragraph, on the kind of issue. */
    summary: string;
    explanation: string;
}

/** What check says: the issues that are kept (100 of each kind), and how many there are of each
 *  severity, with those that are not kept. */
export interface CheckResult {
    issues: Issue[];
    errors: number;
    warnings: number;
    notes: number;
}

/** A lump of the file. */
export interface LumpInfo {
    number: number;
    name: string;
    index: number;
    place: "directory" | "game lump" | "bspx" | "ent file";
    offset: number;
    size: number;
    version: number;
    compressed: boolean;
    /** Bytes of its records. */
    unpacked: number;
    /** Number of records; null where it has none. */
    records: number | null;
}

/** The facts of a file. */
export interface Info {
    name: string;
    size: number;
    family: string;
    branch: string;
    /** The branch in words: "Half-Life (GoldSrc)". */
    title: string;
    game: string | null;
    magic: string;
    version: number;
    endian: "little" | "big";
    revision: number | null;
    lumps: LumpInfo[];
    /** Its entities. */
    entities: number;
    bounds: { mins: number[]; maxs: number[] } | null;
    limits: { name: string; used: number; max: number }[];
    /** What the game compares between server and client; null where no rule is known. */
    checksum: number | null;
    /** What decided which branch it is. */
    reason: string;
    packed: string | null;
    scrambled: boolean;
}

/** An entity: its pairs in the order of the file, repeated keys included. */
export interface Entity {
    index: number;
    pairs: [string, string][];
}

/** A value of a record as dump gives it. */
export type Value = number | string | boolean | null | Value[] | { [key: string]: Value };

/** A change to the entities: see bsp_entity_change. */
export type EntityChange =
    | { action: "set"; entity: number; key: string; value: string }
    | { action: "unset"; entity: number; key: string }
    | { action: "rename"; entity: number; key: string; value: string }
    | { action: "remove"; entity: number }
    | { action: "add"; text: string };

/** A file in the embedded zip. */
export interface PakEntry {
    name: string;
    method: number;
    crc: number;
    packed: number;
    size: number;
}

/** A file that is put into the embedded zip, or taken out (data null). */
export interface PakChange {
    name: string;
    data: Uint8Array | null;
    /** Default: not packed. */
    method?: "store" | "deflate" | "lzma";
}

/** A picture: rows from the top, four bytes a pixel (red, green, blue, alpha that is not multiplied). */
export interface Picture {
    width: number;
    height: number;
    pixels: Uint8Array;
}

/** A texture: bsp_texture, with its picture; `picture` is null where there is none. */
export interface Texture extends Omit<bsp.BspTexture, "image"> {
    picture: Picture | null;
}

/** The sky: bsp_sky. Sides are towards +X, -X, +Y, -Y, +Z, -Z; null where one was not found. */
export interface Sky {
    sides: (Picture | null)[];
    layers: { picture: Picture; alpha: number; scale: number[]; shift: number[] }[];
    flat: boolean;
    cloud_height: number;
}

/** Triangles. */
export interface MeshData {
    /** 11 words a vertex: position 0..2, normal 3..5, uv 6..7, light_uv 8..9, and in word 10 the bytes of
     *  the colour. */
    vertices: Float32Array;
    /** The same memory as bytes: the colour of vertex n is at 44 * n + 40. */
    bytes: Uint8Array;
    /** Three a triangle, counter-clockwise seen from the front. */
    indices: Uint32Array;
    groups: bsp.BspMeshGroup[];
    /** For each part of the mesh that is a face of the map 7 words, as bsp_mesh_face has them: face,
     *  overlay, group, first_vertex, num_vertices, first_index, num_indices. They are in the order of
     *  first_index: a search finds the face of a triangle. */
    faces: Uint32Array;
    mins: number[];
    maxs: number[];
    /** The pages that light_uv and the groups' light_page mean; null where no light was asked for. */
    light: LightData | null;
}

/** How triangles are made: bsp_mesh_options. */
export interface MeshOptions {
    /** This brush model alone, 0 for the world. Default: all. */
    model?: number;
    /** Also what is never drawn (tool textures), and sky surfaces. */
    hidden?: boolean;
    sky?: boolean;
    /** Source: also the overlays on what is built. */
    overlays?: boolean;
    /** How far a curve may be from its segments, in game units; 0: 1. */
    patchTolerance?: number;
    /** Quake 3: edge of the square for a flare, in game units; 0: none. */
    flareSize?: number;
    /** Light, as lightPages makes it; false: none. Default: as the map begins. */
    light?: LightOptions | false;
}

/** Pages of light: factors for a texture's colour as it is displayed; 255 is `range`. */
export interface LightData {
    pages: Picture[];
    /** The factor that 255 stands for. */
    range: number;
    /** Faces with light. */
    lit: number;
    /** Faces whose light is not in the file, or has an impossible size. */
    dropped: number;
}

/** How pages of light are made: bsp_lightmap_options. */
export interface LightOptions {
    /** Factors of the 256 light styles (OpenMap.styles). Default: style 0 alone. */
    styles?: ArrayLike<number>;
    /** The factor that 255 stands for; 0: 1. */
    range?: number;
    /** Factor of a stored 255; 0: that of the family's engine. */
    gain?: number;
    /** Source: the HDR light where the map has both kinds. */
    hdr?: boolean;
    /** Width of a page at most. */
    width?: number;
}

/** What a scene holds, and at which moment: bsp_scene_options. */
export interface SceneOptions {
    /** Also what is never drawn (tool textures). */
    hidden?: boolean;
    /** Also faces through which the sky is seen. */
    sky?: boolean;
    /** Without light: no pages are made. */
    fullBright?: boolean;
    /** Source: the HDR light where the map has both kinds. */
    hdr?: boolean;
    /** The factor that 255 of a page of light stands for; 0: 1. */
    range?: number;
    /** How far a curve may be from its segments, in game units; 0: 1. */
    patchTolerance?: number;
    /** Also models that stand in the map. */
    props?: boolean;
    /** Seconds since the map began. */
    time?: number;
    /** Doors stand open. */
    open?: boolean;
    /** Light styles that are set: number and factor. */
    styles?: [number, number][];
    /** Keys of entities that are set for the moment. */
    keys?: { entity: number; key: string; value: string }[];
    /** Receives the picture of each material that is used, and the second one that displacements mix in,
     *  while the scene is built. Without it no pictures are looked for. */
    pictures?: (material: number, picture: Picture, second: Picture | null) => void;
    /** Receives the pictures of decals; without it there are no decals. */
    decals?: (number: number, picture: Picture) => void;
    /** Receives how far the work is; returning false stops it. */
    progress?: (stage: string, done: number, total: number) => boolean | void;
}

/** What stands in the world: bsp_scene, as plain data. */
export interface SceneData {
    mesh: MeshData;
    light: LightData | null;
    instances: bsp.BspSceneInstance[];
    /** Materials of the map in their order, then those of models. */
    materials: bsp.BspSceneMaterial[];
    fog: bsp.BspSceneFog;
    sky_room: bsp.BspSceneSkyRoom;
    models: SceneModel[];
    props: SceneProp[];
    missing: { name: string; props: number; note: string }[];
    decals: bsp.BspSceneDecal[];
    decal_vertices: Float32Array;
    decal_names: string[];
    flares: bsp.BspSceneFlare[];
    fog_volumes: bsp.BspSceneFogVolume[];
}

/** A model that stands in the world (bsp_scene_prop). */
export interface SceneProp extends bsp.BspSceneProp {
    /** Factors for the colours of its textures where its surface looks along +X, -X, +Y, -Y, +Z, -Z of the world
     *  (bsp_scene_prop_light). */
    factors: number[][];
    /** RGBA for each vertex of the model; null where the map has none. */
    vertex_light: Uint8Array | null;
}

/** A model in a pose: vertices as of MeshData's 11 words (no light_uv), groups with materials of the scene. */
export interface SceneModel {
    name: string;
    vertices: Float32Array;
    bytes: Uint8Array;
    indices: Uint32Array;
    groups: { first_index: number; num_indices: number; material: number | null }[];
    mins: number[];
    maxs: number[];
    /** A rectangle at x = 0 that looks to +x, and how it turns to the eye (bsp_sprite_facing). */
    sprite: boolean;
    facing: number;
}

/** How segments are traced. */
export interface TraceOptions {
    /** The box around the moving point. */
    mins?: Vector;
    maxs?: Vector;
    /** Contents that stop it: a number; 0: solid. */
    mask?: number;
    /** A brush model in its own space; null: the world and all solid entities. Default: null. */
    model?: number | null;
    /** Quake and GoldSrc: number of the hull + 1; 0: by the size of the box. */
    hull?: number;
    /** Solid props stop it too, as far as their models are found (setGame). */
    props?: boolean;
}

/** What stops sight: bsp_trace_input. */
export interface SightOptions {
    /** Contents that stop sight; 0: as in the game. */
    mask?: number;
    /** 0: the world alone. Default: null, with all solid entities. */
    model?: number | null;
    /** Solid props stop it too, as far as their models are found (setGame). */
    props?: boolean;
}

/** What one trace hit; `prop` and `hull` are of a trace with props (bsp_solids_result). */
export interface TraceHit extends bsp.BspTraceResult {
    prop?: number;
    hull?: number;
}

/** What many traces hit, a row each. */
export interface TraceRows {
    count: number;
    fraction: Float32Array;
    end: Float32Array;
    normal: Float32Array;
    contents: Int32Array;
    surface_flags: Uint32Array;
    /** 0xffffffff: none. */
    brush: Uint32Array;
    side: Uint32Array;
    face: Uint32Array;
    entity: Uint32Array;
    plane: Uint32Array;
    start_solid: Uint8Array;
    all_solid: Uint8Array;
    /** Number of the prop that was hit, of scene with props; null of traces without props. */
    prop: Uint32Array | null;
}

/** How a map is exported: bsp_export_options. */
export interface GlbOptions {
    /** What becomes of the light: pages with coordinates of their own, nothing, textures with the light in
     *  them, or colours of vertices. */
    light?: "uv" | "none" | "baked" | "vertex";
    /** What the light of entities is counted in: "watts" for Blender, "plain" for three.js; "none": they shine no light. */
    lights?: "watts" | "plain" | "none";
    /** Length of a game unit in the file; 0: 1 / 39.37, metres. */
    scale?: number;
    /** Also what is never drawn (tool textures). */
    hidden?: boolean;
    /** Also faces through which the sky is seen. */
    sky?: boolean;
    /** How far a curve may be from its segments, in game units; 0: 1. */
    patchTolerance?: number;
    /** Of "baked": texels for each luxel's edge, 1 to 32; 0: as many as the texture has there. */
    bakeDensity?: number;
    /** Draws textures. Default true. */
    textures?: boolean;
    /** Also the models that stand in the map, as far as they are found. Default true; they need textures. */
    props?: boolean;
    progress?: (stage: string, done: number, total: number) => boolean | void;
}

/** Files by name, the main one first. */
export interface Exported {
    files: [string, Uint8Array][];
    report: bsp.BspExportReport;
}

/** How a map is decompiled: bsp_decompile_options. */
export interface DecompileOptions {
    /** The dialect of the document. Default: that of the game's usual editor. */
    dialect?: "vmf" | "valve220" | "quake" | "quake2" | "quake3";
    /** Only worldspawn and what goes into it. */
    worldOnly?: boolean;
    /** Sides that no face shows get the game's plain texture. */
    noGuesses?: boolean;
    /** Quake and GoldSrc: a brush for each solid leaf. */
    noMerge?: boolean;
    progress?: (stage: string, done: number, total: number) => boolean | void;
}

/** A document of an editor, and what could not be recovered. */
export interface Decompiled {
    /** The document: a .vmf or .map. */
    bytes: Uint8Array;
    extension: "vmf" | "map";
    report: bsp.BspDecompileReport;
    issues: Issue[];
}

/** How visibility is computed: bsp_vis_options. */
export interface VisOptions {
    /** Only what a fast run of the compilers stores. */
    base?: boolean;
    /** Clusters farther apart than this are out of sight; 0: none are. */
    distance?: number;
    progress?: (stage: string, done: number, total: number) => boolean | void;
}

/** Whether a part of what compilers baked fits the rest of the map: bsp_stale. */
export interface Stale {
    part: string;
    state: "fits" | "stale" | "undecided";
    entity: number | null;
    text: string;
}

/** A file that a map needs. */
export interface Needed extends Omit<bsp.BspAssetUse, "kind"> {
    /** "material", "texture", "model", "sound" ... */
    kind: string;
}

/** A difference between two maps: see bsp_difference. */
export interface Difference {
    kind: "added" | "removed" | "changed";
    part: string;
    place: Place;
    name: string;
    before: string;
    after: string;
}

/** A member of all elements of an array of the map, in the type that it has in the library. */
export type Column =
    Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array | Int16Array | Uint16Array | Int8Array;

/** Files of a game in which textures and models are looked for: first what was added first. Everything is
 *  added before the first use. */
export interface GameFilesApi {
    /** Adds a folder of a game, as bsp_search_add_game does one of the disk: its loose files and archives in
     *  the order of its engine, and the search path of its gameinfo.txt. `files` is path (with "/") to bytes,
     *  or to something that gives them when they are needed. `folder` is the folder of the game among these
     *  paths. Default: the one that has gameinfo.txt; else those nearest to the top that hold archives or
     *  folders as games have them (maps, textures, gfx ...); else the one that all files are in. */
    addGame(files: Iterable<readonly [string, Uint8Array | FileSource]>, folder?: string): void;
    /** Adds an archive: PAK, PK3, zip, WAD, VPK (alone), GMA. */
    addArchive(name: string, bytes: Uint8Array): void;
    list(): { name: string; source: string; size: number }[];
    has(name: string): boolean;
    read(name: string): Uint8Array;
    issues(): Issue[];
    close(): void;
}

/** A file that is read when it is needed, at once: in a worker a File of the browser is read so. */
export interface FileSource {
    size: number;
    read(): Uint8Array;
}

/** An open map. Every method that fails throws a BspError. What is returned is plain data of the caller's
 *  own (it may be sent to another thread), unless it says "view". */
export interface OpenMapApi {
    readonly name: string;

    // Facts
    info(): Info;
    /** The SHA-256 of the file as it was opened, in hexadecimal. */
    sha256(): string;
    check(): CheckResult;
    entities(): Entity[];
    /** The entity text as it stands in the lump. */
    entityText(): string;
    /** A whole lump as values: by name ("FACES", "game:sprp") or number. */
    dump(lump: string | number): Value;
    /** The same as the text that the command prints. */
    dumpText(lump: string | number): string;
    /** `count` records of a lump of records from `first` on; null for a lump that has no records. */
    records(lump: string | number, first: number, count: number): Value[] | null;
    lumpBytes(lump: string | number): Uint8Array;

    // The map's arrays, by name: "faces", "planes", "brushes" ... (bsp_map)
    count(array: bsp.MapArrayName): number;
    record<K extends bsp.MapArrayName>(array: K, n: number): bsp.MapArrays[K];
    array<K extends bsp.MapArrayName>(array: K, first?: number, count?: number): bsp.MapArrays[K][];
    /** One member of all records, as a typed array: column("faces", "material"). */
    column<K extends bsp.MapArrayName>(array: K, member: string & keyof bsp.MapArrays[K]): Column;
    /** Calls `use` with a view of all bytes of an array, which is gone when `use` returns or calls the
     *  library; each record has `size` bytes, and its members are at the offsets of `members`. */
    arrayView<T>(array: bsp.MapArrayName,
                 use: (view: { bytes: Uint8Array; count: number; size: number; members: [string, number][] }) => T): T;
    /** The bytes of a span that a record has, such as the pixels of an embedded texture. */
    spanBytes(span: { address: number; size: number }): Uint8Array;

    // Geometry and light
    mesh(options?: MeshOptions): MeshData;
    /** Calls `use` with a mesh whose arrays are views of the library's memory, not copies: they are gone
     *  when `use` returns or calls the library. */
    meshView<T>(options: MeshOptions, use: (mesh: MeshData) => T): T;
    /** The light pages by themselves, with other styles: on the same places as those of mesh and scene. */
    lightPages(options?: LightOptions): LightData;
    /** Factors of the 256 light styles at a moment. */
    styles(time?: number): Float32Array;
    /** Polygons of all brushes, or of a run: points are x, y, z; `polygons` has side, first_index,
     *  num_indices; `hulls` has state, first_point, num_points, first_polygon, num_polygons for each brush. */
    brushes(first?: number, count?: number): { points: Float64Array; indices: Uint32Array; polygons: Uint32Array; hulls: Uint32Array };
    scene(options?: SceneOptions): SceneData;

    // Textures
    setGame(game: GameFilesApi | null): void;
    texture(material: number): Texture;
    secondTexture(material: number): Texture | null;
    textureNamed(name: string): Texture;
    sky(): Sky;

    // Queries
    /** The leaf at a point, or null without a tree. */
    leaf(point: Vector): number | null;
    cluster(point: Vector): number | null;
    contents(point: Vector, model?: number): number;
    contentsNames(contents: number): string[];
    /** Clusters that a cluster sees: bit n % 8 of byte n / 8. */
    visible(cluster: number, heard?: boolean): Uint8Array;
    visibleLeaves(point: Vector): Uint32Array;
    /** Faces of these leaves: bit n % 8 of byte n / 8. */
    visibleFaces(point: Vector): Uint8Array;
    /** Leaves of a model that a box touches. */
    boxLeaves(mins: Vector, maxs: Vector, model?: number): Uint32Array;
    /** For each area the number of its group of connected areas, as the map begins, and the ways between. */
    areas(): { groups: Uint32Array; links: bsp.BspAreaLink[] };
    light(point: Vector): bsp.BspLight;
    water(point: Vector): bsp.BspWater | null;
    fog(point: Vector): bsp.BspFogHere | null;
    /** Brush model of each entity; 0xffffffff: none. */
    entityModels(): Uint32Array;
    /** Where each entity stands. */
    placement(entity: number): bsp.BspPlacement;
    trace(start: Vector, end: Vector, options?: TraceOptions): TraceHit;
    /** Many at once: six floats a segment, start and end. */
    traces(segments: Float32Array, options?: TraceOptions): TraceRows;
    /** Whether nothing stands between the points of each line, six floats a line. */
    sight(lines: Float32Array, options?: SightOptions): Uint8Array;
    /** Name of the material that a trace hit; "" without one. */
    hitMaterial(hit: bsp.BspTraceResult): string;

    // Products
    glb(options?: GlbOptions): Uint8Array;
    gltf(options?: GlbOptions): Exported;
    obj(options?: GlbOptions): Exported;
    decompile(options?: DecompileOptions): Decompiled;
    /** Files that the map needs, whether they are found in it or in the files of the game, and files of its zip
     *  that nothing names: see bsp_assets_find. */
    needs(): { files: Needed[]; unused: string[] };
    /** Differences from this map to another one, by records and entities. */
    diff(other: OpenMapApi): Difference[];

    // What compilers bake
    /** The openings between leaves, as a .prt in the form of the map's game. */
    portals(): Uint8Array;
    /** What no longer fits the rest of the map. */
    stale(): Stale[];
    /** The whole file with visibility that is computed again, of its portals. */
    vis(options?: VisOptions): Uint8Array;

    // Edits: each gives back the whole new file. Nothing of this map changes: open the bytes.
    editEntities(changes: EntityChange[]): Uint8Array;
    importEntities(text: string): Uint8Array;
    pak(): PakEntry[];
    readPak(name: string): Uint8Array;
    editPak(changes: PakChange[]): Uint8Array;
    replaceLump(lump: string | number, bytes: Uint8Array): Uint8Array;
    compress(lzma: boolean): Uint8Array;

    /** Frees the map: no method may be called afterwards. */
    close(): void;
}

/** The library in this thread. */
export interface LibraryApi {
    readonly version: string;
    readonly simd: boolean;
    open(bytes: Uint8Array | ArrayBuffer, options?: OpenOptions): OpenMapApi;
    gameFiles(): GameFilesApi;
    /** Decodes a picture: PNG, JPEG, TGA, PCX, WAL, VTF ...; `name` helps where the bytes do not tell. */
    decodePicture(bytes: Uint8Array, name?: string): Picture;
    encodePng(picture: Picture): Uint8Array;
    /** Bytes of memory that the library has. */
    readonly memory: number;
}

type Later<T> = T extends (...a: infer A) => infer R ? (...a: A) => Promise<Awaited<R>> : Promise<T>;

/** The same with promises: each method runs in a worker of its own, which has its own library. */
export type Remote<T> = { [K in keyof T]: T[K] extends (...a: never[]) => unknown ? Later<T[K]> : T[K] };

/** An open map in a worker. Options that are functions (pictures, progress) are called while the work is
 *  done; what they return counts for nothing, and what they throw rejects the promise at once. */
export type RemoteMap = Remote<Omit<OpenMapApi, "setGame" | "diff" | "meshView" | "arrayView">> & {
    /** Differences to another map of the same worker. */
    diff(other: RemoteMap): Promise<Difference[]>;
    /** Files of the browser (File) and bytes, by path: see GameFilesApi.addGame. */
    setGame(files: Iterable<readonly [string, Uint8Array | Blob]> | null, folder?: string): Promise<void>;
};

/** The library in a worker: see startWorker. */
export interface WorkerLibrary {
    readonly version: string;
    readonly simd: boolean;
    open(bytes: Uint8Array | ArrayBuffer, options?: Omit<OpenOptions, "game">): Promise<RemoteMap>;
    decodePicture(bytes: Uint8Array, name?: string): Promise<Picture>;
    encodePng(picture: Picture): Promise<Uint8Array>;
    /** Bytes of memory that the library has. */
    memory(): Promise<number>;
    /** Ends the worker; promises that are not kept yet are rejected, and so is every later call. */
    close(): void;
}

/** How the library is started in a worker. */
export interface WorkerOptions extends LoadOptions {
    /** The worker's program: an address, or a worker that was started with it. Default: bspkit-worker.mjs
     *  beside this file. A page that opens from a disk starts one from a Blob of the same text, and gives
     *  `wasm`. */
    worker?: URL | string | Worker;
}
