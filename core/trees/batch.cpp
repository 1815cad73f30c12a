// SPDX-License-Identifier: Apache-2.0
#include "core/trees/batch.hpp"

#include <memory>

#include "core/parallel.hpp"

namespace accord::trees {

namespace {

// Calls work(space, sentence) for every sentence, one space per thread.
template <typename Work>
void for_each_sentence(std::size_t count, BatchOptions options, Work&& work) {
  std::vector<std::unique_ptr<TreeSpace>> spaces(static_cast<std::size_t>(thread_count(options.threads, count)));
  parallel_for(count, options.threads, [&](int worker, std::size_t sentence) {
    auto& space = spaces[static_cast<std::size_t>(worker)];
    if (!space) space = make_tree_space(options.projective, options.single_root);
    work(*space, sentence);
  });
}

}  // namespace

std::vector<ScoredTree> argmax_batch(std::span<const ArcScores> batch, BatchOptions options) {
  std::vector<ScoredTree> trees(batch.size());
  for_each_sentence(batch.size(), options, [&](TreeSpace& space, std::size_t sentence) {
    ScoredTree& tree = trees[sentence];
    tree.heads.assign(batch[sentence].width(), -1);
    tree.score = space.argmax(batch[sentence], tree.heads);
  });
  return trees;
}

std::vector<double> log_partition_batch(std::span<const ArcScores> batch, BatchOptions options) {
  std::vector<double> values(batch.size());
  for_each_sentence(batch.size(), options,
                    [&](TreeSpace& space, std::size_t sentence) { values[sentence] = space.log_partition(batch[sentence]); });
  return values;
}

std::vector<double> marginals_batch(std::span<const ArcScores> batch, std::span<const std::span<double>> out, BatchOptions options) {
  std::vector<double> values(batch.size());
  for_each_sentence(batch.size(), options,
                    [&](TreeSpace& space, std::size_t sentence) { values[sentence] = space.marginals(batch[sentence], out[sentence]); });
  return values;
}

}  // namespace accord::trees
