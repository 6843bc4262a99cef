// SPDX-License-Identifier: MIT
// The splitters of composite lumps, on lumps written here byte by byte: where each part must lie,
// at which byte each damage is told, and that no cut or changed byte makes parts overlap.
#include "support/splitting.h"

#include "bspkit/visibility.h"

// --- textures ------------------------------------------------------------------------------------

// An 8 x 8 texture: four mips of 64, 16, 4 and 1 bytes.
static void put_texture(blob *b, const char *name) {
    size_t start = b->size;
    put_text(b, name);
    fill(b, 0, 16 - strlen(name));
    put32(b, 8);
    put32(b, 8);
    put32(b, 40);
    put32(b, 104);
    put32(b, 120);
    put32(b, 124);
    fill(b, 9, 85);
    assert_int_equal(b->size - start, 125);
}

static blob texture_lump(void) {
    blob b = {.size = 0};
    put32(&b, 5);
    put32(&b, 24);
    put32(&b, 0xffffffff); // missing
    put32(&b, 24);         // the first once more
    put32(&b, 0x00fffff0); // garbage
    put32(&b, 924);
    put_texture(&b, "wall");
    put16(&b, 256);
    fill(&b, 1, 768);
    fill(&b, 0, 924 - b.size);
    put_texture(&b, "floor");
    return b;
}

