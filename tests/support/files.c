// SPDX-License-Identifier: MIT
// For tests only: uses POSIX.
#define _DEFAULT_SOURCE
#include "support/files.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATH_ROOM = 1024 };

typedef struct walk {
    const char *root;
    const char *ending;
    test_file_visit *visit;
    void *user;
    uint32_t count;
} walk;

static bool ends_in(const char *name, const char *ending) {
    size_t size = strlen(name);
    size_t tail = strlen(ending);
    return size >= tail && strcmp(name + size - tail, ending) == 0;
}

static void visit_file(walk *w, const char *path) {
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    long size = ftell(stream);
    assert_true(size >= 0);
    rewind(stream);
    uint8_t *data = malloc(size == 0 ? 1 : (size_t)size);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)size, stream), (size_t)size);
    fclose(stream);
    test_file file = {path + strlen(w->root) + 1, {data, (size_t)size}};
    w->visit(&file, w->user);
    w->count++;
    free(data);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void visit_folder(walk *w, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char path[PATH_ROOM];
        struct stat facts;
        const char *name = entries[i]->d_name;
        assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_ROOM);
        if (name[0] != '.' && stat(path, &facts) == 0) {
            if (S_ISDIR(facts.st_mode)) {
                visit_folder(w, path);
            } else if (ends_in(name, w->ending)) {
                visit_file(w, path);
            }
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

uint32_t for_each_file(const char *folder, const char *ending, test_file_visit *visit, void *user) {
    walk w = {folder, ending, visit, user, 0};
    visit_folder(&w, folder);
    return w.count;
}

const char *corpus_folder(void) {
    struct stat facts;
    const char *folder = getenv("BSPKIT_CORPUS");
    folder = folder != NULL ? folder : BSP_TEST_SHARED "/corpus";
    return stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) ? folder : NULL;
}
