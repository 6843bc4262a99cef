// SPDX-License-Identifier: MIT
// Whether baked data fits the rest of a map. What is said is what the data contradicts: an edit
// that the data does not show is undecided. Facts: sheet bake, 4.
#include "bspkit/stale.h"

#include "bake/light/lamps/vrad_entity.h"
#include "bspkit/vis.h"
#include "map/heap.h"
#include "mesh/luxels.h"
#include "query/world_light.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COS_TURNED 0.995 // 6 degrees: a spot points elsewhere
#define MOST_TEXT 256
#define MOST_PARTS 16u
#define EDGES 4u      // of faces that are looked at: so many are one of work
#define SHARE 20u     // stale: more than one of so many openings, or pairs, contradict the rows
#define CHANGED 0.03F // of the brightest channel: an intensity is another one

typedef struct stale {
    const bsp_file *file;
    const bsp_map *map;
    const bsp_allocator *allocator;
    bsp_stale_sink found;
    void *user;
    bsp_error *error;
    bspi_heap heap;
    const char *parts[MOST_PARTS]; // that are stale by the old map
    uint32_t num_parts;
} stale;

// Keeps the part that is stale by the old map, and tells of it.
static void tell_old(void *user, const bsp_stale *found) {
    stale *s = user;
    if (s->num_parts < MOST_PARTS) {
        s->parts[s->num_parts++] = found->part;
    }
    s->found(s->user, found);
}

static bool is_told(const stale *s, const char *part) {
    bool told = false;
    for (uint32_t i = 0; i < s->num_parts; i++) {
        told |= strcmp(s->parts[i], part) == 0;
    }
    return told;
}

static void tell(const stale *s, const char *part, bsp_stale_state state, uint32_t entity,
                 const char *format, ...) BSP_PRINTF(5, 6);

static void tell(const stale *s, const char *part, bsp_stale_state state, uint32_t entity,
                 const char *format, ...) {
    if (state != BSP_STALE_STALE && is_told(s, part)) {
        return; // what the new map alone tells does not count then
    }
    char text[MOST_TEXT];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bsp_stale found = {part, state, entity, text};
    s->found(s->user, &found);
}

// --- lights -------------------------------------------------------------------------------------

typedef struct lights {
    const bsp_world_light *list; // that the compiler stored
    uint32_t count;
    bool *used; // of `list`
    bool hdr;   // it is that of the HDR light
    bool sky_found;
    uint32_t found;
    uint32_t wrong;
} lights;

static double distance(const float a[3], const float b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    return sqrt(sum);
}

// Finds the nearest stored light of a type that no entity has yet.
static uint32_t nearest(const lights *l, uint32_t type, const float origin[3], double most) {
    uint32_t best = BSP_NONE;
    for (uint32_t i = 0; i < l->count; i++) {
        double away = distance(l->list[i].origin, origin);
        if (!l->used[i] && l->list[i].type == type && away <= most) {
            most = away;
            best = i;
        }
    }
    return best;
}

static bool is_turned(const bsp_entity *entity, const bsp_world_light *light) {
    float way[3];
    bspi_vrad_look(entity, way);
    double cosine = 0;
    for (int i = 0; i < 3; i++) {
        cosine += (double)way[i] * (double)light->normal[i];
    }
    return bsp_entity_value(entity, "target").size == 0 && cosine < COS_TURNED;
}

// Is what an entity says the intensity that was stored?
static bool is_as_bright(const float said[3], const float stored[3]) {
    float most = 0;
    float apart = 0;
    for (int c = 0; c < 3; c++) {
        most = fmaxf(most, fmaxf(said[c], stored[c]));
        apart = fmaxf(apart, fabsf(said[c] - stored[c]));
    }
    return apart <= CHANGED * most;
}

