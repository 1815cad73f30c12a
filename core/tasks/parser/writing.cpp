// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/writing.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace accord::tasks {

std::string write_trees(const text::Document& document, std::span<const int32_t> heads, std::span<const int32_t> labels,
                        const std::vector<std::string>& names, const std::vector<std::string>& misc_entries) {
  text::Edits edits;
  edits.heads = heads;
  std::vector<std::string_view> label_names;
  if (std::any_of(labels.begin(), labels.end(), [](int32_t label) { return label >= 0; })) {
    label_names = document.column(text::Column::deprel);
    if (labels.size() != label_names.size()) throw std::invalid_argument("one label per word is needed");
    for (size_t i = 0; i < labels.size(); ++i)
      if (labels[i] >= 0) label_names[i] = names.at(static_cast<size_t>(labels[i]));
    edits.columns[static_cast<size_t>(text::Column::deprel)] = label_names;
  }
  const std::vector<std::string_view> entries(misc_entries.begin(), misc_entries.end());
  edits.misc_entries = entries;
  return document.write(edits);
}

}  // namespace accord::tasks
