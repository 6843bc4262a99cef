// SPDX-License-Identifier: MIT
// What the WebAssembly module has beside the library: functions that the library can call, each of
// which asks JavaScript. `user` is the number by which web/lib/memory.ts keeps the JavaScript
// function. All other calls go from JavaScript to the library itself.
#include "bspkit/bspkit.h"

#include <emscripten.h>

#define API EMSCRIPTEN_KEEPALIVE

// Calls the JavaScript function number `user` with up to five numbers; what it returns is true or
// false.
EM_JS(int, ask, (int user, double a, double b, double c, double d, double e),
      { return Module["ask"](user, a, b, c, d, e); });

static double at(const void *pointer) {
    return (double)(uintptr_t)pointer;
}

static int of(void *user) {
    return (int)(uintptr_t)user;
}

static bool sink(void *user, const char *data, size_t size) {
    return ask(of(user), at(data), (double)size, 0, 0, 0) != 0;
}

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    return ask(of(user), at(stage), (double)done, (double)total, 0, 0) != 0;
}

static bool beside(void *user, const char *name, const char *data, size_t size) {
    return ask(of(user), at(name), at(data), (double)size, 0, 0) != 0;
}

// Pictures and decals share the `user` of a scene's options: the first number tells them apart.
static bool pictures(void *user, uint32_t material, const bsp_scene_material *as,
                     bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    return ask(of(user), 0, material, at(as), at(texture), at(second)) != 0 ||
           bsp_fail(error, BSP_E_CANCELLED, NULL, "the caller wants no more pictures");
}

static bool decals(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                   bsp_error *error) {
    return ask(of(user), 1, picture, count, at(texture), 0) != 0 ||
           bsp_fail(error, BSP_E_CANCELLED, NULL, "the caller wants no more pictures");
}

static void difference(void *user, const bsp_difference *found) {
    (void)ask(of(user), at(found), 0, 0, 0, 0);
}

static void stale(void *user, const bsp_stale *found) {
    (void)ask(of(user), at(found), 0, 0, 0, 0);
}

static bool open_file(void *user, size_t number, bsp_bytes *bytes) {
    return ask(of(user), 0, (double)number, at(bytes), 0, 0) != 0;
}

static void close_file(void *user, size_t number, bsp_bytes bytes) {
    (void)ask(of(user), 1, (double)number, at(bytes.data), 0, 0);
}

/// Returns the function of that number: what JavaScript puts into options.
API const void *web_function(uint32_t number) {
    const void *const functions[] = {(const void *)sink,      (const void *)report,
                                     (const void *)beside,    (const void *)pictures,
                                     (const void *)decals,    (const void *)difference,
                                     (const void *)open_file, (const void *)close_file,
                                     (const void *)stale};
    return functions[number];
}

/// Writes a lump as JSON to a sink.
API bool web_dump(const bsp_file *file, uint32_t lump, void *user, bsp_error *error) {
    bsp_json json;
    bsp_json_begin(&json, sink, user);
    return bsp_dump_json(file, lump, &json, error) && bsp_json_flush(&json);
}

/// Writes `count` records of a table from `first` on as a JSON array to a sink.
API bool web_records(const bsp_table *table, uint32_t first, uint32_t count, void *user) {
    bsp_json json;
    bsp_json_begin(&json, sink, user);
    bsp_table_json(table, first, count, &json);
    return bsp_json_flush(&json);
}