static void tell_brightness(const stale *s, lights *l, uint32_t number, const float said[3],
                            uint32_t light) {
    const float *stored = l->list[light].intensity;
    float was = stored[0] + stored[1] + stored[2];
    if (is_as_bright(said, stored)) {
        return;
    }
    l->wrong++;
    float times = was > 0 ? (said[0] + said[1] + said[2]) / was : 0;
    if (fabsf(times - 1) > CHANGED && was > 0) {
        tell(s, "lights", BSP_STALE_STALE, number,
             "the light is %.2f times as bright as stored light %u", (double)times,
             (unsigned)light);
    } else {
        tell(s, "lights", BSP_STALE_STALE, number,
             "the light has another colour than stored light %u", (unsigned)light);
    }
}

// The sun and the whole sky have one stored light each.
static void check_sky(const stale *s, lights *l, uint32_t number) {
    const bsp_entity *entity = &s->map->entities->list[number];
    bsp_world_light sun = {0};
    float sky[3];
    if (!bspi_vrad_light(entity, l->hdr, &sun) || sun.type != BSPI_WORLD_SUN || l->sky_found) {
        return;
    }
    l->sky_found = true; // of several entities the compiler takes the first
    bspi_vrad_sky(entity, l->hdr, sky);
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t type = l->list[i].type;
        if (type == BSPI_WORLD_SUN || type == BSPI_WORLD_SKY) {
            tell_brightness(s, l, number, type == BSPI_WORLD_SUN ? sun.intensity : sky, i);
            l->found++;
        }
    }
}

// Pairs the entity with the stored light in its place.
static void pair_light(stale *s, lights *l, uint32_t number) {
    const bsp_entity *entity = &s->map->entities->list[number];
    uint32_t type = bspi_vrad_type(entity);
    float origin[3];
    if ((type != BSPI_WORLD_POINT && type != BSPI_WORLD_SPOT) ||
        !bsp_parse_vector(bsp_entity_value(entity, "origin"), origin)) {
        return;
    }
    uint32_t light = nearest(l, type, origin, (double)BSPI_VRAD_NEAR);
    if (light == BSP_NONE) {
        return;
    }
    l->used[light] = true;
    l->found++;
    if (type == BSPI_WORLD_SPOT && is_turned(entity, &l->list[light])) {
        l->wrong++;
        tell(s, "lights", BSP_STALE_STALE, number, "the spot points elsewhere than stored light %u",
             (unsigned)light);
    }
    bsp_world_light said = {0};
    if (bspi_vrad_light(entity, l->hdr, &said)) {
        tell_brightness(s, l, number, said.intensity, light);
    }
}

static bool is_paired(const lights *l, uint32_t type, const float origin[3]) {
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->used[i] && bspi_vrad_is_at(&l->list[i], type, origin)) {
            return true;
        }
    }
    return false;
}

// Tells of an entity without a stored light in its place, which is one that moved if another stored
// light is without an entity.
static void tell_alone(stale *s, lights *l, uint32_t number) {
    const bsp_entity *entity = &s->map->entities->list[number];
    uint32_t type = bspi_vrad_type(entity);
    float origin[3];
    if ((type != BSPI_WORLD_POINT && type != BSPI_WORLD_SPOT) ||
        !bsp_parse_vector(bsp_entity_value(entity, "origin"), origin) ||
        is_paired(l, type, origin)) {
        return;
    }
    uint32_t light = nearest(l, type, origin, 1e9);
    l->wrong++;
    if (light == BSP_NONE) {
        tell(s, "lights", BSP_STALE_STALE, number, "no stored light of its kind is left for it");
        return;
    }
    const float *was = l->list[light].origin;
    l->used[light] = true;
    tell(s, "lights", BSP_STALE_STALE, number,
         "stored light %u is %.0f units away, at %.0f %.0f %.0f: the light moved", (unsigned)light,
         distance(was, origin), (double)was[0], (double)was[1], (double)was[2]);
}

