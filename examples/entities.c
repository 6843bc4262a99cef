// SPDX-License-Identifier: MIT
// Prints class, name, place and brush model of each entity of a map: entities MAP
#include <bspkit/bspkit.h>
#include <stdio.h>

static void print_entity(const bsp_map *map, const bsp_entity *entity) {
    bsp_text classname = bsp_entity_value(entity, "classname");
    bsp_text name = bsp_entity_value(entity, "targetname"); // empty where there is none
    bsp_placement place = bsp_entity_placement(map, entity);
    printf("%.*s\t%.*s\t%g %g %g", (int)classname.size, classname.data, (int)name.size, name.data,
           (double)place.origin[0], (double)place.origin[1], (double)place.origin[2]);
    if (place.model != BSP_NONE) {
        printf("\t%u faces", map->models[place.model].num_faces);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: entities MAP"};
    // The entities and the models are wanted, and no light, no textures.
    bsp_map_options options = {.parts = BSP_LOAD_ENTITIES | BSP_LOAD_TREE};
    bsp_file *file = argc > 1 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, &options, &error) : NULL;
    if (map == NULL) {
        fprintf(stderr, "entities: %s\n", error.message);
    } else if (map->entities != NULL) {
        for (uint32_t i = 0; i < map->entities->count; i++) {
            print_entity(map, &map->entities->list[i]);
        }
    }
    bsp_map_free(map);
    bsp_file_close(file);
    return map == NULL;
}
