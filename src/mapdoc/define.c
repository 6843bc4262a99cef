// SPDX-License-Identifier: MIT
// A class of entities being read: lists of it are kept in scratch arrays until it ends.
#include "mapdoc/definitions.h"

#include "core/issue_kinds.h"
#include "core/text.h"

#include <string.h>

static void append(bspi_def_source *source, bspi_def_list *list, const void *element, size_t size) {
    if (source->failed || !bspi_meter_add(&source->meter, 1)) {
        source->failed = true;
        return;
    }
    void *data =
        bspi_grow(&source->to->heap, list->data, list->count, &list->room, size, source->error);
    if (data == NULL) {
        source->failed = true;
        return;
    }
    list->data = data;
    memcpy((char *)data + list->count++ * size, element, size);
}

// Moves a scratch list into the arena.
static const void *keep(bspi_def_source *source, bspi_def_list *list, size_t size,
                        uint32_t *count) {
    *count = 0;
    if (source->failed || list->count == 0) {
        return NULL;
    }
    void *kept = bspi_arena_raw(&source->to->arena, list->count, size, source->error);
    if (kept == NULL) {
        source->failed = true;
        return NULL;
    }
    memcpy(kept, list->data, list->count * size);
    *count = (uint32_t)list->count;
    list->count = 0;
    return kept;
}

void bspi_def_begin(bspi_def_source *source, bsp_class_kind kind) {
    source->now =
        (bsp_entity_class){.kind = kind, .file = bsp_text_of(source->name), .line = source->line};
    source->to->bases.count = source->to->properties.count = 0;
    source->to->flags.count = source->to->choices.count = 0;
}

void bspi_def_base(bspi_def_source *source, bsp_text name) {
    append(source, &source->to->bases, &name, sizeof name);
}

void bspi_def_choice(bspi_def_source *source, bsp_class_choice choice) {
    append(source, &source->to->choices, &choice, sizeof choice);
}

void bspi_def_flag(bspi_def_source *source, bsp_class_choice flag) {
    append(source, &source->to->flags, &flag, sizeof flag);
}

void bspi_def_property(bspi_def_source *source, bsp_class_property property) {
    property.choices =
        keep(source, &source->to->choices, sizeof *property.choices, &property.num_choices);
    append(source, &source->to->properties, &property, sizeof property);
}

void bspi_def_end(bspi_def_source *source) {
    bsp_entity_class *now = &source->now;
    if (now->name.size == 0) {
        return;
    }
    if (source->to->flags.count != 0) {
        bsp_class_property flags = {.key = bsp_text_of("spawnflags"), .type = bsp_text_of("flags")};
        flags.choices = keep(source, &source->to->flags, sizeof *flags.choices, &flags.num_choices);
        append(source, &source->to->properties, &flags, sizeof flags);
    }
    now->bases = keep(source, &source->to->bases, sizeof *now->bases, &now->num_bases);
    now->properties =
        keep(source, &source->to->properties, sizeof *now->properties, &now->num_properties);
    append(source, &source->to->classes, now, sizeof *now);
    now->name.size = 0;
}

static const bsp_entity_class *last_of_name(const bsp_definitions *own, bsp_text name) {
    const bsp_entity_class *list = own->classes.data;
    for (size_t i = own->classes.count; i > 0; i--) {
        if (bspi_text_equal_nocase(list[i - 1].name, name)) {
            return &list[i - 1];
        }
    }
    return NULL;
}

void bspi_def_extend(bspi_def_source *source) {
    bsp_entity_class *now = &source->now;
    const bsp_entity_class *old = last_of_name(source->to, now->name);
    if (old == NULL || !bspi_meter_add(&source->meter, source->to->classes.count)) {
        return;
    }
    now->kind = old->kind;
    now->help = now->help.size == 0 ? old->help : now->help;
    if (!now->sized) {
        now->sized = old->sized;
        memcpy(now->mins, old->mins, sizeof now->mins);
        memcpy(now->maxs, old->maxs, sizeof now->maxs);
    }
    if (!now->colored) {
        now->colored = old->colored;
        memcpy(now->color, old->color, sizeof now->color);
    }
    if (now->shows == BSP_CLASS_NO_PICTURE) {
        now->shows = old->shows;
        now->picture = old->picture;
        now->pitch_negated = old->pitch_negated;
    }
    for (uint32_t i = 0; i < old->num_bases; i++) {
        bspi_def_base(source, old->bases[i]);
    }
    for (uint32_t i = 0; i < old->num_properties; i++) { // the first of a key is found: the new one
        append(source, &source->to->properties, &old->properties[i], sizeof old->properties[i]);
    }
}

void bspi_def_issue(bspi_def_source *source, const char *what, bsp_text about) {
    bspi_issue(source->to->issues, BSPI_ISSUE_ASSET_SYNTAX,
               bsp_place_at(source->name, source->line, NULL, source->at), "%s%s%.*s", what,
               about.size == 0 ? "" : ": ", (int)(about.size < 64 ? about.size : 64),
               about.size == 0 ? "" : about.data);
}

// --- values -------------------------------------------------------------------------------------

static bool in_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

uint32_t bspi_def_numbers(bsp_text text, float *out, uint32_t count) {
    uint32_t found = 0;
    for (size_t at = 0; at < text.size && found < count;) {
        size_t start = at;
        while (at < text.size && in_number(text.data[at])) {
            at++;
        }
        if (at > start && bsp_parse_float((bsp_text){text.data + start, at - start}, &out[found])) {
            found++;
        }
        at += at == start ? 1 : 0;
    }
    return found;
}

void bspi_def_size(bspi_def_source *source, bsp_text numbers) {
    float n[6];
    uint32_t count = bspi_def_numbers(numbers, n, 6);
    bsp_entity_class *now = &source->now;
    now->sized = count == 6 || count == 3;
    for (int i = 0; i < 3 && now->sized; i++) {
        now->mins[i] = count == 6 ? n[i] : -n[i];
        now->maxs[i] = count == 6 ? n[3 + i] : n[i];
    }
    if (!now->sized) {
        bspi_def_issue(source, "a size is not three or six numbers", numbers);
    }
}

void bspi_def_color(bspi_def_source *source, bsp_text numbers, float full) {
    float n[3];
    bsp_entity_class *now = &source->now;
    now->colored = bspi_def_numbers(numbers, n, 3) == 3;
    if (full == 0) {
        full = now->colored && (n[0] > 1 || n[1] > 1 || n[2] > 1) ? 255 : 1;
    }
    for (int i = 0; i < 3 && now->colored; i++) {
        now->color[i] = n[i] / full < 0 ? 0 : n[i] / full > 1 ? 1 : n[i] / full;
    }
}

void bspi_def_model(bspi_def_source *source, bsp_text argument) {
    source->now.shows = BSP_CLASS_EXPRESSION;
    source->now.picture = bspi_text_trim(argument);
}
