// SPDX-License-Identifier: MIT
// Traces against the answers of the engines themselves (../shared/oracle/trace), where they are
// there: no number may differ. With BSP_TEST_TRACES set each line that does is printed.
#define _XOPEN_SOURCE 700 // scandir, nftw, strdup

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"

#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 32
#define MOST_MAPS 4096u

// What two engines of Quake differ by in a fraction, and what that is along a way of at most 32768
// units; the engines of Quake 2 and 3 are to be met to the bit.
#define HULL_FRACTION 4e-6
#define HULL_UNITS 0.13

// Columns whose numbers are compared, from one to the next.
typedef enum column {
    FRACTION,
    END,
    NORMAL,
    DIST,
    START_SOLID,
    ALL_SOLID,
    SURFACE_FLAGS,
    CONTENTS,
    START_LEAF,
    START_CONTENTS,
    NUM_COLUMNS
} column;

static const char *const column_names[NUM_COLUMNS] = {
    "fraction",  "end",           "normal",   "dist",       "start solid",
    "all solid", "surface flags", "contents", "start leaf", "start contents"};

// How a family's file of answers is laid out: columns from 0, or -1.
typedef struct format {
    const char *folder; // in oracle/trace
    int at[NUM_COLUMNS];
    bool boxes; // a box after the segment, and not a hull before it
} format;

static const format formats[] = {
    {"q3trace", {13, 14, 17, 20, 21, 22, 23, 24, 25, 26}, true},
    {"q2trace", {13, 14, 17, 20, 21, 22, 23, 24, 25, 26}, true},
    {"hltrace", {7, 8, 11, 14, 15, 16, -1, -1, -1, 19}, false},
};

typedef struct tally {
    uint64_t lines;
    uint64_t differ[NUM_COLUMNS];
} tally;

typedef struct subject {
    bsp_file *file;
    bsp_map *map;
    bsp_trace_index *index;
} subject;

static bool open_subject(const char *path, subject *s) {
    memset(s, 0, sizeof *s);
    s->file = bsp_file_open(path, NULL, NULL);
    s->map = s->file == NULL ? NULL : bsp_map_load(s->file, NULL, NULL);
    s->index = s->map == NULL ? NULL : bsp_trace_index_new(s->map, NULL, NULL);
    return s->index != NULL;
}

static void close_subject(subject *s) {
    bsp_trace_index_free(s->index);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
}

// The maps of the corpus, wherever they lie.
static char *maps[MOST_MAPS];
static size_t num_maps;

static int note_map(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)status;
    (void)where;
    size_t length = strlen(path);
    if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".bsp") == 0) {
        assert_true(num_maps < MOST_MAPS);
        maps[num_maps] = strdup(path);
        assert_non_null(maps[num_maps++]);
    }
    return 0;
}

static const char *find_map(const char *name) {
    for (size_t i = 0; i < num_maps; i++) {
        const char *base = strrchr(maps[i], '/') + 1;
        size_t length = strlen(base) - 4;
        if (strlen(name) == length && strncmp(base, name, length) == 0) {
            return maps[i];
        }
    }
    return NULL;
}

static int split_line(char *line, char *columns[MOST_COLUMNS]) {
    int count = 0;
    for (char *p = strtok(line, "\t\n"); p != NULL && count < MOST_COLUMNS;
         p = strtok(NULL, "\t\n")) {
        columns[count++] = p;
    }
    return count;
}

static void read_input(const format *f, char *const columns[], bsp_trace_input *input) {
    memset(input, 0, sizeof *input);
    for (int i = 0; i < 3; i++) {
        input->start[i] = strtof(columns[1 + i], NULL);
        input->end[i] = strtof(columns[4 + i], NULL);
        if (f->boxes) {
            input->mins[i] = strtof(columns[7 + i], NULL);
            input->maxs[i] = strtof(columns[10 + i], NULL);
        }
    }
    if (!f->boxes) {
        input->hull = 1 + (uint32_t)strtoul(columns[0], NULL, 10);
    }
}

// True if `count` numbers are further than `limit` from ours. Nine digits tell every float.
static bool floats_differ(char *const columns[], int at, const float *ours, int count,
                          double limit) {
    for (int i = 0; i < count; i++) {
        double theirs = (double)strtof(columns[at + i], NULL);
        if (!(fabs(theirs - (double)ours[i]) <= limit)) {
            return true;
        }
    }
    return false;
}

// Flags with the highest bit are negative numbers to some engines.
static bool number_differs(char *const columns[], int at, uint32_t ours) {
    return at >= 0 && (uint32_t)strtoll(columns[at], NULL, 10) != ours;
}

static void compare_traces(const format *f, const bsp_trace_result *r, char *const columns[],
                           bool differ[NUM_COLUMNS]) {
    bool exact = f->boxes;
    differ[FRACTION] =
        floats_differ(columns, f->at[FRACTION], &r->fraction, 1, exact ? 0 : HULL_FRACTION);
    differ[END] = floats_differ(columns, f->at[END], r->end, 3, exact ? 0 : HULL_UNITS);
    differ[NORMAL] = floats_differ(columns, f->at[NORMAL], r->normal, 3, 0);
    differ[DIST] = floats_differ(columns, f->at[DIST], &r->dist, 1, 0);
    differ[START_SOLID] = number_differs(columns, f->at[START_SOLID], r->start_solid);
    differ[ALL_SOLID] = number_differs(columns, f->at[ALL_SOLID], r->all_solid);
    differ[SURFACE_FLAGS] = number_differs(columns, f->at[SURFACE_FLAGS], r->surface_flags);
    differ[CONTENTS] = number_differs(columns, f->at[CONTENTS], (uint32_t)r->contents);
}

