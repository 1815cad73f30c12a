// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/given.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/parallel.hpp"
#include "core/trees/partial.hpp"

namespace accord::tasks {

Given::Given(const text::Document& document, const std::vector<std::string>& label_names, bool projective, bool single_root, int threads) {
  std::unordered_map<std::string_view, int32_t> label_ids;
  for (size_t i = 0; i < label_names.size(); ++i) label_ids.emplace(label_names[i], static_cast<int32_t>(i));
  starts_.assign(1, 0);
  for (size_t s = 0; s < document.sentences(); ++s) starts_.push_back(starts_.back() + document.words(s) + 1);
  heads_.assign(starts_.back(), not_given);
  labels_.assign(starts_.back(), not_given);

  std::vector<std::unique_ptr<trees::TreeSpace>> spaces(static_cast<size_t>(thread_count(threads, document.sentences())));
  parallel_for(document.sentences(), threads, [&](int worker, size_t s) {
    auto& space = spaces[static_cast<size_t>(worker)];
    if (!space) space = trees::make_tree_space(projective, single_root);
    const std::span<const int32_t> given = document.heads(s);
    const std::span<int32_t> heads = std::span(heads_).subspan(starts_[s], given.size() + 1);
    std::copy(given.begin(), given.end(), heads.begin() + 1);
    const std::vector<int32_t> kept = trees::agreeing_heads(heads, *space);
    std::copy(kept.begin(), kept.end(), heads.begin());
    for (size_t m = 1; m <= given.size(); ++m) {
      const std::string_view name = document.field(s, m, text::Column::deprel);
      if (name == "_" || heads[m] != given[m - 1]) continue;  // a dropped head takes its label with it
      const auto found = label_ids.find(name);
      labels_[starts_[s] + m] = found == label_ids.end() ? foreign_label : found->second;
    }
  });
  for (size_t s = 0; s < document.sentences(); ++s)
    for (size_t m = 1; m <= document.words(s); ++m)
      if (document.head(s, m) != heads_[starts_[s] + m]) dropped_.push_back({s, m});
}

bool Given::fits(const text::Document& document) const {
  if (document.sentences() + 1 != starts_.size()) return false;
  for (size_t s = 0; s < document.sentences(); ++s)
    if (starts_[s + 1] - starts_[s] != document.words(s) + 1) return false;
  return true;
}

}  // namespace accord::tasks
