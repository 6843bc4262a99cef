// SPDX-License-Identifier: MIT
// Converts a file to another branch of its family. The map writes the file first, and so fills what
// the target has and the file leaves implicit; then the file's own records are written over it, so
// that as little as possible passes through the map: lumps of the same layout as bytes, others
// field by field.
#include "edit/convert/convert.h"

#include "core/options.h"
#include "core/text.h"
#include "records/file.h"
#include "records/parse.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

// --- lumps --------------------------------------------------------------------------------------

static bool same_sections(const bsp_section_list *list, const bsp_parts *parts) {
    uint32_t section = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE) {
            if (section >= list->num_sections ||
                list->sections[section].layout != parts->parts[i].layout) {
                return false;
            }
            section++;
        }
    }
    return section == list->num_sections;
}

// Returns true if the target reads the bytes of the lump as the same records.
static bool reads_alike(const bspi_convert *c, const bsp_lump *from, const bsp_lump *to,
                        const bsp_parts *parts) {
    bool pages = bspi_convert_pages_differ(c);
    if ((from->id == BSP_ID_FACES && (pages || bspi_convert_light_differs(c))) ||
        (from->id == BSP_ID_DRAW_VERTS && pages)) {
        return false; // their offsets and places count other luxels
    }
    if (from->kind == BSP_KIND_ARRAY) {
        const bsp_layout *layout = parts->count > 0 ? parts->parts[0].layout : NULL;
        return bspi_pick_layout(to->def, from->version, parts->data.size) == layout;
    }
    if (from->kind != BSP_KIND_SECTIONS) {
        return true;
    }
    uint32_t count;
    const bsp_section_list *lists = bspi_section_lists(to, &count);
    uint32_t asked = c->options->static_prop_version;
    if (from->id == BSP_ID_STATIC_PROPS && asked != 0 && asked != from->version) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool version = lists[i].version == from->version || lists[i].version == BSP_ANY_VERSION;
        if (version && same_sections(&lists[i], parts)) {
            return true;
        }
    }
    return false;
}

// `lump`: its number in the file that is rewritten, or BSP_NONE for a new one.
static bool add(bspi_convert *c, uint32_t lump, bsp_bytes data, uint32_t version) {
    c->changes[c->count++] = (bsp_lump_change){.lump = lump, .data = data, .version = version};
    return true;
}

static bool find_part(const bsp_parts *parts, bsp_table_id id, uint32_t *number) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE && parts->parts[i].id == id) {
            *number = i;
            return true;
        }
    }
    return false;
}

static bool is_own_branch(const bspi_convert *c) {
    return c->target == c->info->detection.branch;
}

// Writes the records of a lump over those that the map made of them.
static bool put_over(bspi_convert *c, uint32_t before, const bsp_parts *from, uint32_t after) {
    const bsp_lump *lump = bsp_file_lump(c->file, before);
    bsp_parts to;
    if (!bsp_file_parts(c->written, after, NULL, &to, c->error)) {
        return false;
    }
    uint8_t *out = bspi_arena_zero(&c->arena, to.data.size, 1, c->error);
    bool done = out != NULL;
    if (done && to.data.size != 0) {
        memcpy(out, to.data.data, to.data.size);
    }
    for (uint32_t i = 0; done && i < from->count; i++) {
        uint32_t t;
        if (from->parts[i].kind != BSP_PART_TABLE || from->parts[i].count == 0) {
            continue;
        }
        bsp_table table = bsp_parts_table(from, i);
        if (!find_part(&to, from->parts[i].id, &t) || to.parts[t].count != table.count) {
            bspi_convert_lose(c, bsp_place_at(lump->name, BSP_NONE, NULL, UINT64_MAX),
                              "branch %s has no place for %u %s", c->target->name, table.count,
                              from->parts[i].name);
            continue;
        }
        bsp_table target = bsp_parts_table(&to, t);
        done = bspi_convert_table(c, lump->name, &table, &target, out + to.parts[t].offset);
    }
    done = done && add(c, is_own_branch(c) ? before : after, (bsp_bytes){out, to.data.size},
                       bsp_file_lump(c->written, after)->version);
    bsp_parts_free(&to);
    return done;
}

// --- places of the lumps -------------------------------------------------------------------------

static bool is_known(bsp_table_id id) {
    return id != BSP_ID_NONE && id != BSP_ID_UNUSED;
}

static uint32_t find_target(const bspi_convert *c, const bsp_lump *lump) {
    uint32_t count = bsp_file_get_info(c->written)->num_lumps;
    for (uint32_t n = 0; n < count; n++) {
        const bsp_lump *other = bsp_file_lump(c->written, n);
        bool same = is_known(lump->id)
                        ? other->id == lump->id
                        : bspi_text_equal_nocase(bsp_text_of(other->name), bsp_text_of(lump->name));
        if (other->place == lump->place && same && other->kind == lump->kind) {
            return n;
        }
    }
    return BSP_NONE;
}

