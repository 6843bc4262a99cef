// SPDX-License-Identifier: MIT
// Light as lumps: luxels in the family's own form, face after face, and the faces, which say where
// theirs are and of which styles. Forms: sheet bake, 3.4.
#include "bake/result/changes.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/grid_place.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/light_extensions.h"
#include "bake/light/lumps/light_forms.h"
#include "bake/light/lumps/light_median.h"
#include "bake/light/lumps/world_lights.h"

#include "core/buffer.h"
#include "core/reader.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "records/light_file.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lumps {
    bsp_relight_changes changes;
    const bspi_relight *own;
    const bsp_map *map;
    bspi_changes made;
    bspi_heap *heap; // of `made`
    bsp_error *error;
    bspi_light_forms forms;
    bspi_buffer *luxels; // in the family's own form
    uint32_t *offsets;   // of each face
    uint32_t *apart;     // of each face: what extensions say
    bsp_bytes light;     // the luxels, done
    bsp_bytes light_high;
    bsp_bytes light_ways;
} lumps;

#define PLAIN_STYLES 4u // that a face states itself

// --- luxels -------------------------------------------------------------------------------------

// The compiler states the median of each channel before the luxels.
static void add_median(lumps *l, const float (*luxels)[3], uint32_t count) {
    uint8_t out[4];
    l->luxels->failed |= !bspi_light_median(l->heap, luxels, count, out, l->error);
    bspi_buffer_add(l->luxels, out, sizeof out);
}

// CS:GO: the share of the sun follows the luxels of a style. It stays as it was where the face had
// as many luxels of that style.
static void add_alpha(lumps *l, uint32_t face, uint32_t style) {
    const bsp_relight_face *now = &l->own->relight.faces[face];
    bspi_luxels old;
    size_t each = (size_t)now->width * now->height;
    size_t bytes = each * l->own->source.alpha;
    uint8_t *to = bspi_buffer_grow(l->luxels, bytes);
    if (to == NULL) {
        return;
    }
    memset(to, 0, bytes);
    if (bspi_luxels_of(&l->own->source, face, &old) != BSPI_LIT || style >= old.num_styles ||
        old.styles[style] != now->styles[style] || old.width != now->width ||
        old.height != now->height) {
        return;
    }
    size_t run = each * (4 * (size_t)old.blocks + old.alpha);
    memcpy(to, old.data + run * style + each * 4 * old.blocks, bytes);
}

static void add_style(lumps *l, uint32_t face, uint32_t style) {
    const bsp_relight_face *now = &l->own->relight.faces[face];
    size_t count = (size_t)now->width * now->height * now->directions;
    const float(*ways)[3] =
        l->own->ways != NULL ? bspi_ways_of(&l->own->ways[face], now->styles[style]) : NULL;
    for (size_t n = 0; n < count && !l->luxels->failed; n++) {
        bspi_forms_add(&l->forms, now->luxels[count * style + n], ways != NULL ? ways[n] : NULL);
    }
    if (l->own->source.alpha != 0) {
        add_alpha(l, face, style);
    }
}

// Adds what engines show that do not read the extensions. Nothing for a face that has only those.
static void add_plain(lumps *l, uint32_t number) {
    const bsp_relight_face *face = &l->own->relight.faces[number];
    bspi_plain plain;
    bspi_plain_find(l->own, number, &plain);
    if (plain.width == 0 || face->num_styles == 0) {
        return;
    }
    l->offsets[number] = (uint32_t)l->luxels->size;
    for (uint32_t s = 0; s < face->num_styles && s < PLAIN_STYLES; s++) {
        for (uint32_t n = 0; n < plain.width * plain.height && !l->luxels->failed; n++) {
            float luxel[3];
            float way[3];
            bool turned = bspi_plain_way(l->own, &plain, number, s, n, way);
            bspi_plain_luxel(&plain, face->luxels, face, s, n, luxel);
            bspi_forms_add(&l->forms, luxel, turned ? way : NULL);
        }
    }
    bspi_forms_align(&l->forms);
}

// Copies the luxels of a face that keeps them, with what states their means before them.
static void copy_medians(lumps *l, uint32_t number, const bspi_luxels *old) {
    size_t before = 4 * (size_t)old->num_styles;
    if ((size_t)(old->data - l->own->source.data.data) >= before) {
        bspi_buffer_add(l->luxels, old->data - before, before);
    } else {
        (void)bspi_buffer_grow(l->luxels, before);
    }
    l->offsets[number] = (uint32_t)l->luxels->size;
    bspi_buffer_add(l->luxels, old->data, old->bytes);
}

