// SPDX-License-Identifier: MIT
// Quake 3: luxels are darker in corners, as with -dirty of q3map2: all of their light, by the mean
// of what is left of lines around the normal, and of that of the luxels beside them. Facts:
// netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp (DirtForSample, DirtyRawLightmap), and
// light_trace.cpp (TraceLine).
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/dirt_ways.h"
#include "bake/light/gather/drawn_around.h"
#include "bake/light/shadows/shade.h"

#include "core/curves.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define OFF 1.0f // units

typedef struct corners {
    bspi_relight *own;
    const bspi_places *places;
    float directions[BSPI_DIRT_WAYS][3]; // where z is the normal; then the normal itself
    uint32_t num_directions;
    float *open;    // of each place; 0: not known
    uint64_t steps; // nodes that were looked at
} corners;

void bspi_drawn_axes(const float normal[3], float right[3], float up[3]) {
    static const float above[3] = {0, 0, 1};
    bool level = normal[0] == 0 && normal[1] == 0;
    bspi_cross(normal, above, right);
    if (level || !(bspi_normalize(right) > 0)) {
        right[0] = normal[2] < 0 ? -1.0f : 1.0f;
        right[1] = right[2] = 0;
        up[0] = up[2] = 0;
        up[1] = 1;
        return;
    }
    bspi_cross(right, normal, up);
    (void)bspi_normalize(up);
}

// Places that are looked around from at once, each with axes of its own.
typedef struct eight_places {
    uint32_t place[BSPI_SHADE_LANES];
    uint32_t count;
    float point[3][BSPI_SHADE_LANES];
    float right[3][BSPI_SHADE_LANES];
    float up[3][BSPI_SHADE_LANES];
    float normal[3][BSPI_SHADE_LANES];
} eight_places;

// Adds a place to those.
static void add_place(const corners *c, uint32_t place, eight_places *eight) {
    const float *normal = c->places->normals[place];
    float right[3];
    float up[3];
    bspi_drawn_axes(normal, right, up);
    eight->place[eight->count] = place;
    for (int i = 0; i < 3; i++) {
        eight->point[i][eight->count] = c->places->points[place][i];
        eight->right[i][eight->count] = right[i];
        eight->up[i][eight->count] = up[i];
        eight->normal[i][eight->count] = normal[i];
    }
    eight->count++;
}

// Sets how much is near each place, 0 to 1.
static void look_around(corners *c, const eight_places *places, float near[BSPI_SHADE_LANES]) {
    const bspi_shade_rules rules = {.bare = c->own->drawn->told.no_surfaces, .shares = true};
    const float reach = c->own->scale.dirt_depth;
    bspi_shade_eight eight = {.lanes = (1u << places->count) - 1};
    memcpy(eight.from, places->point, sizeof eight.from);
    for (uint32_t i = 0; i <= c->num_directions; i++) {
        const float *way = c->directions[i];
        for (int k = 0; k < 3; k++) {
            for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
                float turned = places->normal[k][n];
                if (i < c->num_directions) {
                    turned =
                        places->right[k][n] * way[0] + places->up[k][n] * way[1] + turned * way[2];
                }
                eight.to[k][n] = places->point[k][n] + turned * reach;
            }
        }
        bspi_shade_many(c->own, &rules, &eight, NULL);
        for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
            near[n] += (eight.stopped >> n & 1) != 0 ? 1 - eight.share[n] : 0;
        }
    }
    c->steps += eight.steps;
    for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
        near[n] /= (float)(c->num_directions + 1);
    }
}

// A preview does not mix what is left with that of luxels beside one: where a place is on a wall,
// whose plane may close it, one off the wall counts as much.
static void open_eight(corners *c, eight_places *eight) {
    const bspi_light_scale *scale = &c->own->scale;
    float near[2][BSPI_SHADE_LANES] = {{0}};
    bool twice = c->places->step > 1;
    look_around(c, eight, near[0]);
    for (uint32_t n = 0; twice && n < eight->count; n++) {
        float off[3];
        for (int i = 0; i < 3; i++) {
            off[i] = c->places->middle[i] - eight->point[i][n];
        }
        (void)bspi_normalize(off);
        for (int i = 0; i < 3; i++) {
            eight->point[i][n] += OFF * off[i];
        }
    }
    if (twice) {
        look_around(c, eight, near[1]);
    }
    for (uint32_t n = 0; n < eight->count; n++) {
        float part = twice ? (near[0][n] + near[1][n]) / 2 : near[0][n];
        c->open[eight->place[n]] = 1 - bspi_dirt_lost(part, scale->dirt_gain, scale->dirt_scale);
    }
    eight->count = 0;
}

