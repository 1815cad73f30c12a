// SPDX-License-Identifier: Apache-2.0
// Predicted trees as text.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/documents/document.hpp"

namespace accord::tasks {

// The document with predicted trees: heads for all words, and labels where an id is not negative. misc_entries: one
// "Key=Value|..." per word to merge into MISC, or none at all.
std::string write_trees(const text::Document& document, std::span<const int32_t> heads, std::span<const int32_t> labels,
                        const std::vector<std::string>& names, const std::vector<std::string>& misc_entries);

}  // namespace accord::tasks