// Tells of stored lights that no entity has.
static void tell_removed(const stale *s, lights *l) {
    for (uint32_t i = 0; i < l->count; i++) {
        const bsp_world_light *light = &l->list[i];
        if (!l->used[i] && (light->type == BSPI_WORLD_POINT || light->type == BSPI_WORLD_SPOT)) {
            l->wrong++;
            tell(s, "lights", BSP_STALE_STALE, BSP_NONE,
                 "no entity is at stored light %u, at %.0f %.0f %.0f: it was removed", (unsigned)i,
                 (double)light->origin[0], (double)light->origin[1], (double)light->origin[2]);
        }
    }
}

static bool find_lights(stale *s) {
    const bsp_map *map = s->map;
    bool plain = map->num_world_lights != 0;
    lights l = {.list = plain ? map->world_lights : map->world_lights_hdr,
                .count = plain ? map->num_world_lights : map->num_world_lights_hdr,
                .hdr = !plain};
    if (l.count == 0) {
        tell(s, "lights", BSP_STALE_UNDECIDED, BSP_NONE,
             "the map does not store which lights it was lit with");
        return true;
    }
    if (map->traits->lights.compiler != BSP_COMPILER_VRAD) {
        tell(s, "lights", BSP_STALE_UNDECIDED, BSP_NONE,
             "which entities gave its lights is known of Source only");
        return true;
    }
    uint32_t entities = map->entities == NULL ? 0 : map->entities->count;
    l.used = bspi_heap_alloc(&s->heap, l.count * sizeof *l.used, s->error);
    if (l.used == NULL || !bspi_heap_work(&s->heap, (uint64_t)entities * l.count, s->error)) {
        return false;
    }
    memset(l.used, 0, l.count * sizeof *l.used);
    for (uint32_t i = 0; i < entities; i++) {
        pair_light(s, &l, i);
        check_sky(s, &l, i);
    }
    for (uint32_t i = 0; i < entities; i++) {
        tell_alone(s, &l, i);
    }
    tell_removed(s, &l);
    if (l.wrong == 0 && l.found > 0) {
        tell(s, "lights", BSP_STALE_FITS, BSP_NONE,
             "%u lights are where, and as bright as, the light compiler had them",
             (unsigned)l.found);
    } else if (l.wrong == 0) {
        tell(s, "lights", BSP_STALE_UNDECIDED, BSP_NONE,
             "it was lit by its textures and its sky alone");
    }
    bspi_heap_free(&s->heap, l.used, l.count * sizeof *l.used);
    return true;
}

// --- lightmaps ----------------------------------------------------------------------------------

typedef struct run {
    uint64_t first;
    uint64_t end;
    uint32_t face;
} run;

static int compare_runs(const void *a, const void *b) {
    const run *p = a;
    const run *q = b;
    return p->first != q->first ? (p->first < q->first ? -1 : 1)
                                : (p->face > q->face) - (p->face < q->face);
}

// Tells of runs in their order, and of faces whose luxels are not in the light.
static bool tell_runs(const stale *s, const run *runs, uint32_t count, uint32_t beyond) {
    uint32_t overlaps = 0;
    for (uint32_t i = 1; i < count; i++) {
        overlaps += runs[i].first != runs[i - 1].first && runs[i].first < runs[i - 1].end;
    }
    if (overlaps > 0) {
        tell(s, "lightmaps", BSP_STALE_STALE, BSP_NONE,
             "%u of %u faces have luxels that begin in those of another: their sizes changed",
             (unsigned)overlaps, (unsigned)count);
    }
    if (beyond > 0) {
        tell(s, "lightmaps", BSP_STALE_STALE, BSP_NONE,
             "%u of %u faces have luxels beyond the end of the light", (unsigned)beyond,
             (unsigned)(count + beyond));
    }
    return overlaps + beyond > 0;
}

