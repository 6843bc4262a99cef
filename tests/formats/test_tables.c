// SPDX-License-Identifier: MIT
// Rules that every table of every branch keeps: rows cover each bit of a record once, what points
// has somewhere to point, what becomes a member of the map fits it.
#include "core/issue_kinds.h"
#include "formats/map_members.h"
#include "map/members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef void layout_test(const bsp_layout *layout, bsp_table_id id);

static void visit_lists(layout_test *test, const bsp_section_list *lists, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t s = 0; s < lists[i].num_sections; s++) {
            test(lists[i].sections[s].layout, lists[i].sections[s].id);
        }
    }
}

static void visit_branch(layout_test *test, const bsp_branch *branch) {
    const bsp_shape *shape = bsp_branch_shape(branch);
    test(shape->head, BSP_ID_NONE);
    test(shape->entry, BSP_ID_NONE);
    if (shape->tail != NULL) {
        test(shape->tail, BSP_ID_NONE);
    }
    for (uint32_t i = 0; i < branch->num_lumps; i++) {
        const bsp_lump_def *def = &branch->lumps[i];
        for (uint32_t v = 0; v < def->num_variants; v++) {
            test(def->variants[v].layout, def->id);
        }
        visit_lists(test, def->section_lists, def->num_section_lists);
    }
    for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
        visit_lists(test, branch->game_lumps[i].section_lists,
                    branch->game_lumps[i].num_section_lists);
    }
}

static void for_each_layout(layout_test *test) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        visit_branch(test, branch);
    }
}

// --- layouts ------------------------------------------------------------------------------------

// How often each bit of a record is claimed.
static void claim(const bsp_layout *layout, uint8_t *bits) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        size_t width = bsp_type_size(field->type) * 8;
        size_t first = bsp_layout_offset(layout, f) * 8 + field->shift;
        size_t count = field->bits != 0 ? field->bits : width * field->count;
        assert_true(field->count >= 1);
        assert_true(field->bits == 0 || (field->count == 1 && field->type != BSP_F32));
        assert_true(field->shift + field->bits <= width);
        if (first + count > (size_t)layout->size * 8) {
            fail_msg("%s.%s ends behind byte %u", layout->name, field->name, layout->size);
        }
        for (size_t b = 0; b < count; b++) {
            bits[first + b]++;
        }
    }
}

static void check_cover(const bsp_layout *layout, bsp_table_id id) {
    (void)id;
    uint8_t *bits = calloc((size_t)layout->size, 8);
    assert_non_null(bits);
    claim(layout, bits);
    for (size_t b = 0; b < (size_t)layout->size * 8; b++) {
        if (bits[b] != 1) {
            fail_msg("%s: byte %zu, bit %zu is in %u fields", layout->name, b / 8, b % 8, bits[b]);
        }
    }
    free(bits);
}

static void test_cover(void **state) {
    (void)state;
    for_each_layout(check_cover);
}

static bool needs_target(bsp_role role) {
    switch (role) {
    case BSP_ROLE_INDEX:
    case BSP_ROLE_INDEX_NONE:
    case BSP_ROLE_FIRST:
    case BSP_ROLE_COUNT:
    case BSP_ROLE_SURFEDGE:
    case BSP_ROLE_OFFSET:
    case BSP_ROLE_OFFSET_NONE:
        return true;
    default:
        return false;
    }
}

static uint32_t count_roles(const bsp_layout *layout, bsp_role role, uint16_t target) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        count += layout->fields[f].role == role && layout->fields[f].target == target ? 1 : 0;
    }
    return count;
}

static void check_roles(const bsp_layout *layout, bsp_table_id id) {
    (void)id;
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        if (needs_target(field->role) != (field->target != BSP_ID_NONE)) {
            fail_msg("%s.%s: target %u", layout->name, field->name, field->target);
        }
        assert_true(field->target < BSP_ID_COUNT);
        bool run = field->role == BSP_ROLE_FIRST || field->role == BSP_ROLE_COUNT;
        if (run && (count_roles(layout, BSP_ROLE_FIRST, field->target) !=
                        count_roles(layout, BSP_ROLE_COUNT, field->target) ||
                    field->count != 1)) {
            fail_msg("%s.%s: a run is a first and a count", layout->name, field->name);
        }
        bool integer = field->type != BSP_F32 && field->type != BSP_CHAR && field->type != BSP_PAD;
        assert_true(integer || !needs_target(field->role));
    }
}

static void test_roles(void **state) {
    (void)state;
    for_each_layout(check_roles);
}

