// SPDX-License-Identifier: MIT
// Names of files. Of a material's name only letters, digits and a few other characters are kept, so
// that a name from a map cannot leave the folder.
#include "export/names.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define MOST_STEM 200
#define MOST_LABEL (BSPI_LABEL - 1)

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static size_t put_stem(const bspi_content *content, char *out) {
    const char *stem = content->options->stem != NULL ? content->options->stem : "map";
    size_t size = 0;
    for (; stem[size] != '\0' && size < MOST_STEM; size++) {
        out[size] = stem[size] == '/' || stem[size] == '\\' ? '_' : stem[size];
    }
    return size;
}

void bspi_name_file(const bspi_content *content, const char *ending, char out[BSPI_NAME]) {
    size_t size = put_stem(content, out);
    (void)snprintf(out + size, BSPI_NAME - size, "%s", ending);
}

void bspi_name_label(bsp_text name, char label[BSPI_LABEL]) {
    size_t length = 0;
    size_t skip = name.size > MOST_LABEL ? name.size - MOST_LABEL : 0;
    for (size_t i = skip; i < name.size; i++) {
        char c = name.data[i];
        label[length++] = is_letter(c) || c == '-' ? bspi_lower(c) : '_';
    }
    label[length] = '\0';
}

bsp_text bspi_image_name(const bspi_content *content, const bspi_png *image) {
    return image->decal ? content->scene->decal_names[image->material]
                        : content->scene->materials[image->material].name;
}

void bspi_name_image(const bspi_content *content, const bspi_png *image, char out[BSPI_NAME]) {
    char label[BSPI_LABEL];
    bspi_name_label(bspi_image_name(content, image), label);
    size_t size = put_stem(content, out);
    (void)snprintf(out + size, BSPI_NAME - size, "_%03u_%s.png", (unsigned)image->number, label);
}

void bspi_name_page(const bspi_content *content, uint32_t page, char out[BSPI_NAME]) {
    bool baked = content->options->light == BSP_EXPORT_LIGHT_BAKED;
    size_t size = put_stem(content, out);
    (void)snprintf(out + size, BSPI_NAME - size, "_%s_%u.png", baked ? "baked" : "light",
                   (unsigned)page);
}

void bspi_name_uri(const char *name, char out[3 * BSPI_NAME]) {
    static const char hex[] = "0123456789ABCDEF";
    size_t at = 0;
    for (; *name != '\0' && at + 4 < 3 * (size_t)BSPI_NAME; name++) {
        unsigned char c = (unsigned char)*name;
        if (is_letter(*name) || strchr("-._~", c) != NULL) {
            out[at++] = *name;
        } else {
            out[at++] = '%';
            out[at++] = hex[c >> 4];
            out[at++] = hex[c & 15];
        }
    }
    out[at] = '\0';
}

static bool to_beside(void *user, const char *data, size_t size) {
    const bspi_beside *beside = user;
    const bsp_export_options *options = beside->content->options;
    return options->files(options->user, beside->name, data, size);
}

bool bspi_beside_sink(void *user, const char *data, size_t size) {
    bspi_beside *beside = user;
    beside->counted.content = beside->content;
    beside->counted.sink = to_beside;
    beside->counted.user = beside;
    return bspi_counted_sink(&beside->counted, data, size);
}

static bool put_png(const bspi_content *content, const char *name, const bsp_blob *png,
                    uint64_t *bytes) {
    bspi_beside beside = {.content = content, .name = name};
    *bytes += png->size;
    return bspi_beside_sink(&beside, (const char *)png->data, png->size);
}

bool bspi_beside_images(const bspi_content *content, uint64_t *bytes) {
    char name[BSPI_NAME];
    bool done = true;
    for (uint32_t i = 0; done && i < content->paints.num_images; i++) {
        const bspi_png *image = &content->paints.images[i];
        if (image->number != BSP_NONE) {
            bspi_name_image(content, image, name);
            done = put_png(content, name, &image->png, bytes);
        }
    }
    for (uint32_t i = 0; done && i < content->num_pages; i++) {
        bspi_name_page(content, i, name);
        done = put_png(content, name, &content->pages[i], bytes);
    }
    return done;
}
