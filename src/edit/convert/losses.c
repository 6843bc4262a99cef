// SPDX-License-Identifier: MIT
// The losses of a conversion: reported, or refused.
#include "core/issue_kinds.h"
#include "edit/convert/convert.h"

#include <stdarg.h>
#include <stdio.h>

// --- losses -------------------------------------------------------------------------------------

void bspi_convert_lose(bspi_convert *c, bsp_place place, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (c->options->lossy) {
        bspi_issue(c->options->issues, BSPI_ISSUE_CONVERT_LOST, place, "%s", text);
    } else if (!c->refused) {
        c->refused = true;
        (void)bsp_fail(c->error, BSP_E_RANGE, &place, "%s", text);
    }
}
