// SPDX-License-Identifier: Apache-2.0
// Order 1: all arcs of a sentence, in one matrix, under the exact engines of core/trees.
#include "core/tasks/parser/tree_search.hpp"
#include "core/trees/partial.hpp"
#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"

namespace accord::tasks {

namespace {

class AllArcs final : public TreeSearch {
 public:
  AllArcs(bool projective, bool single_root)
      : projective_(projective),
        single_root_(single_root),
        space_(trees::make_tree_space(projective, single_root)) {}

  void find(TreeScorer&, int words, const GivenWords& given, const Deadline&) override {
    words_ = words;
    given_ = given.heads;
  }

  void score(TreeScorer& scorer) override {
    scores_.resize(size() * size());
    scorer.score_arcs(scores_);
    trees::require_heads(given_, scores_);
  }

  size_t arcs() const override { return static_cast<size_t>(words_) * static_cast<size_t>(words_); }
  size_t arc_slots() const override { return size() * size(); }
  size_t slot(int head, int dependent) const override { return static_cast<size_t>(head) * size() + static_cast<size_t>(dependent); }

  void for_each_arc(const VisitArc& visit) const override {
    for (int head = 0; head <= words_; ++head)
      for (int dependent = 1; dependent <= words_; ++dependent)
        if (const size_t at = slot(head, dependent); scores_[at] != trees::kForbidden) visit(at, head, dependent);
  }

  parses::Decoded decode(const parses::DecoderSettings&, std::span<int32_t> heads) override {
    const double score = space_->argmax(matrix(scores_), heads);
    return {graph::Status::optimal, score, score, 0};
  }

  std::vector<parses::RankedParse> rank(const parses::DecoderSettings&, int k) override {
    std::vector<parses::RankedParse> ranked;
    for (trees::ScoredTree& tree : space_->kbest(matrix(scores_), k)) ranked.push_back({tree.score, std::move(tree.heads), true});
    return ranked;
  }

  double marginals(std::span<const double> sums, std::vector<double>& out) override {
    out.resize(sums.size());
    return space_->marginals(matrix(sums), out);
  }

  double add_value(double total, std::span<const double> sums, std::span<const int32_t> heads) const override {
    for (int word = 1; word <= words_; ++word) total += sums[slot(heads[static_cast<size_t>(word)], word)];
    return total;
  }

  bool counts(std::span<const int32_t> gold) const override {
    return trees::is_tree(gold, single_root_) && (!projective_ || trees::is_projective(gold));
  }

  double gold_log_probability(std::span<const double> sums, std::span<const int32_t> gold, const LabelLogs* labels) override {
    if (labels == nullptr) return 0;
    return add_value(-space_->log_partition(matrix(sums)), sums, gold) + labels->all;
  }

 private:
  size_t size() const { return static_cast<size_t>(words_) + 1; }
  trees::ArcScores matrix(std::span<const double> values) const { return {values.data(), words_}; }

  bool projective_, single_root_;
  std::unique_ptr<trees::TreeSpace> space_;
  int words_ = 0;
  std::span<const int32_t> given_;
};

}  // namespace

std::unique_ptr<TreeSearch> search_all_arcs(const ParserSettings& settings) {
  return std::make_unique<AllArcs>(settings.projective, settings.single_root);
}

}  // namespace accord::tasks
