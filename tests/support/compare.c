// SPDX-License-Identifier: MIT
// Driven by the arrays and members of the map (map/members.h) and by the members that layouts
// store.
#include "support/compare.h"

#include "formats/map_members.h"
#include "map/members.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint32_t count_of(const bsp_map *map, const bspi_array *array) {
    uint32_t count;
    memcpy(&count, (const uint8_t *)map + array->count, sizeof count);
    return count;
}

static const uint8_t *data_of(const bsp_map *map, const bspi_array *array) {
    const uint8_t *data;
    memcpy(&data, (const uint8_t *)map + array->pointer, sizeof data);
    return data;
}

// --- equality -----------------------------------------------------------------------------------

// The offset of a row of visibility may differ.
static bool is_compared(uint16_t map_member) {
    return map_member != BSPI_MEMBER_leaf_vis_offset;
}

static void compare_member(const bspi_array *array, const bspi_member *member, uint32_t elements,
                           const bsp_map *want, const bsp_map *got) {
    uint32_t shared = elements < member->count ? elements : member->count;
    size_t size = shared * bsp_type_size(member->type);
    for (uint32_t r = 0; r < count_of(want, array); r++) {
        size_t at = r * array->structure->size + member->offset;
        if (memcmp(data_of(want, array) + at, data_of(got, array) + at, size) != 0) {
            fail_msg("%s: %s[%u], member %u differs", want->branch->name,
                     bsp_table_id_name(array->id), r, member->map_member);
        }
    }
}

static void compare_array(const bspi_array *array, const bsp_map *want, const bsp_map *got,
                          const bsp_branch *branch, uint32_t version) {
    if (room_layout(branch, array->id, version) == NULL) {
        return;
    }
    if (count_of(want, array) != count_of(got, array)) {
        fail_msg("%s: %u %s, not %u", branch->name, count_of(got, array),
                 bsp_table_id_name(array->id), count_of(want, array));
    }
    for (uint32_t i = 0; i < array->structure->num_members; i++) {
        const bspi_member *member = &array->structure->members[i];
        uint32_t elements = room_elements(branch, array->id, member->map_member, version);
        if (elements != 0 && is_compared(member->map_member)) {
            compare_member(array, member, elements, want, got);
        }
    }
}

static void compare_names(const bsp_map *want, const bsp_map *got, const bspi_names *row) {
    const bsp_text *names[2];
    uint32_t counts[2];
    for (int i = 0; i < 2; i++) {
        const uint8_t *map = (const uint8_t *)(i == 0 ? want : got);
        memcpy(&names[i], map + row->pointer, sizeof names[i]);
        memcpy(&counts[i], map + row->count, sizeof counts[i]);
    }
    assert_int_equal(counts[0], counts[1]);
    for (uint32_t i = 0; i < counts[0]; i++) {
        assert_true(bsp_text_equal(names[0][i], names[1][i]));
    }
}

static bsp_bytes view_of(const bsp_map *map, const bspi_view *row) {
    bsp_bytes view;
    memcpy(&view, (const uint8_t *)map + row->view, sizeof view);
    return view;
}

static void compare_bytes(bsp_bytes want, bsp_bytes got) {
    assert_int_equal(want.size, got.size);
    assert_true(want.size == 0 || memcmp(want.data, got.data, want.size) == 0);
}

static void compare_materials(const bsp_map *want, const bsp_map *got) {
    assert_int_equal(want->num_materials, got->num_materials);
    for (uint32_t i = 0; i < want->num_materials; i++) {
        const bsp_material *a = &want->materials[i];
        const bsp_material *b = &got->materials[i];
        assert_true(bsp_text_equal(a->name, b->name));
        assert_int_equal(a->width, b->width);
        assert_int_equal(a->height, b->height);
        for (int m = 0; m < 4; m++) {
            compare_bytes(a->mips[m], b->mips[m]);
        }
        compare_bytes(a->palette, b->palette);
    }
}

