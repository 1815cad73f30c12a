// SPDX-License-Identifier: Apache-2.0
// Settings of the parsers in the core's own tests, all of them said here once.
#pragma once
#include "core/tasks/parser/settings.hpp"

namespace cases {

// Of order 1, without templates, that drops no arc of short sentences.
inline accord::tasks::ParserSettings parser_settings(int labels, accord::tasks::LabelMode mode, bool projective, bool single_root) {
  return {.templates = {},
          .labels = labels,
          .mode = mode,
          .projective = projective,
          .single_root = single_root,
          .temperature = 1.0,
          .families = {},
          .pruner = {.heads = 20, .threshold = 0.0},
          .tree_labels = false,
          .label_temperature = 1.0,
          .nonlocal_scale = 1.0,
          .patterns = {},
          .tag_temperatures = {}};
}

}  // namespace cases