static void compare(const format *f, const subject *s, char *const columns[],
                    bool differ[NUM_COLUMNS]) {
    bsp_trace_input input;
    bsp_trace_result result;
    read_input(f, columns, &input);
    bsp_trace(s->index, &input, &result);
    compare_traces(f, &result, columns, differ);
    if (f->at[START_LEAF] >= 0) {
        uint32_t leaf = bsp_query_leaf(s->map, input.start);
        differ[START_LEAF] = number_differs(columns, f->at[START_LEAF], leaf);
    }
    if (f->at[START_LEAF] >= 0 || input.hull == 1) {
        differ[START_CONTENTS] = number_differs(
            columns, f->at[START_CONTENTS], (uint32_t)bsp_query_contents(s->map, 0, input.start));
    }
    if (getenv("BSP_TEST_TRACES") != NULL &&
        memchr(differ, true, NUM_COLUMNS * sizeof *differ) != NULL) {
        print_message("  ours %.9g  %.9g %.9g %.9g  n %.9g %.9g %.9g  %.9g  %d %d  %x %x  brush %d "
                      "face %d\n",
                      (double)result.fraction, (double)result.end[0], (double)result.end[1],
                      (double)result.end[2], (double)result.normal[0], (double)result.normal[1],
                      (double)result.normal[2], (double)result.dist, result.start_solid,
                      result.all_solid, result.surface_flags, (unsigned)result.contents,
                      (int)result.brush, (int)result.face);
    }
}

static void print_tally(const char *folder, const char *name, const tally *t) {
    print_message("%s/%s: %llu lines", folder, name, (unsigned long long)t->lines);
    for (int i = 0; i < NUM_COLUMNS; i++) {
        if (t->differ[i] != 0) {
            print_message(", %s %llu", column_names[i], (unsigned long long)t->differ[i]);
        }
    }
    print_message("\n");
}

static void compare_line(const format *f, const subject *s, char *line, const char *place,
                         tally *t) {
    char *columns[MOST_COLUMNS];
    bool differ[NUM_COLUMNS] = {false};
    bool any = false;
    if (line[0] == '#' || split_line(line, columns) <= f->at[START_CONTENTS]) {
        return;
    }
    compare(f, s, columns, differ);
    t->lines++;
    for (int i = 0; i < NUM_COLUMNS; i++) {
        t->differ[i] += differ[i];
        any |= differ[i];
    }
    if (any && getenv("BSP_TEST_TRACES") != NULL) {
        print_message("%s line %llu:", place, (unsigned long long)t->lines + 1);
        for (int i = 0; i < f->at[START_CONTENTS]; i++) {
            print_message(" %s", columns[i]);
        }
        print_message("\n");
    }
}

// NAME.KIND.tsv is of map NAME.
static void compare_file(const format *f, const char *name, tally *t) {
    char path[2048];
    char base[1024];
    char line[4096];
    subject s;
    tally here = {0};
    const char *dot = strrchr(name, '.');
    while (dot > name && *--dot != '.') {
    }
    snprintf(base, sizeof base, "%.*s", (int)(dot - name), name);
    snprintf(path, sizeof path, "%s/oracle/trace/%s/%s", BSP_TEST_SHARED, f->folder, name);
    const char *place = find_map(base);
    FILE *file = fopen(path, "r");
    if (place == NULL || file == NULL || !open_subject(place, &s)) {
        fail_msg("%s: no map", name);
        return;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        compare_line(f, &s, line, name, &here);
    }
    fclose(file);
    close_subject(&s);
    t->lines += here.lines;
    uint64_t differ = 0;
    for (int i = 0; i < NUM_COLUMNS; i++) {
        t->differ[i] += here.differ[i];
        differ += here.differ[i];
    }
    if (differ != 0) {
        print_tally(f->folder, name, &here);
    }
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void compare_folder(const format *f) {
    char path[1024];
    struct dirent **list;
    tally t = {0};
    snprintf(path, sizeof path, "%s/oracle/trace/%s", BSP_TEST_SHARED, f->folder);
    int count = scandir(path, &list, NULL, by_name);
    if (count < 0) {
        print_message("SKIP: %s is not there\n", path);
        skip();
    }
    for (int i = 0; i < count; i++) {
        if (list[i]->d_name[0] != '.') {
            compare_file(f, list[i]->d_name, &t);
        }
        free(list[i]);
    }
    free(list);
    print_tally(f->folder, "all", &t);
    for (int i = 0; i < NUM_COLUMNS; i++) {
        assert_int_equal(t.differ[i], 0);
    }
}

static void test_quake3(void **state) {
    (void)state;
    compare_folder(&formats[0]);
}

static void test_quake2(void **state) {
    (void)state;
    compare_folder(&formats[1]);
}

static void test_quake(void **state) {
    (void)state;
    compare_folder(&formats[2]);
}

static int find_maps(void **state) {
    (void)state;
    (void)nftw(BSP_TEST_SHARED "/corpus", note_map, 32, 0);
    return 0;
}

static int forget_maps(void **state) {
    (void)state;
    while (num_maps > 0) {
        free(maps[--num_maps]);
    }
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quake3),
        cmocka_unit_test(test_quake2),
        cmocka_unit_test(test_quake),
    };
    return cmocka_run_group_tests(tests, find_maps, forget_maps);
}
