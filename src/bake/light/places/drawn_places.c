// SPDX-License-Identifier: MIT
// Quake 3: where light is measured on a surface. Its triangles, on the page, say where each luxel
// is in the world; in a preview luxels beside them are on the plane of the nearest one. Facts:
// sheet bake, 3.1; netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp.
#include "bake/light/places/drawn_raster.h"

#include "bspkit/faces.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define BESIDE 1.5f     // places from a triangle that are still on its plane
#define MOST_WHOLE 1e4f // luxels along an axis, as far as that is known
#define SEAM 2u         // -dark
#define LAST_STYLE 254u // it and those after it are none

// --- luxels -------------------------------------------------------------------------------------

static void put_place(bspi_raster *r, const bspi_spread *s, uint32_t place,
                      const float weights[3]) {
    float taken[3];
    float sum = 0;
    float *point = r->places->points[place];
    float *normal = r->places->normals[place];
    for (int c = 0; c < 3; c++) { // a plane goes on beside the triangle
        taken[c] = s->flat ? weights[c] : fmaxf(0, weights[c]);
        sum += taken[c];
    }
    for (int i = 0; i < 3; i++) {
        point[i] = 0;
        normal[i] = 0;
        for (int c = 0; c < 3; c++) {
            point[i] += s->from->points[c][i] * taken[c] / sum;
            normal[i] += s->from->normals[c][i] * fmaxf(0, weights[c]);
        }
    }
    if (!(bspi_raster_unit(normal) > 0)) {
        memcpy(normal, s->normal, sizeof s->normal);
    }
}

// Returns luxels from a triangle that are still on its plane: one more round of places beside those
// on it for every two along a luxel.
static float beside_of(const bspi_places *places) {
    uint32_t rounds = places->extra / 2;
    return (BESIDE + (float)(rounds > 1 ? rounds - 1 : 0)) / (float)places->extra;
}

// Sets the places from `from` to below `to` along an axis that a triangle may lie on.
static void reach(const bspi_raster *r, const bspi_triangle *t, int axis, uint32_t *from,
                  uint32_t *to) {
    uint32_t extra = r->places->extra;
    float count = (float)((axis == 0 ? r->places->width : r->places->height) * extra);
    float low = fminf(t->light[0][axis], fminf(t->light[1][axis], t->light[2][axis]));
    float high = fmaxf(t->light[0][axis], fmaxf(t->light[1][axis], t->light[2][axis]));
    float beside = beside_of(r->places);
    low = floorf((low - beside - (float)r->first[axis]) * (float)extra);
    high = ceilf((high + beside - (float)r->first[axis]) * (float)extra);
    *from = low > 0 ? (uint32_t)fminf(low, count) : 0;
    *to = high > 0 ? (uint32_t)fminf(high, count) : 0;
}

static bool draw(bspi_raster *r, uint32_t number, bsp_error *error) {
    const bspi_triangle *t = &r->triangles.list[number];
    uint32_t from[2];
    uint32_t to[2];
    bspi_spread s;
    if (!bspi_raster_lay(t, &s)) {
        return true;
    }
    reach(r, t, 0, &from[0], &to[0]);
    reach(r, t, 1, &from[1], &to[1]);
    uint32_t extra = r->places->extra;
    uint32_t across = r->places->width * extra;
    float beside = beside_of(r->places);
    float past = bspi_raster_past(r); // what is on its edge stays
    for (uint32_t y = from[1]; y < to[1]; y++) {
        for (uint32_t x = from[0]; x < to[0]; x++) {
            const float at[2] = {(float)r->first[0] + ((float)x + 0.5f) / (float)extra,
                                 (float)r->first[1] + ((float)y + 0.5f) / (float)extra};
            float weights[3];
            float away = bspi_raster_weigh(&s, at, weights);
            uint32_t n = y * across + x;
            if (away <= beside && away < r->away[n]) {
                if (fabsf(past) > 0) {
                    const float moved[2] = {at[0] + past, at[1] + past};
                    (void)bspi_raster_weigh(&s, moved, weights);
                }
                if (bspi_place_counts(r->places, n)) {
                    put_place(r, &s, n, weights);
                }
                r->away[n] = away;
                r->of[n] = number;
            }
        }
    }
    uint64_t tested = (uint64_t)(to[0] - from[0]) * (to[1] > from[1] ? to[1] - from[1] : 0);
    return bspi_heap_work(&r->own->heap, 1 + tested / 8, error);
}

