// SPDX-License-Identifier: MIT
// Gives a map another title, and changes nothing else in it: retitle MAP TITLE NEW-FILE
#include <bspkit/bspkit.h>
#include <stdio.h>

static bool write_to_file(void *user, const char *data, size_t size) {
    return fwrite(data, 1, size, user) == size;
}

int main(int argc, char **argv) {
    bsp_error error = {.message = "usage: retitle MAP TITLE NEW-FILE"};
    bsp_file *file = argc > 3 ? bsp_file_open(argv[1], NULL, &error) : NULL;
    bsp_entities *entities = file != NULL ? bsp_file_entities(file, NULL, &error) : NULL;
    bsp_blob text = {0};
    bsp_plan *plan = NULL;
    bool written = false;
    if (entities != NULL) {
        // Entity 0 is worldspawn, whose "message" games show as the title.
        bsp_entity_change title = {.action = BSP_ENTITY_SET, .key = bsp_text_of("message")};
        title.value = bsp_text_of(argv[2]);
        if (bsp_entities_change(entities, &title, 1, NULL, &text, &error)) {
            bsp_lump_change lump = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                                    .version = BSP_NONE, // as it was
                                    .data = {text.data, text.size}};
            plan = bsp_file_plan(file, &lump, 1, NULL, &error);
        }
    }
    FILE *out = plan != NULL ? fopen(argv[3], "wbx") : NULL; // x: never over a file that exists
    if (out != NULL) {
        written = bsp_plan_write(plan, write_to_file, out, &error);
        written = fclose(out) == 0 && written;
    }
    if (!written) {
        fprintf(stderr, "retitle: %s\n", plan != NULL ? "cannot write the file" : error.message);
    }
    bsp_plan_free(plan);
    bsp_blob_free(&text);
    bsp_entities_free(entities);
    bsp_file_close(file);
    return !written;
}
