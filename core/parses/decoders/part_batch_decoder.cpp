// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_batch_decoder.hpp"

#include <algorithm>
#include <memory>

#include "core/parallel.hpp"
#include "core/parses/charts/part_batch.hpp"

namespace accord::parses {

namespace {

// Head automata read every entry of their tables: those that are parts of no tree must not count.
void clear_unused(const PartLayout& layout, std::span<double> scores) {
  for (int side = 0; side < layout.sides(); ++side) {
    const size_t count = layout.modifiers(side).size(), end = count + 1, row = count + 2;
    if (count == 0) continue;
    for (size_t g = 0; g < static_cast<size_t>(layout.entering(side / 2)); ++g) {
      if (const size_t first = layout.grandparents(side); first != PartLayout::none)
        scores[first + g * row] = scores[first + g * row + end] = 0;
      if (const size_t first = layout.grand_siblings(side); first != PartLayout::none)
        scores[first + g * end * row + end] = 0;  // (START, END)
    }
    if (const size_t first = layout.tri_siblings(side); first != PartLayout::none)
      for (size_t j = 0; j < end; ++j) scores[first + j * row + end] = 0;  // (START, j, END)
  }
}

}  // namespace

DecodedBatch decode_batch(std::span<const PartLayout* const> layouts, std::span<const double> scores, bool projective, bool single_root,
                          const DecoderSettings& settings, int threads) {
  DecodedBatch batch;
  for (const PartLayout* layout : layouts) batch.width = std::max(batch.width, static_cast<size_t>(layout->words()) + 1);
  batch.heads.assign(layouts.size() * batch.width, -1);
  batch.slots.assign(scores.size(), 0.0);
  batch.answers.resize(layouts.size());
  const std::vector<size_t> starts = slot_starts(layouts);
  std::vector<std::unique_ptr<PartDecoder>> decoders(static_cast<size_t>(thread_count(threads, layouts.size())));
  parallel_for(layouts.size(), threads, [&](int worker, size_t sentence) {
    auto& decoder = decoders[static_cast<size_t>(worker)];
    if (!decoder) decoder = std::make_unique<PartDecoder>(projective, single_root);
    const PartLayout& layout = *layouts[sentence];
    Decoded& answer = batch.answers[sentence];
    answer.status = graph::Status::optimal;
    if (layout.words() == 0) return;
    const auto heads = std::span(batch.heads).subspan(sentence * batch.width, static_cast<size_t>(layout.words()) + 1);
    if (layout.arcs() == 0) {
      answer.status = graph::Status::infeasible;
      return;
    }
    // Evidence that says nothing: the decoder then answers `infeasible` where it would throw.
    const std::vector<int8_t> evidence(static_cast<size_t>(layout.arcs()), -1);
    const std::span<const double> own = scores.subspan(starts[sentence], layout.size());
    std::vector<double> clean(own.begin(), own.end());
    clear_unused(layout, clean);
    answer = decoder->decode(layout, clean, settings, heads, evidence);
    if (answer.status == graph::Status::infeasible) return;
    heads[0] = -1;
    std::vector<size_t> parts;
    layout.parts_of(heads, parts);
    for (const size_t slot : parts) batch.slots[starts[sentence] + slot] = 1.0;
  });
  return batch;
}

}  // namespace accord::parses
