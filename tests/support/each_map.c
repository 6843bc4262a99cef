// SPDX-License-Identifier: MIT
// Finds the maps and opens them. Files that are no maps (corpus: foreign/) are skipped; a map that
// does not open, or does not load, fails the test.
#define _XOPEN_SOURCE 700
#include "support/each_map.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define PATH_ROOM 1024
#define FOREIGN "foreign" // the corpus's folder of files that are no maps

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct walk {
    void (*work)(const each_map *m, void *user);
    void *user;
    unsigned count;
    unsigned seen;
    unsigned step;
} walk;

static void open_one(walk *w, const char *path) {
    bsp_error error;
    bsp_file *file = bsp_file_open(path, NULL, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    if (!bsp_file_get_info(file)->detection.branch->opaque) {
        bsp_map *map = bsp_map_load(file, NULL, &error);
        if (map == NULL) {
            fail_msg("%s: %s", path, error.message);
        }
        const char *name = strrchr(path, '/');
        each_map m = {name == NULL ? path : name + 1, file, map};
        w->count++;
        w->work(&m, w->user);
        bsp_map_free(map);
    }
    bsp_file_close(file);
}

static void walk_folder(walk *w, const char *folder);

static void walk_entry(walk *w, const char *folder, const char *name) {
    char path[PATH_ROOM];
    struct stat status;
    if (name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_ROOM ||
        stat(path, &status) != 0) {
        return;
    }
    size_t length = strlen(name);
    if (S_ISDIR(status.st_mode) && strcmp(name, FOREIGN) != 0) {
        walk_folder(w, path);
    } else if (S_ISREG(status.st_mode) && length > 4 && strcmp(name + length - 4, ".bsp") == 0) {
        if (w->seen++ % w->step == 0) {
            open_one(w, path);
        }
    }
}

static void walk_folder(walk *w, const char *folder) {
    DIR *dir = opendir(folder);
    char **names = NULL;
    size_t count = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        names = realloc(names, (count + 1) * sizeof *names);
        names[count++] = strdup(entry->d_name);
    }
    if (dir != NULL) {
        closedir(dir);
    }
    if (count != 0) {
        qsort(names, count, sizeof *names, by_name);
    }
    for (size_t i = 0; i < count; i++) {
        walk_entry(w, folder, names[i]);
        free(names[i]);
    }
    free(names);
}

unsigned each_map_do_some(unsigned step, void (*work)(const each_map *m, void *user), void *user) {
    walk w = {.work = work, .user = user, .step = 1};
    walk_folder(&w, BSP_TEST_SAMPLES);
    unsigned samples = w.count;
    w.step = step;
    walk_folder(&w, BSP_TEST_SHARED "/corpus");
    if (w.count == samples) {
        print_message("the corpus is not there: samples only\n");
    }
    return w.count - samples;
}

unsigned each_map_do(void (*work)(const each_map *m, void *user), void *user) {
    return each_map_do_some(1, work, user);
}

bool each_map_has_bodies(const each_map *m) {
    return strcmp(m->name, "DotaTesting__test.bsp") != 0;
}

bsp_mesh *each_map_mesh(const each_map *m, const bsp_lightmap *lightmap) {
    bsp_mesh_options options = {.hidden = true, .sky = true, .lightmap = lightmap, .file = m->file};
    bsp_error error = {0};
    bsp_mesh *mesh = bsp_mesh_build(m->map, &options, &error);
    if (mesh == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    return mesh;
}
