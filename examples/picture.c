// SPDX-License-Identifier: MIT
// Draws what the first player sees: picture MAP GAME-FOLDER >picture.png
#include <bspkit/bspkit.h>
#include <stdio.h>

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: picture MAP GAME-FOLDER >picture.png"};
    bsp_file *file = argc > 2 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    // The folder of the game, where textures, materials and archives are looked for.
    bsp_search *search = map != NULL ? bsp_search_new(NULL, &error) : NULL;
    bsp_renderer *renderer = NULL;
    if (search != NULL && bsp_search_add_game(search, argv[2], &error)) {
        bsp_renderer_options options = {.search = search};
        renderer = bsp_renderer_build(map, file, &options, &error);
    }
    bsp_image image = {0};
    bsp_blob png = {0};
    bool drawn = false;
    if (renderer != NULL) {
        bsp_view view = {.width = 640, .height = 360};
        bsp_view_start(map, &view);
        drawn = bsp_renderer_draw(renderer, &view, NULL, &image, NULL, &error) &&
                bsp_image_write_png(&image, NULL, &png, &error) &&
                fwrite(png.data, 1, png.size, stdout) == png.size;
    }
    if (!drawn) {
        fprintf(stderr, "picture: %s\n", error.message);
    }
    bsp_blob_free(&png);
    bsp_image_free(&image);
    bsp_renderer_free(renderer);
    bsp_search_free(search);
    bsp_map_free(map);
    bsp_file_close(file);
    return !drawn;
}
