// SPDX-License-Identifier: MIT
// Parts of the light of one map: the direct light of every so many-th face, as sums; what surfaces
// throw back is made when all parts are there.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/ways.h"
#include "bake/light/shadows/props.h"
#include "bake/result/part.h"

#include "core/reader.h"

#include <assert.h>
#include <string.h>

static const bspi_part_of light_parts = {.magic = "BSPKITLIGHT PART 4", .work = "light"};

#define HEAD 12u // bytes of a part's body: styles that were dropped, and rays
#define FACE_HEAD (16u + BSP_RELIGHT_STYLES) // columns, rows, directions, styles, and these

// --- what a part is of --------------------------------------------------------------------------

static void add_texts(bspi_sha256 *sum, const bsp_entities *entities) {
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        const bsp_entity *entity = &entities->list[i];
        bspi_digest_u32(sum, entity->num_pairs);
        for (uint32_t k = 0; k < entity->num_pairs; k++) {
            const bsp_text texts[2] = {entity->pairs[k].key, entity->pairs[k].value};
            for (int n = 0; n < 2; n++) {
                bspi_digest_u32(sum, (uint32_t)texts[n].size);
                bspi_sha256_add(sum, (bsp_bytes){(const uint8_t *)texts[n].data, texts[n].size});
            }
        }
    }
}

static void digest_floats(bspi_sha256 *sum, const float *list, size_t count) {
    for (size_t n = 0; n < count; n++) {
        bspi_digest_u32(sum, bspi_float_bits(list[n]));
    }
}

// What casts shadows of props: of their models and textures other machines may have other ones.
static void add_props(bspi_sha256 *sum, const bspi_prop_lights *props) {
    const struct bspi_occluders *shades = props == NULL ? NULL : props->shades;
    uint32_t count = shades == NULL ? 0 : shades->count;
    bspi_digest_u32(sum, count);
    for (uint32_t n = 0; n < count; n++) {
        const bspi_occluder *face = &shades->list[n];
        bspi_digest_u32(sum, face->kind);
        digest_floats(sum, face->normal, 3);
        digest_floats(sum, &face->dist, 1);
        for (uint32_t e = 0; e < face->edges; e++) {
            digest_floats(sum, shades->edges[face->first + e], 3);
        }
        for (int i = 0; face->kind == BSPI_OCCLUDER_VEIL && i < 2; i++) {
            digest_floats(sum, shades->texinfos[face->texinfo].texture[i], 4);
        }
    }
    for (uint32_t n = 0; count != 0 && n < props->num_pictures; n++) {
        const bspi_picture *picture = &props->pictures[n];
        bspi_digest_u32(sum, picture->width);
        bspi_sha256_add(sum,
                        (bsp_bytes){picture->pixels, (size_t)picture->width * picture->height * 4});
    }
}

// The file, the options, and the colours that surfaces shine in.
static bspi_part_of identify(const bspi_relight *own) {
    bspi_part_of of = light_parts;
    uint8_t file[BSPI_SHA256_SIZE];
    bspi_sha256 sum;
    bsp_file_sha256(own->file, file);
    bspi_sha256_begin(&sum);
    bspi_sha256_add(&sum, (bsp_bytes){file, sizeof file});
    bspi_digest_u32(&sum, (uint32_t)own->relight.compiler);
    bspi_digest_u32(&sum, own->scale.extra);
    bspi_digest_u32(&sum, own->scale.samples);
    bspi_digest_u32(&sum, own->scale.step);
    bspi_digest_u32(&sum, own->options->patch_shadows);
    bspi_digest_u32(&sum, (uint32_t)own->options->dirt);
    bspi_digest_u32(&sum, bspi_float_bits(own->options->dirt_depth));
    bspi_digest_u32(&sum, bspi_float_bits(own->options->dirt_gain));
    bspi_digest_u32(&sum, bspi_float_bits(own->options->dirt_scale));
    bspi_digest_u32(&sum, own->relight.hdr);
    add_props(&sum, own->props);
    for (int i = 0; own->options->region != NULL && i < 6; i++) {
        bspi_digest_u32(&sum, bspi_float_bits(own->options->region[i / 3][i % 3]));
    }
    add_texts(&sum, own->options->lights);
    const bsp_text lines = own->texlights;
    bspi_digest_u32(&sum, (uint32_t)lines.size);
    bspi_sha256_add(&sum, (bsp_bytes){(const uint8_t *)lines.data, lines.size});
    const bsp_text surfaces = own->options->surfaces;
    bspi_digest_u32(&sum, (uint32_t)surfaces.size);
    bspi_sha256_add(&sum, (bsp_bytes){(const uint8_t *)surfaces.data, surfaces.size});
    for (uint32_t t = 0; own->round != NULL && t < own->map->num_texinfos; t++) {
        bspi_digest_u32(&sum, bspi_float_bits(own->round[t]));
    }
    for (uint32_t i = 0; own->drawn != NULL && i < own->num_lamps; i++) { // shaders may differ
        bspi_digest_u32(&sum, bspi_float_bits(own->lamps[i].light));
    }
    for (uint32_t m = 0; own->colors != NULL && m < own->map->num_materials; m++) {
        for (int c = 0; c < 3; c++) {
            bspi_digest_u32(&sum, bspi_float_bits(own->colors[m].mean[c]));
            bspi_digest_u32(&sum, bspi_float_bits(own->colors[m].reflects[c]));
        }
    }
    bspi_sha256_end(&sum, of.digest);
    return of;
}

