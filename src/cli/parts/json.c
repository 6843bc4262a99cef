// SPDX-License-Identifier: MIT
// Members of JSON objects.
#include "cli/parts/json.h"

#include <stdio.h>

void cli_json_int(bsp_json *json, const char *key, int64_t value) {
    bsp_json_key(json, key);
    bsp_json_int(json, value);
}

void cli_json_uint(bsp_json *json, const char *key, uint64_t value) {
    bsp_json_key(json, key);
    bsp_json_uint(json, value);
}

void cli_json_bool(bsp_json *json, const char *key, bool value) {
    bsp_json_key(json, key);
    bsp_json_bool(json, value);
}

void cli_json_float(bsp_json *json, const char *key, float value) {
    bsp_json_key(json, key);
    bsp_json_float(json, value);
}

void cli_json_text(bsp_json *json, const char *key, bsp_text value) {
    bsp_json_key(json, key);
    bsp_json_text(json, value);
}

void cli_json_string(bsp_json *json, const char *key, const char *value) {
    bsp_json_key(json, key);
    bsp_json_string(json, value);
}

void cli_json_uint_or_null(bsp_json *json, const char *key, bool known, uint64_t value) {
    bsp_json_key(json, key);
    if (known) {
        bsp_json_uint(json, value);
    } else {
        bsp_json_null(json);
    }
}

void cli_json_sum_or_null(bsp_json *json, const char *key, bool known, uint32_t value) {
    char text[16] = "";
    (void)snprintf(text, sizeof text, "%08x", (unsigned)value);
    cli_json_string_or_null(json, key, known ? text : NULL);
}

void cli_json_string_or_null(bsp_json *json, const char *key, const char *value) {
    bsp_json_key(json, key);
    if (value == NULL || value[0] == '\0') {
        bsp_json_null(json);
    } else {
        bsp_json_string(json, value);
    }
}

void cli_json_array(bsp_json *json, const char *key) {
    bsp_json_key(json, key);
    bsp_json_array(json);
}

void cli_json_object(bsp_json *json, const char *key) {
    bsp_json_key(json, key);
    bsp_json_object(json);
}
