// SPDX-License-Identifier: MIT
// Prints the faces of a map as triangles with texture coordinates, in the text form of Wavefront
// OBJ: triangles MAP >map.obj
#include <bspkit/bspkit.h>
#include <stdio.h>

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: triangles MAP"};
    bsp_file *file = argc > 1 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    bsp_mesh *mesh = map != NULL ? bsp_mesh_build(map, NULL, &error) : NULL;
    if (mesh == NULL) {
        fprintf(stderr, "triangles: %s\n", error.message);
    }
    for (uint32_t i = 0; mesh != NULL && i < mesh->num_groups; i++) {
        const bsp_mesh_group *group = &mesh->groups[i]; // faces of one model and one material
        bsp_text name = bsp_text_of("none");
        if (group->material != BSP_NONE) {
            name = map->materials[group->material].name;
        }
        printf("g model%u\nusemtl %.*s\n", group->model, (int)name.size, name.data);
        // In texels where the map does not hold the size of the texture: here taken as 128 x 128.
        float size = group->uv_in_texels ? 128 : 1;
        for (uint32_t v = 0; v < group->num_vertices; v++) {
            const bsp_mesh_vertex *vertex = &mesh->vertices[group->first_vertex + v];
            const float *p = vertex->position;
            printf("v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
            // OBJ counts v upwards, the mesh downwards.
            printf("vt %.9g %.9g\n", (double)(vertex->uv[0] / size),
                   (double)(1 - vertex->uv[1] / size));
        }
        for (uint32_t t = 0; t < group->num_indices; t += 3) {
            const uint32_t *index = &mesh->indices[group->first_index + t];
            printf("f %u/%u %u/%u %u/%u\n", index[0] + 1, index[0] + 1, index[1] + 1, index[1] + 1,
                   index[2] + 1, index[2] + 1);
        }
    }
    bsp_mesh_free(mesh);
    bsp_map_free(map);
    bsp_file_close(file);
    return mesh == NULL;
}
