// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "core/chains/segments/segment_items.hpp"
#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/tasks/labeller/chain_layout.hpp"

namespace accord::tasks {

namespace {

struct Segment {
  size_t first, size, type;
};

class SegmentLayout final : public ChainLayout {
 public:
  SegmentLayout(int labels, std::vector<SegmentType> types) : labels_(labels), types_(std::move(types)) {
    int reach = 0;
    for (const SegmentType& type : types_) {
      const auto known = [&](int label) { return label >= 0 && label < labels; };
      if (type.longest < 1 || type.first.empty() || !std::all_of(type.first.begin(), type.first.end(), known) || !known(type.middle) ||
          !known(type.last) || !known(type.single))
        throw std::invalid_argument("a type of segments has labels of the model and a longest segment of at least one token");
      reach = std::max(reach, type.longest);
      longest_.push_back(type.longest);
    }
    const auto count = static_cast<int>(types_.size());
    blocks_ = {
        {"state", labels}, {"type_pair", count * count}, {"segment", count, Rows::ends, reach}, {"whole", count, Rows::wholes, reach}};
    items_.types = types_.size();
    items_.reach = static_cast<size_t>(reach);
    items_.longest = longest_;
  }

  const std::vector<Block>& blocks() const override { return blocks_; }
  int layers() const override { return 1; }
  int labels(int) const override { return labels_; }

  void assemble(size_t tokens, std::span<const BlockRows> scores, std::span<const double* const> costs) override {
    scores_.assign(tokens * items_.reach * items_.types, chains::forbidden);
    pairs_.assign(tokens, nullptr);
    for (size_t i = 1; i < tokens; ++i) pairs_[i] = scores[1].row(i);
    items_.length = tokens;
    items_.scores = scores_.data();
    items_.pairs = pairs_.data();
    const auto label_score = [&](size_t token, int label) {
      return scores[0].row(token)[label] + (costs.empty() || !costs[token] ? 0.0 : costs[token][label]);
    };
    for (size_t first = 0; first < tokens; ++first)
      for (size_t y = 0; y < types_.size(); ++y) {
        const SegmentType& type = types_[y];
        double before = 0;  // the labels of all but the last token
        for (size_t size = 1; size <= std::min(tokens - first, static_cast<size_t>(type.longest)); ++size) {
          const size_t row = items_.segment(first, size), last = first + size - 1;
          if (size > 1) before += label_score(last - 1, early_label(type, size - 2));
          const double labels = size == 1 ? label_score(first, type.single) : before + label_score(last, type.last);
          scores_[row * types_.size() + y] = labels + scores[2].row(row)[y] + scores[3].row(row)[y];
        }
      }
  }

  void add_path(std::span<const int> labels, double scale, std::span<const BlockRows> out) const override {
    std::vector<Segment> segments;
    if (!read(labels, segments)) return;
    for (size_t i = 0; i < labels.size(); ++i) out[0].row(i)[labels[i]] += scale;
    for (size_t k = 0; k < segments.size(); ++k) {
      const auto& [first, size, type] = segments[k];
      const size_t row = items_.segment(first, size);
      out[2].row(row)[type] += scale;
      out[3].row(row)[type] += scale;
      if (k > 0) out[1].row(first)[segments[k - 1].type * types_.size() + type] += scale;
    }
  }

  double add_expectations(double scale, std::span<const BlockRows> out) override {
    if (items_.length == 0) return 0;
    const hypergraph::StoredShares<chains::SegmentItems> shares(items_);
    const double value = shares.log_partition();
    if (value == chains::forbidden) return value;
    const size_t types = types_.size();
    middles_.assign((items_.length + 1) * types, 0.0);
    hypergraph::outside(items_, shares, space_, [&](double probability, auto&&, const chains::SegmentItems::Step& step) {
      const double amount = scale * probability;
      if (step.size == 0) {
        if (step.first > 0 && step.first < items_.length) out[1].row(step.first)[step.before * types + step.type] += amount;
        return;
      }
      const SegmentType& type = types_[step.type];
      const size_t row = items_.segment(step.first, step.size), last = step.first + step.size - 1;
      out[2].row(row)[step.type] += amount;
      out[3].row(row)[step.type] += amount;
      out[0].row(last)[step.size == 1 ? type.single : type.last] += amount;
      const size_t early = std::min(type.first.size(), step.size - 1);
      for (size_t k = 0; k < early; ++k) out[0].row(step.first + k)[type.first[k]] += amount;
      middles_[(step.first + early) * types + step.type] += amount;  // from here to before the last token
      middles_[last * types + step.type] -= amount;
    });
    for (size_t y = 0; y < types; ++y) {
      double running = 0;
      for (size_t i = 0; i < items_.length; ++i) {
        running += middles_[i * types + y];
        if (types_[y].longest > 2) out[0].row(i)[types_[y].middle] += running;
      }
    }
    return value;
  }

