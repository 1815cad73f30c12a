// SPDX-License-Identifier: Apache-2.0
// Wide values that others always bring along.
//
// A value's *companions* are the values of every row that has it. Templates are ordered by how often their values occur on average; each
// template may have a rarer one as its host, the one that saves most additions. A value of the host takes those of its companions in as
// guests whose template it hosts; a row that has a value need not list its guests, nor their guests. A row has at most one value of a
// template, so nothing is taken in twice: values that break this rule are left alone.
#include <algorithm>

#include "core/tasks/labeller/chain_objective.hpp"

namespace accord::tasks {

namespace {

constexpr uint32_t nothing = UINT32_MAX;

}  // namespace

// While wide_[block] still lists numbers of wide values.
void ChainObjective::bundle_wide(size_t block) {
  RowLists<uint32_t>& lists = wide_[block];
  const size_t values = wide_values_.size(), templates = templates_.blocks[block].templates.size();
  const auto template_of = [&](uint32_t v) { return template_of_[wide_values_[v].value]; };

  std::vector<std::vector<uint32_t>> companions(values);
  std::vector<uint32_t> counts(values, 0), row_of(values, nothing);
  std::vector<uint8_t> alone(values, 0);
  for (size_t row = 0; row < lists.rows(); ++row) {
    const std::span<const uint32_t> here = lists.row(row);
    for (uint32_t v : here) {
      if (row_of[v] == row || template_of(v) == nothing) alone[v] = 1;
      row_of[v] = static_cast<uint32_t>(row);
    }
    for (uint32_t v : here) {
      if (counts[v]++ == 0) companions[v].assign(here.begin(), here.end());
      else std::erase_if(companions[v], [&](uint32_t u) { return row_of[u] != row; });
    }
  }
  for (uint32_t v = 0; v < values; ++v)
    std::erase_if(companions[v], [&](uint32_t u) { return alone[u] || alone[v] || template_of(u) == template_of(v); });

  std::vector<double> occurrences(templates, 0), distinct(templates, 0), mean(templates, 0);
  std::vector<double> saved(templates * templates, 0);  // [guest][host]
  for (uint32_t v = 0; v < values; ++v) {
    if (counts[v] == 0 || alone[v]) continue;
    occurrences[template_of(v)] += counts[v];
    distinct[template_of(v)] += 1;
    for (uint32_t u : companions[v]) saved[template_of(u) * templates + template_of(v)] += counts[v] - 1.0;
  }
  std::vector<uint32_t> order, place(templates), host(templates, nothing);
  for (uint32_t t = 0; t < templates; ++t) {
    order.push_back(t);
    mean[t] = distinct[t] > 0 ? occurrences[t] / distinct[t] : 0;
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return mean[a] > mean[b]; });
  for (uint32_t k = 0; k < templates; ++k) place[order[k]] = k;
  for (uint32_t t = 0; t < templates; ++t)
    for (uint32_t h = 0; h < templates; ++h)
      if (place[h] > place[t] && saved[t * templates + h] > (host[t] == nothing ? 0.0 : saved[t * templates + host[t]])) host[t] = h;

  std::vector<uint32_t> by_place;
  for (uint32_t v = 0; v < values; ++v) {
    std::erase_if(companions[v], [&](uint32_t u) { return host[template_of(u)] != template_of(v); });
    if (!companions[v].empty()) by_place.push_back(v);
  }
  std::stable_sort(by_place.begin(), by_place.end(), [&](uint32_t a, uint32_t b) { return place[template_of(a)] < place[template_of(b)]; });
  const auto pitch = static_cast<uint32_t>(chains::padded(static_cast<size_t>(layout_->blocks()[block].width)));
  for (uint32_t v : by_place)
    for (uint32_t u : companions[v]) folds_.push_back({wide_values_[u].place, wide_values_[v].place, pitch});

  RowLists<uint32_t> fewer;
  std::fill(row_of.begin(), row_of.end(), nothing);  // now: the row in which it is a guest
  for (size_t row = 0; row < lists.rows(); ++row) {
    for (uint32_t v : lists.row(row))
      for (uint32_t u : companions[v]) row_of[u] = static_cast<uint32_t>(row);
    for (uint32_t v : lists.row(row))
      if (row_of[v] != row) fewer.items.push_back(v);
    fewer.end_row();
  }
  lists = std::move(fewer);
}

}  // namespace accord::tasks
