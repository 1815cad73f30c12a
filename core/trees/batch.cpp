#include "core/trees/batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace accord::trees {

namespace {

// Calls work(space, sentence) for every sentence, each thread taking the next one not yet taken.
void for_each_sentence(std::size_t count, BatchOptions options,
                       const std::function<void(TreeSpace&, std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto run = [&] {
    try {
      const auto space = make_tree_space(options.projective, options.single_root);
      for (std::size_t sentence = next++; sentence < count; sentence = next++) work(*space, sentence);
    } catch (...) {  // out of memory: handed to the caller's thread
      const std::lock_guard lock(failure_guard);
      failure = std::current_exception();
    }
  };
  const std::size_t wanted = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                 : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min(wanted, count); ++i) helpers.emplace_back(run);
  run();
  for (std::jthread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
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
  for_each_sentence(batch.size(), options, [&](TreeSpace& space, std::size_t sentence) {
    values[sentence] = space.log_partition(batch[sentence]);
  });
  return values;
}

std::vector<double> marginals_batch(std::span<const ArcScores> batch, std::span<const std::span<double>> out,
                                    BatchOptions options) {
  std::vector<double> values(batch.size());
  for_each_sentence(batch.size(), options, [&](TreeSpace& space, std::size_t sentence) {
    values[sentence] = space.marginals(batch[sentence], out[sentence]);
  });
  return values;
}

}  // namespace accord::trees
