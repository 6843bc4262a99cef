// SPDX-License-Identifier: MIT
// Takes the options of a caller, and refuses what cannot be options.
#include "core/options.h"

#include <assert.h>
#include <string.h>

bool bspi_take_options(void *out, size_t size, size_t oldest, const void *options,
                       bsp_error *error) {
    size_t stated = 0;
    memset(out, 0, size);
    if (options != NULL) {
        memcpy(&stated, options, sizeof stated);
        stated = stated == 0 ? size : stated;
        bool known = stated >= oldest && stated <= size;
        assert(known && "options begin with their size or 0: see BSP_OPTIONS");
        if (!known) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                            "the options state %zu bytes: they were not initialised, or are those "
                            "of another version; %zu to %zu are known",
                            stated, oldest, size);
        }
        memcpy(out, options, stated);
    }
    memcpy(out, &size, sizeof size);
    return true;
}
