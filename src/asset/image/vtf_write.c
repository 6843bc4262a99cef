// SPDX-License-Identifier: MIT
// VTF 7.1 to 7.5, written: a head, and the image, the smallest mip first. A cube of a version below
// 7.5 has a sphere map as its seventh side. Format: sheet outputs, section 5.1; sheet bake, 5; the
// heads are those of pictures that engines captured (see docs/guide/16-baking.md).
#include "asset/image/cube.h"
#include "asset/image/image.h"
#include "asset/layouts.h"

#include <assert.h>
#include <math.h>

#define LEAST_MINOR 1u
#define MOST_MINOR 5u
#define MOST_SIDE 4096u
#define MOST_MIPS 13u
#define COLORS 3u
#define SIDES 7u
#define START_UNKNOWN 0u

typedef struct writer {
    const bsp_vtf_source *from;
    bspi_heap heap;
    bspi_arena arena;
    const float *mips[MOST_MIPS][SIDES]; // three floats a pixel
    uint32_t num_mips;
    uint32_t num_sides;
    uint8_t *at; // where the next pixel goes
} writer;

static uint32_t side_of(const writer *w, uint32_t mip) {
    return w->from->side >> mip;
}

// --- pixels -------------------------------------------------------------------------------------

static uint8_t byte_of(float value) {
    return value >= 255 ? 255 : value > 0 ? (uint8_t)(value + 0.5F) : 0;
}

uint16_t bspi_half_of(float value) {
    uint32_t bits;
    if (!(value > 0)) {
        return 0;
    }
    if (value >= 65504) {
        return 0x7BFF; // the largest that is no infinity
    }
    if (value < 6.103515625e-5F) { // 2^-14: the exponent ends
        return (uint16_t)(value * 16777216.0F + 0.5F);
    }
    memcpy(&bits, &value, sizeof bits);
    bits += 0xFFF + (bits >> 13 & 1); // to the nearest, ties to even
    return (uint16_t)((bits >> 13) - ((127 - 15) << 10));
}

static void put_bytes(writer *w, const float *pixels, uint32_t side) {
    for (size_t i = 0; i < (size_t)side * side; i++, w->at += 3, pixels += COLORS) {
        w->at[0] = byte_of(pixels[2]);
        w->at[1] = byte_of(pixels[1]);
        w->at[2] = byte_of(pixels[0]);
    }
}

static void put_halves(writer *w, const float *pixels, uint32_t side) {
    for (size_t i = 0; i < (size_t)side * side; i++, pixels += COLORS) {
        for (uint32_t c = 0; c < 4; c++, w->at += 2) {
            uint16_t half = c < COLORS ? bspi_half_of(pixels[c]) : bspi_half_of(1);
            w->at[0] = (uint8_t)half;
            w->at[1] = (uint8_t)(half >> 8);
        }
    }
}

// --- blocks (BC1) -------------------------------------------------------------------------------

#define BLOCK_PIXELS 16u

static uint32_t distance_of(const uint8_t *a, const uint8_t *b) {
    uint32_t sum = 0;
    for (uint32_t c = 0; c < COLORS; c++) {
        int d = a[c] - b[c];
        sum += (uint32_t)(d * d);
    }
    return sum;
}

// Takes the pixels of a block; beyond the picture, its last ones.
static void take_block(const float *pixels, uint32_t side, uint32_t x, uint32_t y,
                       uint8_t out[BLOCK_PIXELS][4]) {
    for (uint32_t i = 0; i < BLOCK_PIXELS; i++) {
        uint32_t column = x + i % 4 < side ? x + i % 4 : side - 1;
        uint32_t row = y + i / 4 < side ? y + i / 4 : side - 1;
        const float *p = pixels + COLORS * ((size_t)row * side + column);
        for (uint32_t c = 0; c < COLORS; c++) {
            out[i][c] = byte_of(p[c]);
        }
    }
}