// The same of luxels that engines show which do not read extensions.
static void copy_plain(lumps *l, uint32_t number, uint32_t num_styles) {
    bspi_plain plain;
    bspi_plain_find(l->own, number, &plain);
    if (plain.width == 0 || num_styles == 0) {
        return;
    }
    size_t styles = num_styles < PLAIN_STYLES ? num_styles : PLAIN_STYLES;
    size_t first = l->own->source.lights[number].offset / bspi_luxel_bytes(l->own->own_format);
    l->offsets[number] = (uint32_t)l->luxels->size;
    bspi_forms_copy(&l->forms, first, (size_t)plain.width * plain.height * styles);
    bspi_forms_align(&l->forms);
}

static void copy_face(lumps *l, uint32_t number, bool apart) {
    bspi_luxels old;
    const bspi_light_source *source = &l->own->source;
    if (bspi_luxels_of(source, number, &old) != BSPI_LIT) {
        return;
    }
    if (l->own->own_format == BSPI_RGBEXP32) {
        copy_medians(l, number, &old);
        return;
    }
    if (apart) {
        copy_plain(l, number, old.num_styles);
    }
    size_t first = (size_t)(old.data - source->data.data) / bspi_luxel_bytes(old.format);
    l->apart[number] = (uint32_t)l->luxels->size;
    l->offsets[number] = apart ? l->offsets[number] : l->apart[number];
    bspi_forms_copy(&l->forms, first, (size_t)old.width * old.height * old.num_styles);
}

static void add_face(lumps *l, uint32_t number, bool apart) {
    const bsp_relight_face *face = &l->own->relight.faces[number];
    uint32_t count = face->width * face->height;
    if (apart) {
        add_plain(l, number);
    }
    for (uint32_t s = face->num_styles; l->own->own_format == BSPI_RGBEXP32 && s-- > 0;) {
        add_median(l, face->luxels + (size_t)count * face->directions * s, count);
    }
    if (face->num_styles != 0) {
        l->apart[number] = (uint32_t)l->luxels->size;
        l->offsets[number] = apart ? l->offsets[number] : l->apart[number];
    }
    for (uint32_t s = 0; s < face->num_styles; s++) {
        add_style(l, number, s);
    }
}

static bool add_faces(lumps *l) {
    const bsp_relight *relight = &l->own->relight;
    bool apart = bspi_light_apart(l->own);
    for (uint32_t i = 0; i < relight->num_faces && !l->luxels->failed; i++) {
        l->offsets[i] = l->apart[i] = BSP_NONE;
        if (bspi_region_keeps(l->own, i)) {
            copy_face(l, i, apart);
        } else {
            add_face(l, i, apart);
        }
        bspi_forms_align(&l->forms);
        if (l->luxels->size > INT32_MAX) {
            return bsp_fail(l->error, BSP_E_RANGE, NULL, "light has more than 2 GiB");
        }
    }
    return bspi_forms_sound(&l->forms);
}

// --- faces --------------------------------------------------------------------------------------

static void place_face(lumps *l, const bsp_table *faces, uint8_t *record, uint32_t number,
                       const uint32_t fields[2]) {
    const bsp_relight_face *face = &l->own->relight.faces[number];
    const bsp_layout *layout = faces->layout;
    uint8_t *styles = record + bsp_layout_offset(layout, fields[0]);
    uint32_t count = layout->fields[fields[0]].count;
    bool stays = bspi_region_keeps(l->own, number) && l->offsets[number] == BSP_NONE;
    for (uint32_t s = 0; s < count && !stays; s++) {
        styles[s] = s < face->num_styles ? face->styles[s] : BSP_NO_STYLE;
    }
    bspi_store32(record + bsp_layout_offset(layout, fields[1]), l->offsets[number],
                 l->made.big_endian);
}

static bool place_faces(void *user, const bsp_table *faces, uint8_t *copy) {
    lumps *l = user;
    uint32_t fields[2];
    const bsp_layout *layout = faces->layout;
    if (bspi_layout_find(layout, BSPI_MEMBER_face_light_styles, &fields[0]) == NULL ||
        bspi_layout_find(layout, BSPI_MEMBER_face_light_offset, &fields[1]) == NULL ||
        faces->count != l->own->relight.num_faces) {
        return bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the faces do not say where light is");
    }
    for (uint32_t i = 0; i < faces->count; i++) {
        place_face(l, faces, copy + (size_t)layout->size * i, i, fields);
    }
    return true;
}

// --- changes ------------------------------------------------------------------------------------

static bool has_bytes(const lumps *l, bsp_table_id id) {
    uint32_t lump = bsp_file_find_id(l->made.file, id);
    return lump != BSP_NONE && bsp_file_lump(l->made.file, lump)->size != 0;
}

static bool has_form(const lumps *l, const char *name) {
    return bsp_file_find(l->made.file, bsp_text_of(name)) != BSP_NONE;
}

