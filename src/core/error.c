// SPDX-License-Identifier: MIT
// Errors and places. Every failure is reported through bsp_fail.
#include "bspkit/core.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define STRINGIFY2(x) #x
#define STRINGIFY(x) STRINGIFY2(x)

const char *bsp_version(void) {
    return STRINGIFY(BSP_VERSION_MAJOR) "." STRINGIFY(BSP_VERSION_MINOR) "." STRINGIFY(
        BSP_VERSION_PATCH);
}

const char *bsp_code_name(bsp_code code) {
    switch (code) {
    case BSP_OK:
        return "ok";
    case BSP_E_ARGUMENT:
        return "argument";
    case BSP_E_MEMORY:
        return "memory";
    case BSP_E_LIMIT:
        return "limit";
    case BSP_E_IO:
        return "io";
    case BSP_E_FORMAT:
        return "format";
    case BSP_E_DAMAGED:
        return "damaged";
    case BSP_E_UNSUPPORTED:
        return "unsupported";
    case BSP_E_RANGE:
        return "range";
    case BSP_E_CANCELLED:
        return "cancelled";
    case BSP_E_NOT_FOUND:
        return "not found";
    case BSP_E_PERMISSION:
        return "permission";
    case BSP_E_UNEXPLAINED:
        return "unexplained";
    case BSP_E_ENCRYPTED:
        return "encrypted";
    }
    return "unknown";
}

bsp_place bsp_place_none(void) {
    bsp_place place = {{0}, NULL, BSP_NONE, BSP_NONE, UINT64_MAX};
    return place;
}

bsp_place bsp_place_at(const char *lump, uint32_t record, const char *field, uint64_t offset) {
    bsp_place place = {{0}, field, record, BSP_NONE, offset};
    if (lump != NULL) {
        size_t size = strlen(lump);
        if (size > sizeof place.lump - 1) {
            size = sizeof place.lump - 1;
        }
        memcpy(place.lump, lump, size);
    }
    return place;
}

bsp_place bsp_place_element(bsp_place place, uint32_t element, uint32_t count) {
    place.element = count > 1 ? element : BSP_NONE;
    return place;
}

static void format_index(char out[16], uint32_t index) {
    out[0] = '\0';
    if (index != BSP_NONE) {
        snprintf(out, 16, "[%u]", (unsigned)index);
    }
}

size_t bsp_format_place(char out[BSP_PLACE_TEXT], const bsp_place *place) {
    assert(out != NULL && place != NULL);
    char record[16];
    char element[16];
    bool field = place->field != NULL && place->field[0] != '\0';
    format_index(record, place->record);
    format_index(element, field ? place->element : BSP_NONE);
    int size = snprintf(out, BSP_PLACE_TEXT, "%.31s%s%s%.64s%s", place->lump, record,
                        field ? "." : "", field ? place->field : "", element);
    return (size_t)size;
}

bool bsp_fail(bsp_error *error, bsp_code code, const bsp_place *place, const char *format, ...) {
    if (error == NULL) {
        return false;
    }
    error->code = code;
    error->place = place != NULL ? *place : bsp_place_none();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
