// SPDX-License-Identifier: MIT
#include <bspkit/bspkit.h>
#include <stdio.h>

int main(int argc, char **argv) {
    bsp_error error = {0};
    bsp_file *file = argc > 1 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    if (map != NULL) {
        printf("%s: %u faces, %u leaves\n", map->branch->title, map->num_faces, map->num_leaves);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    bsp_map_free(map);
    bsp_file_close(file);
    return map == NULL;
}