static bool find_runs(stale *s, const bspi_light_source *light) {
    size_t room = light->num_lights * sizeof(run);
    run *runs = bspi_heap_alloc(&s->heap, room, s->error);
    uint32_t count = 0;
    uint32_t beyond = 0;
    bool done = runs != NULL;
    for (uint32_t i = 0; done && i < light->num_lights && i < s->map->num_faces; i++) {
        bspi_luxels luxels;
        done = bspi_heap_work(&s->heap, s->map->faces[i].num_edges / EDGES, s->error);
        bspi_lit lit = bspi_luxels_of(light, i, &luxels);
        beyond += lit == BSPI_DROPPED;
        if (lit == BSPI_LIT) {
            uint64_t first = (uint64_t)(luxels.data - light->data.data);
            runs[count++] = (run){first, first + luxels.bytes, i};
        }
    }
    if (done) {
        qsort(runs, count, sizeof *runs, compare_runs);
    }
    if (done && !tell_runs(s, runs, count, beyond)) {
        tell(s, "lightmaps", BSP_STALE_FITS, BSP_NONE,
             "%u faces have luxels of their own; whether their light is still right, a map does "
             "not tell",
             (unsigned)count);
    }
    bspi_heap_free(&s->heap, runs, room);
    return done;
}

static bool find_lightmaps(stale *s) {
    bspi_light_source light;
    bool pages = s->map->traits->light == BSP_LIGHT_PAGES;
    bool done = true;
    if (pages) {
        bool none = s->map->light.size == 0;
        tell(s, "lightmaps", BSP_STALE_UNDECIDED, BSP_NONE,
             none ? "the faces have no luxels"
                  : "luxels stand on pages, which do not tell the sizes of faces");
        return true;
    }
    bspi_light_source_init(&light, s->map, s->file, false);
    if (light.num_lights == 0 || light.data.size == 0) {
        tell(s, "lightmaps", BSP_STALE_UNDECIDED, BSP_NONE, "the faces have no luxels");
    } else {
        done = find_runs(s, &light);
    }
    bspi_light_source_free(&light);
    return done;
}

// --- visibility ---------------------------------------------------------------------------------

// Openings between leaves of one kind, through which all compilers let sight.
static void count_openings(const bsp_portals *portals, uint64_t *all, uint64_t *seen) {
    *all = *seen = 0;
    for (uint32_t i = 0; i < portals->num_pairs; i++) {
        const bsp_sight_pair *pair = &portals->pairs[i];
        if (pair->contents[0] == pair->contents[1]) {
            *all += pair->portals;
            *seen += pair->seen;
        }
    }
}

static bool tell_rows(stale *s, const bsp_portals *portals, const bsp_vis *base) {
    size_t size = (size_t)s->map->visibility.row_bytes + 1;
    uint8_t *row = bspi_heap_alloc(&s->heap, size, s->error);
    bsp_vis_difference difference;
    uint64_t all;
    uint64_t seen;
    if (row == NULL) {
        return false;
    }
    bsp_vis_compare(base, portals, s->map, NULL, NULL, row, &difference);
    bspi_heap_free(&s->heap, row, size);
    count_openings(portals, &all, &seen);
    bool closed = (all - seen) * SHARE > all;
    bool far = difference.stored_only * SHARE > difference.stored_pairs;
    if (closed) {
        tell(s, "visibility", BSP_STALE_STALE, BSP_NONE,
             "%llu of %llu openings join clusters that do not see each other: the rows "
             "were edited, or are of another tree",
             (unsigned long long)(all - seen), (unsigned long long)all);
    }
    if (far) {
        tell(s, "visibility", BSP_STALE_STALE, BSP_NONE,
             "%llu of %llu pairs see each other that no chain of openings joins: the rows are of "
             "another tree",
             (unsigned long long)difference.stored_only,
             (unsigned long long)difference.stored_pairs);
    }
    if (!closed && !far) {
        tell(s, "visibility", BSP_STALE_FITS, BSP_NONE,
             "%llu of %llu openings are seen through, and %llu of %llu pairs are within the base",
             (unsigned long long)seen, (unsigned long long)all,
             (unsigned long long)(difference.stored_pairs - difference.stored_only),
             (unsigned long long)difference.stored_pairs);
    }
    return true;
}

