// SPDX-License-Identifier: MIT
// Entity text of a list of old and new entities.
#include "bspkit/entity_edit.h"
#include "edit/entity_text.h"
#include "edit/heap.h"

#include <assert.h>
#include <string.h>

typedef struct composer {
    const bsp_entities *old;
    bspi_buffer *out;
    bsp_text line_end;
} composer;

static void put_run(const composer *c, size_t from, size_t to) {
    bspi_put_run(c->out, c->old->text, from, to);
}

static size_t end_of(const composer *c, uint32_t entity) {
    return c->old->list[entity].offset + c->old->list[entity].size;
}

static bool is_old(const composer *c, bsp_text text) {
    const char *start = c->old->text.data;
    return text.size != 0 && c->old->text.size != 0 && text.data >= start &&
           text.data < start + c->old->text.size;
}

static bool put_new(const composer *c, const bsp_entity_source *source) {
    bspi_buffer_add(c->out, "{", 1);
    bspi_put_text(c->out, c->line_end);
    for (uint32_t i = 0; i < source->num_pairs; i++) {
        bsp_text key = source->pairs[i].key;
        bsp_text value = source->pairs[i].value;
        bspi_heap_extend(c->out->heap, key.size + value.size);
        if ((!is_old(c, key) && !bspi_entity_text_fits(key, "key", c->out->error)) ||
            (!is_old(c, value) && !bspi_entity_text_fits(value, "value", c->out->error))) {
            return false;
        }
        bspi_put_quoted(c->out, key);
        bspi_buffer_add(c->out, " ", 1);
        bspi_put_quoted(c->out, value);
        bspi_put_text(c->out, c->line_end);
    }
    bspi_buffer_add(c->out, "}", 1);
    return true;
}

// Writes the text after an entity before the next one: as in the old text if the same one follows.
static void put_gap(const composer *c, uint32_t entity, uint32_t next) {
    if (entity != BSP_NONE && entity + 1 < c->old->count && next != BSP_NONE) {
        put_run(c, end_of(c, entity), c->old->list[entity + 1].offset);
    } else {
        bspi_put_text(c->out, c->line_end);
    }
}

static bool compose(const composer *c, const bsp_entity_source *list, uint32_t count) {
    size_t first = c->old->count == 0 ? 0 : c->old->list[0].offset;
    put_run(c, 0, first);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entity = list[i].entity;
        uint64_t steps = 1 + (uint64_t)(entity == BSP_NONE ? list[i].num_pairs : 0);
        if (!bspi_heap_work(c->out->heap, steps, c->out->error)) {
            return false;
        }
        if (entity != BSP_NONE && entity >= c->old->count) {
            return bsp_fail(c->out->error, BSP_E_ARGUMENT, NULL,
                            "there is no entity %u: there are %u", entity, c->old->count);
        }
        if (entity != BSP_NONE) {
            put_run(c, c->old->list[entity].offset, end_of(c, entity));
        } else if (!put_new(c, &list[i])) {
            return false;
        }
        if (i + 1 < count) {
            put_gap(c, entity, list[i + 1].entity);
        }
    }
    put_run(c, c->old->count == 0 ? 0 : end_of(c, c->old->count - 1), c->old->text.size);
    return !c->out->failed;
}

bool bsp_entities_compose(const bsp_entities *entities, const bsp_entity_source *list,
                          uint32_t count, const bsp_allocator *allocator, bsp_blob *out,
                          bsp_error *error) {
    assert(entities != NULL && out != NULL);
    assert(list != NULL || count == 0);
    bspi_heap heap;
    bspi_edit_heap_of_entities(&heap, entities, allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    composer c = {entities, &buffer, bspi_entity_line_end(entities->text)};
    memset(out, 0, sizeof *out);
    bool done = compose(&c, list, count);
    if (!done || buffer.size == 0) {
        bspi_buffer_free(&buffer);
        return done;
    }
    return bspi_buffer_give(&buffer, out);
}
