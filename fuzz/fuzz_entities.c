// SPDX-License-Identifier: MIT
// Entity text: for any bytes, entities lie in the text one after the other, and their pairs inside
// them, in order.
#include "meter.h"

static bool swallow(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return true;
}

// Returns where a text ends, checking that it begins at `from` or later, and ends at `to` or
// earlier.
static size_t look_at_text(const bsp_entities *entities, bsp_text text, size_t from, size_t to) {
    FUZZ_CHECK(text.data >= entities->text.data + from);
    FUZZ_CHECK(text.data <= entities->text.data + to);
    size_t start = (size_t)(text.data - entities->text.data);
    FUZZ_CHECK(text.size <= to - start);
    return start + text.size;
}

static void look_at_entity(const bsp_entities *entities, const bsp_entity *entity) {
    size_t from = entity->offset;
    size_t to = entity->offset + entity->size;
    FUZZ_CHECK(entity->size != 0 && entities->text.data[from] == '{');
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        from = look_at_text(entities, entity->pairs[i].key, from, to);
        from = look_at_text(entities, entity->pairs[i].value, from, to);
    }
}

static void look_at_all(const bsp_entities *entities) {
    bsp_json json;
    bsp_json_begin(&json, swallow, NULL);
    size_t from = 0;
    for (uint32_t i = 0; i < entities->count; i++) {
        const bsp_entity *entity = &entities->list[i];
        FUZZ_CHECK(entity->offset >= from && entity->offset <= entities->text.size);
        FUZZ_CHECK(entity->size <= entities->text.size - entity->offset);
        from = entity->offset + entity->size;
        look_at_entity(entities, entity);
        (void)bsp_entity_value(entity, "classname");
        bsp_entity_json(entity, i, &json);
    }
    FUZZ_CHECK(bsp_json_flush(&json));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_text text = {(const char *)data, size};
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_entities *entities = bsp_entities_parse(text, &meter.allocator, issues, NULL);
    FUZZ_CHECK(entities != NULL);
    FUZZ_CHECK(entities->text.data == text.data && entities->text.size == size);
    look_at_all(entities);
    bsp_entities_free(entities);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
