// SPDX-License-Identifier: MIT
// Reads navigation meshes. Layout: "NAV (file format)" of the Valve developer wiki, tried on files
// of Counter-Strike (version 5), Counter-Strike: Source (9, 16) and Global Offensive (16). What
// Left 4 Dead 2 writes more (16, subversion 14) was found from twelve of its files, which all end
// with it.
#include "bspkit/nav.h"
#include "query/nav_parts.h"

#include "core/memory.h"
#include "core/options.h"
#include "core/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xFEEDFACEu
#define FIRST_VERSION 5u
#define LAST_VERSION 16u
#define DANGLING_VERSION 6u // a byte more in ladders
#define LADDER_VERSION 6u
#define LADDER_SIZE 40u
#define LEFT4DEAD 13u // its subversion; and that of Left 4 Dead 2
#define LEFT4DEAD2 14u
#define LAST_WORDS 4u // Left 4 Dead: bytes after the ladders, a number whose meaning is not known

typedef struct nav_owner {
    bsp_nav nav; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} nav_owner;

typedef struct nav_counts {
    uint32_t connections;
    uint32_t spots;
    uint32_t ladders;
    size_t end; // of what is known
} nav_counts;

typedef struct id_row {
    uint32_t id;
    uint32_t index;
} id_row;

typedef struct nav_reader {
    bspi_reader in;
    nav_owner *own;
    bsp_nav_area *areas;
    bsp_nav_connection *connections;
    bsp_nav_spot *spots;
    bsp_nav_ladder *ladders;
    id_row *area_ids;
    id_row *ladder_ids;
    bsp_error *error;
} nav_reader;

// --- counting -----------------------------------------------------------------------------------

static size_t ladder_size(uint32_t version) {
    return LADDER_SIZE + (version == DANGLING_VERSION) + 5 * sizeof(uint32_t);
}

// Walks all areas and ladders. Returns false if they do not lie in the file.
static bool count_all(const nav_reader *r, bsp_nav_extra extra, nav_counts *out) {
    const bsp_nav *nav = &r->own->nav;
    bspi_reader in = r->in;
    bspi_nav_found found[BSPI_NAV_PARTS];
    uint64_t connections = 0;
    uint64_t spots = 0;
    for (uint32_t i = 0; i < nav->num_areas; i++) {
        if (!bspi_nav_walk(&in, nav->version, extra, found)) {
            return false;
        }
        for (int way = BSPI_NAV_NORTH; way <= BSPI_NAV_WEST; way++) {
            connections += found[way].count;
        }
        connections += (uint64_t)found[BSPI_NAV_UP].count + found[BSPI_NAV_DOWN].count;
        spots += found[BSPI_NAV_SPOTS].count;
    }
    uint32_t ladders = nav->version < LADDER_VERSION ? 0 : bspi_read_u32(&in);
    (void)bspi_nav_run(&in, ladders, (uint32_t)ladder_size(nav->version));
    *out = (nav_counts){(uint32_t)connections, (uint32_t)spots, ladders, in.at};
    return !in.failed && connections < BSP_NONE && spots < BSP_NONE;
}

// --- the head -----------------------------------------------------------------------------------

static bool read_places(nav_reader *r) {
    bspi_reader *in = &r->in;
    bsp_nav *nav = &r->own->nav;
    uint32_t count = bspi_read_u16(in);
    if (count > bspi_left(in) / 2) {
        in->failed = true;
        count = 0;
    }
    bsp_text *list = bspi_arena_zero(&r->own->arena, count, sizeof *list, r->error);
    for (uint32_t i = 0; list != NULL && i < count && !in->failed; i++) {
        uint32_t size = bspi_read_u16(in);
        const uint8_t *name = bspi_nav_run(in, size, 1);
        if (name == NULL) {
            break;
        }
        const uint8_t *end = size == 0 ? NULL : memchr(name, '\0', size);
        bsp_text text = {(const char *)name, end == NULL ? size : (size_t)(end - name)};
        list[i].data = bspi_arena_text(&r->own->arena, text, r->error);
        list[i].size = text.size;
        if (list[i].data == NULL) {
            return false;
        }
    }
    nav->places = list;
    nav->num_places = count;
    return list != NULL;
}

static bool ends_early(const nav_reader *r) {
    return bsp_fail(r->error, BSP_E_DAMAGED, NULL, "the navigation mesh ends too early");
}

