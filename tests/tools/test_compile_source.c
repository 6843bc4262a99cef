// SPDX-License-Identifier: MIT
// The maps of samples/source are what tools/compile_source makes of their drawing: every byte, but
// for those that go through pow, sin and cos, which C libraries round in different ways. These are
// compared as numbers. That this is enough is tried with functions that are less exact.
#include "compile_source/compile.h"

#include "bspkit/bspkit.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RELATIVE 1e-6F // of floats: some of their last bits
#define SLIP 1e-7      // of results of the C library
#define DARK 0.04      // the compiler leaves out what adds less than 0.02, once or twice

static const struct sample {
    const char *path;
    compile_options options;
} samples[] = {
    {"/source/lobby.bsp", {.map_name = "lobby", .branch = "source_20", .static_props = 10}},
    {"/source/lobby_19.bsp", {.map_name = "lobby_19", .branch = "source_19", .static_props = 5}},
    {"/source/lobby_l4d2.bsp",
     {.map_name = "lobby_l4d2", .branch = "left4dead2", .static_props = 9}},
    {"/source/lobby_be.bsp",
     {.map_name = "lobby_be", .branch = "source_20", .big_endian = true, .static_props = 6}},
    {"/source/garden.bsp",
     {.in = BSP_TEST_SAMPLES "/source/garden.vmf",
      .map_name = "garden",
      .branch = "source_20",
      .static_props = 10}},
};

#define NUM_SAMPLES (sizeof samples / sizeof *samples)

// --- the C library ------------------------------------------------------------------------------

double __real_pow(double x, double y);
double __real_sin(double x);
double __real_cos(double x);
double __wrap_pow(double x, double y);
double __wrap_sin(double x);
double __wrap_cos(double x);
void __wrap_sincos(double x, double *sine, double *cosine);

static bool off;       // results are a little too low or too high
static uint32_t calls; // since the last look

// One unit in the last place of a result, which is what C libraries differ in, changes no byte of
// the samples. So that something is compared, results are off by more than any library's.
static double rounded(double result) {
    calls++;
    return off ? result * (1 + (calls % 2 == 0 ? SLIP : -SLIP)) : result;
}

double __wrap_pow(double x, double y) {
    return rounded(__real_pow(x, y));
}

double __wrap_sin(double x) {
    return rounded(__real_sin(x));
}

double __wrap_cos(double x) {
    return rounded(__real_cos(x));
}

void __wrap_sincos(double x, double *sine, double *cosine) {
    *sine = __wrap_sin(x);
    *cosine = __wrap_cos(x);
}

// --- comparing ----------------------------------------------------------------------------------

// What goes through these functions: fields of records from `first` to `last`.
static const struct computed {
    bsp_table_id id;
    const char *first;
    const char *last;
    double colours; // four bytes each, mantissas and their exponent: the value of full light; 0:
                    // floats
} computed[] = {
    {BSP_ID_LIGHTING, "r", "exponent", 255},
    {BSP_ID_DETAIL_PROPS, "m_Lighting", "m_Lighting", 255},
    {BSP_ID_AMBIENT, "m_Color", "m_Color", 1},
    {BSP_ID_LEAVES, "m_AmbientLighting", "m_AmbientLighting", 1},
    {BSP_ID_WORLD_LIGHTS, "intensity", "normal", 0},
    {BSP_ID_WORLD_LIGHTS, "stopdot", "stopdot2", 0},
};

static bool near_colours(const uint8_t *a, const uint8_t *b, size_t size, double full) {
    for (size_t i = 0; i < size; i += 4) {
        int exponent_a = (int8_t)a[i + 3];
        int exponent_b = (int8_t)b[i + 3];
        double step = ldexp(1, exponent_a > exponent_b ? exponent_a : exponent_b);
        for (size_t c = i; c < i + 3; c++) {
            if (fabs(ldexp(a[c], exponent_a) - ldexp(b[c], exponent_b)) >
                fmax(step, DARK * full / 255)) {
                return false;
            }
        }
    }
    return true;
}

static bool near_floats(const bsp_table *a, const bsp_table *b, uint32_t record, uint32_t field) {
    for (uint32_t e = 0; e < a->layout->fields[field].count; e++) {
        float x = bsp_table_float(a, record, field, e);
        float y = bsp_table_float(b, record, field, e);
        if (!(fabsf(x - y) <= RELATIVE * fmaxf(1, fmaxf(fabsf(x), fabsf(y))))) {
            return false;
        }
    }
    return true;
}

// Compares the fields of one row, and clears them in a copy of each file.
static bool near_and_cleared(const struct computed *row, const bsp_table tables[2],
                             const bsp_bytes files[2], uint8_t *copies[2], uint32_t *seen) {
    const bsp_layout *layout = tables[0].layout;
    uint32_t first = bsp_layout_find_field(layout, bsp_text_of(row->first));
    uint32_t last = bsp_layout_find_field(layout, bsp_text_of(row->last));
    if (first == BSP_NONE) { // leaves of later versions have no light
        return true;
    }
    size_t start = bsp_layout_offset(layout, first);
    size_t size = bsp_layout_offset(layout, last) +
                  bsp_type_size(layout->fields[last].type) * layout->fields[last].count - start;
    for (uint32_t r = 0; r < tables[0].count; r++) {
        const uint8_t *at[2];
        for (int i = 0; i < 2; i++) {
            at[i] = tables[i].data + (size_t)r * layout->size + start;
        }
        bool same = row->colours == 0 || near_colours(at[0], at[1], size, row->colours);
        for (uint32_t f = first; same && row->colours == 0 && f <= last; f++) {
            same = near_floats(&tables[0], &tables[1], r, f);
        }
        if (!same) {
            return false;
        }
        for (int i = 0; i < 2; i++) {
            memset(copies[i] + (at[i] - files[i].data), 0, size);
        }
        ++*seen;
    }
    return true;
}