// A map may have its light in extensions alone.
static bool is_elsewhere(const lumps *l) {
    return !has_bytes(l, BSP_ID_LIGHTING) &&
           (has_form(l, "bspx:RGBLIGHTING") || has_form(l, "bspx:LIGHTING_E5BGR9"));
}

static bool add_light(lumps *l, bsp_table_id id) {
    uint32_t lump = bsp_file_find_id(l->made.file, id);
    return lump != BSP_NONE
               ? bspi_changes_add(&l->made, lump, l->light)
               : bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the map has no place for light");
}

// Lumps of extensions that hold the same luxels.
static bool add_forms(lumps *l) {
    static const char *const names[] = {"bspx:RGBLIGHTING", "bspx:LIGHTING_E5BGR9",
                                        "bspx:LIGHTINGDIR"};
    size_t head = BSPI_LIGHT_FILE_HEAD;
    bsp_bytes file = l->changes.light_file;
    const bsp_bytes forms[] = {
        {file.size > head ? file.data + head : NULL, file.size > head ? file.size - head : 0},
        l->light_high,
        l->light_ways,
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t lump = bsp_file_find(l->made.file, bsp_text_of(names[i]));
        if (lump != BSP_NONE && forms[i].size == 0) {
            bspi_changes_remove(&l->made, lump);
        } else if (lump != BSP_NONE && !bspi_changes_add(&l->made, lump, forms[i])) {
            return false;
        }
    }
    return true;
}

// A light grid, which the map need not have.
static bool add_grid(lumps *l, uint32_t lump, const char *name, const bsp_blob *grid) {
    const bsp_bytes bytes = {grid->data, grid->size};
    if (bytes.size != 0 && lump == BSP_NONE) {
        bspi_changes_new(&l->made, name, bytes);
    }
    return bytes.size == 0 || lump == BSP_NONE || bspi_changes_add(&l->made, lump, bytes);
}

static bool add_grids(lumps *l) {
    const bsp_file *file = l->made.file;
    return add_grid(l, bspi_octree_lump(file), BSPI_OCTREE_NAME, &l->own->octree) &&
           add_grid(l, bspi_grids_lump(file), BSPI_GRIDS_NAME, &l->own->grid_sides);
}

// Lumps of extensions that say where luxels are, and of which styles.
static bool add_extensions(lumps *l) {
    bool done = add_forms(l) && add_grids(l);
    for (uint32_t i = 0; done && i < BSPI_LIGHT_EXTENSIONS; i++) {
        bspi_buffer records = {.heap = l->heap, .error = l->error};
        uint32_t lump = bsp_file_find(l->made.file, bsp_text_of(bspi_light_extension_name(i)));
        bspi_light_extension_records(l->own, i, l->apart, l->made.big_endian, &records);
        bsp_bytes bytes;
        done = bspi_changes_take(&l->made, &records, &bytes) &&
               (bytes.size == 0 || bspi_changes_add(&l->made, lump, bytes));
    }
    return done;
}

// Coloured light beside a Quake map: a magic number, version 1, and the same luxels in RGB.
static bool make_light_file(lumps *l) {
    bspi_buffer file = {.heap = l->heap, .error = l->error};
    const bspi_buffer *colors = &l->forms.list[BSPI_FORM_COLOR].buffer;
    if (colors->size == 0) {
        return true;
    }
    bspi_buffer_add(&file, BSPI_LIGHT_FILE_MAGIC, 4);
    bspi_buffer_u32(&file, BSPI_LIGHT_FILE_RGB, false);
    bspi_buffer_add(&file, colors->data, colors->size);
    return bspi_changes_take(&l->made, &file, &l->changes.light_file);
}

// Gives a lump other bytes, which stay where they are, unless there are none.
static bool add_bytes(lumps *l, bsp_table_id id, const void *data, size_t size) {
    uint32_t lump = bsp_file_find_id(l->made.file, id);
    return size == 0 || lump == BSP_NONE ||
           bspi_changes_add(&l->made, lump, (bsp_bytes){data, size});
}

static bool color_vertices(void *user, const bsp_table *table, uint8_t *copy) {
    lumps *l = user;
    return bspi_drawn_records(l->own->drawn, table, copy) ||
           bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the vertices have no colours");
}

static bool style_faces(void *user, const bsp_table *table, uint8_t *copy) {
    lumps *l = user;
    return table->count != l->own->relight.num_faces ||
           bspi_drawn_styles(l->own->drawn, table, copy);
}

