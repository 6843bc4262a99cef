// SPDX-License-Identifier: MIT
// Parts of the work on one map, which several machines do: files of rows, which say what map they
// are of, and have a checksum.
#include "bake/sight.h"

#include "bspkit/pack.h"
#include "bspkit/visibility.h"
#include "core/buffer.h"
#include "core/options.h"
#include "core/reader.h"
#include "pack/sha256.h"

#include <assert.h>
#include <string.h>

#define MAGIC "BSPKITVIS PART 1"
#define MAGIC_SIZE (sizeof MAGIC - 1)
#define HEAD (MAGIC_SIZE + BSPI_SHA256_SIZE + 4 * sizeof(uint32_t))

// --- what a part is of --------------------------------------------------------------------------

static void add_u32(bspi_sha256 *sum, uint32_t value) {
    uint8_t bytes[4];
    bspi_store32(bytes, value, false);
    bspi_sha256_add(sum, (bsp_bytes){bytes, sizeof bytes});
}

static void add_real(bspi_sha256 *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_u32(sum, (uint32_t)bits);
    add_u32(sum, (uint32_t)(bits >> 32));
}

static void identify(const bsp_portals *portals, double distance,
                     uint8_t digest[BSPI_SHA256_SIZE]) {
    bspi_sha256 sum;
    bspi_sha256_begin(&sum);
    add_u32(&sum, portals->num_clusters);
    add_u32(&sum, portals->count);
    add_real(&sum, distance);
    for (uint32_t i = 0; i < portals->count; i++) {
        const bsp_portal *portal = &portals->list[i];
        add_u32(&sum, portal->clusters[0]);
        add_u32(&sum, portal->clusters[1]);
        add_u32(&sum, portal->num_points);
        for (int k = 0; k < 3; k++) {
            add_real(&sum, portal->normal[k]);
        }
        add_real(&sum, portal->dist);
        for (uint32_t k = 0; k < 3 * portal->num_points; k++) {
            add_real(&sum, portals->points[portal->first_point + k / 3][k % 3]);
        }
    }
    bspi_sha256_end(&sum, digest);
}

bool bsp_vis_part_read(bsp_bytes bytes, const bsp_portals *portals, double distance,
                       bsp_vis_part *out, bsp_error *error) {
    assert(portals != NULL && out != NULL && (bytes.data != NULL || bytes.size == 0));
    uint8_t digest[BSPI_SHA256_SIZE];
    *out = (bsp_vis_part){0};
    if (bytes.size < HEAD + 4 || memcmp(bytes.data, MAGIC, MAGIC_SIZE) != 0) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "not a part of a visibility run");
    }
    size_t size = bytes.size - 4;
    if (bsp_crc32(0, (bsp_bytes){bytes.data, size}) != bspi_load32(bytes.data + size, false)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the part is damaged: its checksum differs");
    }
    const uint8_t *numbers = bytes.data + MAGIC_SIZE + BSPI_SHA256_SIZE;
    out->number = bspi_load32(numbers, false);
    out->count = bspi_load32(numbers + 4, false);
    identify(portals, distance, digest);
    if (memcmp(bytes.data + MAGIC_SIZE, digest, sizeof digest) != 0 ||
        bspi_load32(numbers + 8, false) != portals->num_clusters) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "part %u of %u is one of another map, or of other options",
                        (unsigned)out->number, (unsigned)out->count);
    }
    if (out->number == 0 || out->number > out->count || out->count > BSP_VIS_MOST_PARTS) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the part has no number");
    }
    out->rows = (bsp_bytes){bytes.data + HEAD, size - HEAD};
    out->num_rows = bspi_load32(numbers + 12, false);
    return true;
}

// --- writing ------------------------------------------------------------------------------------

static void add_rows(const bspi_sight *sight, bspi_buffer *out, uint8_t *packed) {
    uint32_t alone = bspi_sight_alone(sight);
    uint32_t count = bspi_sight_share_size(sight, sight->share);
    for (uint32_t i = 0; i < count && !out->failed; i++) {
        size_t place = (size_t)alone + sight->share + (size_t)i * sight->num_shares;
        const uint8_t *row = sight->shares + place * sight->vis.row_bytes;
        bspi_buffer_add(out, packed, bsp_vis_pack(row, sight->vis.row_bytes, packed));
    }
}

