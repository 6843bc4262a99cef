// SPDX-License-Identifier: MIT
// Traces against the answers of the engines themselves (../shared/oracle/trace), where they are
// there. Lines that differ are counted; a map may differ in one of a thousand.
#define _POSIX_C_SOURCE 200809L // scandir

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRACTION_LIMIT 1e-4
#define MOST_COLUMNS 32

// How a family's file of answers is laid out: columns from 0.
typedef struct format {
    const char *folder;  // in oracle/trace
    const char *maps[4]; // folders of the corpus
    int fraction, start_solid, all_solid, start_leaf, start_contents;
    bool boxes; // a box behind the segment, and not a hull before it
} format;

static const format formats[] = {
    {"q3trace", {"quake3", NULL}, 13, 21, 22, 25, 26, true},
    {"q2trace", {"quake2", NULL}, 13, 21, 22, 25, 26, true},
    {"hltrace", {"quake", "goldsrc", NULL}, 7, 15, 16, -1, 19, false},
};

typedef struct tally {
    uint64_t lines;
    uint64_t fractions;
    uint64_t flags;
    uint64_t leaves;
    uint64_t contents;
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

// Finds NAME.bsp in a folder of the corpus or one of its folders.
static bool find_map(const char *folder, const char *name, char *out, size_t room) {
    char path[1024];
    snprintf(path, sizeof path, "%s/corpus/%s", BSP_TEST_SHARED, folder);
    DIR *dir = opendir(path);
    bool found = false;
    for (struct dirent *e; !found && dir != NULL && (e = readdir(dir)) != NULL;) {
        snprintf(out, room, "%s/%s/%s.bsp", path, e->d_name, name);
        FILE *file = e->d_name[0] == '.' ? NULL : fopen(out, "rb");
        found = file != NULL;
        if (found) {
            fclose(file);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return found;
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

static void compare(const format *f, const subject *s, char *const columns[], tally *t) {
    bsp_trace_input input;
    bsp_trace_result result;
    read_input(f, columns, &input);
    bsp_trace(s->index, &input, &result);
    double fraction = strtod(columns[f->fraction], NULL);
    bool start_solid = columns[f->start_solid][0] == '1';
    bool all_solid = columns[f->all_solid][0] == '1';
    bool far = fabs(fraction - (double)result.fraction) > FRACTION_LIMIT;
    bool wrong = start_solid != result.start_solid || all_solid != result.all_solid;
    t->lines++;
    t->fractions += far;
    t->flags += wrong && !far;
    if (f->start_leaf >= 0) {
        t->leaves +=
            bsp_query_leaf(s->map, input.start) != strtoul(columns[f->start_leaf], NULL, 10);
    }
    if (f->start_leaf >= 0 || input.hull == 1) {
        t->contents += bsp_query_contents(s->map, 0, input.start) !=
                       (int32_t)strtol(columns[f->start_contents], NULL, 10);
    }
}

static void compare_file(const format *f, const char *name, tally *t) {
    char path[2048];
    char map[2048];
    char line[4096];
    subject s;
    const char *dot = strrchr(name, '.');
    while (dot > name && *--dot != '.') {
    }
    snprintf(map, sizeof map, "%.*s", (int)(dot - name), name);
    snprintf(path, sizeof path, "%s/oracle/trace/%s/%s", BSP_TEST_SHARED, f->folder, name);
    bool found = false;
    char place[4096];
    for (int i = 0; !found && f->maps[i] != NULL; i++) {
        found = find_map(f->maps[i], map, place, sizeof place);
    }
    FILE *file = fopen(path, "r");
    if (!found || file == NULL || !open_subject(place, &s)) {
        fail_msg("%s: no map", name);
        return;
    }
    tally here = {0};
    while (fgets(line, sizeof line, file) != NULL) {
        char *columns[MOST_COLUMNS];
        if (line[0] != '#' && split_line(line, columns) > f->start_contents) {
            compare(f, &s, columns, &here);
        }
    }
    fclose(file);
    close_subject(&s);
    if (here.fractions + here.flags + here.leaves + here.contents != 0) {
        print_message("%s/%s: of %llu: fraction %llu, flags %llu, leaf %llu, contents %llu\n",
                      f->folder, name, (unsigned long long)here.lines,
                      (unsigned long long)here.fractions, (unsigned long long)here.flags,
                      (unsigned long long)here.leaves, (unsigned long long)here.contents);
    }
    t->lines += here.lines;
    t->fractions += here.fractions;
    t->flags += here.flags;
    t->leaves += here.leaves;
    t->contents += here.contents;
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
    print_message("%s: %llu lines, %llu fractions, %llu flags, %llu leaves, %llu contents differ\n",
                  f->folder, (unsigned long long)t.lines, (unsigned long long)t.fractions,
                  (unsigned long long)t.flags, (unsigned long long)t.leaves,
                  (unsigned long long)t.contents);
    assert_true((t.fractions + t.flags) * 1000 <= t.lines);
    assert_int_equal(t.leaves, 0);
    assert_int_equal(t.contents, 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quake3),
        cmocka_unit_test(test_quake2),
        cmocka_unit_test(test_quake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
