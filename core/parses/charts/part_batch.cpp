// SPDX-License-Identifier: Apache-2.0
#include "core/parses/charts/part_batch.hpp"

#include "core/parallel.hpp"

namespace accord::parses {

namespace {

// Calls work(chart, sentence, first slot, number of slots), one chart a thread.
template <class Work>
void for_each_sentence(const PartBatch& batch, Work&& work) {
  const std::vector<size_t> starts = slot_starts(batch.layouts);
  std::vector<PartChart> charts(static_cast<size_t>(thread_count(batch.threads, batch.layouts.size())));
  parallel_for(batch.layouts.size(), batch.threads, [&](int worker, size_t sentence) {
    PartChart& chart = charts[static_cast<size_t>(worker)];
    chart.prepare(*batch.layouts[sentence], batch.options);
    work(chart, sentence, starts[sentence], starts[sentence + 1] - starts[sentence]);
  });
}

}  // namespace

std::vector<size_t> slot_starts(std::span<const PartLayout* const> layouts) {
  std::vector<size_t> starts(1, 0);
  for (const PartLayout* layout : layouts) starts.push_back(starts.back() + layout->size());
  return starts;
}

void log_partition(const PartBatch& batch, std::span<double> values) {
  for_each_sentence(batch, [&](PartChart& chart, size_t sentence, size_t begin, size_t count) {
    values[sentence] = chart.log_partition(batch.scores.subspan(begin, count));
  });
}

void marginals(const PartBatch& batch, std::span<double> values, std::span<double> out) {
  for_each_sentence(batch, [&](PartChart& chart, size_t sentence, size_t begin, size_t count) {
    values[sentence] = chart.marginals(batch.scores.subspan(begin, count), out.subspan(begin, count));
  });
}

void tangents(const PartBatch& batch, std::span<const double> direction, std::span<double> out) {
  for_each_sentence(batch, [&](PartChart& chart, size_t, size_t begin, size_t count) {
    chart.tangents(batch.scores.subspan(begin, count), direction.subspan(begin, count), out.subspan(begin, count));
  });
}

}  // namespace accord::parses
