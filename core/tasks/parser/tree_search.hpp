// SPDX-License-Identifier: Apache-2.0
// Where the tree of one sentence is searched: the arcs that it may have, a slot for each of its parts in one array of scores, and the
// engines over that array. All orders go one way: find candidates, score their parts, add labels, decode, rank or sum.
//
//   AllArcs      order 1, a layout without larger parts. All arcs are candidates and their slots are the cells of a matrix,
//                [head][dependent], which the engines of core/trees read as it is: exact argmax, sums and lists, and nothing to build.
//   PrunedParts  higher orders. A pruner leaves a few heads a word; slots are those of a PartLayout; PartDecoder, PartSums and
//                rank_parses answer.
// One object per thread; buffers are reused.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/parses/decoders/decoder_settings.hpp"
#include "core/parses/decoders/part_ranking.hpp"
#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/scorer.hpp"
#include "core/tasks/parser/settings.hpp"

namespace accord::tasks {

struct ParserTemplates;

// Log-probabilities of the labels of a tree, given the tree.
struct LabelLogs {
  std::vector<double> words;  // of each word's label by itself; size n+1
  double all = 0;             // of all of them together
};

class TreeSearch {
 public:
  static constexpr size_t none = static_cast<size_t>(-1);
  using VisitArc = std::function<void(size_t slot, int head, int dependent)>;

  virtual ~TreeSearch() = default;

  // The arcs that trees of the scorer's selected sentence may have: all given heads, and some tree with them.
  virtual void find(TreeScorer& scorer, int words, const GivenWords& given, const Deadline& deadline) = 0;
  // After find(): scores of all parts, arcs without labels.
  virtual void score(TreeScorer& scorer) = 0;

  // Scores by slot; labels are added to those of arcs by whoever chooses them.
  std::span<double> scores() { return scores_; }
  virtual size_t arcs() const = 0;       // candidates
  virtual size_t arc_slots() const = 0;  // they have slots below this
  // Of an arc; none when it is no candidate.
  virtual size_t slot(int head, int dependent) const = 0;
  // All candidates that are not forbidden.
  virtual void for_each_arc(const VisitArc& visit) const = 0;

  // The best tree into heads (size n+1).
  virtual parses::Decoded decode(const parses::DecoderSettings& settings, std::span<int32_t> heads) = 0;
  // The k best trees, best first.
  virtual std::vector<parses::RankedParse> rank(const parses::DecoderSettings& settings, int k) = 0;

  // The distribution p(tree) ~ exp(value), `sums` being scores by slot that stand in for those of the search.
  // Probabilities by slot; returns log Z.
  virtual double marginals(std::span<const double> sums, std::vector<double>& out) = 0;
  // total + the value of a tree.
  virtual double add_value(double total, std::span<const double> sums, std::span<const int32_t> heads) const = 0;
  // Whether a gold tree can have a probability here, whatever the scores.
  virtual bool counts(std::span<const int32_t> gold) const = 0;
  // What a gold tree and its labels (none: unknown) add to the likelihood that temperatures are fitted to: the log-probability of the
  // labelled tree, or, where sums are estimates, the sum over its candidate arcs of the logarithms of their beliefs.
  virtual double gold_log_probability(std::span<const double> sums, std::span<const int32_t> gold, const LabelLogs* labels) = 0;

 protected:
  std::vector<double> scores_;
};

// Of all arcs, whatever the order of the model.
std::unique_ptr<TreeSearch> search_all_arcs(const ParserSettings& settings);
// As the order of the model wants. Settings and templates must stay.
std::unique_ptr<TreeSearch> make_tree_search(const ParserSettings& settings, const ParserTemplates& templates);

}  // namespace accord::tasks