bool bspi_sight_write_share(bspi_sight *sight, bsp_blob *blob, bsp_error *error) {
    uint8_t digest[BSPI_SHA256_SIZE];
    bspi_buffer out = {.heap = &sight->heap, .error = error};
    size_t room = 2 * (size_t)sight->vis.row_bytes;
    uint8_t *packed = bspi_arena_raw(&sight->arena, room, 1, error);
    if (packed == NULL) {
        return false;
    }
    identify(sight->portals, sight->distance, digest);
    bspi_buffer_add(&out, MAGIC, MAGIC_SIZE);
    bspi_buffer_add(&out, digest, sizeof digest);
    bspi_buffer_u32(&out, sight->share + 1, false);
    bspi_buffer_u32(&out, sight->num_shares, false);
    bspi_buffer_u32(&out, sight->vis.num_clusters, false);
    bspi_buffer_u32(&out, bspi_sight_share_size(sight, sight->share), false);
    add_rows(sight, &out, packed);
    if (!out.failed) {
        bspi_buffer_u32(&out, bsp_crc32(0, (bsp_bytes){out.data, out.size}), false);
    }
    bool done = !out.failed && bspi_buffer_give(&out, blob);
    if (!done) {
        bspi_buffer_free(&out);
    }
    return done;
}

// --- reading ------------------------------------------------------------------------------------

// Takes one packed row of the front of `bytes`. Returns false if there is none.
static bool take_row(bsp_bytes *bytes, uint8_t *row, size_t row_bytes) {
    size_t size = 0;
    size_t at = 0;
    while (at < row_bytes && size < bytes->size) {
        bool run = bytes->data[size] == 0;
        if (run && size + 1 == bytes->size) {
            return false;
        }
        at += run ? bytes->data[size + 1] : 1u;
        size += run ? 2 : 1;
    }
    bool good = at == row_bytes && bsp_vis_unpack((bsp_bytes){bytes->data, size}, row, row_bytes);
    *bytes = (bsp_bytes){bytes->data + size, bytes->size - size};
    return good;
}

static bool take_part(bspi_sight *sight, const bsp_vis_part *part, bsp_error *error) {
    bsp_bytes bytes = part->rows;
    uint32_t alone = bspi_sight_alone(sight);
    uint32_t share = part->number - 1;
    uint32_t count = bspi_sight_share_size(sight, share);
    bool good = part->num_rows == count;
    for (uint32_t i = 0; good && i < count; i++) {
        size_t place = (size_t)alone + share + (size_t)i * sight->num_shares;
        good = take_row(&bytes, sight->shares + place * sight->vis.row_bytes, sight->vis.row_bytes);
    }
    return good && bytes.size == 0
               ? true
               : bsp_fail(error, BSP_E_DAMAGED, NULL, "part %u of %u is damaged",
                          (unsigned)part->number, (unsigned)part->count);
}

bool bspi_sight_take_shares(bspi_sight *sight, const bsp_bytes *parts, uint32_t count,
                            bsp_error *error) {
    bool *taken = NULL;
    for (uint32_t i = 0; i < count; i++) {
        bsp_vis_part part;
        if (!bsp_vis_part_read(parts[i], sight->portals, sight->distance, &part, error)) {
            return false;
        }
        if (taken == NULL) {
            sight->num_shares = part.count;
            taken = bspi_arena_zero(&sight->arena, part.count, sizeof *taken, error);
        }
        if (taken == NULL || !bspi_sight_make_shares(sight, error)) {
            return false;
        }
        if (part.count != sight->num_shares || taken[part.number - 1]) {
            return bsp_fail(
                error, BSP_E_ARGUMENT, NULL,
                part.count != sight->num_shares ? "part %u of %u is not one of %u parts"
                                                : "part %u of %u is there twice, of %u parts",
                (unsigned)part.number, (unsigned)part.count, (unsigned)sight->num_shares);
        }
        taken[part.number - 1] = true;
        if (!take_part(sight, &part, error)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < sight->num_shares; i++) {
        if (!taken[i]) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL, "part %u of %u is missing",
                            (unsigned)(i + 1), (unsigned)sight->num_shares);
        }
    }
    return true;
}

bool bspi_sight_make_shares(bspi_sight *sight, bsp_error *error) {
    if (sight->shares == NULL) {
        sight->shares =
            bspi_arena_zero(&sight->arena, sight->num_gates, sight->vis.row_bytes, error);
    }
    return sight->shares != NULL;
}