// Left 4 Dead: which of the populations of the game lives where no place is, and two bytes, 0 in
// all files.
static bool read_population(nav_reader *r) {
    bspi_reader *in = &r->in;
    const uint8_t *start = in->bytes.data + in->at;
    const uint8_t *end = in->failed ? NULL : memchr(start, '\0', bspi_left(in));
    if (end == NULL) {
        in->failed = true;
        return true;
    }
    bsp_text text = {(const char *)start, (size_t)(end - start)};
    r->own->nav.population.data = bspi_arena_text(&r->own->arena, text, r->error);
    r->own->nav.population.size = text.size;
    (void)bspi_take(in, text.size + 1);
    (void)bspi_read_u16(in);
    return r->own->nav.population.data != NULL;
}

static bool read_head(nav_reader *r) {
    bspi_reader *in = &r->in;
    bsp_nav *nav = &r->own->nav;
    if (bspi_read_u32(in) != MAGIC) {
        return bsp_fail(r->error, BSP_E_FORMAT, NULL, "not a navigation mesh (.nav)");
    }
    nav->version = bspi_read_u32(in);
    if (!in->failed && (nav->version < FIRST_VERSION || nav->version > LAST_VERSION)) {
        return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                        "a navigation mesh of version %lu: known are %u to %u",
                        (unsigned long)nav->version, FIRST_VERSION, LAST_VERSION);
    }
    nav->subversion = nav->version < 10 ? 0 : bspi_read_u32(in);
    nav->map_bytes = bspi_read_u32(in);
    nav->analyzed = nav->version >= 14 && bspi_nav_u8(in) != 0;
    if (!read_places(r)) {
        return false;
    }
    if (nav->version >= 12) {
        (void)bspi_nav_u8(in); // whether areas without a place are meant to have none
    }
    if ((nav->subversion == LEFT4DEAD || nav->subversion == LEFT4DEAD2) && !read_population(r)) {
        return false;
    }
    nav->num_areas = bspi_read_u32(in);
    return !in->failed || ends_early(r);
}

// Whether a kind of areas leads to the very end.
static bool leads_to_end(const nav_reader *r, bsp_nav_extra extra, nav_counts *counts) {
    size_t more = extra == BSP_NAV_LEFT4DEAD ? LAST_WORDS : 0;
    return count_all(r, extra, counts) && counts->end + more == r->in.bytes.size;
}

// Chooses what the game wrote for each area: by its subversion, else what leads to the very end.
static bool choose_extra(nav_reader *r, nav_counts *counts) {
    static const bsp_nav_extra by_subversion[] = {BSP_NAV_PLAIN, BSP_NAV_APPROACHES,
                                                  BSP_NAV_TEAM_FORTRESS};
    bsp_nav *nav = &r->own->nav;
    bool known = nav->subversion < sizeof by_subversion / sizeof *by_subversion;
    nav->extra = known ? by_subversion[nav->subversion] : BSP_NAV_PLAIN;
    if (known && count_all(r, nav->extra, counts)) {
        return true;
    }
    if (nav->population.data != NULL) {
        nav->extra = BSP_NAV_LEFT4DEAD;
        return leads_to_end(r, nav->extra, counts) ||
               bsp_fail(
                   r->error, BSP_E_UNSUPPORTED, NULL,
                   "a navigation mesh of version %lu and subversion %lu: it is not as those of "
                   "Left 4 Dead 2 are",
                   (unsigned long)nav->version, (unsigned long)nav->subversion);
    }
    for (int i = BSP_NAV_PLAIN; i <= BSP_NAV_APPROACHES; i++) {
        nav->extra = (bsp_nav_extra)i;
        if (leads_to_end(r, nav->extra, counts)) {
            return true;
        }
    }
    if (known) {
        return ends_early(r);
    }
    return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                    "a navigation mesh of version %lu and subversion %lu: what this game writes "
                    "for its areas is not known",
                    (unsigned long)nav->version, (unsigned long)nav->subversion);
}

// --- filling ------------------------------------------------------------------------------------

static void load_floats(const uint8_t *p, float *out, int count) {
    for (int i = 0; i < count; i++) {
        out[i] = bspi_load_finite(p + 4 * i);
    }
}

static uint32_t load_flags(const bspi_nav_found found[BSPI_NAV_PARTS]) {
    return found[BSPI_NAV_FLAGS32].at != NULL   ? bspi_load32(found[BSPI_NAV_FLAGS32].at, false)
           : found[BSPI_NAV_FLAGS16].at != NULL ? bspi_load16(found[BSPI_NAV_FLAGS16].at, false)
                                                : found[BSPI_NAV_FLAGS8].at[0];
}

