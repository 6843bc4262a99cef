// SPDX-License-Identifier: MIT
// bspkit info of a model.
#ifndef CLI_INFO_MODEL_H
#define CLI_INFO_MODEL_H

#include "cli/parts/input.h"

/// Prints what a model is.
cli_status cli_info_model(const cli_input *input);

#endif