// --- all of a surface --------------------------------------------------------------------------

// A surface that has one luxel for all of it, as compilers make those of one colour: it is
// measured in the middle of its largest triangle.
static void put_middle(bspi_raster *r) {
    uint32_t largest = BSP_NONE;
    float most = 0;
    for (uint32_t t = 0; t < r->triangles.count; t++) {
        float area = bspi_triangle_area(&r->triangles.list[t]);
        largest = area > most ? t : largest;
        most = area > most ? area : most;
    }
    bspi_spread s;
    if (largest == BSP_NONE) {
        return;
    }
    (void)bspi_raster_lay(&r->triangles.list[largest], &s);
    const bspi_triangle *t = s.from;
    for (uint32_t n = 0; n < r->places->count; n++) {
        for (int i = 0; i < 3; i++) {
            float middle = (t->points[0][i] + t->points[1][i] + t->points[2][i]) / 3;
            r->places->points[n][i] = middle + BSPI_RASTER_LIFT * s.normal[i];
            r->places->normals[n][i] = s.normal[i];
        }
        r->places->lit[n] = isfinite(bspi_dot(r->places->points[n], s.normal));
    }
}

// --- all ----------------------------------------------------------------------------------------

// Returns how many luxels there are along an axis of the page where a surface lies along axes of
// the world: from the one before its first place to the one after its last one, though some lie
// beside it. Those count where light is mixed. 0: not known.
static uint32_t whole_of(const bspi_raster *r, int axis) {
    int world = axis == 0 ? (r->axis == 0 ? 1 : 0) : (r->axis == 2 ? 1 : 2);
    float step = roundf(bspi_raster_step(r));
    float low = INFINITY;
    float high = -INFINITY;
    for (uint32_t n = 0; n < 3 * r->triangles.count; n++) {
        float at = r->triangles.list[n / 3].points[n % 3][world];
        low = fminf(low, at);
        high = fmaxf(high, at);
    }
    float count = ceilf(high / step) - floorf(low / step) + 1;
    bool known = r->axis != BSPI_RASTER_ANY && step >= 1 && count > 0 && count < MOST_WHOLE;
    return known ? (uint32_t)count : 0;
}

// Sets which luxels of its page a face has.
static bool find_bounds(bspi_raster *r, const bspi_drawn_page *page) {
    float low[2] = {INFINITY, INFINITY};
    float high[2] = {-INFINITY, -INFINITY};
    for (uint32_t t = 0; t < r->triangles.count; t++) {
        for (int c = 0; c < 3; c++) {
            for (int i = 0; i < 2; i++) {
                low[i] = fminf(low[i], r->triangles.list[t].light[c][i]);
                high[i] = fmaxf(high[i], r->triangles.list[t].light[c][i]);
            }
        }
    }
    uint32_t size[2];
    for (int i = 0; i < 2; i++) {
        uint32_t side = i == 0 ? page->width : page->height;
        float first = floorf(low[i] + 1e-3f);
        float end = ceilf(high[i] - 1e-3f);
        if (!(first >= 0 && first < (float)side && end <= (float)side)) {
            return false;
        }
        r->first[i] = (uint32_t)first;
        size[i] = end > first ? (uint32_t)(end - first) : 1;
        uint32_t whole = whole_of(r, i);
        size[i] = whole > size[i] && whole <= side - r->first[i] ? whole : size[i];
    }
    r->places->width = size[0];
    r->places->height = size[1];
    return true;
}

