// SPDX-License-Identifier: MIT
// Two lists of entities: what is said to differ, applied to the first, gives the second; and which
// entity is which, by hand.
#include "bspkit/compare.h"
#include "support/alloc.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 400
#define MOST_ENTITIES 24
#define MOST_PAIRS 8
#define ROOM 16384

// --- random lists -------------------------------------------------------------------------------

typedef struct made {
    char key[12];
    char value[12];
} made;

typedef struct made_entity {
    made pairs[MOST_PAIRS];
    unsigned count;
} made_entity;

typedef struct made_list {
    made_entity list[MOST_ENTITIES];
    unsigned count;
    char text[ROOM];
} made_list;

static unsigned roll(test_random *state, unsigned sides) {
    return (unsigned)random_below(state, sides);
}

// Few keys and values, so that many repeat.
static made random_pair(test_random *state) {
    static const char *const keys[] = {"classname", "targetname", "origin", "model",
                                       "hammerid",  "OnTrigger",  "light"};
    made pair;
    (void)snprintf(pair.key, sizeof pair.key, "%s", keys[roll(state, 7)]);
    (void)snprintf(pair.value, sizeof pair.value, "v%u", roll(state, 5));
    return pair;
}

static made_entity random_entity(test_random *state) {
    made_entity entity = {.count = roll(state, MOST_PAIRS)};
    for (unsigned i = 0; i < entity.count; i++) {
        entity.pairs[i] = random_pair(state);
    }
    return entity;
}

static void mutate(made_list *l, test_random *state) {
    made_entity *one = &l->list[roll(state, l->count)];
    switch (roll(state, 6)) {
    case 0: // goes
        *one = l->list[--l->count];
        break;
    case 1: // comes
        l->list[l->count < MOST_ENTITIES ? l->count++ : 0] = random_entity(state);
        break;
    case 2: { // changes its place
        made_entity *other = &l->list[roll(state, l->count)];
        made_entity kept = *one;
        *one = *other;
        *other = kept;
        break;
    }
    case 3:
        if (one->count < MOST_PAIRS) {
            one->pairs[one->count++] = random_pair(state);
        }
        break;
    case 4:
        if (one->count != 0) {
            one->pairs[roll(state, one->count)] = one->pairs[one->count - 1];
            one->count--;
        }
        break;
    default:
        if (one->count != 0) {
            (void)snprintf(one->pairs[roll(state, one->count)].value, 12, "n%u", roll(state, 9));
        }
    }
}

static bsp_entities *parse(made_list *l) {
    size_t used = 0;
    for (unsigned i = 0; i < l->count; i++) {
        used += (size_t)snprintf(l->text + used, ROOM - used, "{\n");
        for (unsigned p = 0; p < l->list[i].count; p++) {
            used += (size_t)snprintf(l->text + used, ROOM - used, "\"%s\" \"%s\"\n",
                                     l->list[i].pairs[p].key, l->list[i].pairs[p].value);
        }
        used += (size_t)snprintf(l->text + used, ROOM - used, "}\n");
    }
    assert_true(used < ROOM);
    bsp_entities *entities = bsp_entities_parse((bsp_text){l->text, used}, NULL, NULL, NULL);
    assert_non_null(entities);
    assert_int_equal(entities->count, l->count);
    return entities;
}

// --- the difference applied ---------------------------------------------------------------------

static bool equal(const bsp_pair *a, const bsp_pair *b) {
    return bsp_text_equal(a->key, b->key) && bsp_text_equal(a->value, b->value);
}

// True if both lists have each pair as often, in any order.
static bool same_pairs(const bsp_pair *a, uint32_t num_a, const bsp_pair *b, uint32_t num_b) {
    bool used[4 * MOST_PAIRS] = {false};
    for (uint32_t i = 0; i < num_a; i++) {
        uint32_t j = 0;
        while (j < num_b && (used[j] || !equal(&a[i], &b[j]))) {
            j++;
        }
        if (j == num_b) {
            return false;
        }
        used[j] = true;
    }
    return num_a == num_b;
}