static void test_textures(void **state) {
    (void)state;
    blob b = texture_lump();
    taken t;
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_part(&t, "nummiptex", 0, 0, 4);
    assert_part(&t, "dofs", 0, 4, 20);
    assert_part(&t, "miptex", 0, 24, 40);
    assert_part(&t, "mip", 0, 64, 64);
    assert_part(&t, "mip", 3, 148, 1);
    assert_part(&t, "count", 0, 149, 2);
    assert_part(&t, "colors", 0, 151, 768);
    assert_part(&t, "miptex", 1, 924, 40);
    assert_null(find(&t, "miptex", 2));
    assert_null(find(&t, "palette", 1)); // Quake: none behind the last mip
    for (uint32_t i = 1; i < 4; i++) {   // an entry of the list for each offset
        const bsp_part *empty = find(&t, "texture", i);
        assert_int_equal(empty->end, (uint32_t)(empty - t.parse.parts) + 1);
    }
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", 16);
    give(&t);
    torture(&b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
}

static void test_texture_sizes(void **state) {
    (void)state;
    blob b = texture_lump();
    set32(&b, 24 + 16, 0xffffffff); // 2^32 - 1 squared, and its halves
    set32(&b, 24 + 20, 0xffffffff);
    set32(&b, 924 + 28, 60); // mip 1 would lie in mip 0
    taken t;
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_issues(&t, 6);
    assert_issue(&t, 1, "lump-bad-structure", 24 + 24);
    assert_issue(&t, 5, "lump-bad-structure", 924 + 28);
    assert_part(&t, "mip", 0, 964, 64);
    assert_part(&t, "mip", 1, 924 + 120, 4);
    give(&t);
    // An external texture has no pixels; that is no issue.
    for (size_t mip = 0; mip < 4; mip++) {
        set32(&b, 24 + 24 + mip * 4, 0);
    }
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_issues(&t, 2);
    give(&t);
}

// --- visibility ----------------------------------------------------------------------------------

static void test_visibility_parts(void **state) {
    (void)state;
    blob b = {.size = 0};
    put32(&b, 2);
    fill(&b, 0, 16);
    fill(&b, 0xff, 3);
    taken t;
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    assert_part(&t, "numclusters", 0, 0, 4);
    assert_part(&t, "byteofs", 0, 4, 16);
    assert_part(&t, "rows", 0, 20, 3);
    assert_issues(&t, 0);
    give(&t);
    torture(&b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    torture(&b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_MATRIX);
    set32(&b, 0, 0xffffffff);
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    assert_issue(&t, 0, "lump-bad-structure", 4);
    give(&t);
    set32(&b, 0, 3); // 3 clusters of 5 bytes, and 11 bytes too many to be there
    set32(&b, 4, 5);
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_MATRIX);
    assert_part(&t, "head", 0, 0, 8);
    assert_part(&t, "rows", 0, 8, 15);
    assert_issues(&t, 0);
    give(&t);
}

static void assert_row(const char *packed, size_t size, bool whole, const char *row) {
    uint8_t out[6] = {1, 1, 1, 1, 1, 1};
    assert_int_equal(bsp_vis_unpack((bsp_bytes){(const uint8_t *)packed, size}, out, 6), whole);
    assert_memory_equal(out, row, 6);
}

static void test_vis_unpack(void **state) {
    (void)state;
    assert_row("\7\0\4\3", 4, true, "\7\0\0\0\0\3");
    assert_row("\7\0\5\3", 4, true, "\7\0\0\0\0\0");
    assert_row("\7\0\0\0\5", 5, true, "\7\0\0\0\0\0");
    assert_row("\1\2\3\4\5\6\7", 7, true, "\1\2\3\4\5\6");
    assert_row("\7\0\6", 3, false, "\7\0\0\0\0\0");   // a run past the end
    assert_row("\7\0\2\3", 4, false, "\7\0\0\3\0\0"); // the data ends
    assert_row("\7\0", 2, false, "\7\0\0\0\0\0");     // in a run
    assert_row("", 0, false, "\0\0\0\0\0\0");
    assert_true(bsp_vis_unpack((bsp_bytes){NULL, 0}, NULL, 0));
}

// The plainest encoder: a run of zeros (255 at most) or a byte.
static size_t encode(const uint8_t *row, size_t size, uint8_t *out) {
    size_t n = 0;
    for (size_t i = 0; i < size;) {
        if (row[i] != 0) {
            out[n++] = row[i++];
            continue;
        }
        uint8_t run = 0;
        while (i < size && row[i] == 0 && run < 255) {
            run++;
            i++;
        }
        out[n++] = 0;
        out[n++] = run;
    }
    return n;
}

static void test_vis_round_trip(void **state) {
    (void)state;
    uint32_t seed = 1;
    uint8_t row[700];
    uint8_t packed[1400];
    uint8_t out[700];
    for (int round = 0; round < 3000; round++) {
        seed = seed * 1664525u + 1013904223u;
        size_t size = seed % (sizeof row + 1);
        uint32_t rarity = 1u << (seed >> 28);
        for (size_t i = 0; i < size; i++) {
            seed = seed * 1664525u + 1013904223u;
            row[i] = (seed >> 8) % rarity == 0 ? (uint8_t)(seed >> 24) : 0;
        }
        size_t used = encode(row, size, packed);
        assert_true(bsp_vis_unpack((bsp_bytes){packed, used}, out, size));
        assert_memory_equal(out, row, size);
        if (used != 0) {
            assert_false(bsp_vis_unpack((bsp_bytes){packed, used - 1}, out, size));
        }
    }
}

// --- displacement samples ------------------------------------------------------------------------

static void test_samples(void **state) {
    (void)state;
    static const uint8_t bytes[] = {1, 9,   9, 9, 0, 0, 0, 0, 255, 0, 1, 2,
                                    3, 255, 7, 1, 2, 3, 5, 6, 7,   8, 2, 2};
    blob b = {.size = sizeof bytes};
    memcpy(b.bytes, bytes, sizeof bytes);
    taken t;
    take(&t, &b, bspi_parse_samples, "SAMPLES", BSP_KIND_SAMPLES);
    assert_part(&t, "samples", 0, 0, 8);
    assert_part(&t, "samples", 1, 8, 10);
    assert_int_equal(find(&t, "samples", 1)->layout->size, 5);
    assert_part(&t, "samples", 2, 18, 4);
    assert_part(&t, "rest", 0, 22, 2);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", 22);
    give(&t);
    torture(&b, bspi_parse_samples, "SAMPLES", BSP_KIND_SAMPLES);
}

// --- layouts -------------------------------------------------------------------------------------

// Rows cover each record once.
static void test_layouts(void **state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        const bspi_ivp *ivp = bspi_ivp_layouts(form == 1);
        const bsp_layout *const all[] = {ivp->surface, ivp->ledge, ivp->triangle, ivp->point,
                                         ivp->node};
        for (size_t i = 0; i < 5; i++) {
            const bsp_field *last = &all[i]->fields[all[i]->num_fields - 1];
            size_t end = bsp_layout_offset(all[i], all[i]->num_fields - 1) +
                         bsp_type_size(last->type) * last->count;
            assert_int_equal(end, all[i]->size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textures),         cmocka_unit_test(test_texture_sizes),
        cmocka_unit_test(test_visibility_parts), cmocka_unit_test(test_vis_unpack),
        cmocka_unit_test(test_vis_round_trip),   cmocka_unit_test(test_samples),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