static bool make_room(bspi_raster *r, bsp_error *error) {
    bspi_places *places = r->places;
    bspi_heap *heap = &r->own->heap;
    uint32_t count = places->width * places->height * places->extra * places->extra;
    places->points = bspi_heap_alloc(heap, count * sizeof *places->points, error);
    places->normals = bspi_heap_alloc(heap, count * sizeof *places->normals, error);
    places->lit = bspi_heap_alloc(heap, count, error);
    places->count = count;
    r->away = bspi_heap_alloc(heap, count * sizeof *r->away, error);
    r->of = bspi_heap_alloc(heap, count * sizeof *r->of, error);
    if (places->points == NULL || places->normals == NULL || places->lit == NULL ||
        r->away == NULL || r->of == NULL) {
        return false;
    }
    memset(places->points, 0, count * sizeof *places->points);
    memset(places->normals, 0, count * sizeof *places->normals);
    for (uint32_t n = 0; n < count; n++) {
        r->away[n] = INFINITY;
        r->of[n] = BSP_NONE;
    }
    return bspi_heap_work(heap, 64 * (uint64_t)count, error);
}

// Sets the normal of the surface, if it has one: light from the back of a plane does not fall on
// it, though it is round.
static void find_normal(bspi_raster *r) {
    bspi_places *places = r->places;
    bool first = true;
    if (r->planar) {
        memcpy(places->normal, r->own->map->face_lights[r->face].vecs[2], sizeof places->normal);
        (void)bspi_raster_unit(places->normal);
        return;
    }
    for (uint32_t n = 0; n < places->count; n++) {
        if (places->lit[n] && first) {
            memcpy(places->normal, places->normals[n], sizeof places->normal);
            first = false;
        }
        places->hill =
            places->hill ||
            (places->lit[n] && bspi_dot(places->normals[n], places->normal) < BSPI_RASTER_FLAT);
    }
}

static bool fill(bspi_raster *r, bsp_error *error) {
    bspi_places *places = r->places;
    bool any = false;
    bool meets = places->step <= 1 && (r->curved || r->axis != BSPI_RASTER_ANY);
    bool done = !meets || bspi_raster_meet(r, error);
    for (uint32_t t = 0; done && !meets && t < r->triangles.count; t++) {
        done = draw(r, t, error);
    }
    if (!done) {
        return false;
    }
    bspi_raster_lift(r);
    for (uint32_t n = 0; n < places->count; n++) {
        any = any || r->of[n] != BSP_NONE;
    }
    if (!any) {
        put_middle(r);
    }
    find_normal(r);
    for (uint32_t t = 0; t < r->triangles.count; t++) {
        places->area += bspi_triangle_area(&r->triangles.list[t]);
    }
    places->unit = bspi_raster_step(r);
    bspi_places_enclose(places);
    return true;
}

// Notes which luxels were measured on the surface.
static bool note_inside(const bspi_raster *r, bspi_drawn_face *drawn, bsp_error *error) {
    const bspi_places *places = r->places;
    uint32_t count = places->width * places->height;
    uint32_t extra = places->extra;
    if (drawn->inside != NULL) {
        return true;
    }
    drawn->inside = bspi_heap_alloc(&r->own->heap, count, error);
    if (drawn->inside == NULL) {
        return false;
    }
    drawn->count = count;
    memset(drawn->inside, 0, count);
    for (uint32_t n = 0; n < places->count; n++) {
        uint32_t x = n % (places->width * extra) / extra;
        uint32_t y = n / (places->width * extra) / extra;
        bool middle = places->lit[n] && r->of[n] == BSP_NONE;
        bool stands = places->lit[n] || !bspi_place_counts(places, n);
        if ((stands && r->away[n] <= 0) || middle) {
            drawn->inside[y * places->width + x] = 1;
        }
    }
    return true;
}