// Finds the two pixels that are the farthest apart, as colours of 16 bits, the larger one first.
static void choose_ends(uint8_t block[BLOCK_PIXELS][4], uint16_t ends[2]) {
    uint32_t best[2] = {0, 0};
    uint32_t most = 0;
    for (uint32_t a = 0; a < BLOCK_PIXELS; a++) {
        for (uint32_t b = a + 1; b < BLOCK_PIXELS; b++) {
            uint32_t apart = distance_of(block[a], block[b]);
            if (apart > most) {
                most = apart;
                best[0] = a;
                best[1] = b;
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        const uint8_t *p = block[best[i]];
        ends[i] = (uint16_t)((p[0] * 31u + 127) / 255 << 11 | (p[1] * 63u + 127) / 255 << 5 |
                             (p[2] * 31u + 127) / 255);
    }
    if (ends[0] < ends[1]) {
        uint16_t other = ends[0];
        ends[0] = ends[1];
        ends[1] = other;
    }
}

// Ends of one colour would mean three colours and a hole: then all pixels have the first.
static void put_block(writer *w, uint8_t block[BLOCK_PIXELS][4]) {
    uint16_t ends[2];
    uint8_t steps[8] = {0, 0, 0, 0, 0x00, 0x55, 0xAA, 0xFF}; // a row of each step
    uint8_t colors[64];
    choose_ends(block, ends);
    uint8_t *out = w->at;
    w->at += 8;
    for (int i = 0; i < 2; i++) {
        steps[2 * i] = (uint8_t)ends[i];
        steps[2 * i + 1] = (uint8_t)(ends[i] >> 8);
    }
    memcpy(out, steps, 4);
    memset(out + 4, 0, 4);
    if (ends[0] == ends[1]) {
        return;
    }
    bspi_block_bc1(steps, colors);
    for (uint32_t i = 0; i < BLOCK_PIXELS; i++) {
        uint32_t best = 0;
        for (uint32_t s = 1; s < 4; s++) {
            best = distance_of(block[i], colors + (size_t)16 * s) <
                           distance_of(block[i], colors + (size_t)16 * best)
                       ? s
                       : best;
        }
        out[4 + i / 4] |= (uint8_t)(best << 2 * (i % 4));
    }
}

static void put_blocks(writer *w, const float *pixels, uint32_t side) {
    uint8_t block[BLOCK_PIXELS][4];
    for (uint32_t y = 0; y < side; y += 4) {
        for (uint32_t x = 0; x < side; x += 4) {
            take_block(pixels, side, x, y, block);
            put_block(w, block);
        }
    }
}

// --- formats ------------------------------------------------------------------------------------

typedef struct writing {
    int32_t format;
    void (*put)(writer *w, const float *pixels, uint32_t side);
} writing;

static const writing writings[] = {
    {BSP_VTF_BGR888, put_bytes}, {BSP_VTF_DXT1, put_blocks}, {BSP_VTF_RGBA16F, put_halves}};

static const writing *find_writing(int32_t format) {
    for (size_t i = 0; i < sizeof writings / sizeof *writings; i++) {
        if (writings[i].format == format) {
            return &writings[i];
        }
    }
    return NULL;
}

// --- mips ---------------------------------------------------------------------------------------

// Each pixel is the mean of four.
static bool halve(writer *w, uint32_t mip, uint32_t face, bsp_error *error) {
    uint32_t side = side_of(w, mip);
    size_t row = (size_t)2 * side * COLORS;
    float *out = bspi_arena_raw(&w->arena, (size_t)side * side * COLORS, sizeof *out, error);
    w->mips[mip][face] = out;
    for (size_t i = 0; out != NULL && i < (size_t)side * side; i++, out += COLORS) {
        const float *p = w->mips[mip - 1][face] + i / side * 2 * row + i % side * 2 * COLORS;
        for (uint32_t c = 0; c < COLORS; c++) {
            out[c] = ((p[c] + p[COLORS + c]) + (p[row + c] + p[row + COLORS + c])) * 0.25F;
        }
    }
    return w->mips[mip][face] != NULL;
}

static const float *cube_pixel(const writer *w, const float direction[3]) {
    float uv[2];
    float most = (float)(w->from->side - 1);
    const float *face = w->from->faces[bspi_cube_side(direction, uv)];
    float x = uv[0] * (float)w->from->side;
    float y = uv[1] * (float)w->from->side;
    size_t at = (size_t)(y < most ? y : most) * w->from->side + (size_t)(x < most ? x : most);
    return face + COLORS * at;
}

// The seventh side: what a ball mirrors that is seen along -z, with y up. Beyond its rim as at it.
// Of the 48 ways to look this one is that of pictures that engines drew (test_speakers and four of
// rc_deathmatch4: correlation with it 0.85 and 0.71, with the next 0.57 and 0.49).
static bool make_sphere(writer *w, bsp_error *error) {
    uint32_t side = w->from->side;
    float *out = bspi_arena_raw(&w->arena, (size_t)side * side * COLORS, sizeof *out, error);
    w->mips[0][SIDES - 1] = out;
    for (size_t i = 0; out != NULL && i < (size_t)side * side; i++, out += COLORS) {
        float x = ((float)(i % side) + 0.5F) * 2 / (float)side - 1;
        float y = 1 - ((float)(i / side) + 0.5F) * 2 / (float)side;
        float square = x * x + y * y;
        float scale = square > 1 ? 1 / sqrtf(square) : 1;
        x *= scale;
        y *= scale;
        float z = square < 1 ? sqrtf(1 - square) : 0;
        const float mirrored[3] = {2 * z * x, 2 * z * y, 2 * z * z - 1};
        memcpy(out, cube_pixel(w, mirrored), COLORS * sizeof *out);
    }
    return w->mips[0][SIDES - 1] != NULL;
}

static bool make_mips(writer *w, bsp_error *error) {
    for (uint32_t face = 0; face < w->num_sides; face++) {
        if (face < BSP_CUBE_SIDES) {
            w->mips[0][face] = w->from->faces[face];
        } else if (!make_sphere(w, error)) {
            return false;
        }
        for (uint32_t mip = 1; mip < w->num_mips; mip++) {
            if (!halve(w, mip, face, error)) {
                return false;
            }
        }
    }
    return true;
}

// --- the file -----------------------------------------------------------------------------------

#define HEAD_MULTIPLE 16u // of bytes, below version 7.3

// Where the records of the head begin; those that a version has not are at its end.
typedef struct vtf_head {
    size_t depth;     // 7.2
    size_t resources; // 7.3
    size_t resource;  // one: the image
    size_t end;
} vtf_head;

static vtf_head head_of(uint32_t minor) {
    vtf_head head = {.depth = bspi_vtf_t.size};
    size_t deep = head.depth + bspi_vtf_depth_t.size;
    head.resources = deep;
    head.resource = head.resources + bspi_vtf_resources_t.size;
    size_t plain = minor == 2 ? deep : head.depth;
    head.end = minor >= 3 ? head.resource + bspi_vtf_resource_t.size
                          : (plain + HEAD_MULTIPLE - 1) / HEAD_MULTIPLE * HEAD_MULTIPLE;
    return head;
}

static bool set(const bsp_layout *layout, uint8_t *record, uint32_t field, bsp_type type,
                const void *values, bsp_error *error) {
    return bsp_table_encode(layout, 1, false, field, type, values, 0, record, error);
}

// What versions above 7.1 add.
static bool put_additions(const writer *w, uint8_t *out, bsp_error *error) {
    static const uint8_t image_tag[3] = {0x30, 0, 0};
    const vtf_head head = head_of(w->from->minor);
    const uint32_t one = 1;
    const uint32_t start = (uint32_t)head.end;
    if (w->from->minor >= 2 && !set(&bspi_vtf_depth_t, out + head.depth, 0, BSP_U32, &one, error)) {
        return false;
    }
    if (w->from->minor < 3) {
        return true;
    }
    memcpy(out + head.resource, image_tag, sizeof image_tag);
    return set(&bspi_vtf_resources_t, out + head.resources, BSPI_VTF_NUM_RESOURCES, BSP_U32, &one,
               error) &&
           set(&bspi_vtf_resource_t, out + head.resource, BSPI_VTF_OFFSET, BSP_U32, &start, error);
}

static bool put_head(const writer *w, uint8_t *out, bsp_error *error) {
    const bsp_vtf_source *from = w->from;
    const uint32_t version[2] = {7, from->minor};
    const uint32_t bytes = (uint32_t)head_of(from->minor).end;
    const uint32_t size[2] = {from->side, from->side};
    const uint32_t one = 1;
    const uint32_t start = START_UNKNOWN;
    const float bump = 1;
    const float reflectivity[3] = {1, 1, 1};
    const int32_t none = -1;
    memcpy(out, "VTF", 4);
    return put_additions(w, out, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_VERSION, BSP_U32, version, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_HEAD_SIZE, BSP_U32, &bytes, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_SIZE, BSP_U32, size, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_FLAGS, BSP_U32, &from->flags, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_FRAMES, BSP_U32, &one, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_START, BSP_U32, &start, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_REFLECTIVITY, BSP_F32, reflectivity, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_BUMP, BSP_F32, &bump, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_FORMAT, BSP_I32, &from->format, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_MIPS, BSP_U32, &w->num_mips, error) &&
           set(&bspi_vtf_t, out, BSPI_VTF_LOW_FORMAT, BSP_I32, &none, error);
}

static bool write_file(writer *w, const writing *how, bsp_blob *out, bsp_error *error) {
    const bspi_pixel_format *format = bspi_vtf_format(w->from->format);
    size_t head = head_of(w->from->minor).end;
    size_t size = head;
    for (uint32_t mip = 0; mip < w->num_mips; mip++) {
        size +=
            (size_t)bspi_vtf_image_size(format, side_of(w, mip), side_of(w, mip)) * w->num_sides;
    }
    uint8_t *data = bspi_heap_alloc(&w->heap, size, error);
    if (data == NULL) {
        return false;
    }
    memset(data, 0, head);
    if (!put_head(w, data, error)) {
        bspi_heap_free(&w->heap, data, size);
        return false;
    }
    w->at = data + head;
    for (uint32_t mip = w->num_mips; mip-- > 0;) {
        for (uint32_t face = 0; face < w->num_sides; face++) {
            how->put(w, w->mips[mip][face], side_of(w, mip));
        }
    }
    bspi_heap_give(&w->heap, size);
    *out = (bsp_blob){data, size, w->heap.allocator};
    return true;
}

static bool is_good(const bsp_vtf_source *from, const writing *how, bsp_error *error) {
    bool power = from->side != 0 && from->side <= MOST_SIDE && (from->side & (from->side - 1)) == 0;
    if (how != NULL && power && from->minor >= LEAST_MINOR && from->minor <= MOST_MINOR) {
        return true;
    }
    return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                    "a VTF 7.%u of %u pixels a side in format %d; 7.1 to 7.5, powers of two up to "
                    "%u, and DXT1, BGR888 and RGBA16161616F are written",
                    (unsigned)from->minor, (unsigned)from->side, (int)from->format, MOST_SIDE);
}

bool bsp_vtf_write(const bsp_vtf_source *source, const bsp_allocator *allocator, bsp_budget *budget,
                   bsp_blob *out, bsp_error *error) {
    assert(source != NULL && source->faces != NULL && out != NULL);
    const writing *how = find_writing(source->format);
    bool cube = (source->flags & BSP_VTF_CUBE) != 0;
    writer w = {.from = source, .num_sides = !cube ? 1 : source->minor < MOST_MINOR ? 7 : 6};
    *out = (bsp_blob){0};
    if (!is_good(source, how, error)) {
        return false;
    }
    while (source->side >> w.num_mips != 0) {
        w.num_mips++;
    }
    bspi_heap_init_for(&w.heap, BSP_PRODUCT_IMAGE, 0, budget, allocator);
    bspi_arena_init(&w.arena, &w.heap);
    bool done =
        bspi_heap_work(&w.heap, (uint64_t)source->side * source->side * 4 * w.num_sides, error) &&
        make_mips(&w, error) && write_file(&w, how, out, error);
    bspi_arena_free(&w.arena);
    return done;
}