// An index into a kind of table that no lump of the branch holds could never be right.
static void check_targets(const bsp_branch *branch, const bsp_layout *layout) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        uint16_t target = layout->fields[f].target;
        bool prop = target >= BSP_ID_STATIC_PROPS && target <= BSP_ID_DETAIL_LIGHT_HDR;
        if (target != BSP_ID_NONE && !prop &&
            bsp_branch_lump_of(branch, (bsp_table_id)target) == NULL) {
            fail_msg("%s: %s.%s points at %s, which it has not", branch->name, layout->name,
                     layout->fields[f].name, bsp_table_id_name((bsp_table_id)target));
        }
    }
}

static void test_targets(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        for (uint32_t n = 0; n < bsp_branch_shape(branch)->num_lumps; n++) {
            const bsp_lump_def *def = bsp_branch_lump(branch, n);
            for (uint32_t v = 0; def != NULL && v < def->num_variants; v++) {
                check_targets(branch, def->variants[v].layout);
            }
        }
    }
}

// --- members ------------------------------------------------------------------------------------

// A few fields have more elements than the map keeps.
static bool is_cut(const bsp_layout *layout, const bsp_field *field) {
    static const char *const known[][2] = {
        {"dface_vampire_t", "styles"}, // the first four of eight
        {"dface_original_vampire_t", "styles"},
        {"sin_dface_t", "styles"}, // of 16
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(layout->name, known[i][0]) == 0 && strcmp(field->name, known[i][1]) == 0) {
            return true;
        }
    }
    return false;
}

// Facts of directories, and names: no members of the map's structures.
static bool is_other(uint16_t map_member) {
    return map_member >= BSPI_MEMBER_head_version && map_member < BSPI_MEMBER_COUNT;
}

// Layouts that several lumps share, one of which is not in the map; and the light of original
// faces, which is never filled.
static bool is_dropped(bsp_table_id id, uint16_t map_member) {
    bool light =
        map_member >= BSPI_MEMBER_face_light_styles && map_member <= BSPI_MEMBER_face_light_height;
    return (id == BSP_ID_ORIGINAL_FACES && light) ||
           (id == BSP_ID_PROP_HULL_VERTS && map_member == BSPI_MEMBER_vertex_point);
}

static const bspi_member *member_in_arrays(bsp_table_id id, uint16_t map_member) {
    uint32_t count;
    const bspi_array *arrays = bspi_arrays(&count);
    const bspi_member *found = NULL;
    for (uint32_t i = 0; found == NULL && i < count; i++) {
        found = arrays[i].id == id ? bspi_struct_find(arrays[i].structure, map_member) : NULL;
    }
    return found;
}

static void check_feeds(const bsp_layout *layout, bsp_table_id id) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        assert_true(field->map_member < BSPI_MEMBER_COUNT);
        for (uint32_t before = 0; field->map_member != 0 && before < f; before++) {
            assert_int_not_equal(layout->fields[before].map_member, field->map_member);
        }
        if (field->map_member == BSPI_MEMBER_NONE || is_other(field->map_member) ||
            is_dropped(id, field->map_member)) {
            continue;
        }
        const bspi_member *member = member_in_arrays(id, field->map_member);
        if (member == NULL || member != bspi_member_of(field->map_member)) {
            fail_msg("%s.%s becomes nothing that %s fill", layout->name, field->name,
                     bsp_table_id_name(id));
            return;
        }
        if (field->count > member->count && !is_cut(layout, field)) {
            fail_msg("%s.%s has %u elements, the map %u", layout->name, field->name, field->count,
                     member->count);
        }
        assert_true(field->type != BSP_PAD);
    }
}

static void test_feeds(void **state) {
    (void)state;
    for_each_layout(check_feeds);
}

// Every member is the row of the manifest that its number says, and lies in its structure.
static void test_members(void **state) {
    (void)state;
    uint32_t count;
    const bspi_array *arrays = bspi_arrays(&count);
    for (uint32_t a = 0; a < count; a++) {
        const bspi_struct *structure = arrays[a].structure;
        size_t end = 0;
        for (uint32_t m = 0; m < structure->num_members; m++) {
            const bspi_member *member = &structure->members[m];
            assert_ptr_equal(bspi_member_of(member->map_member), member);
            end = member->offset + bsp_type_size(member->type) * member->count;
            assert_true(end <= structure->size);
        }
    }
    assert_null(bspi_member_of(BSPI_MEMBER_NONE));
    assert_null(bspi_member_of(BSPI_MEMBER_entry_offset));
}

// --- branches -----------------------------------------------------------------------------------

