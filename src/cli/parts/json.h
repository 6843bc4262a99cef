// SPDX-License-Identifier: MIT
// Members of JSON objects: a key and its value in one call.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "bspkit/bspkit.h"

void cli_json_int(bsp_json *json, const char *key, int64_t value);
void cli_json_uint(bsp_json *json, const char *key, uint64_t value);
void cli_json_bool(bsp_json *json, const char *key, bool value);
void cli_json_float(bsp_json *json, const char *key, float value);
void cli_json_text(bsp_json *json, const char *key, bsp_text value);
void cli_json_string(bsp_json *json, const char *key, const char *value);
/// Writes a number, or null where the value is not known.
void cli_json_uint_or_null(bsp_json *json, const char *key, bool known, uint64_t value);
/// Writes eight hexadecimal digits, or null where the value is not known.
void cli_json_sum_or_null(bsp_json *json, const char *key, bool known, uint32_t value);
/// Writes a string, or null where the value is NULL or empty.
void cli_json_string_or_null(bsp_json *json, const char *key, const char *value);
/// Begins an array, or an object, which bsp_json_array_end or bsp_json_object_end ends.
void cli_json_array(bsp_json *json, const char *key);
void cli_json_object(bsp_json *json, const char *key);

#endif