// Mixes what is left at a luxel with that of those beside it, which may be mixed already, as there.
static void mix(const corners *c, uint32_t place) {
    const bspi_places *places = c->places;
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    uint32_t x = place % width;
    uint32_t y = place / width;
    float total = c->open[place];
    float count = 1;
    for (uint32_t v = y == 0 ? 0 : y - 1; v <= y + 1 && v < height; v++) {
        for (uint32_t u = x == 0 ? 0 : x - 1; u <= x + 1 && u < width; u++) {
            uint32_t other = v * width + u;
            if (other != place && places->lit[other] && c->open[other] > 0) {
                total += c->open[other];
                count += 1;
            }
        }
    }
    c->open[place] = total / count;
}

// Gives places between those that were looked around from what is between them; others lose none.
static bool spread(const corners *c, bsp_error *error) {
    bspi_heap *heap = &c->own->heap;
    uint32_t count = c->places->count;
    bool *known = bspi_heap_alloc(heap, count, error);
    float(*open)[3] = bspi_heap_alloc(heap, count * sizeof *open, error);
    bool done = known != NULL && open != NULL;
    for (uint32_t n = 0; done && n < count; n++) {
        known[n] = c->places->lit[n];
        open[n][0] = c->open[n];
        open[n][1] = open[n][2] = 0;
    }
    if (done) {
        bspi_places_spread(c->places, known, open);
    }
    for (uint32_t n = 0; done && n < count; n++) {
        c->open[n] = known[n] ? open[n][0] : 1;
    }
    bspi_heap_free(heap, open, count * sizeof *open);
    bspi_heap_free(heap, known, count);
    return done;
}

bool bspi_drawn_dirt(bspi_relight *own, uint32_t face, const bspi_places *places,
                     bsp_error *error) {
    bspi_drawn_face *drawn = &own->drawn->faces[face];
    corners c = {.own = own, .places = places};
    eight_places eight = {.count = 0};
    uint32_t each = places->extra * places->extra;
    bool clean = places->clean || own->models[own->face_models[face]].unshaded;
    if (drawn->open != NULL || clean || (uint64_t)drawn->count * each != places->count) {
        return true;
    }
    drawn->extra = places->extra;
    c.open = drawn->open = bspi_heap_alloc(&own->heap, places->count * sizeof *c.open, error);
    if (c.open == NULL ||
        !bspi_heap_work(&own->heap, (uint64_t)places->count * BSPI_DIRT_WAYS, error)) {
        return false;
    }
    c.num_directions = bspi_dirt_ways(own, c.directions);
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t n = bspi_place_in_strips(places, i);
        c.open[n] = 0;
        if (places->lit[n]) {
            add_place(&c, n, &eight);
        }
        if (eight.count == BSPI_SHADE_LANES || (eight.count != 0 && i + 1 == places->count)) {
            open_eight(&c, &eight);
        }
    }
    for (uint32_t n = 0; n < places->count && places->step <= 1; n++) {
        mix(&c, n);
    }
    return bspi_shade_pay(own, c.steps, error) && (places->step <= 1 || spread(&c, error));
}

bool bspi_drawn_dirt_again(bspi_relight *own, uint32_t face, const bspi_places *places,
                           bsp_error *error) {
    bspi_places finer;
    if (own->drawn->faces[face].open != NULL || own->scale.extra == places->extra) {
        return bspi_drawn_dirt(own, face, places, error);
    }
    bool done = bspi_places_find(own, face, own->scale.extra, &finer, error) &&
                bspi_drawn_dirt(own, face, &finer, error);
    bspi_places_free(own, &finer);
    return done;
}

float bspi_drawn_open(const bspi_drawn_face *face, uint32_t luxel, uint32_t width) {
    float sum = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; face->open != NULL && n < face->extra * face->extra; n++) {
        uint32_t x = luxel % width * face->extra + n % face->extra;
        uint32_t y = luxel / width * face->extra + n / face->extra;
        float open = face->open[(size_t)y * width * face->extra + x];
        sum += open;
        count += open > 0;
    }
    return face->open == NULL ? 1 : count != 0 ? sum / (float)count : 0;
}

void bspi_drawn_darken(const bspi_gather *g, const float *open) {
    for (uint32_t s = 0; s < g->num_styles; s++) {
        float(*sums)[3] = g->sums + g->run * s;
        for (uint32_t n = 0; n < g->places->count; n++) {
            for (int c = 0; c < 3; c++) { // what is everywhere comes on top of the sums
                float base = g->styles[s] == 0 ? g->own->models[g->places->model].base[c] : 0;
                sums[n][c] = (sums[n][c] + base) * open[n] - base;
            }
        }
    }
}