// The file has two opposite corners, and the heights of the others.
static void load_corners(const uint8_t *p, float out[4][3]) {
    float v[8];
    load_floats(p, v, 8);
    const float corners[4][3] = {
        {v[0], v[1], v[2]}, {v[3], v[1], v[6]}, {v[3], v[4], v[5]}, {v[0], v[4], v[7]}};
    memcpy(out, corners, sizeof corners);
}

static void fill_spots(const nav_reader *r, const bspi_nav_found *found, bsp_nav_area *area) {
    for (uint32_t i = 0; i < found->count; i++) {
        const uint8_t *p = found->at + 17 * (size_t)i;
        bsp_nav_spot *spot = &r->spots[area->first_spot + i];
        spot->id = bspi_load32(p, false);
        load_floats(p + 4, spot->origin, 3);
        spot->flags = p[16];
    }
    area->num_spots = found->count;
}

// Targets are ids until all are known.
static void fill_connections(const nav_reader *r, const bspi_nav_found found[BSPI_NAV_PARTS],
                             bsp_nav_area *area) {
    static const uint8_t of_way[6] = {BSPI_NAV_NORTH, BSPI_NAV_EAST, BSPI_NAV_SOUTH,
                                      BSPI_NAV_WEST,  BSPI_NAV_UP,   BSPI_NAV_DOWN};
    for (int way = BSP_NAV_NORTH; way <= BSP_NAV_DOWN; way++) {
        const bspi_nav_found *run = &found[of_way[way]];
        for (uint32_t i = 0; i < run->count; i++) {
            r->connections[area->first_connection + area->num_connections++] =
                (bsp_nav_connection){bspi_load32(run->at + 4 * (size_t)i, false), (bsp_nav_way)way};
        }
    }
}

static void fill_area(const nav_reader *r, const bspi_nav_found found[BSPI_NAV_PARTS],
                      bsp_nav_area *area) {
    const bsp_nav *nav = &r->own->nav;
    uint32_t place = bspi_load16(found[BSPI_NAV_PLACE].at, false); // 0: none
    area->id = bspi_load32(found[BSPI_NAV_ID].at, false);
    area->flags = load_flags(found);
    load_corners(found[BSPI_NAV_CORNERS].at, area->corners);
    area->place = place == 0 || place > nav->num_places ? BSP_NONE : place - 1;
    area->num_visible = found[BSPI_NAV_VISIBLE].count;
    if (found[BSPI_NAV_LIGHT].at != NULL) {
        load_floats(found[BSPI_NAV_LIGHT].at, area->light, 4);
    }
    if (found[BSPI_NAV_SPAWNS].at != NULL) {
        area->spawn_flags = bspi_load32(found[BSPI_NAV_SPAWNS].at, false);
    }
    fill_spots(r, &found[BSPI_NAV_SPOTS], area);
    fill_connections(r, found, area);
}

static void fill_ladder(const uint8_t *p, size_t size, bsp_nav_ladder *ladder) {
    ladder->id = bspi_load32(p, false);
    ladder->width = bspi_load_finite(p + 4);
    load_floats(p + 8, ladder->top, 3);
    load_floats(p + 20, ladder->bottom, 3);
    ladder->length = bspi_load_finite(p + 32);
    ladder->way = bspi_load32(p + 36, false);
    for (int i = 0; i < 5; i++) {
        ladder->areas[i] = bspi_load32(p + size - 20 + 4 * (size_t)i, false);
    }
}

