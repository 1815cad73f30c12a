// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/pruner/candidate_layouts.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"
#include "core/parses/charts/part_batch.hpp"
#include "core/tasks/pruner/structure.hpp"
#include "core/tasks/scores/part_positions.hpp"

namespace accord::tasks {

namespace {

struct Workspace {
  explicit Workspace(const CandidateOptions& options) : pruner(templates, options.pruner, options.projective, options.single_root) {}

  ParserTemplates templates;  // none: the scores are given
  Pruner pruner;
  std::vector<double> scores;
  std::vector<parses::CandidateArc> gold;
};

// The scores of one sentence without the padding.
void unpad(const trees::PaddedScores& batch, size_t sentence, std::vector<double>& out) {
  const auto size = static_cast<size_t>(batch.words[sentence]) + 1;
  const double* table = batch.data + sentence * batch.width * batch.width;
  out.resize(size * size);
  for (size_t head = 0; head < size; ++head)
    for (size_t dependent = 0; dependent < size; ++dependent) out[head * size + dependent] = table[head * batch.width + dependent];
}

void collect_gold(std::span<const int32_t> heads, size_t sentence, int words, std::vector<parses::CandidateArc>& out) {
  out.clear();
  for (int m = 1; m <= words; ++m) {
    const int32_t head = heads[static_cast<size_t>(m)];
    if (head > words || head == m)
      throw std::invalid_argument("sentence " + std::to_string(sentence) + ": the gold head of word " + std::to_string(m) +
                                  " is no other word of it");
    if (head >= 0) out.push_back({head, m});
  }
}

void list_parts(const parses::PartLayout& layout, parses::Part family, int64_t nowhere, size_t anchors, PlacedParts& out) {
  if (family == parses::Part::arc) {
    for (int arc = 0; arc < layout.arcs(); ++arc) {
      out.slots.push_back(arc);
      out.positions.push_back(layout.head(arc));
      out.positions.push_back(layout.dependent(arc));
    }
    return;
  }
  const int outside = layout.words() + 1;
  for_each_part(layout, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation&) {
    if (part != family) return;
    out.slots.push_back(static_cast<int64_t>(slot));
    for (size_t i = 0; i < anchors; ++i) out.positions.push_back(positions[i] == outside ? nowhere : positions[i]);
  });
}

}  // namespace

std::vector<parses::PartLayout> candidate_layouts(const trees::PaddedScores& scores, std::span<const int32_t> gold,
                                                  const CandidateOptions& options) {
  std::vector<parses::PartLayout> layouts(scores.sentences());
  std::vector<std::unique_ptr<Workspace>> spaces(static_cast<size_t>(thread_count(options.threads, layouts.size())));
  parallel_for(layouts.size(), options.threads, [&](int worker, size_t sentence) {
    auto& work = spaces[static_cast<size_t>(worker)];
    if (!work) work = std::make_unique<Workspace>(options);
    const auto words = static_cast<int>(scores.words[sentence]);
    if (words == 0) {
      layouts[sentence].build(0, {}, options.families);
      return;
    }
    unpad(scores, sentence, work->scores);
    collect_gold(gold.subspan(sentence * scores.width, scores.width), sentence, words, work->gold);
    work->pruner.take(words, work->scores);
    build_bounded_layout(work->pruner, options.pruner, options.families, work->gold, layouts[sentence]);
  });
  return layouts;
}

PlacedParts place_parts(std::span<const parses::PartLayout* const> layouts, parses::Part family, int64_t nowhere, int threads) {
  using parses::Part;
  if (family != Part::arc && family != Part::sibling && family != Part::grandparent)
    throw std::invalid_argument("only arcs, siblings and grandparents have positions");
  PlacedParts all;
  all.anchors = family == Part::arc ? 2 : 3;
  const std::vector<size_t> starts = parses::slot_starts(layouts);
  std::vector<PlacedParts> own(layouts.size());
  std::vector<size_t> rows(layouts.size() + 1, 0);
  parallel_for(layouts.size(), threads,
               [&](int, size_t sentence) { list_parts(*layouts[sentence], family, nowhere, all.anchors, own[sentence]); });
  for (size_t sentence = 0; sentence < layouts.size(); ++sentence) rows[sentence + 1] = rows[sentence] + own[sentence].slots.size();
  all.slots.resize(rows.back());
  all.sentences.resize(rows.back());
  all.positions.resize(rows.back() * all.anchors);
  parallel_for(layouts.size(), threads, [&](int, size_t sentence) {
    const PlacedParts& parts = own[sentence];
    for (size_t i = 0; i < parts.slots.size(); ++i) {
      all.slots[rows[sentence] + i] = parts.slots[i] + static_cast<int64_t>(starts[sentence]);
      all.sentences[rows[sentence] + i] = static_cast<int64_t>(sentence);
    }
    std::copy(parts.positions.begin(), parts.positions.end(),
              all.positions.begin() + static_cast<std::ptrdiff_t>(rows[sentence] * all.anchors));
  });
  return all;
}

PlacedParts place_trees(std::span<const parses::PartLayout* const> layouts, std::span<const int32_t> heads, size_t width) {
  PlacedParts all;
  const std::vector<size_t> starts = parses::slot_starts(layouts);
  std::vector<size_t> slots;
  for (size_t sentence = 0; sentence < layouts.size(); ++sentence) {
    const parses::PartLayout& layout = *layouts[sentence];
    slots.clear();
    if (!layout.parts_of(heads.subspan(sentence * width, static_cast<size_t>(layout.words()) + 1), slots))
      throw std::invalid_argument("sentence " + std::to_string(sentence) + ": an arc of the tree is no candidate");
    for (const size_t slot : slots) {
      all.slots.push_back(static_cast<int64_t>(starts[sentence] + slot));
      all.sentences.push_back(static_cast<int64_t>(sentence));
    }
  }
  return all;
}

}  // namespace accord::tasks