// The pairs of the first entity without what went, with what changed and came.
static uint32_t apply(const bsp_entity_match *m, const bsp_entity *a, const bsp_entity *b,
                      bsp_pair *out) {
    uint32_t count = a->num_pairs;
    bool gone[MOST_PAIRS] = {false};
    memcpy(out, a->pairs, count * sizeof *out);
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        const bsp_pair_difference *d = &m->pairs[i];
        switch (d->kind) {
        case BSP_REMOVED:
            assert_int_equal(d->after, BSP_NONE);
            gone[d->before] = true;
            break;
        case BSP_CHANGED:
            assert_true(bsp_text_equal(a->pairs[d->before].key, b->pairs[d->after].key));
            assert_false(bsp_text_equal(a->pairs[d->before].value, b->pairs[d->after].value));
            out[d->before].value = b->pairs[d->after].value;
            break;
        default:
            assert_int_equal(d->before, BSP_NONE);
            out[count++] = b->pairs[d->after];
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i >= a->num_pairs || !gone[i]) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

// Pairs that changed and came, in the order of the second entity.
static void expect_came(const bsp_entity_match *m) {
    uint32_t came = 0;
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        uint32_t at = 0;
        while (m->pairs[i].after != BSP_NONE && at < m->num_came &&
               m->came[at] != m->pairs[i].after) {
            at++;
        }
        assert_true(m->pairs[i].after == BSP_NONE || at < m->num_came);
        came += m->pairs[i].after != BSP_NONE ? 1 : 0;
    }
    assert_int_equal(came, m->num_came);
    for (uint32_t i = 1; i < m->num_came; i++) {
        assert_true(m->came[i - 1] < m->came[i]);
    }
}

// No pair that both have is told, and what went is no key of what came.
static void expect_least(const bsp_entity_match *m, const bsp_entity *a, const bsp_entity *b) {
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        for (uint32_t j = 0; j < m->num_pairs; j++) {
            uint32_t before = m->pairs[i].before;
            uint32_t after = m->pairs[j].after;
            if (before != BSP_NONE && after != BSP_NONE) {
                assert_false(equal(&a->pairs[before], &b->pairs[after]));
                assert_true(m->pairs[i].kind != BSP_REMOVED || m->pairs[j].kind != BSP_ADDED ||
                            !bsp_text_equal(a->pairs[before].key, b->pairs[after].key));
            }
        }
    }
}

static void expect_one(const bsp_entity_match *m, const bsp_entity *a, const bsp_entity *b) {
    bsp_pair pairs[2 * MOST_PAIRS];
    uint32_t count = apply(m, a, b, pairs);
    assert_true(same_pairs(pairs, count, b->pairs, b->num_pairs));
    expect_least(m, a, b);
    expect_came(m);
}

static void expect_result(const bsp_entity_diff *d, const bsp_entities *a, const bsp_entities *b) {
    bool seen[MOST_ENTITIES] = {false};
    uint32_t removed = 0;
    uint32_t added = 0;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const bsp_entity_match *m = &d->matches[i];
        assert_true(i < a->count ? m->before == i : m->before == BSP_NONE);
        removed += m->after == BSP_NONE ? 1 : 0;
        added += m->before == BSP_NONE ? 1 : 0;
        changed += m->num_pairs != 0 ? 1 : 0;
        if (m->after != BSP_NONE) {
            assert_true(m->after < b->count && !seen[m->after]);
            seen[m->after] = true;
        }
        if (m->before != BSP_NONE && m->after != BSP_NONE) {
            expect_one(m, &a->list[m->before], &b->list[m->after]);
        } else {
            assert_int_equal(m->num_pairs, 0);
        }
    }
    for (uint32_t j = 0; j < b->count; j++) {
        assert_true(seen[j]);
    }
    assert_int_equal(removed, d->num_removed);
    assert_int_equal(added, d->num_added);
    assert_int_equal(changed, d->num_changed);
}