static int by_id(const void *left, const void *right) {
    const id_row *a = left;
    const id_row *b = right;
    int order = (a->id > b->id) - (a->id < b->id);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Of several with one id the first counts.
static uint32_t find_id(const id_row *rows, uint32_t count, uint32_t id) {
    const id_row first = {id, 0};
    size_t at = bspi_lower_bound(&first, rows, count, sizeof *rows, by_id);
    return at < count && rows[at].id == id ? rows[at].index : BSP_NONE;
}

static void resolve_ids(nav_reader *r) {
    const bsp_nav *nav = &r->own->nav;
    qsort(r->area_ids, nav->num_areas, sizeof *r->area_ids, by_id);
    qsort(r->ladder_ids, nav->num_ladders, sizeof *r->ladder_ids, by_id);
    for (uint32_t i = 0; i < nav->num_connections; i++) {
        bsp_nav_connection *c = &r->connections[i];
        c->to = c->way >= BSP_NAV_UP ? find_id(r->ladder_ids, nav->num_ladders, c->to)
                                     : find_id(r->area_ids, nav->num_areas, c->to);
    }
    for (uint32_t i = 0; i < nav->num_ladders; i++) {
        for (int k = 0; k < 5; k++) {
            uint32_t *area = &r->ladders[i].areas[k];
            *area = find_id(r->area_ids, nav->num_areas, *area);
        }
    }
}

static bool make_room(nav_reader *r, const nav_counts *counts) {
    bspi_arena *arena = &r->own->arena;
    bsp_nav *nav = &r->own->nav;
    r->areas = bspi_arena_zero(arena, nav->num_areas, sizeof *r->areas, r->error);
    r->connections = bspi_arena_zero(arena, counts->connections, sizeof *r->connections, r->error);
    r->spots = bspi_arena_zero(arena, counts->spots, sizeof *r->spots, r->error);
    r->ladders = bspi_arena_zero(arena, counts->ladders, sizeof *r->ladders, r->error);
    r->area_ids = bspi_arena_raw(arena, nav->num_areas, sizeof *r->area_ids, r->error);
    r->ladder_ids = bspi_arena_raw(arena, counts->ladders, sizeof *r->ladder_ids, r->error);
    nav->areas = r->areas;
    nav->connections = r->connections;
    nav->spots = r->spots;
    nav->ladders = r->ladders;
    nav->num_connections = counts->connections;
    nav->num_spots = counts->spots;
    nav->num_ladders = counts->ladders;
    nav->unread = (uint32_t)(r->in.bytes.size - counts->end);
    return r->areas != NULL && r->connections != NULL && r->spots != NULL && r->ladders != NULL &&
           r->area_ids != NULL && r->ladder_ids != NULL;
}

static void fill(nav_reader *r) {
    const bsp_nav *nav = &r->own->nav;
    bspi_nav_found found[BSPI_NAV_PARTS];
    uint32_t connection = 0;
    uint32_t spot = 0;
    for (uint32_t i = 0; i < nav->num_areas; i++) {
        bool walked = bspi_nav_walk(&r->in, nav->version, nav->extra, found);
        assert(walked); // when they were counted
        (void)walked;
        r->areas[i].first_connection = connection;
        r->areas[i].first_spot = spot;
        fill_area(r, found, &r->areas[i]);
        r->area_ids[i] = (id_row){r->areas[i].id, i};
        connection += r->areas[i].num_connections;
        spot += r->areas[i].num_spots;
    }
    (void)(nav->version < LADDER_VERSION ? 0 : bspi_read_u32(&r->in));
    size_t size = ladder_size(nav->version);
    for (uint32_t i = 0; i < nav->num_ladders; i++) {
        fill_ladder(bspi_take(&r->in, size), size, &r->ladders[i]);
        r->ladder_ids[i] = (id_row){r->ladders[i].id, i};
    }
    resolve_ids(r);
}

// --- the interface ------------------------------------------------------------------------------

bsp_nav *bsp_nav_open_memory(bsp_bytes data, const bsp_nav_options *options, bsp_error *error) {
    assert(data.data != NULL || data.size == 0);
    bsp_nav_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    nav_owner *own = bspi_object_new(taken.allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->nav.owner = own;
    bspi_heap_init_for(&own->heap, BSP_PRODUCT_FILE, data.size, taken.budget, taken.allocator);
    bspi_arena_init(&own->arena, &own->heap);
    nav_reader r = {.in = bspi_reader_of(data, false), .own = own, .error = error};
    nav_counts counts;
    bool done = data.size <= UINT32_MAX
                    ? bspi_heap_work(&own->heap, 8 * (uint64_t)data.size, error)
                    : bsp_fail(error, BSP_E_LIMIT, NULL, "a navigation mesh of 4 GiB or more");
    if (!done || !read_head(&r) || !choose_extra(&r, &counts) || !make_room(&r, &counts)) {
        bsp_nav_free(&own->nav);
        return NULL;
    }
    fill(&r);
    return &own->nav;
}

bsp_nav *bsp_nav_open(const char *path, const bsp_nav_options *options, bsp_error *error) {
    assert(path != NULL);
    bsp_nav_options taken;
    bsp_blob blob;
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bsp_blob_read(path, taken.budget, taken.allocator, &blob, error)) {
        return NULL;
    }
    bsp_nav *nav = bsp_nav_open_memory((bsp_bytes){blob.data, blob.size}, &taken, error);
    bsp_blob_free(&blob);
    return nav;
}

void bsp_nav_free(bsp_nav *nav) {
    nav_owner *own = nav == NULL ? NULL : nav->owner;
    if (own == NULL) {
        return;
    }
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