// --- writing ------------------------------------------------------------------------------------

static void add_floats(bspi_buffer *out, const float (*from)[3], size_t count) {
    uint8_t *to = count == 0 ? NULL : bspi_buffer_grow(out, 3 * count * sizeof(uint32_t));
    for (size_t i = 0; to != NULL && i < 3 * count; i++) {
        bspi_store32(to + i * sizeof(uint32_t), bspi_float_bits(from[i / 3][i % 3]), false);
    }
}

static void add_face(bspi_buffer *out, const bsp_relight_face *face) {
    size_t count = (size_t)face->width * face->height * face->directions * face->num_styles;
    bool none = face->luxels == NULL;
    bspi_buffer_u32(out, none ? 0 : face->width, false);
    bspi_buffer_u32(out, none ? 0 : face->height, false);
    bspi_buffer_u32(out, none ? 0 : face->directions, false);
    bspi_buffer_u32(out, none ? 0 : face->num_styles, false);
    bspi_buffer_add(out, face->styles, sizeof face->styles);
    add_floats(out, face->luxels, none ? 0 : count);
}

// From where light comes: styles, and their directions.
static void add_ways(bspi_buffer *out, const bspi_ways *ways) {
    uint32_t styles = ways->list == NULL ? 0 : ways->num_styles;
    bspi_buffer_u32(out, styles, false);
    bspi_buffer_add(out, ways->styles, sizeof ways->styles);
    add_floats(out, (const float(*)[3])ways->list, (size_t)ways->each * styles);
}

bool bspi_light_part_write(bspi_relight *own, bsp_blob *blob, bsp_error *error) {
    const bspi_part_of of = identify(own);
    uint64_t rays = own->rays;
    bspi_buffer out = {.heap = &own->heap, .error = error};
    bspi_part_begin(&out, &of, own->share + 1, own->num_shares);
    bspi_buffer_u32(&out, own->dropped, false);
    bspi_buffer_u32(&out, (uint32_t)rays, false);
    bspi_buffer_u32(&out, (uint32_t)(rays >> 32), false);
    for (uint32_t f = own->share; f < own->map->num_faces && !out.failed; f += own->num_shares) {
        add_face(&out, &own->faces[f]);
        if (own->ways != NULL) {
            add_ways(&out, &own->ways[f]);
        }
    }
    return bspi_part_end(&out, &of, blob);
}

// --- reading ------------------------------------------------------------------------------------

// Takes the head of a face off the front of `bytes`. False if it is not one that this face has.
static bool take_head(const bspi_relight *own, uint32_t number, bsp_bytes *bytes,
                      bsp_relight_face *face) {
    bspi_luxels place;
    if (bytes->size < FACE_HEAD) {
        return false;
    }
    face->width = bspi_load32(bytes->data, false);
    face->height = bspi_load32(bytes->data + 4, false);
    face->directions = bspi_load32(bytes->data + 8, false);
    face->num_styles = bspi_load32(bytes->data + 12, false);
    memcpy(face->styles, bytes->data + 16, sizeof face->styles);
    *bytes = (bsp_bytes){bytes->data + FACE_HEAD, bytes->size - FACE_HEAD};
    if (face->width == 0) {
        return face->height == 0 && face->directions == 0 && face->num_styles == 0;
    }
    if (own->drawn != NULL) { // where its luxels lie is compared when it is measured
        uint32_t page = bspi_drawn_page_of(own, number);
        return page != BSP_NONE && face->width <= own->drawn->pages[page].width &&
               face->height <= own->drawn->pages[page].height && face->height != 0 &&
               face->directions == 1 && face->num_styles <= own->most_styles;
    }
    return bspi_luxels_place(&own->source, number, &place) && face->width == place.width &&
           face->height == place.height && face->directions == place.blocks &&
           face->num_styles <= own->most_styles;
}