static bool same_row(const struct computed *row, bsp_file *const opened[2],
                     const bsp_bytes files[2], uint8_t *copies[2], uint32_t *seen) {
    bsp_parts parts[2] = {{0}, {0}};
    bsp_table tables[2];
    bool there[2];
    for (int i = 0; i < 2; i++) {
        there[i] = bsp_file_table(opened[i], row->id, &parts[i], &tables[i]);
    }
    bool same = there[0] == there[1];
    if (same && there[0]) {
        same = tables[0].layout == tables[1].layout && tables[0].count == tables[1].count &&
               near_and_cleared(row, tables, files, copies, seen);
    }
    for (int i = 0; i < 2; i++) {
        if (there[i]) {
            bsp_parts_free(&parts[i]);
        }
    }
    return same;
}

// True if two maps are the same, but for the rounding of what is computed. `seen` receives how many
// records have something computed.
static bool same_map(bsp_bytes a, bsp_bytes b, uint32_t *seen) {
    const bsp_bytes files[2] = {a, b};
    bsp_file *opened[2];
    uint8_t *copies[2];
    *seen = 0;
    if (a.size != b.size) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        opened[i] = bsp_file_open_memory(files[i], NULL, NULL);
        assert_non_null(opened[i]);
        copies[i] = test_malloc(a.size);
        memcpy(copies[i], files[i].data, a.size);
    }
    bool same = true;
    for (size_t i = 0; same && i < sizeof computed / sizeof *computed; i++) {
        same = same_row(&computed[i], opened, files, copies, seen);
    }
    same = same && memcmp(copies[0], copies[1], a.size) == 0;
    for (int i = 0; i < 2; i++) {
        bsp_file_close(opened[i]);
        test_free(copies[i]);
    }
    return same;
}

// --- tests --------------------------------------------------------------------------------------

static bsp_blob read_sample(const struct sample *sample) {
    char path[512];
    bsp_blob out;
    snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, sample->path);
    assert_true(bsp_blob_read(path, NULL, NULL, &out, NULL));
    return out;
}

static bsp_blob make_sample(const struct sample *sample) {
    compile_options options = sample->options;
    bsp_blob out;
    bool lobby = options.in == NULL;
    options.in = lobby ? BSP_TEST_SAMPLES "/source/lobby.vmf" : options.in;
    calls = 0;
    compile_map(&options, &out);
    assert_true(calls > (lobby ? 20 : 5));
    return out;
}

// Returns true if the bytes are the same too.
static bool check_sample(const struct sample *sample) {
    bsp_blob kept = read_sample(sample);
    bsp_blob made = make_sample(sample);
    uint32_t seen;
    bool same =
        same_map((bsp_bytes){made.data, made.size}, (bsp_bytes){kept.data, kept.size}, &seen);
    if (!same) {
        fail_msg("%s is not what the compiler makes%s", sample->path,
                 off ? " (last bits off)" : "");
    }
    assert_true(seen > (sample->options.in == NULL ? 12000u : 1200u)); // luxels alone are 12320
    bool same_bytes = memcmp(made.data, kept.data, made.size) == 0;
    bsp_blob_free(&kept);
    bsp_blob_free(&made);
    return same_bytes;
}

static void test_samples_are_current(void **state) {
    (void)state;
    off = false;
    for (size_t i = 0; i < NUM_SAMPLES; i++) {
        check_sample(&samples[i]);
    }
}

static void test_another_c_library_makes_them_too(void **state) {
    (void)state;
    off = true;
    assert_false(check_sample(&samples[0])); // else nothing was tried
    off = false;
}

// Changes one byte of what the lump's first record has `at` bytes in.
static void assert_noticed(bsp_table_id id, uint32_t record, size_t at, uint8_t change) {
    bsp_blob kept = read_sample(&samples[0]);
    bsp_blob other = read_sample(&samples[0]);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){other.data, other.size}, NULL, NULL);
    bsp_parts parts;
    bsp_table table;
    uint32_t seen;
    assert_non_null(file);
    assert_true(bsp_file_table(file, id, &parts, &table));
    size_t place = (size_t)(table.data - other.data) + record * table.layout->size + at;
    bsp_parts_free(&parts);
    bsp_file_close(file);
    other.data[place] = (uint8_t)(other.data[place] + change);
    assert_false(
        same_map((bsp_bytes){kept.data, kept.size}, (bsp_bytes){other.data, other.size}, &seen));
    bsp_blob_free(&kept);
    bsp_blob_free(&other);
}

static void test_changes_are_noticed(void **state) {
    (void)state;
    assert_noticed(BSP_ID_LIGHTING, 100, 1, 2);        // two steps of a luxel
    assert_noticed(BSP_ID_AMBIENT, 3, 4, 2);           // of a cube
    assert_noticed(BSP_ID_AMBIENT, 3, 24, 1);          // its place
    assert_noticed(BSP_ID_WORLD_LIGHTS, 0, 12 + 1, 1); // its intensity: 2^-15 of it, or more
    assert_noticed(BSP_ID_WORLD_LIGHTS, 0, 0, 1);      // its origin: the last bit
    assert_noticed(BSP_ID_PLANES, 5, 12, 1);           // a distance: the last bit
    assert_noticed(BSP_ID_LEAVES, 7, 4, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_current),
        cmocka_unit_test(test_another_c_library_makes_them_too),
        cmocka_unit_test(test_changes_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