// Returns true for lumps whose content in the map differs from the file: they stay as the map
// writes them.
static bool is_maps_own(const bspi_convert *c, const bsp_lump *lump) {
    bool light = lump->id == BSP_ID_LIGHTING || lump->kind == BSP_KIND_TEXTURES;
    bool grid = lump->id == BSP_ID_LIGHT_GRID || lump->id == BSP_ID_LIGHT_ARRAY;
    bool array = bsp_branch_lump_of(c->info->detection.branch, BSP_ID_LIGHT_ARRAY) != NULL;
    bool arrays = bsp_branch_lump_of(c->target, BSP_ID_LIGHT_ARRAY) != NULL;
    return (light && (bspi_convert_light_differs(c) || bspi_convert_pages_differ(c))) ||
           (grid && array != arrays);
}

static bool add_bspx(bspi_convert *c, const bsp_lump *lump, uint32_t n) {
    bsp_bytes data;
    if (!bsp_branch_shape(c->target)->ends_in_bspx) {
        bspi_convert_lose(c, bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset),
                          "branch %s has no BSPX", c->target->name);
        return true;
    }
    if (!bsp_file_data(c->file, n, &data, c->error) || !add(c, BSP_NONE, data, BSP_NONE)) {
        return false;
    }
    c->changes[c->count - 1].name = lump->name;
    return true;
}

static bool convert_parts(bspi_convert *c, uint32_t before, const bsp_parts *parts) {
    const bsp_lump *lump = bsp_file_lump(c->file, before);
    uint32_t n = find_target(c, lump);
    if (is_maps_own(c, lump)) {
        return true;
    }
    if (n == BSP_NONE) {
        if (lump->place == BSP_IN_GAME_LUMP && add(c, BSP_NONE, parts->data, lump->version)) {
            c->changes[c->count - 1].name = lump->name; // a lump that the map does not have either
            return true;
        }
        bspi_convert_lose(c, bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset),
                          "branch %s has no such lump", c->target->name);
        return true;
    }
    if (reads_alike(c, lump, bsp_file_lump(c->written, n), parts)) {
        return add(c, n, parts->data, lump->version);
    }
    return put_over(c, before, parts, n);
}

// Lumps may share their bytes, and each is searched among all: both are counted as work.
static bool convert_lump(bspi_convert *c, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(c->file, n);
    if (lump->size == 0 || lump->kind == BSP_KIND_GAME) {
        return true;
    }
    if (!bspi_heap_work(&c->heap, (uint64_t)lump->unpacked_size + c->info->num_lumps, c->error)) {
        return false;
    }
    if (lump->place == BSP_IN_BSPX) {
        bool replaced = c->colours.size != 0 && strcmp(lump->name, "bspx:RGBLIGHTING") == 0;
        return replaced || add_bspx(c, lump, n);
    }
    bsp_parts parts;
    if (!bsp_file_parts(c->file, n, NULL, &parts, c->error)) {
        return false;
    }
    bool done = convert_parts(c, n, &parts);
    bsp_parts_free(&parts);
    return done;
}

// When light becomes grey, its colours are kept in a BSPX lump if the target can have one.
static bool add_colours(bspi_convert *c) {
    if (c->colours.size == 0) {
        return true;
    }
    if (!bsp_branch_shape(c->target)->ends_in_bspx) {
        bspi_convert_lose(c, bsp_place_none(), "branch %s has no light in colour", c->target->name);
        return true;
    }
    (void)add(c, BSP_NONE, c->colours, BSP_NONE);
    c->changes[c->count - 1].name = "bspx:RGBLIGHTING";
    return true;
}

// --- the whole conversion ------------------------------------------------------------------------

static bool has_form(const bsp_branch *branch, uint32_t version, uint32_t size) {
    const bsp_game_lump_def *props = bsp_branch_game_lump(branch, "sprp");
    for (uint32_t i = 0; props != NULL && i < props->num_section_lists; i++) {
        const bsp_section_list *list = &props->section_lists[i];
        if (list->version == version && (size == 0 || list->stride == size)) {
            return true;
        }
    }
    return false;
}

// Gives the version and size of static props: the requested version, or the present ones where the
// target has them.
static bool choose_props(const bspi_convert *c, bsp_write_options *options) {
    bsp_parts parts;
    bsp_table table;
    uint32_t n = bsp_file_find_id(c->file, BSP_ID_STATIC_PROPS);
    uint32_t now = n == BSP_NONE ? 0 : bsp_file_lump(c->file, n)->version;
    uint32_t size = 0;
    bool there = false;
    if (n != BSP_NONE &&
        !bspi_file_table(c->file, BSP_ID_STATIC_PROPS, &parts, &table, &there, c->error)) {
        return false;
    }
    if (there) {
        size = table.layout->size;
        bsp_parts_free(&parts);
    }
    uint32_t asked = c->options->static_prop_version;
    options->static_prop_version = asked != 0 ? asked : has_form(c->target, now, 0) ? now : 0;
    bool kept = options->static_prop_version == now && has_form(c->target, now, size);
    options->static_prop_size = kept ? size : 0;
    return true;
}