// How many entities of `a` have a partner of the same pairs in the same order in `b`: brute force.
static uint32_t count_equal(const bsp_entities *a, const bsp_entities *b) {
    bool used[MOST_ENTITIES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            bool same = !used[j] && a->list[i].num_pairs == b->list[j].num_pairs;
            for (uint32_t p = 0; same && p < a->list[i].num_pairs; p++) {
                same = equal(&a->list[i].pairs[p], &b->list[j].pairs[p]);
            }
            if (same) {
                used[j] = true;
                count++;
                break;
            }
        }
    }
    return count;
}

static void test_applied(void **state) {
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        test_random random = {round + 1};
        made_list *before = calloc(1, sizeof *before);
        made_list *after = calloc(1, sizeof *after);
        before->count = 1 + roll(&random, MOST_ENTITIES - 1);
        for (unsigned i = 0; i < before->count; i++) {
            before->list[i] = random_entity(&random);
        }
        *after = *before;
        for (unsigned i = roll(&random, 12); i > 0 && after->count > 1; i--) {
            mutate(after, &random);
        }
        bsp_entities *a = parse(before);
        bsp_entities *b = parse(after);
        bsp_entity_diff *d = bsp_entities_diff(a, b, NULL, NULL, NULL);
        assert_non_null(d);
        expect_result(d, a, b);
        uint32_t unchanged = d->count - d->num_removed - d->num_added - d->num_changed;
        assert_true(unchanged >= count_equal(a, b));
        bsp_entity_diff_free(d);
        bsp_entities_free(a);
        bsp_entities_free(b);
        free(before);
        free(after);
    }
}

// --- by hand ------------------------------------------------------------------------------------

typedef struct lists {
    bsp_entities *before;
    bsp_entities *after;
    bsp_entity_diff *diff;
} lists;

static lists diff_texts(const char *before, const char *after, const uint32_t *known) {
    lists l = {bsp_entities_parse(bsp_text_of(before), NULL, NULL, NULL),
               bsp_entities_parse(bsp_text_of(after), NULL, NULL, NULL), NULL};
    l.diff = bsp_entities_diff(l.before, l.after, known, NULL, NULL);
    assert_non_null(l.diff);
    return l;
}

static void free_lists(lists *l) {
    bsp_entity_diff_free(l->diff);
    bsp_entities_free(l->before);
    bsp_entities_free(l->after);
}

static void expect_partner(const char *before, const char *after, uint32_t partner) {
    lists l = diff_texts(before, after, NULL);
    assert_int_equal(l.diff->matches[0].after, partner);
    free_lists(&l);
}

static void test_who_is_who(void **state) {
    (void)state;
    // Of two candidates the one with the same pairs, the same place, the same name ...
    expect_partner("{a b classname x}", "{classname x a c}{a b classname x}", 1);
    expect_partner("{classname x targetname n origin o a 1}",
                   "{classname x targetname n origin p a 1}{classname x targetname n origin o a 2}",
                   1);
    expect_partner("{classname x targetname n hammerid 7}",
                   "{classname x targetname n hammerid 8}{classname x targetname m hammerid 7}", 1);
    expect_partner("{classname x targetname n origin o}",
                   "{classname x targetname m origin o}{classname x targetname n origin p}", 1);
    expect_partner("{classname x origin o model *1}",
                   "{classname x origin p model *1}{classname x origin o model *2}", 1);
    expect_partner("{classname x model *1 a b}", "{classname x model *2 a b}{classname x model *1}",
                   1);
    // One that moved, and one whose brushes are another model since the map was compiled again.
    expect_partner("{classname light light 300 origin o}",
                   "{classname light light 200 origin p}{classname light light 300 origin q}", 1);
    expect_partner("{classname m model a.md3 angle 90 origin o}",
                   "{classname m model a.md3 origin p}{classname m model a.md3 angle 90 origin q}",
                   1);
    expect_partner("{classname x model *1 speed 9}",
                   "{classname y model *1}{classname x model *2 speed 8}"
                   "{classname x model *3 speed 9}",
                   2);
    // What it points at; and the only one of its class, if no name says that it is another.
    expect_partner("{classname x target t origin o}",
                   "{classname x target u origin p}{classname x target t origin q a b}", 1);
    expect_partner("{classname x angle 0 origin o}", "{classname y}{classname x angle 9 origin p}",
                   1);
    expect_partner("{classname x angle 0 origin o}",
                   "{classname x angle 9 origin p}{classname x angle 8 origin q}", BSP_NONE);
    expect_partner("{classname x targetname n origin o}", "{classname x targetname m origin p}",
                   BSP_NONE);
    expect_partner("{classname x hammerid 7}", "{classname x hammerid 8 a b}", BSP_NONE);
    expect_partner("{classname x model *1}", "{classname x model *2 a b}", BSP_NONE);
    // The editor's number alone, for one whose class changed; and nothing at all.
    expect_partner("{classname x hammerid 7}", "{classname y hammerid 7}", 0);
    expect_partner("{classname x light 7}", "{classname y light 7}", BSP_NONE);
    // Keys are compared in any case, and the world is the world.
    expect_partner("{Classname x Origin o a b}", "{classname x origin o a c}", 0);
    expect_partner("{classname worldspawn a b}", "{classname worldspawn c d}", 0);
}