static void check_rows(const bsp_branch *branch) {
    const bsp_shape *shape = bsp_branch_shape(branch);
    for (uint32_t i = 0; i < branch->num_lumps; i++) {
        const bsp_lump_def *def = &branch->lumps[i];
        assert_true(def->index < shape->num_lumps);
        assert_true(i == 0 || branch->lumps[i - 1].index < def->index);
        assert_true(def->name[0] != '\0');
        assert_true(strlen(def->name) < sizeof((bsp_place *)0)->lump);
        bool records = def->kind == BSP_KIND_ARRAY || def->kind == BSP_KIND_GAME ||
                       def->kind == BSP_KIND_TEXTURES;
        assert_int_equal(records, def->num_variants != 0);
        assert_int_equal(def->kind == BSP_KIND_SECTIONS, def->num_section_lists != 0);
    }
    for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
        assert_int_equal(strlen(branch->game_lumps[i].id), 4);
        assert_true(branch->game_lumps[i].num_section_lists != 0);
    }
}

// Names and kinds of table, its own and inherited, say one lump each.
static void check_names(const bsp_branch *branch) {
    uint32_t num_lumps = bsp_branch_shape(branch)->num_lumps;
    for (uint32_t a = 0; a < num_lumps; a++) {
        const bsp_lump_def *one = bsp_branch_lump(branch, a);
        for (uint32_t b = 0; one != NULL && b < a; b++) {
            const bsp_lump_def *other = bsp_branch_lump(branch, b);
            if (other == NULL) {
                continue;
            }
            assert_string_not_equal(one->name, other->name);
            bool named = one->id != BSP_ID_NONE && one->id != BSP_ID_UNUSED;
            if (named && one->id == other->id) {
                fail_msg("%s: %s and %s both hold %s", branch->name, one->name, other->name,
                         bsp_table_id_name(one->id));
            }
        }
    }
}

static void test_branches(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        bool base_seen = branch->base == NULL;
        for (size_t before = 0; before < i; before++) {
            assert_string_not_equal(branch->name, bsp_branch_at(before)->name);
            base_seen = base_seen || bsp_branch_at(before) == branch->base;
        }
        assert_true(base_seen);
        assert_ptr_equal(bsp_branch_find(branch->name), branch);
        assert_true(branch->title[0] != '\0');
        assert_non_null(bsp_branch_shape(branch));
        assert_non_null(bsp_branch_traits(branch));
        assert_true(bsp_branch_traits(branch)->num_hulls <= BSP_MAX_HULLS);
        assert_true(bsp_branch_shape(branch)->alignment != 0);
        check_rows(branch);
        check_names(branch);
    }
    assert_null(bsp_branch_find("no such branch"));
}

// --- names --------------------------------------------------------------------------------------

static void test_table_names(void **state) {
    (void)state;
    for (int id = 0; id < BSP_ID_COUNT; id++) {
        const char *name = bsp_table_id_name((bsp_table_id)id);
        if (name == NULL || name[0] == '\0') {
            fail_msg("table id %d has no name", id);
        }
        for (int before = 0; before < id; before++) {
            assert_string_not_equal(name, bsp_table_id_name((bsp_table_id)before));
        }
    }
    for (int type = BSP_U8; type <= BSP_PAD; type++) {
        assert_non_null(bsp_type_name((bsp_type)type));
    }
    for (int role = BSP_ROLE_VALUE; role <= BSP_ROLE_NORMAL; role++) {
        assert_non_null(bsp_role_name((bsp_role)role));
    }
    for (int kind = BSP_KIND_BYTES; kind <= BSP_KIND_ZIP; kind++) {
        assert_non_null(bsp_kind_name((bsp_lump_kind)kind));
    }
    assert_string_equal(bsp_kind_name(BSP_KIND_ZIP), "zip");
    assert_string_equal(bsp_role_name(BSP_ROLE_NORMAL), "normal");
    assert_string_equal(bsp_type_name(BSP_PAD), "pad");
    assert_string_equal(bsp_family_name(BSP_TITANFALL), "titanfall");
}

static void test_issue_kinds(void **state) {
    (void)state;
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    assert_int_equal(count, BSPI_ISSUE_COUNT);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || strcmp(kinds[i - 1].id, kinds[i].id) < 0);
        assert_true(kinds[i].summary[0] != '\0' && kinds[i].explanation[0] != '\0');
        assert_true(kinds[i].severity >= BSP_NOTE && kinds[i].severity <= BSP_ERROR);
        assert_int_equal(strspn(kinds[i].id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(kinds[i].id));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),       cmocka_unit_test(test_roles),
        cmocka_unit_test(test_targets),     cmocka_unit_test(test_feeds),
        cmocka_unit_test(test_members),     cmocka_unit_test(test_branches),
        cmocka_unit_test(test_table_names), cmocka_unit_test(test_issue_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
