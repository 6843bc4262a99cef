// SPDX-License-Identifier: MIT
// Prints the model, place, angles and skin of each static prop of a Source map: props MAP
#include <bspkit/bspkit.h>
#include <stdio.h>

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: props MAP"};
    bsp_map_options options = {.parts = BSP_LOAD_PROPS};
    bsp_file *file = argc > 1 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, &options, &error) : NULL;
    if (map == NULL) {
        fprintf(stderr, "props: %s\n", error.message);
    }
    // Maps of other families have none: the array is empty, and nothing is printed.
    for (uint32_t i = 0; map != NULL && i < map->num_static_props; i++) {
        const bsp_static_prop *prop = &map->static_props[i];
        bsp_text model = bsp_text_of("?");
        if (prop->model != BSP_NONE) {
            model = map->static_prop_models[prop->model];
        }
        printf("%.*s\t%g %g %g\t%g %g %g\t%d\n", (int)model.size, model.data,
               (double)prop->origin[0], (double)prop->origin[1], (double)prop->origin[2],
               (double)prop->angles[0], (double)prop->angles[1], (double)prop->angles[2],
               (int)prop->skin);
    }
    bsp_map_free(map);
    bsp_file_close(file);
    return map == NULL;
}
