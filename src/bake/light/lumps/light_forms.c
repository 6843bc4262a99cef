// SPDX-License-Identifier: MIT
// Luxels in all forms that a map has. Forms: sheet bake, 3.4.
#include "bake/light/gather/ways.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/light_forms.h"

#include <string.h>

void bspi_forms_begin(bspi_light_forms *forms, const bspi_relight *own, const bsp_file *file,
                      bspi_heap *heap, bsp_error *error) {
    static const char *const names[BSPI_FORM_COUNT] = {NULL, "bspx:RGBLIGHTING",
                                                       "bspx:LIGHTING_E5BGR9", "bspx:LIGHTINGDIR"};
    const uint32_t bytes[BSPI_FORM_COUNT] = {bspi_luxel_bytes(own->own_format), 3, 4, 3};
    forms->own = own;
    for (uint32_t f = 0; f < BSPI_FORM_COUNT; f++) {
        bspi_light_form *form = &forms->list[f];
        form->made = names[f] == NULL || bsp_file_find(file, bsp_text_of(names[f])) != BSP_NONE;
        form->bytes = bytes[f];
        form->buffer = (bspi_buffer){.heap = heap, .error = error};
        form->old = names[f] == NULL ? own->map->light : bspi_named_lump(file, names[f]);
    }
    bspi_light_form *color = &forms->list[BSPI_FORM_COLOR];
    color->made = color->made || own->own_format == BSPI_GREY8;
    if (color->old.size == 0 && own->source.format == BSPI_RGB8) {
        color->old = own->source.data; // the file beside the map
    }
}

static void put(const bspi_light_forms *forms, uint32_t form, const float luxel[3],
                const float capped[3], const float *way, uint8_t *to) {
    switch (form) {
    case BSPI_FORM_OWN:
        bspi_luxel_encode(forms->own->own_format, capped, to);
        break;
    case BSPI_FORM_COLOR:
        bspi_luxel_encode(BSPI_RGB8, capped, to);
        break;
    case BSPI_FORM_BEYOND:
        bspi_luxel_encode(BSPI_E5BGR9, luxel, to);
        break;
    default:
        bspi_ways_encode(forms->own, way, to);
        break;
    }
}

void bspi_forms_add(bspi_light_forms *forms, const float luxel[3], const float *way) {
    float capped[3] = {luxel[0], luxel[1], luxel[2]};
    bspi_luxel_cap(&forms->own->scale.curve, capped);
    for (uint32_t f = 0; f < BSPI_FORM_COUNT; f++) {
        bspi_light_form *form = &forms->list[f];
        uint8_t *to = form->made ? bspi_buffer_grow(&form->buffer, form->bytes) : NULL;
        if (to != NULL) {
            put(forms, f, luxel, capped, way, to);
        }
    }
}

void bspi_forms_align(bspi_light_forms *forms) {
    bspi_light_form *own = &forms->list[BSPI_FORM_OWN];
    if (forms->own->own_format == BSPI_GREY8) {
        bspi_buffer_align(&own->buffer, 4);
    }
    size_t luxels = own->buffer.size / own->bytes;
    for (uint32_t f = 1; f < BSPI_FORM_COUNT; f++) {
        bspi_light_form *form = &forms->list[f];
        size_t size = luxels * form->bytes;
        if (form->made && size > form->buffer.size) {
            (void)bspi_buffer_grow(&form->buffer, size - form->buffer.size);
        }
    }
}

// Colours that the map has not are grey.
static void copy_grey(const bspi_light_forms *forms, size_t first, size_t count, uint8_t *to) {
    const bsp_bytes grey = forms->list[BSPI_FORM_OWN].old;
    for (size_t n = 0; n < count; n++) {
        memset(to + 3 * n, first + n < grey.size ? grey.data[first + n] : 0, 3);
    }
}

void bspi_forms_copy(bspi_light_forms *forms, size_t first, size_t count) {
    for (uint32_t f = 0; f < BSPI_FORM_COUNT; f++) {
        bspi_light_form *form = &forms->list[f];
        size_t size = count * form->bytes;
        size_t from = first * form->bytes;
        uint8_t *to = form->made ? bspi_buffer_grow(&form->buffer, size) : NULL;
        if (to == NULL) {
            continue;
        }
        if (from <= form->old.size && size <= form->old.size - from) {
            memcpy(to, form->old.data + from, size);
        } else if (f == BSPI_FORM_COLOR && forms->own->own_format == BSPI_GREY8) {
            copy_grey(forms, first, count, to);
        } else {
            memset(to, 0, size);
        }
    }
}

bool bspi_forms_sound(const bspi_light_forms *forms) {
    bool sound = true;
    for (uint32_t f = 0; f < BSPI_FORM_COUNT; f++) {
        sound = sound && !forms->list[f].buffer.failed;
    }
    return sound;
}

void bspi_forms_free(bspi_light_forms *forms) {
    for (uint32_t f = 0; f < BSPI_FORM_COUNT; f++) {
        bspi_buffer_free(&forms->list[f].buffer);
    }
}