static void compare_visibility(const bsp_map *want, const bsp_map *got) {
    uint32_t count = want->visibility.num_clusters;
    assert_int_equal(count, got->visibility.num_clusters);
    for (uint32_t c = 0; c < count; c++) {
        for (int heard = 0; heard < 2; heard++) {
            uint8_t a[1024] = {0};
            uint8_t b[1024] = {0};
            assert_true(want->visibility.row_bytes <= sizeof a);
            assert_true(got->visibility.row_bytes <= sizeof b);
            bsp_map_visible(want, c, heard, a);
            bsp_map_visible(got, c, heard, b);
            for (uint32_t bit = 0; bit < count; bit++) {
                assert_int_equal(a[bit / 8] >> (bit % 8) & 1, b[bit / 8] >> (bit % 8) & 1);
            }
        }
    }
}

void compare_maps(const bsp_map *want, const bsp_map *got, const bsp_branch *branch,
                  uint32_t props) {
    uint32_t num_arrays;
    const bspi_array *arrays = bspi_arrays(&num_arrays);
    for (uint32_t a = 0; a < num_arrays; a++) {
        if (arrays[a].id != BSP_ID_TEXTURES ||
            room_layout(branch, BSP_ID_TEXTURES, props) != NULL) {
            compare_array(&arrays[a], want, got, branch, props);
        }
    }
    compare_materials(want, got);
    compare_visibility(want, got);
    uint32_t num_names;
    const bspi_names *names = bspi_names_arrays(&num_names);
    for (uint32_t i = 0; i < num_names; i++) {
        compare_names(want, got, &names[i]);
    }
    uint32_t num_views;
    const bspi_view *views = bspi_views(&num_views);
    for (uint32_t i = 0; i < num_views; i++) {
        compare_bytes(view_of(want, &views[i]), view_of(got, &views[i]));
    }
    assert_int_equal(want->entities->count, got->entities->count);
}

// --- hash ---------------------------------------------------------------------------------------

// Returns the elements of a member that every branch of the family stores.
static uint32_t shared_elements(bsp_family family, bsp_table_id id, const bspi_member *member) {
    const bsp_branch *branch;
    uint32_t shared = member->count;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        if (branch->family == family && !branch->opaque) {
            uint32_t elements = room_elements(branch, id, member->map_member, 0);
            shared = elements < shared ? elements : shared;
        }
    }
    return shared;
}

// FNV-1a.
static uint64_t add_bytes(uint64_t hash, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

// Is it where light is on pages of one size?
static bool is_on_page(uint16_t map_member) {
    return map_member == BSPI_MEMBER_face_light_page || map_member == BSPI_MEMBER_face_light_x ||
           map_member == BSPI_MEMBER_face_light_y || map_member == BSPI_MEMBER_draw_vert_light_uv;
}

// Hexen II has more clip hulls than Quake, with their own planes after all others. The beta of
// Half-Life 2 has fewer fields in its faces, but not in those of the HDR lump. Light offsets count
// bytes, and luxels differ in size.
static bool is_shared(bsp_table_id id, uint16_t map_member) {
    return id != BSP_ID_FACES_HDR && id != BSP_ID_CLIPNODES && id != BSP_ID_PLANES &&
           map_member != BSPI_MEMBER_model_headnodes &&
           map_member != BSPI_MEMBER_face_light_offset && is_compared(map_member);
}

static uint64_t add_text(uint64_t hash, bsp_text text) {
    return add_bytes(add_bytes(hash, (const uint8_t *)text.data, text.size), (const uint8_t *)"",
                     1);
}

uint64_t hash_shared(const bsp_map *map, const bsp_branch *branch, bool pages) {
    uint64_t hash = UINT64_C(14695981039346656037);
    uint32_t num_arrays;
    const bspi_array *arrays = bspi_arrays(&num_arrays);
    for (uint32_t a = 0; a < num_arrays; a++) {
        const bspi_struct *structure = arrays[a].structure;
        for (uint32_t i = 0; i < structure->num_members; i++) {
            const bspi_member *member = &structure->members[i];
            uint32_t shared = shared_elements(branch->family, arrays[a].id, member);
            bool counts = is_shared(arrays[a].id, member->map_member) && shared != 0 &&
                          (pages || !is_on_page(member->map_member));
            for (uint32_t r = 0; counts && r < count_of(map, &arrays[a]); r++) {
                hash =
                    add_bytes(hash, data_of(map, &arrays[a]) + r * structure->size + member->offset,
                              shared * bsp_type_size(member->type));
            }
        }
    }
    for (uint32_t i = 0; i < map->num_materials; i++) {
        hash = add_text(hash, map->materials[i].name);
    }
    return add_text(hash, map->entities->text);
}
