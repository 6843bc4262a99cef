// SPDX-License-Identifier: MIT
// Parts of the visibility of one map: packed rows.
#include "bake/result/part.h"
#include "bake/vis/sight.h"

#include "bspkit/visibility.h"
#include "core/options.h"
#include "core/reader.h"

#include <assert.h>
#include <string.h>

#define HEAD 8u // bytes of a part's body: the numbers of clusters and rows

// --- what a part is of --------------------------------------------------------------------------

static void add_real(bspi_sha256 *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bspi_digest_u32(sum, (uint32_t)bits);
    bspi_digest_u32(sum, (uint32_t)(bits >> 32));
}

static bspi_part_of identify(const bsp_portals *portals, double distance) {
    bspi_part_of of = {.magic = "BSPKITVIS PART 2", .work = "visibility"};
    bspi_sha256 sum;
    bspi_sha256_begin(&sum);
    bspi_digest_u32(&sum, portals->num_clusters);
    bspi_digest_u32(&sum, portals->count);
    add_real(&sum, distance);
    for (uint32_t i = 0; i < portals->count; i++) {
        const bsp_portal *portal = &portals->list[i];
        bspi_digest_u32(&sum, portal->clusters[0]);
        bspi_digest_u32(&sum, portal->clusters[1]);
        bspi_digest_u32(&sum, portal->num_points);
        for (int k = 0; k < 3; k++) {
            add_real(&sum, portal->normal[k]);
        }
        add_real(&sum, portal->dist);
        for (uint32_t k = 0; k < 3 * portal->num_points; k++) {
            add_real(&sum, portals->points[portal->first_point + k / 3][k % 3]);
        }
    }
    bspi_sha256_end(&sum, of.digest);
    return of;
}

static bool read_body(const bspi_part *part, const bsp_portals *portals, bsp_vis_part *out,
                      bsp_error *error) {
    *out = (bsp_vis_part){0};
    if (part->body.size < HEAD || bspi_load32(part->body.data, false) != portals->num_clusters) {
        return bspi_part_damaged(part, error);
    }
    *out = (bsp_vis_part){.number = part->number,
                          .count = part->count,
                          .num_rows = bspi_load32(part->body.data + 4, false),
                          .rows = {part->body.data + HEAD, part->body.size - HEAD}};
    return true;
}

bool bsp_vis_part_read(bsp_bytes bytes, const bsp_portals *portals, double distance,
                       bsp_vis_part *out, bsp_error *error) {
    assert(portals != NULL && out != NULL && (bytes.data != NULL || bytes.size == 0));
    const bspi_part_of of = identify(portals, distance);
    bspi_part part;
    *out = (bsp_vis_part){0};
    return bspi_part_read(bytes, &of, false, &part, error) && read_body(&part, portals, out, error);
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
    const bspi_part_of of = identify(sight->portals, sight->distance);
    bspi_buffer out = {.heap = &sight->heap, .error = error};
    size_t room = 2 * (size_t)sight->vis.row_bytes;
    uint8_t *packed = bspi_arena_raw(&sight->arena, room, 1, error);
    if (packed == NULL) {
        return false;
    }
    bspi_part_begin(&out, &of, sight->share + 1, sight->num_shares);
    bspi_buffer_u32(&out, sight->vis.num_clusters, false);
    bspi_buffer_u32(&out, bspi_sight_share_size(sight, sight->share), false);
    add_rows(sight, &out, packed);
    return bspi_part_end(&out, &of, blob);
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

static bool take_part(void *user, const bspi_part *part, bsp_error *error) {
    bspi_sight *sight = user;
    bsp_vis_part read;
    sight->num_shares = part->count;
    if (!bspi_sight_make_shares(sight, error) || !read_body(part, sight->portals, &read, error)) {
        return false;
    }
    bsp_bytes bytes = read.rows;
    uint32_t alone = bspi_sight_alone(sight);
    uint32_t share = part->number - 1;
    uint32_t count = bspi_sight_share_size(sight, share);
    bool good = read.num_rows == count;
    for (uint32_t i = 0; good && i < count; i++) {
        size_t place = (size_t)alone + share + (size_t)i * sight->num_shares;
        good = take_row(&bytes, sight->shares + place * sight->vis.row_bytes, sight->vis.row_bytes);
    }
    return (good && bytes.size == 0) || bspi_part_damaged(part, error);
}

bool bspi_sight_take_shares(bspi_sight *sight, const bsp_bytes *parts, uint32_t count,
                            bsp_error *error) {
    const bspi_part_of of = identify(sight->portals, sight->distance);
    return bspi_parts_take(parts, count, &of, &sight->arena, take_part, sight, error);
}

bool bspi_sight_make_shares(bspi_sight *sight, bsp_error *error) {
    if (sight->shares == NULL) {
        sight->shares =
            bspi_arena_zero(&sight->arena, sight->num_gates, sight->vis.row_bytes, error);
    }
    return sight->shares != NULL;
}
