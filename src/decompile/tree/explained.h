// SPDX-License-Identifier: MIT
// Which cells of a hull are solid because of the solids of hull 0, or of clip brushes that were
// found: samples of them are where the mover's box touches one.
#ifndef BSPI_DECOMPILE_TREE_EXPLAINED_H
#define BSPI_DECOMPILE_TREE_EXPLAINED_H

#include "decompile/tree/clip.h"

#include <math.h>
#include <pthread.h>

/// Returns the distance between a hull's planes and those of the brush: the extent of the mover's
/// box.
static inline double bspi_mover_reach(const bsp_hull *box, const double normal[3]) {
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        sum -= fmin(normal[a] * (double)box->mins[a], normal[a] * (double)box->maxs[a]);
    }
    return sum;
}

/// A search; each thread has its own.
typedef struct bspi_explainer {
    const bspi_clipper *clipper; ///< has the clip brushes
    bspi_carver *carver;
    const bsp_hull *box;                ///< of the mover
    const bspi_tree *space;             ///< hull 0
    const bspi_tree *open;              ///< its cells that are not solid
    bspi_tree *tree;                    ///< of the hull
    struct bspi_explainer_step *stack;  ///< scratch, as deep as the deepest tree
    struct bspi_explainer_chain *chain; ///< to the solid that was found last
    double *radii; ///< for each node of hull 0: of the mover's box, along its normal
} bspi_explainer;

/// Returns false without memory. Call bspi_explainer_end afterwards, even then.
bool bspi_explainer_begin(bspi_explainer *explainer, const bspi_clipper *clipper,
                          bspi_carver *carver, const bsp_hull *box, const bspi_tree *open,
                          bspi_tree *tree);
/// Marks cells from `first` to before `end` as done that are explained, or for which the limit of
/// work was reached; the others as not done.
void bspi_explain_cells(bspi_explainer *explainer, uint32_t first, uint32_t end);
void bspi_explainer_end(bspi_explainer *explainer);

/// Threads that help one.
struct bspi_explain_help {
    atomic_uint next; ///< cell that none has taken
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const bspi_explainer *explainer; ///< NULL: not begun yet, or over
    bool over;
    uint32_t busy; ///< helpers
};

void bspi_explain_help_begin(bspi_explain_help *help);
/// Marks all cells with those who help.
void bspi_explain_helped(bspi_explainer *explainer, bspi_explain_help *help);
/// Says that there is, or will be, nothing to help with.
void bspi_explain_help_over(bspi_explain_help *help);
/// Helps, with a carver that has the planes and the box of the other one. Waits for something to
/// do.
void bspi_explain_more(bspi_explain_help *help, bspi_carver *carver);
void bspi_explain_help_end(bspi_explain_help *help);

#endif