  double score(std::span<const int> labels) const override {
    std::vector<Segment> segments;
    if (!read(labels, segments)) return chains::forbidden;
    double total = 0;
    for (size_t k = 0; k < segments.size(); ++k) {
      const auto& [first, size, type] = segments[k];
      total += scores_[items_.segment(first, size) * types_.size() + type];
      if (k > 0) total += pairs_[first][segments[k - 1].type * types_.size() + type];
    }
    return total;
  }

  double maximize(std::span<int> labels) override {
    if (items_.length == 0) return 0;
    const double value = hypergraph::inside<hypergraph::MaxPlus>(items_, best_);
    if (value == chains::forbidden) return value;
    const auto best = [&](size_t id) { return best_[id]; };
    hypergraph::descend(
        items_, agenda_, [&](const chains::SegmentItems::Item& item) { return hypergraph::best_edge(items_, item, best); },
        [&](const chains::SegmentItems::Item& item, size_t edge) {
          if (item.leaves) write({item.place - edge - 1, edge + 1, item.type}, labels);
        });
    return value;
  }

  double log_partition() override { return items_.length == 0 ? 0.0 : hypergraph::inside<hypergraph::LogSum>(items_, best_); }

  std::vector<chains::Labelling> k_best(int k) override {
    std::vector<chains::Labelling> ranked;
    if (items_.length == 0) return {{0.0, {}}};
    if (hypergraph::inside<hypergraph::MaxPlus>(items_, best_) == chains::forbidden) return ranked;
    auto paths = hypergraph::rank_derivations(items_, [&](size_t id) { return best_[id]; });
    for (size_t rank = 0; rank < static_cast<size_t>(std::max(k, 0)) && paths.reach(items_.goal(), rank); ++rank) {
      std::vector<int> labels(items_.length);
      paths.trace(rank, [&](const chains::SegmentItems::Item& item, size_t edge) {
        if (item.leaves) write({item.place - edge - 1, edge + 1, item.type}, labels);
      });
      ranked.push_back({score(labels), std::move(labels)});
    }
    return ranked;
  }

  std::vector<ScoredSegment> segments() const override {
    if (types_.size() != 1) throw std::invalid_argument("segments of a single type are scored one by one");
    std::vector<ScoredSegment> found;
    for (size_t first = 0; first < items_.length; ++first)
      for (size_t size = 1; size <= std::min(items_.length - first, items_.reach); ++size) {
        const double score = scores_[items_.segment(first, size)] + (first > 0 ? *pairs_[first] : 0.0);
        if (score != chains::forbidden) found.push_back({static_cast<int32_t>(first), static_cast<int32_t>(size), score});
      }
    return found;
  }

 private:
  // The label of the k-th token of a segment, which is not its last.
  static int early_label(const SegmentType& type, size_t k) { return k < type.first.size() ? type.first[k] : type.middle; }

  void write(const Segment& segment, std::span<int> labels) const {
    const SegmentType& type = types_[segment.type];
    for (size_t k = 0; k + 1 < segment.size; ++k) labels[segment.first + k] = early_label(type, k);
    labels[segment.first + segment.size - 1] = segment.size == 1 ? type.single : type.last;
  }

  // How many tokens from `first` on the longest segment of a type has with these labels; 0: none.
  size_t match(std::span<const int> labels, size_t first, const SegmentType& type) const {
    size_t found = labels[first] == type.single ? 1 : 0;
    const size_t most = std::min(labels.size() - first, static_cast<size_t>(type.longest));
    for (size_t size = 2; size <= most && labels[first + size - 2] == early_label(type, size - 2); ++size)
      if (labels[first + size - 1] == type.last) found = size;
    return found;
  }

  // The segments of a labelling, the longest first where labels leave a choice (BIO: B I I is one segment).
  bool read(std::span<const int> labels, std::vector<Segment>& segments) const {
    for (size_t first = 0; first < labels.size(); first += segments.back().size) {
      Segment found{first, 0, 0};
      for (size_t y = 0; y < types_.size(); ++y)
        if (const size_t size = match(labels, first, types_[y]); size > found.size) found = {first, size, y};
      if (found.size == 0) return false;
      segments.push_back(found);
    }
    return true;
  }

  int labels_;
  std::vector<SegmentType> types_;
  std::vector<int> longest_;
  std::vector<Block> blocks_;
  chains::SegmentItems items_;
  std::vector<double> scores_;  // [first][size][type]
  std::vector<const double*> pairs_;
  std::vector<double> best_, middles_;
  std::vector<size_t> agenda_;
  hypergraph::Expectations space_;
};

}  // namespace

std::unique_ptr<ChainLayout> make_segment_layout(int labels, std::vector<SegmentType> types) {
  return std::make_unique<SegmentLayout>(labels, std::move(types));
}

}  // namespace accord::tasks
