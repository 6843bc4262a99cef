// SPDX-License-Identifier: MIT
// The dialects by name, and the choice of their writers.
#include "core/options.h"
#include "core/text.h"
#include "mapdoc/print.h"

#include <assert.h>

static const char *const names[BSP_NUM_DIALECTS] = {"quake",  "valve220",   "quake2",
                                                    "quake3", "primitives", "vmf"};

const char *bsp_dialect_name(bsp_dialect dialect) {
    return bspi_name_of(names, BSP_NUM_DIALECTS, (size_t)dialect);
}

bool bsp_dialect_find(bsp_text name, bsp_dialect *dialect) {
    assert(dialect != NULL);
    for (int i = 0; i < BSP_NUM_DIALECTS; i++) {
        if (bspi_text_is(name, names[i])) {
            *dialect = (bsp_dialect)i;
            return true;
        }
    }
    return false;
}

// A sink that counts what is written to it.
typedef struct counted {
    bsp_sink sink;
    void *user;
    bsp_budget *budget;
    bsp_error *error;
    bool refused;
} counted;

static bool count(void *user, const char *data, size_t size) {
    counted *c = user;
    c->refused = c->refused || !bsp_budget_write(c->budget, 0, size, c->error);
    return !c->refused && c->sink(c->user, data, size);
}

bool bsp_mapdoc_write(const bsp_mapdoc *source, bsp_dialect dialect,
                      const bsp_mapdoc_write_options *options, bsp_sink sink, void *user,
                      bsp_mapdoc_losses *losses, bsp_error *error) {
    assert(sink != NULL);
    assert(source != NULL);
    if ((unsigned)dialect >= BSP_NUM_DIALECTS) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no dialect %d", (int)dialect);
    }
    bspi_printer p = {.source = source, .dialect = dialect, .error = error};
    if (!BSPI_TAKE_OPTIONS(p.options, options, error)) {
        return false;
    }
    counted to = {.sink = sink, .user = user, .budget = p.options.budget, .error = error};
    bspi_heap_init_for(&p.heap, BSP_PRODUCT_DOCUMENT,
                       (uint64_t)source->num_sides * sizeof(bsp_mapdoc_side), p.options.budget,
                       p.options.allocator);
    bspi_out_begin(&p.out, count, &to);
    bool done = dialect == BSP_DIALECT_VMF ? bspi_write_vmf(&p) : bspi_write_map(&p);
    done = bspi_out_flush(&p.out) && done; // after a failure, what was printed before it
    if (losses != NULL) {
        *losses = p.losses;
    }
    if (p.out.failed && !to.refused) {
        return bsp_fail(error, BSP_E_IO, NULL, "the output could not be written");
    }
    return done && !to.refused;
}

bool bsp_mapdoc_keeps_mappings(const bsp_mapdoc *source, bsp_dialect dialect) {
    assert(source != NULL);
    assert((unsigned)dialect < BSP_NUM_DIALECTS);
    // Both have the texture axes of Hammer.
    bool axes = dialect == BSP_DIALECT_VMF || dialect == BSP_DIALECT_VALVE220;
    bspi_printer p = {.source = source, .dialect = axes ? BSP_DIALECT_VALVE220 : dialect};
    for (uint32_t i = 0; i < source->num_sides; i++) {
        if (!bspi_map_keeps_mapping(&p, i)) {
            return false;
        }
    }
    return true;
}

bsp_dialect bsp_mapdoc_best_dialect(const bsp_mapdoc *source, bsp_dialect own) {
    assert(source != NULL);
    assert((unsigned)own < BSP_NUM_DIALECTS);
    bsp_dialect wider = own == BSP_DIALECT_QUAKE3 ? BSP_DIALECT_PRIMITIVES : BSP_DIALECT_VALVE220;
    bool widest = own == BSP_DIALECT_VMF || own == wider;
    return widest || bsp_mapdoc_keeps_mappings(source, own) ? own : wider;
}