static bool write_map(bspi_convert *c, bsp_blob *out) {
    bsp_write_options options = {.big_endian = c->info->detection.big_endian,
                                 .allocator = &c->heap.allocator};
    options.revision = c->info->revision == BSP_NONE ? 0 : c->info->revision;
    return choose_props(c, &options) && bsp_map_write(&c->map, c->target, &options, out, c->error);
}

// The map writes every game lump that the target knows; those that the file does not have go again.
static bool remove_game_lumps(bspi_convert *c) {
    uint32_t count = bsp_file_get_info(c->written)->num_lumps;
    for (uint32_t n = 0; n < count; n++) {
        const bsp_lump *lump = bsp_file_lump(c->written, n);
        if (lump->place == BSP_IN_GAME_LUMP) {
            if (!bspi_heap_work(&c->heap, c->info->num_lumps, c->error)) {
                return false;
            }
            if (bsp_file_find(c->file, bsp_text_of(lump->name)) == BSP_NONE) {
                c->changes[c->count++] = (bsp_lump_change){.lump = n, .remove = true};
            }
        }
    }
    return true;
}

// Rewrites what the map wrote; in the file's own branch the file itself, of which only static props
// change.
static bool convert(bspi_convert *c, bsp_blob *out) {
    size_t room = (size_t)c->info->num_lumps + bsp_file_get_info(c->written)->num_lumps + 1;
    bool own = is_own_branch(c);
    c->changes = bspi_arena_zero(&c->arena, room, sizeof *c->changes, c->error);
    bool done = c->changes != NULL;
    for (uint32_t n = 0; done && n < c->info->num_lumps; n++) {
        done = (own && bsp_file_lump(c->file, n)->id != BSP_ID_STATIC_PROPS) || convert_lump(c, n);
    }
    return done && (own || (remove_game_lumps(c) && add_colours(c))) && !c->refused &&
           bsp_file_rewrite(own ? c->file : c->written, c->changes, c->count, c->options->allocator,
                            out, c->error);
}

static bool run(bspi_convert *c, const bsp_map *map, bsp_blob *out) {
    bsp_blob blob;
    bsp_open_options options = {.branch = c->target->name,
                                .allocator = &c->heap.allocator,
                                .budget = bspi_file_budget(c->file)};
    c->map = *map;
    if (!bspi_convert_map(c) || c->refused || !write_map(c, &blob)) {
        return false;
    }
    bsp_file *written = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &options, c->error);
    c->written = written;
    bool done = written != NULL && convert(c, out);
    bsp_file_close(written);
    bsp_blob_free(&blob);
    return done;
}

// GoldSrc counts as Quake's family: only its light and its palettes differ.
static bsp_family stem(bsp_family family) {
    return family == BSP_GOLDSRC ? BSP_QUAKE : family;
}

// Returns true if the file has already what is asked for.
static bool is_converted(const bspi_convert *c) {
    uint32_t n = bsp_file_find_id(c->file, BSP_ID_STATIC_PROPS);
    uint32_t asked = c->options->static_prop_version;
    return is_own_branch(c) &&
           (asked == 0 || (n != BSP_NONE && bsp_file_lump(c->file, n)->version == asked));
}

bool bsp_file_convert(const bsp_file *file, const bsp_branch *target,
                      const bsp_convert_options *options, bsp_blob *out, bsp_error *error) {
    assert(file != NULL && target != NULL && out != NULL);
    bsp_convert_options taken;
    memset(out, 0, sizeof *out);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    options = &taken;
    bspi_convert c = {.file = file,
                      .info = bsp_file_get_info(file),
                      .target = target,
                      .options = options,
                      .error = error};
    if (is_converted(&c)) {
        return bsp_file_rewrite(file, NULL, 0, options->allocator, out, error);
    }
    const bsp_branch *branch = c.info->detection.branch;
    if (stem(branch->family) != stem(target->family) || branch->opaque || target->opaque ||
        branch->partial || target->partial) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                        "a map of branch %s does not become one of branch %s", branch->name,
                        target->name);
    }
    bsp_map_options load = {.allocator = options->allocator};
    bsp_map *map = bsp_map_load(file, &load, error);
    if (map == NULL) {
        return false;
    }
    bspi_heap_init_for(&c.heap, BSP_PRODUCT_CONVERT, bspi_file_size(file), bspi_file_budget(file),
                       options->allocator);
    bspi_arena_init(&c.arena, &c.heap);
    bool done = run(&c, map, out);
    bspi_arena_free(&c.arena);
    bsp_map_free(map);
    return done;
}