// Takes vectors off the front of `bytes`, which has as many.
static void take_floats(bsp_bytes *bytes, float (*out)[3], size_t count) {
    for (size_t i = 0; i < 3 * count; i++) {
        uint32_t bits = bspi_load32(bytes->data + i * sizeof bits, false);
        memcpy(&out[i / 3][i % 3], &bits, sizeof bits);
    }
    size_t size = 3 * count * sizeof(uint32_t);
    *bytes = (bsp_bytes){bytes->data + size, bytes->size - size};
}

static bool take_face(bspi_relight *own, uint32_t number, bsp_bytes *bytes, const bspi_part *part,
                      bsp_error *error) {
    bsp_relight_face *face = &own->faces[number];
    if (!take_head(own, number, bytes, face)) {
        *face = (bsp_relight_face){0};
        return bspi_part_damaged(part, error);
    }
    size_t each = (size_t)face->width * face->height * face->directions;
    size_t count = each * face->num_styles * 3;
    if (bytes->size / sizeof(uint32_t) < count) {
        *face = (bsp_relight_face){0};
        return bspi_part_damaged(part, error);
    }
    if (face->width == 0) {
        return true;
    }
    size_t size = each * own->most_styles * sizeof *face->luxels;
    float(*luxels)[3] = bspi_heap_alloc(&own->heap, size, error);
    if (luxels == NULL) {
        *face = (bsp_relight_face){0};
        return false;
    }
    take_floats(bytes, luxels, count / 3);
    face->luxels = (const float(*)[3])luxels;
    return true;
}

// Takes the directions of a face off the front of `bytes`.
static bool take_ways(bspi_relight *own, uint32_t number, bsp_bytes *bytes, const bspi_part *part,
                      bsp_error *error) {
    bspi_ways *ways = &own->ways[number];
    const bsp_relight_face *face = &own->faces[number];
    uint32_t each = face->width * face->height;
    if (bytes->size < sizeof(uint32_t) + sizeof ways->styles) {
        return bspi_part_damaged(part, error);
    }
    uint32_t styles = bspi_load32(bytes->data, false);
    memcpy(ways->styles, bytes->data + sizeof styles, sizeof ways->styles);
    size_t head = sizeof styles + sizeof ways->styles;
    *bytes = (bsp_bytes){bytes->data + head, bytes->size - head};
    if (styles > own->most_styles || bytes->size / 12 < (size_t)each * styles) {
        return bspi_part_damaged(part, error);
    }
    if (styles == 0 || each == 0) {
        return true;
    }
    if (!bspi_ways_room(own, ways, each, styles, error)) {
        return false;
    }
    take_floats(bytes, ways->list, (size_t)each * styles);
    return true;
}

static bool take_part(void *user, const bspi_part *part, bsp_error *error) {
    bspi_relight *own = user;
    bsp_bytes bytes = part->body;
    if (bytes.size < HEAD) {
        return bspi_part_damaged(part, error);
    }
    own->dropped += bspi_load32(bytes.data, false);
    own->rays += bspi_load32(bytes.data + 4, false) | (uint64_t)bspi_load32(bytes.data + 8, false)
                                                          << 32;
    bytes = (bsp_bytes){bytes.data + HEAD, bytes.size - HEAD};
    for (uint32_t f = part->number - 1; f < own->map->num_faces; f += part->count) {
        if (!take_face(own, f, &bytes, part, error) ||
            (own->ways != NULL && !take_ways(own, f, &bytes, part, error))) {
            return false;
        }
    }
    return bytes.size == 0 || bspi_part_damaged(part, error);
}

bool bspi_light_parts_take(bspi_relight *own, const bsp_bytes *parts, uint32_t count,
                           bsp_error *error) {
    const bspi_part_of of = identify(own);
    return bspi_parts_take(parts, count, &of, &own->arena, take_part, own, error);
}

bool bsp_relight_part_read(bsp_bytes bytes, uint32_t *number, uint32_t *count, bsp_error *error) {
    assert(number != NULL && count != NULL && (bytes.data != NULL || bytes.size == 0));
    bspi_part part;
    bool done = bspi_part_read(bytes, &light_parts, true, &part, error);
    *number = part.number;
    *count = part.count;
    return done;
}