// Clusters that leaves have, but rows do not.
static uint32_t count_strange(const bsp_map *map) {
    uint32_t strange = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        uint32_t cluster = map->leaves[i].cluster;
        strange += cluster != BSP_NONE && cluster >= map->visibility.num_clusters;
    }
    return strange;
}

static bool find_visibility(stale *s) {
    const bsp_map *map = s->map;
    if (map->visibility.num_clusters == 0 || map->num_models == 0 || map->num_nodes == 0) {
        tell(s, "visibility", BSP_STALE_UNDECIDED, BSP_NONE, "the map has no rows");
        return true;
    }
    uint32_t strange = count_strange(map);
    if (strange > 0) {
        tell(s, "visibility", BSP_STALE_STALE, BSP_NONE,
             "%u leaves name clusters, of which there are no rows: the rows are of another tree",
             (unsigned)strange);
        return true;
    }
    bsp_portals_options options = {.allocator = s->allocator};
    bsp_vis_options wanted = {.base = true, .allocator = s->allocator};
    bsp_portals *portals = bsp_portals_build(map, &options, s->error);
    bsp_vis *base = portals == NULL ? NULL : bsp_vis_build(portals, &wanted, s->error);
    bool done = base != NULL && tell_rows(s, portals, base);
    bsp_vis_free(base);
    bsp_portals_free(portals);
    return done;
}

// --- cubemaps -----------------------------------------------------------------------------------

static bool find_cubemaps(stale *s) {
    bsp_cubemap_counts counts;
    uint32_t count = s->map->num_cubemaps;
    if (!bsp_cubemaps_find(s->file, s->map, NULL, &counts, s->allocator, s->error)) {
        return false;
    }
    if (counts.count == 0) {
        tell(s, "cubemaps", BSP_STALE_UNDECIDED, BSP_NONE, "the map has no %s",
             count == 0 ? "cubemaps" : "files with the pictures of its cubemaps");
        return true;
    }
    if (counts.missing > 0) {
        tell(s, "cubemaps", BSP_STALE_STALE, BSP_NONE,
             "%u of %u cubemaps have no picture in the map: they were moved, or never made",
             (unsigned)counts.missing, (unsigned)count);
    }
    if (counts.undrawn > 0) {
        tell(s, "cubemaps", BSP_STALE_STALE, BSP_NONE,
             "%u of %u cubemaps were never drawn: they have the picture of the compiler",
             (unsigned)counts.undrawn, (unsigned)count);
    }
    if (counts.strange > 0) {
        tell(s, "cubemaps", BSP_STALE_STALE, BSP_NONE,
             "%u pictures are of places without a cubemap", (unsigned)counts.strange);
    }
    if (counts.missing + counts.undrawn + counts.strange == 0) {
        tell(s, "cubemaps", BSP_STALE_FITS, BSP_NONE,
             "%u cubemaps have pictures; whether they show the map as it is, a map does not tell",
             (unsigned)count);
    }
    return true;
}

bool bsp_stale_find(const bsp_file *file, const bsp_map *map, const bsp_file *old,
                    bsp_stale_sink found, void *user, const bsp_allocator *allocator,
                    bsp_error *error) {
    assert(file != NULL && map != NULL && found != NULL);
    stale s = {.file = file,
               .map = map,
               .allocator = allocator,
               .found = found,
               .user = user,
               .error = error};
    bspi_map_heap(&s.heap, BSP_PRODUCT_VIS, map, NULL, allocator);
    return (old == NULL || bsp_stale_compare(old, file, tell_old, &s, allocator, error)) &&
           find_lights(&s) && find_lightmaps(&s) && find_visibility(&s) && find_cubemaps(&s);
}