// Returns the page of a style, if it is as large as the first one's.
static uint32_t page_of(const bspi_raster *r, uint32_t s, const bspi_drawn_page *first) {
    const bspi_drawn *drawn = r->own->drawn;
    int32_t page = r->own->map->face_lights[r->face].page[s];
    if (s == 0) {
        return bspi_drawn_page_of(r->own, r->face);
    }
    return page >= 0 && (uint32_t)page < drawn->num_pages &&
                   drawn->pages[page].width == first->width &&
                   drawn->pages[page].height == first->height
               ? (uint32_t)page
               : BSP_NONE;
}

// Sets where the luxels of each style lie: those of the first one, moved.
static void find_slots(const bspi_raster *r, const bspi_drawn_page *first, bspi_drawn_face *drawn) {
    const bsp_map *map = r->own->map;
    const bsp_face *face = &map->faces[r->face];
    const bsp_face_light *light = &map->face_lights[r->face];
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS; s++) {
        bspi_drawn_slot *slot = &drawn->slots[s];
        uint32_t at[2] = {r->first[0], r->first[1]};
        uint32_t page = page_of(r, s, first);
        bool there = page != BSP_NONE && (s == 0 || light->styles[s] < LAST_STYLE) &&
                     face->first_vert < map->num_draw_verts;
        for (int i = 0; there && s != 0 && i < 2; i++) {
            const bsp_draw_vert *vertex = &map->draw_verts[face->first_vert];
            float side = (float)(i == 0 ? first->width : first->height);
            float moved = (vertex->light_uv[s][i] - vertex->light_uv[0][i]) * side + (float)at[i];
            uint32_t size = i == 0 ? r->places->width : r->places->height;
            there = moved > -0.5f && moved + (float)size < side + 0.5f;
            at[i] = there ? (uint32_t)(moved + 0.5f) : 0;
        }
        slot->page = there ? page : BSP_NONE;
        slot->style = light->styles[s] < LAST_STYLE ? light->styles[s] : 0;
        slot->x = at[0];
        slot->y = at[1];
    }
}

bool bspi_drawn_places(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                       bsp_error *error) {
    bspi_raster r = {.own = own, .places = out, .face = face};
    bspi_drawn_face *drawn = &own->drawn->faces[face];
    memset(out, 0, sizeof *out);
    out->extra = extra;
    out->step = own->scale.step;
    out->directions = 1;
    out->model = own->face_models[face];
    out->flood = &bspi_drawn_of(own, face)->flood;
    out->filter = bspi_drawn_of(own, face)->filter;
    for (uint32_t f = face; f != BSP_NONE; f = bspi_drawn_next(own, f)) {
        out->two_sided = out->two_sided || bspi_drawn_of(own, f)->two_sided;
        out->clean = out->clean || bspi_drawn_of(own, f)->clean;
        out->flood = out->flood->on ? out->flood : &bspi_drawn_of(own, f)->flood;
    }
    out->once = out->step <= 1;
    out->seam = own->drawn->told.dark ? SEAM : 0;
    out->row = bspi_drawn_row(own, face);
    uint32_t number = bspi_drawn_page_of(own, face);
    if (number == BSP_NONE || !bspi_drawn_takes_light(own, face) ||
        bspi_drawn_first(own, face) != face) {
        return true;
    }
    if (!bspi_drawn_piece(own, face, &r.triangles, error)) {
        return false;
    }
    bool done = true;
    const bspi_drawn_page *page = &own->drawn->pages[number];
    bspi_raster_find_axis(&r);
    if (r.triangles.count != 0 && find_bounds(&r, page)) {
        find_slots(&r, page, drawn);
        done = make_room(&r, error) && fill(&r, error) && note_inside(&r, drawn, error);
        bspi_heap_free(&own->heap, r.away, out->count * sizeof *r.away);
        bspi_heap_free(&own->heap, r.of, out->count * sizeof *r.of);
    }
    bspi_triangles_free(own, &r.triangles);
    if (!done) {
        bspi_places_free(own, out);
    }
    return done;
}
