// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sink.h"

#include <stdlib.h>
#include <string.h>

bool test_sink_take(void *sink, const char *data, size_t size) {
    test_sink *s = sink;
    if (s->size + size + 1 > s->room) {
        s->room = 2 * (s->size + size + 1);
        s->data = realloc(s->data, s->room);
        assert_non_null(s->data);
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    s->data[s->size] = '\0';
    return true;
}
