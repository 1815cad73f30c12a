// SPDX-License-Identifier: Apache-2.0
#include "core/trees/padded.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/parallel.hpp"

namespace accord::trees {

namespace {

// What a thread works with.
struct Workspace {
  std::unique_ptr<TreeSpace> space;
  std::vector<double> scores, direction, out;
  std::vector<int32_t> heads;
};

void gather(const double* table, std::size_t stride, std::size_t width, std::vector<double>& dense) {
  dense.resize(width * width);
  for (std::size_t row = 0; row < width; ++row)
    std::copy_n(table + row * stride, width, dense.begin() + static_cast<std::ptrdiff_t>(row * width));
}

void scatter(const std::vector<double>& dense, std::size_t width, double* table, std::size_t stride) {
  for (std::size_t row = 0; row < width; ++row)
    std::copy_n(dense.begin() + static_cast<std::ptrdiff_t>(row * width), width, table + row * stride);
}

// Calls work(workspace, scores of the sentence, sentence, where its table starts in the batch).
template <class Work>
void for_each_sentence(const PaddedScores& batch, BatchOptions options, Work&& work) {
  std::vector<Workspace> workspaces(static_cast<std::size_t>(thread_count(options.threads, batch.sentences())));
  parallel_for(batch.sentences(), options.threads, [&](int worker, std::size_t sentence) {
    Workspace& here = workspaces[static_cast<std::size_t>(worker)];
    if (!here.space) here.space = make_tree_space(options.projective, options.single_root);
    const std::size_t begin = sentence * batch.width * batch.width;
    const ArcScores scores{nullptr, static_cast<int>(batch.words[sentence])};
    gather(batch.data + begin, batch.width, scores.width(), here.scores);
    here.out.assign(here.scores.size(), 0.0);
    work(here, ArcScores{here.scores.data(), scores.words}, sentence, begin);
  });
}

}  // namespace

InvalidArc find_invalid(const PaddedScores& batch) {
  std::vector<double> scores;
  for (std::size_t sentence = 0; sentence < batch.sentences(); ++sentence) {
    const int words = static_cast<int>(batch.words[sentence]);
    gather(batch.data + sentence * batch.width * batch.width, batch.width, static_cast<std::size_t>(words) + 1, scores);
    const std::ptrdiff_t invalid = find_invalid(ArcScores{scores.data(), words});
    if (invalid >= 0)
      return {static_cast<std::ptrdiff_t>(sentence), static_cast<int>(invalid / (words + 1)), static_cast<int>(invalid % (words + 1))};
  }
  return {};
}

void log_partition_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values) {
  for_each_sentence(batch, options, [&](Workspace& here, ArcScores scores, std::size_t sentence, std::size_t) {
    values[sentence] = here.space->log_partition(scores);
  });
}

void marginals_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values, std::span<double> out) {
  for_each_sentence(batch, options, [&](Workspace& here, ArcScores scores, std::size_t sentence, std::size_t begin) {
    values[sentence] = here.space->marginals(scores, here.out);
    scatter(here.out, scores.width(), out.data() + begin, batch.width);
  });
}

void tangents_padded(const PaddedScores& batch, BatchOptions options, std::span<const double> direction, std::span<double> out) {
  for_each_sentence(batch, options, [&](Workspace& here, ArcScores scores, std::size_t, std::size_t begin) {
    gather(direction.data() + begin, batch.width, scores.width(), here.direction);
    here.space->tangents(scores, here.direction, here.out);
    scatter(here.out, scores.width(), out.data() + begin, batch.width);
  });
}

void argmax_padded(const PaddedScores& batch, BatchOptions options, std::span<double> values, std::span<double> out) {
  for_each_sentence(batch, options, [&](Workspace& here, ArcScores scores, std::size_t sentence, std::size_t begin) {
    here.heads.assign(scores.width(), -1);
    values[sentence] = here.space->argmax(scores, here.heads);
    if (values[sentence] == kForbidden) return;
    for (std::size_t word = 1; word < scores.width(); ++word)
      out[begin + static_cast<std::size_t>(here.heads[word]) * batch.width + word] = 1.0;
  });
}

}  // namespace accord::trees
