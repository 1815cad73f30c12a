// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/tag/pruner.hpp"

#include <algorithm>

#include "core/hypergraph/softmax.hpp"

namespace accord::tasks {

using constituents::SpineCandidates, constituents::SpineDerivation, constituents::SpineGrammar, constituents::SpineRelation;

namespace {

void sort_row(std::vector<int32_t>& row, constituents::NumberRows& rows) {
  std::sort(row.begin(), row.end());
  row.erase(std::unique(row.begin(), row.end()), row.end());
  rows.values.insert(rows.values.end(), row.begin(), row.end());
  rows.end_row();
}

// The probabilities of labels of one arc, or of spines of one word; returns the logarithm of the sum.
double shares_of(std::span<const double> scores, double* out) {
  std::copy(scores.begin(), scores.end(), out);
  return hypergraph::softmax({out, scores.size()});
}

}  // namespace

SpineLabels::SpineLabels(const SpineGrammar& grammar)
    : labels_(grammar.labels()),
      tags_(grammar.tags()),
      root_(grammar.root()),
      columns_(labels_ + 1 + 2 * (root_ + 1)) {
  // A label stays only where some relation of the grammar has it.
  std::vector<int32_t> row;
  const auto add_row = [&](int model, auto&& possible) {
    row.clear();
    for (const SpineRelation& one : grammar.relations())
      if (possible(one)) row.push_back(column(model, model == 0 ? one.node : model == 1 ? one.below : one.modifier));
    sort_row(row, columns_of_[model]);
  };
  const auto at_root = [&](const SpineRelation& one) { return one.node == root_; };
  for (const int model : {0, 1}) add_row(model, at_root);
  columns_of_[2].end_row();
  const auto head_of = [&](const SpineRelation& one, int tag) {
    for (const int32_t spine : grammar.spines_of(tag))
      for (size_t node = 0; node < grammar.spine(spine).size(); ++node)
        if (grammar.fits(one, spine, tag, node)) return true;
    return false;
  };
  const auto below = [&](const SpineRelation& one, int tag) {
    const std::span<const int32_t> spines = grammar.spines_of(tag);
    return std::any_of(spines.begin(), spines.end(), [&](int32_t spine) { return grammar.top(spine, tag) == one.modifier; });
  };
  const auto tags = static_cast<size_t>(tags_);
  std::vector<std::vector<uint8_t>> heads(tags + 1), dependents(tags);
  for (const SpineRelation& one : grammar.relations()) heads[0].push_back(at_root(one));
  for (int tag = 0; tag < tags_; ++tag)
    for (const SpineRelation& one : grammar.relations()) {
      heads[static_cast<size_t>(tag) + 1].push_back(head_of(one, tag));
      dependents[static_cast<size_t>(tag)].push_back(below(one, tag));
    }
  for (int tag = 0; tag < tags_; ++tag) {
    const SpineRelation* first = grammar.relations().data();
    const auto heading = [&](const SpineRelation& one) {
      return heads[static_cast<size_t>(tag) + 1][static_cast<size_t>(&one - first)] != 0;
    };
    for (const int model : {0, 1}) add_row(model, heading);
    add_row(2, [&](const SpineRelation& one) { return dependents[static_cast<size_t>(tag)][static_cast<size_t>(&one - first)] != 0; });
  }
  triples_.resize((tags + 1) * tags);
  for (size_t head = 0; head <= tags; ++head)
    for (size_t tag = 0; tag < tags; ++tag)
      for (size_t r = 0; r < grammar.relations().size(); ++r) {
        if (!heads[head][r] || !dependents[tag][r]) continue;
        const SpineRelation& one = grammar.relations()[r];
        Triple triple{static_cast<int32_t>(r), {}};
        const int symbols[] = {one.node, one.below, one.modifier};
        for (int model = 0; model < 3; ++model) {
          const std::span<const int32_t> known = columns(model, static_cast<int>(model == 2 ? tag : head - 1));
          triple.places[model] =
              static_cast<int16_t>(std::lower_bound(known.begin(), known.end(), column(model, symbols[model])) - known.begin());
        }
        triples_[head * tags + tag].push_back(triple);
      }
}

void SpinePruner::prepare(std::span<const int32_t> tags) {
  tags_.assign(tags.begin(), tags.end());
  words_ = static_cast<int>(tags.size()) - 1;
  starts_.assign(static_cast<size_t>(words_ + 1) * static_cast<size_t>(words_ + 1), 0);
  size_t next = 0;
  for (int h = 0; h <= words_; ++h)
    for (int m = 1; m <= words_; ++m) {
      starts_[at(h, m)] = next;
      if (h != m) next += before(3, h, m);
    }
  spine_starts_.assign(1, next);
  for (int m = 1; m <= words_; ++m) {
    spine_starts_.push_back(next);
    next += grammar_.spines_of(tags_[static_cast<size_t>(m)]).size();
  }
  spine_starts_.push_back(next);
}

void SpinePruner::gold_parts(const SpineDerivation& gold, std::vector<size_t>& parts) const {
  parts.clear();
  const std::vector<uint8_t> after = constituents::after_regular(gold);
  for (int m = 1; m <= words_; ++m) {
    const auto w = static_cast<size_t>(m);
    const SpineRelation one = constituents::relation_of(grammar_, gold, tags_, m, after[w]);
    const int symbols[] = {one.node, one.below, one.modifier};
    for (int model = 0; model < 3; ++model) {
      const std::span<const int32_t> known = columns(model, gold.head[w], m);
      const auto found = std::lower_bound(known.begin(), known.end(), labels_.column(model, symbols[model]));
      parts.push_back(arc_part(gold.head[w], m, model, static_cast<size_t>(found - known.begin())));
    }
    const std::span<const int32_t> spines = grammar_.spines_of(tags_[w]);
    parts.push_back(spine_part(m, static_cast<size_t>(std::find(spines.begin(), spines.end(), gold.spine[w]) - spines.begin())));
  }
}

double SpinePruner::probabilities(std::span<const double> scores, std::span<double> out) {
  double total = 0;
  const auto width = static_cast<size_t>(words_ + 1);
  arc_marginals_.resize(width * width);
  for (int model = 0; model < 3; ++model) {
    arc_scores_.assign(width * width, trees::kForbidden);
    for (int h = 0; h <= words_; ++h)
      for (int m = 1; m <= words_; ++m) {
        if (h == m) continue;
        const size_t first = arc_part(h, m, model, 0);
        arc_scores_[at(h, m)] = shares_of(scores.subspan(first, columns(model, h, m).size()), out.data() + first);
      }
    total += sums_.marginals({arc_scores_.data(), words_}, true, arc_marginals_);
    for (int h = 0; h <= words_; ++h)
      for (int m = 1; m <= words_; ++m) {
        if (h == m) continue;
        const size_t first = arc_part(h, m, model, 0), count = columns(model, h, m).size();
        for (size_t k = first; k < first + count; ++k) out[k] *= arc_marginals_[at(h, m)];
      }
  }
  for (int m = 1; m <= words_; ++m) {
    const size_t first = spine_part(m, 0), count = spine_part(m + 1, 0) - first;
    total += shares_of(scores.subspan(first, count), out.data() + first);
  }
  return total;
}

void SpinePruner::choose_spines(std::span<const double> probabilities, double alpha, SpineCandidates& candidates,
                                const SpineDerivation* gold) {
  for (int m = 1; m <= words_; ++m) {
    const std::span<const int32_t> spines = grammar_.spines_of(tags_[static_cast<size_t>(m)]);
    const std::span<const double> mine = probabilities.subspan(spine_part(m, 0), spines.size());
    const double least = alpha * *std::max_element(mine.begin(), mine.end());
    for (size_t k = 0; k < spines.size(); ++k)
      if (mine[k] >= least || (gold && gold->spine[static_cast<size_t>(m)] == spines[k])) candidates.spines.values.push_back(spines[k]);
    candidates.spines.end_row();
  }
}

bool SpinePruner::possible(const SpineCandidates& candidates, const SpineRelation& relation, int head, int dependent) const {
  const auto m = static_cast<size_t>(dependent);
  const auto topped = [&](int32_t spine) { return grammar_.top(spine, tags_[m]) == relation.modifier; };
  const std::span<const int32_t> below = candidates.spines[m];
  if (!std::any_of(below.begin(), below.end(), topped)) return false;
  if (head == 0) return true;
  for (const int32_t spine : candidates.spines[static_cast<size_t>(head)])
    for (size_t node = 0; node < grammar_.spine(spine).size(); ++node)
      if (grammar_.fits(relation, spine, tags_[static_cast<size_t>(head)], node)) return true;
  return false;
}

void SpinePruner::choose(std::span<const double> probabilities, const SpinePruning& pruning, SpineCandidates& candidates,
                         const SpineDerivation* gold, size_t* kept) {
  candidates.clear();
  candidates.tags = tags_;
  choose_spines(probabilities, pruning.spine_alpha, candidates, gold);
  std::vector<uint8_t> after;
  if (gold) after = constituents::after_regular(*gold);
  std::vector<double> bounds(static_cast<size_t>(words_) + 1);
  for (int m = 1; m <= words_; ++m) {
    const auto w = static_cast<size_t>(m);
    // The product of an arc's most probable labels bounds the products of its relations.
    double best = 0;
    const double* of[3];
    const auto arc = [&](int h) {
      double bound = 1;
      for (int model = 0; model < 3; ++model) {
        const size_t count = columns(model, h, m).size();
        of[model] = probabilities.data() + arc_part(h, m, model, 0);
        bound *= count == 0 ? 0.0 : *std::max_element(of[model], of[model] + count);
      }
      return bound;
    };
    const auto product = [&](const SpineLabels::Triple& triple) {
      return of[0][triple.places[0]] * of[1][triple.places[1]] * of[2][triple.places[2]];
    };
    const auto triples = [&](int h) { return labels_.triples(h == 0 ? -1 : tags_[static_cast<size_t>(h)], tags_[w]); };
    for (int h = 0; h <= words_; ++h) {
      if (h == m) continue;
      bounds[static_cast<size_t>(h)] = arc(h);
      if (bounds[static_cast<size_t>(h)] <= best) continue;
      for (const SpineLabels::Triple& triple : triples(h))
        if (const double value = product(triple); value > best && possible(candidates, grammar_.relation(triple.relation), h, m))
          best = value;
    }
    choices_.clear();
    const double least = pruning.alpha * best;
    for (int h = 0; h <= words_; ++h) {
      if (h == m || bounds[static_cast<size_t>(h)] < least) continue;
      arc(h);
      for (const SpineLabels::Triple& triple : triples(h))
        if (const double value = product(triple);
            value >= least && value > 0 && possible(candidates, grammar_.relation(triple.relation), h, m))
          choices_.push_back({value, h, triple.relation});
    }
    if (choices_.size() > static_cast<size_t>(pruning.most)) {
      std::stable_sort(choices_.begin(), choices_.end(), [](const Choice& a, const Choice& b) { return a.value > b.value; });
      choices_.resize(static_cast<size_t>(pruning.most));
    }
    if (gold) {
      const Choice wanted{0, gold->head[w], grammar_.find(constituents::relation_of(grammar_, *gold, tags_, m, after[w]))};
      const bool there = std::any_of(choices_.begin(), choices_.end(),
                                     [&](const Choice& one) { return one.head == wanted.head && one.relation == wanted.relation; });
      if (there && kept) ++*kept;
      if (!there && wanted.relation >= 0) choices_.push_back(wanted);
    }
    std::sort(choices_.begin(), choices_.end(),
              [](const Choice& a, const Choice& b) { return a.head != b.head ? a.head < b.head : a.relation < b.relation; });
    for (const Choice& one : choices_) {
      if (candidates.arcs.empty() || candidates.arcs.back().dependent != m || candidates.arcs.back().head != one.head)
        candidates.arcs.push_back({one.head, m, static_cast<int32_t>(candidates.relations.size()), 0});
      candidates.relations.push_back(one.relation);
      ++candidates.arcs.back().relations;
    }
  }
}

}  // namespace accord::tasks
