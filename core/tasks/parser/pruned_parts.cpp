// SPDX-License-Identifier: Apache-2.0
// Higher orders: what a pruner leaves of a sentence's arcs, and the parts over these candidates.
#include <algorithm>
#include <cmath>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/tasks/parser/tree_search.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/tasks/pruner/structure.hpp"

namespace accord::tasks {

namespace {

class PrunedParts final : public TreeSearch {
 public:
  PrunedParts(const ParserSettings& settings, const ParserTemplates& templates)
      : settings_(settings),
        pruner_(templates, settings.pruner, settings.projective, settings.single_root, true),
        decoder_(settings.projective, settings.single_root),
        sums_(settings.projective, settings.single_root) {}

  void find(TreeScorer& scorer, int, const GivenWords& given, const Deadline& deadline) override {
    scorer.prune(pruner_, deadline, given.heads);
    pruner_.require(given.heads);
    build_bounded_layout(pruner_, settings_.pruner, settings_.families, {}, layout_);
    scorer.add_patterns(layout_);
  }

  void score(TreeScorer& scorer) override {
    scores_.resize(layout_.size());
    scorer.score_parts(layout_, scores_);
  }

  size_t arcs() const override { return static_cast<size_t>(layout_.arcs()); }
  size_t arc_slots() const override { return arcs(); }
  size_t slot(int head, int dependent) const override {
    const int arc = layout_.find(head, dependent);
    return arc < 0 ? none : static_cast<size_t>(arc);
  }

  void for_each_arc(const VisitArc& visit) const override {
    for (int arc = 0; arc < layout_.arcs(); ++arc) visit(static_cast<size_t>(arc), layout_.head(arc), layout_.dependent(arc));
  }

  parses::Decoded decode(const parses::DecoderSettings& settings, std::span<int32_t> heads) override {
    std::fill(heads.begin(), heads.end(), -1);
    std::span<const int32_t> start;
    if (pruner_.streamed()) start = pruner_.best_tree();
    parses::Decoded decoded;
    if (!start.empty() && settings_.projective) std::copy(start.begin(), start.end(), heads.begin());  // no room for a chart
    else decoded = decoder_.decode(layout_, searched(settings), settings, heads, {}, start);
    decoded.score = layout_.score(scores_, heads);
    return decoded;
  }

  std::vector<parses::RankedParse> rank(const parses::DecoderSettings& settings, int k) override {
    std::vector<parses::RankedParse> ranked = parses::rank_parses(decoder_, layout_, searched(settings), settings, k);
    if (settings.solver == parses::Solver::belief_propagation)
      for (parses::RankedParse& parse : ranked) parse.score = layout_.score(scores_, parse.heads);
    return ranked;
  }

  double marginals(std::span<const double> sums, std::vector<double>& out) override {
    out.resize(layout_.size());
    return sums_.run(layout_, sums, out);
  }

  double add_value(double total, std::span<const double> sums, std::span<const int32_t> heads) const override {
    return total + layout_.score(sums, heads);
  }

  bool counts(std::span<const int32_t>) const override { return true; }  // arcs that are candidates count, whatever the others are

  double gold_log_probability(std::span<const double> sums, std::span<const int32_t> gold, const LabelLogs* labels) override {
    constexpr double least = 1e-10;  // one arc thought impossible does not decide
    marginals(sums, marginals_);
    double total = 0;
    for (size_t word = 1; word < gold.size(); ++word) {
      const size_t at = slot(gold[word], static_cast<int>(word));
      if (at == none) continue;
      total += std::log(std::max(marginals_[at], least));
      if (labels != nullptr) total += labels->words[word];
    }
    return total;
  }

 private:
  // The scores as a solver wants them. Beliefs are probabilities, and of use at the temperature that these were fitted to alone:
  // learners leave scores at a scale of their own.
  std::span<const double> searched(const parses::DecoderSettings& settings) {
    if (settings.solver != parses::Solver::belief_propagation) return scores_;
    tempered_.assign(scores_.begin(), scores_.end());
    for (double& score : tempered_) score /= settings_.temperature;
    return tempered_;
  }

  const ParserSettings& settings_;
  Pruner pruner_;
  parses::PartLayout layout_;
  parses::PartDecoder decoder_;
  parses::PartSums sums_;
  std::vector<double> tempered_, marginals_;
};

}  // namespace

std::unique_ptr<TreeSearch> make_tree_search(const ParserSettings& settings, const ParserTemplates& templates) {
  if (settings.pruned()) return std::make_unique<PrunedParts>(settings, templates);
  return search_all_arcs(settings);
}

}  // namespace accord::tasks
