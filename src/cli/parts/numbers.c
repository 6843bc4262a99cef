// SPDX-License-Identifier: MIT
#include "cli/parts/numbers.h"

#include "bspkit/core.h"

#include <string.h>

#define BETWEEN " \t\r\n,"

int cli_read_numbers(const char *text, float *numbers, int most) {
    int count = 0;
    while (*(text += strspn(text, BETWEEN)) != '\0') {
        size_t length = strcspn(text, BETWEEN);
        if (count == most || !bsp_parse_float((bsp_text){text, length}, &numbers[count++])) {
            return -1;
        }
        text += length;
    }
    return count;
}

bool cli_take_numbers(const char *text, float *numbers, int count) {
    return cli_read_numbers(text, numbers, count) == count;
}