static bool make_cells(lumps *l) {
    bspi_buffer records = {.heap = l->heap, .error = l->error};
    bspi_buffer array = {.heap = l->heap, .error = l->error};
    bsp_bytes bytes;
    bsp_parts parts;
    bsp_table table;
    if (l->own->drawn->num_cells == 0 ||
        !bsp_file_table(l->made.file, BSP_ID_LIGHT_GRID, &parts, &table)) {
        return true;
    }
    bool done =
        bspi_drawn_cells(l->own, table.layout, l->made.big_endian, &records, &array, l->error) &&
        bspi_changes_take(&l->made, &records, &bytes) &&
        add_bytes(l, BSP_ID_LIGHT_GRID, bytes.data, bytes.size) &&
        bspi_changes_take(&l->made, &array, &bytes) &&
        add_bytes(l, BSP_ID_LIGHT_ARRAY, bytes.data, bytes.size);
    bspi_buffer_free(&records);
    bspi_buffer_free(&array);
    bsp_parts_free(&parts);
    return done;
}

// Quake 3: pages, the colours of vertices, the grid.
static bool make_drawn(lumps *l) {
    const bspi_drawn *drawn = l->own->drawn;
    bool beside = drawn->num_inside < drawn->num_pages;
    size_t luxels = beside ? drawn->pages[drawn->num_inside].first : drawn->num_luxels;
    return add_bytes(l, BSP_ID_LIGHTING, drawn->luxels, 3 * luxels) &&
           bspi_changes_records(&l->made, BSP_ID_DRAW_VERTS, color_vertices, l) &&
           (!drawn->styled || bspi_changes_records(&l->made, BSP_ID_FACES, style_faces, l)) &&
           make_cells(l);
}

static bool take(lumps *l, bspi_light_form_id form, bsp_bytes *out) {
    return bspi_changes_take(&l->made, &l->forms.list[form].buffer, out);
}

static bool make(lumps *l) {
    if (l->own->drawn != NULL) {
        return make_drawn(l);
    }
    size_t size = l->own->relight.num_faces * sizeof *l->offsets;
    l->offsets = bspi_heap_alloc(l->heap, size, l->error);
    l->apart = bspi_heap_alloc(l->heap, size, l->error);
    if (l->offsets == NULL || l->apart == NULL || !add_faces(l) || !make_light_file(l) ||
        !take(l, BSPI_FORM_BEYOND, &l->light_high) || !take(l, BSPI_FORM_WAYS, &l->light_ways) ||
        !take(l, BSPI_FORM_OWN, &l->light)) {
        return false;
    }
    bool source = l->own->own_format == BSPI_RGBEXP32;
    bool high = source && has_bytes(l, BSP_ID_LIGHTING_HDR);
    bool apart = high && l->map->num_face_lights_hdr == l->map->num_faces;
    bool only_high = high && l->own->relight.hdr;
    bool low = (!only_high || (!apart && has_bytes(l, BSP_ID_LIGHTING))) && !is_elsewhere(l);
    // Where both share their faces, both have the same luxels.
    return (!low || add_light(l, BSP_ID_LIGHTING)) &&
           (!(only_high || (high && !apart)) || add_light(l, BSP_ID_LIGHTING_HDR)) &&
           bspi_changes_records(&l->made, apart && only_high ? BSP_ID_FACES_HDR : BSP_ID_FACES,
                                place_faces, l) &&
           add_extensions(l) &&
           add_bytes(l, l->own->cube_table, l->own->cubes, l->own->cube_bytes) &&
           bspi_world_lights_add(l->own, &l->made);
}

bsp_relight_changes *bsp_relight_lumps(const bsp_relight *relight, const bsp_map *map,
                                       const bsp_file *file, const bsp_allocator *allocator,
                                       bsp_error *error) {
    assert(relight != NULL && map != NULL && file != NULL);
    lumps *l = bspi_object_new(allocator, sizeof *l, error);
    if (l == NULL) {
        return NULL;
    }
    bspi_changes_begin(&l->made, map, file, allocator, error);
    l->changes.owner = l;
    l->changes.changes = l->made.list;
    l->own = relight->owner;
    l->map = map;
    l->heap = &l->made.heap;
    l->error = error;
    l->luxels = &l->forms.list[BSPI_FORM_OWN].buffer;
    bspi_forms_begin(&l->forms, l->own, file, l->heap, error);
    bool done = make(l);
    bspi_heap_free(l->heap, l->offsets, relight->num_faces * sizeof *l->offsets);
    bspi_heap_free(l->heap, l->apart, relight->num_faces * sizeof *l->apart);
    bspi_forms_free(&l->forms);
    if (!done) {
        bsp_relight_changes_free(&l->changes);
        return NULL;
    }
    l->changes.num_changes = l->made.count;
    return &l->changes;
}

void bsp_relight_changes_free(bsp_relight_changes *changes) {
    lumps *l = changes == NULL ? NULL : changes->owner;
    if (l != NULL) {
        bspi_changes_end(&l->made);
        bspi_object_free(l, sizeof *l, &l->made.heap.allocator);
    }
}