static void test_pairs(void **state) {
    (void)state;
    lists l = diff_texts("{classname x origin o out 1 out 2 gone g}",
                         "{new n out 1 out 3 origin o classname x}", NULL);
    const bsp_entity_match *m = &l.diff->matches[0];
    assert_int_equal(l.diff->count, 1);
    assert_int_equal(l.diff->num_changed, 1);
    assert_int_equal(m->num_pairs, 3);
    const bsp_pair_difference wanted[] = {
        {BSP_CHANGED, 3, 2}, {BSP_REMOVED, 4, BSP_NONE}, {BSP_ADDED, BSP_NONE, 0}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(m->pairs[i].kind, wanted[i].kind);
        assert_int_equal(m->pairs[i].before, wanted[i].before);
        assert_int_equal(m->pairs[i].after, wanted[i].after);
    }
    free_lists(&l);
}

static void test_known(void **state) {
    (void)state;
    const uint32_t crossed[] = {1, BSP_NONE};
    const uint32_t twice[] = {1, 1};
    const uint32_t beyond[] = {2, BSP_NONE};
    lists l = diff_texts("{classname a}{classname b}", "{classname a}{classname b}", crossed);
    assert_int_equal(l.diff->matches[0].after, BSP_NONE);
    assert_int_equal(l.diff->matches[1].after, 0);
    assert_int_equal(l.diff->matches[1].num_pairs, 1);
    assert_int_equal(l.diff->matches[2].after, 1);
    assert_int_equal(l.diff->count, 3);
    bsp_error error = {0};
    assert_null(bsp_entities_diff(l.before, l.after, twice, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    error.code = BSP_OK;
    assert_null(bsp_entities_diff(l.before, l.after, beyond, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    free_lists(&l);
    lists none = diff_texts("", "", NULL);
    assert_int_equal(none.diff->count, 0);
    free_lists(&none);
}

// Requests that fail one after the other: an error each time, and no leak.
static void test_starved(void **state) {
    (void)state;
    lists l = diff_texts("{classname x a 1 b 2}{classname y}", "{classname x a 2 c 3}", NULL);
    bsp_entity_diff *d = NULL;
    for (uint64_t n = 1; d == NULL; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_error error = {0};
        d = bsp_entities_diff(l.before, l.after, NULL, &allocator, &error);
        assert_true(d != NULL ? n > 3 : error.code == BSP_E_MEMORY);
        bsp_entity_diff_free(d);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
    free_lists(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_applied), cmocka_unit_test(test_who_is_who),
        cmocka_unit_test(test_pairs),   cmocka_unit_test(test_known),
        cmocka_unit_test(test_starved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
