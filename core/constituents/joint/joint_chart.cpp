// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/joint/joint_chart.hpp"

#include <algorithm>
#include <limits>

namespace accord::constituents {

namespace {

std::size_t index(int32_t number) { return static_cast<std::size_t>(number); }

uint64_t mixed(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

uint64_t pair_key(int32_t a, int32_t b) { return (static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32) | static_cast<uint32_t>(b); }

// The places of the best so many entries, in their order; of equal scores the first ones.
template <typename Entry>
void keep_best(std::vector<Entry>& entries, int most, std::vector<int32_t>& kept) {
  kept.resize(entries.size());
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = static_cast<int32_t>(k);
  if (most <= 0 || kept.size() <= index(most)) return;
  std::nth_element(kept.begin(), kept.begin() + most, kept.end(), [&](int32_t a, int32_t b) {
    return entries[index(a)].score != entries[index(b)].score ? entries[index(a)].score > entries[index(b)].score : a < b;
  });
  kept.resize(index(most));
  std::sort(kept.begin(), kept.end());
}

}  // namespace

SpanEdges edges_of_word(const TaggedLattice& lattice, int32_t word) { return {word, lattice.behind(word), lattice.before(word), word, 1}; }

SpanEdges joined_edges(const SpanEdges& left, const SpanEdges& right) {
  return {left.first, left.words > 1 ? left.second : right.first, right.words > 1 ? right.last_but_one : left.last, right.last,
          std::min(left.words + right.words, most_span_words)};
}

void JointChart::Slots::clear() {
  ++stamp_;
  used_ = 0;
}

int32_t JointChart::Slots::find(uint64_t key, int32_t fresh) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mixed(key) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.stamp != stamp_) {
      slot = {key, stamp_, fresh};
      ++used_;
      return fresh;
    }
    if (slot.key == key) return slot.number;
  }
}

void JointChart::Slots::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.stamp != stamp_) continue;
    std::size_t at = mixed(slot.key) & mask;
    while (slots_[at].stamp == stamp_) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

// Edges that are equal have one number. Few differ within a cell, and mostly those that were met last come again.
int32_t JointChart::edges_number(Cell& cell, SpanEdges edges, bool pairwise) {
  if (!pairwise && edges.words > 1) edges.second = edges.last_but_one = -1;
  if (!cell.edges.empty() && cell.edges.back() == edges) return static_cast<int32_t>(cell.edges.size()) - 1;
  uint64_t key = mixed(pair_key(edges.first, edges.last) + 1);
  key = mixed(key * 3 + pair_key(edges.second, edges.last_but_one));
  key = key * 31 + static_cast<uint64_t>(edges.words);
  for (;; ++key) {  // another key where two edges share one
    const int32_t number = edge_slots_.find(key, static_cast<int32_t>(cell.edges.size()));
    if (index(number) == cell.edges.size()) cell.edges.push_back(edges);
    if (cell.edges[index(number)] == edges) return number;
  }
}

void JointChart::offer(Cell& cell, const Offer& offer, bool ranked) {
  const int32_t number = bottom_slots_.find(pair_key(offer.edges, offer.state), static_cast<int32_t>(cell.bottoms.size()));
  if (index(number) == cell.bottoms.size()) cell.bottoms.push_back({forbidden, offer.edges, offer.state, -1, -1});
  Bottom& bottom = cell.bottoms[index(number)];
  if (ranked) cell_ways_.push_back({number, offer.left, offer.right, offer.weight});
  if (bottom.left >= 0 && offer.score <= bottom.score) return;
  bottom.score = offer.score;
  bottom.left = offer.left;
  bottom.right = offer.right;
}

void JointChart::add_words(Cell& cell, const TaggedLattice& lattice, const ChartSettings& settings, bool ranked) {
  const auto [first, last] = lattice.between(cell.begin, cell.end);
  for (int32_t word = first; word < last; ++word) {
    const int32_t edges = edges_number(cell, edges_of_word(lattice, word), settings.pairwise);
    const double score = lattice[word].score;
    if (settings.tied) offer(cell, {edges, lattice[word].tag, score, word, -1, score}, ranked);
    else
      for (int32_t state = 0; state < grammar_.tags(); ++state) offer(cell, {edges, state, score, word, -1, score}, ranked);
  }
}

void JointChart::join(Cell& cell, const Cell& left, const Cell& right, const TaggedLattice& lattice, PhraseScorer& scorer,
                      const ChartSettings& settings, double least, bool ranked) {
  const bool root = cell.begin == 0 && cell.end == length_;
  for (std::size_t a = 0, next_a = 0; a < left.tops.size(); a = next_a) {
    const int32_t left_number = left.tops[a].edges;
    for (next_a = a; next_a < left.tops.size() && left.tops[next_a].edges == left_number; ++next_a) {
    }
    const SpanEdges& left_edges = left.edges[index(left_number)];
    for (std::size_t b = 0, next_b = 0; b < right.tops.size(); b = next_b) {
      const int32_t right_number = right.tops[b].edges;
      for (next_b = b; next_b < right.tops.size() && right.tops[next_b].edges == right_number; ++next_b) {
      }
      const SpanEdges& right_edges = right.edges[index(right_number)];
      int32_t edges = -1;
      double transition = 0;
      for (std::size_t one = a; one < next_a; ++one)
        for (std::size_t other = b; other < next_b; ++other) {
          const double below = left.tops[one].score + right.tops[other].score;
          if (below < least) continue;
          const std::span<const int32_t> parents = grammar_.parents(left.tops[one].state, right.tops[other].state);
          if (parents.empty()) continue;
          if (edges < 0) {
            edges = edges_number(cell, joined_edges(left_edges, right_edges), settings.pairwise);
            transition = lattice.transition(left_edges.last, right_edges.first);
            scorer.pair(left_edges, right_edges, root);
          }
          for (const int32_t parent : parents) {
            const double weight = transition + scorer.binary({parent, left.tops[one].state, right.tops[other].state});
            const auto left_top = left.first_top + static_cast<int32_t>(one), right_top = right.first_top + static_cast<int32_t>(other);
            offer(cell, {edges, parent, below + weight, left_top, right_top, weight}, ranked);
          }
        }
    }
  }
}

// What two spans must score together to be joined.
double JointChart::least_sum(const Cell& cell, const ChartSettings& settings) const {
  if (settings.beam == 0 || settings.gap <= 0) return -std::numeric_limits<double>::infinity();
  const auto best = [](const Cell& one) { return std::ranges::max(one.tops, {}, &Top::score).score; };
  double found = -std::numeric_limits<double>::infinity();
  for (int split = cell.begin + 1; split < cell.end; ++split) {
    const Cell &left = at(cell.begin, split), &right = at(split, cell.end);
    if (!left.tops.empty() && !right.tops.empty()) found = std::max(found, best(left) + best(right));
  }
  return found - settings.gap;
}

// Adds the scores of bottom states and keeps the best.
void JointChart::keep_bottoms(Cell& cell, PhraseScorer& scorer, int beam, bool ranked) {
  bottom_order_.resize(cell.bottoms.size());
  for (std::size_t k = 0; k < bottom_order_.size(); ++k) bottom_order_[k] = static_cast<int32_t>(k);
  std::stable_sort(bottom_order_.begin(), bottom_order_.end(),
                   [&](int32_t a, int32_t b) { return cell.bottoms[index(a)].edges < cell.bottoms[index(b)].edges; });
  std::vector<double> own(cell.bottoms.size());
  int32_t edges = -1;
  for (const int32_t number : bottom_order_) {
    Bottom& bottom = cell.bottoms[index(number)];
    if (bottom.edges != edges) {
      edges = bottom.edges;
      scorer.span(cell.begin, cell.end, cell.edges[index(edges)]);
    }
    own[index(number)] = scorer.bottom(bottom.state);
    bottom.score += own[index(number)];
  }
  std::vector<int32_t> kept;
  keep_best(cell.bottoms, beam, kept);
  std::stable_sort(kept.begin(), kept.end(),
                   [&](int32_t a, int32_t b) { return cell.bottoms[index(a)].edges < cell.bottoms[index(b)].edges; });
  std::vector<Bottom> bottoms;
  std::vector<int32_t> place(cell.bottoms.size(), -1);
  for (const int32_t number : kept) {
    place[index(number)] = static_cast<int32_t>(bottoms.size());
    bottoms.push_back(cell.bottoms[index(number)]);
  }
  cell.bottoms = std::move(bottoms);
  cell.first_bottom = bottom_count_;
  bottom_count_ += static_cast<int32_t>(cell.bottoms.size());
  if (!ranked) return;
  const std::size_t first = ways_.size();
  for (const Way& way : cell_ways_)
    if (place[index(way.head)] >= 0)
      ways_.push_back({cell.first_bottom + place[index(way.head)], way.left, way.right, way.weight + own[index(way.head)]});
  std::stable_sort(ways_.begin() + static_cast<std::ptrdiff_t>(first), ways_.end(),
                   [](const Way& a, const Way& b) { return a.head < b.head; });
}

void JointChart::add_tops(Cell& cell, PhraseScorer& scorer, int beam, bool ranked) {
  cell_ways_.clear();
  std::vector<double> own;
  int32_t edges = -1;
  for (std::size_t k = 0; k < cell.bottoms.size(); ++k) {  // by edges
    const Bottom& bottom = cell.bottoms[k];
    if (bottom.edges != edges) {
      edges = bottom.edges;
      scorer.span(cell.begin, cell.end, cell.edges[index(edges)]);
      top_slots_.clear();
    }
    for (const int32_t state : grammar_.tops(bottom.state)) {
      const int32_t number = top_slots_.find(static_cast<uint64_t>(state), static_cast<int32_t>(cell.tops.size()));
      if (index(number) == cell.tops.size()) {
        cell.tops.push_back({forbidden, edges, state, -1});
        own.push_back(scorer.top(state));
      }
      const double weight = own[index(number)] + scorer.unary({state, bottom.state});
      const int32_t below = cell.first_bottom + static_cast<int32_t>(k);
      if (ranked) cell_ways_.push_back({number, below, -1, weight});
      Top& top = cell.tops[index(number)];
      if (top.bottom >= 0 && bottom.score + weight <= top.score) continue;
      top.score = bottom.score + weight;
      top.bottom = below;
    }
  }
  std::vector<int32_t> kept;
  keep_best(cell.tops, beam, kept);
  std::vector<Top> tops;
  std::vector<int32_t> place(cell.tops.size(), -1);
  cell.first_top = static_cast<int32_t>(top_cells_.size());
  for (const int32_t number : kept) {
    place[index(number)] = static_cast<int32_t>(tops.size());
    tops.push_back(cell.tops[index(number)]);
    top_cells_.push_back(static_cast<uint32_t>(&cell - cells_.data()));
  }
  cell.tops = std::move(tops);
  if (!ranked) return;
  const std::size_t first = top_ways_.size();
  for (const Way& way : cell_ways_)
    if (place[index(way.head)] >= 0) top_ways_.push_back({cell.first_top + place[index(way.head)], way.left, -1, way.weight});
  std::stable_sort(top_ways_.begin() + static_cast<std::ptrdiff_t>(first), top_ways_.end(),
                   [](const Way& a, const Way& b) { return a.head < b.head; });
}

void JointChart::fill(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings, bool ranked) {
  length_ = lattice.length();
  cells_.assign(span_count(length_), {});
  filled_.clear();
  top_cells_.clear();
  ways_.clear();
  top_ways_.clear();
  bottom_count_ = 0;
  for (int width = 1; width <= length_; ++width)
    for (int begin = 0; begin + width <= length_; ++begin) {
      const int end = begin + width;
      if (!lattice.place(begin) || !lattice.place(end)) continue;
      const std::size_t number = span_index(length_, begin, end);
      Cell& cell = cells_[number];
      cell.begin = begin;
      cell.end = end;
      edge_slots_.clear();
      bottom_slots_.clear();
      cell_ways_.clear();
      add_words(cell, lattice, settings, ranked);
      const double least = least_sum(cell, settings);
      for (int split = begin + 1; split < end; ++split) {
        const Cell &left = at(begin, split), &right = at(split, end);
        if (!left.tops.empty() && !right.tops.empty()) join(cell, left, right, lattice, scorer, settings, least, ranked);
      }
      if (cell.bottoms.empty()) continue;
      keep_bottoms(cell, scorer, settings.beam, ranked);
      add_tops(cell, scorer, settings.beam, ranked);
      filled_.push_back(static_cast<uint32_t>(number));
    }
}

int32_t JointChart::best_root() const {
  const Cell& whole = at(0, length_);
  int32_t found = -1;
  for (std::size_t k = 0; k < whole.tops.size(); ++k)
    if (grammar_.root(whole.tops[k].state) && (found < 0 || whole.tops[k].score > whole.tops[index(found)].score))
      found = static_cast<int32_t>(k);
  return found < 0 ? -1 : whole.first_top + found;
}

void JointChart::append(int32_t number, const Bottom& bottom, std::vector<DerivedSpan>& spans) const {
  const Cell& cell = cell_of(number);
  const bool leaf = bottom.right < 0;
  spans.push_back({cell.begin, cell.end, leaf ? -1 : cell_of(bottom.left).end, bottom.state, top(number).state, leaf ? bottom.left : -1,
                   cell.edges[index(bottom.edges)]});
}

void JointChart::trace(int32_t number, std::vector<DerivedSpan>& spans) const {
  std::vector<int32_t> agenda = {number};
  while (!agenda.empty()) {
    const int32_t here = agenda.back();
    agenda.pop_back();
    const Cell& cell = cell_of(here);
    const Bottom& bottom = cell.bottoms[index(top(here).bottom - cell.first_bottom)];
    append(here, bottom, spans);
    if (bottom.right < 0) continue;
    agenda.push_back(bottom.right);
    agenda.push_back(bottom.left);
  }
}

// The fewest phrases that cover the text, and of those the best ones.
Derivation JointChart::pieces(const TaggedLattice& lattice) const {
  struct Reach {
    int count = std::numeric_limits<int>::max();
    double score = forbidden;
    int32_t last = -1;
  };
  std::vector<Reach> reach(top_cells_.size());  // by top item, the last of its cover
  std::vector<std::vector<int32_t>> ending(index(length_) + 1);
  for (int end = 1; end <= length_; ++end)
    for (int begin = 0; begin < end; ++begin) {
      const Cell& cell = at(begin, end);
      for (std::size_t k = 0; k < cell.tops.size(); ++k) {
        if (grammar_.helper(cell.tops[k].state)) continue;
        const int32_t number = cell.first_top + static_cast<int32_t>(k);
        Reach& here = reach[index(number)];
        if (begin == 0) here = {1, cell.tops[k].score, -1};
        for (const int32_t before : ending[index(begin)]) {
          const Reach& there = reach[index(before)];
          const Cell& own = cell_of(before);
          const double step = lattice.transition(own.edges[index(top(before).edges)].last, cell.edges[index(cell.tops[k].edges)].first);
          const double score = there.score + step + cell.tops[k].score;
          if (there.count + 1 < here.count || (there.count + 1 == here.count && score > here.score))
            here = {there.count + 1, score, before};
        }
        if (here.count < std::numeric_limits<int>::max()) ending[index(end)].push_back(number);
      }
    }
  Derivation found;
  found.whole = false;
  int32_t last = -1;
  for (const int32_t number : ending[index(length_)]) {
    const Reach &here = reach[index(number)], &best = reach[index(std::max(last, 0))];
    if (last < 0 || here.count < best.count || (here.count == best.count && here.score > best.score)) last = number;
  }
  if (last < 0) return found;
  found.score = reach[index(last)].score;
  std::vector<int32_t> tops;
  for (; last >= 0; last = reach[index(last)].last) tops.push_back(last);
  for (std::size_t k = tops.size(); k-- > 0;) trace(tops[k], found.spans);
  return found;
}

Derivation JointChart::best(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings) {
  if (lattice.length() == 0) return {0.0, true, {}};
  fill(lattice, scorer, settings, false);
  return answer(lattice);
}

Derivation JointChart::answer(const TaggedLattice& lattice) const {
  const int32_t root = best_root();
  if (root < 0) return pieces(lattice);
  Derivation found{top(root).score, true, {}};
  trace(root, found.spans);
  return found;
}

double JointChart::score(const TaggedLattice& lattice, PhraseScorer& scorer, const Derivation& derivation) const {
  double total = 0;
  // A span's children stand behind it: the left one at once, the right one where the left one's spans end.
  const std::vector<DerivedSpan>& spans = derivation.spans;
  const auto child_at = [&](std::size_t from, int begin, int end) {
    while (spans[from].begin != begin || spans[from].end != end) ++from;
    return from;
  };
  const DerivedSpan* last = nullptr;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const DerivedSpan& span = spans[k];
    if (span.word >= 0) {
      total += lattice[span.word].score;
      if (last) total += lattice.transition(last->word, span.word);
      last = &span;
    } else {
      const DerivedSpan &left = spans[child_at(k + 1, span.begin, span.split)], &right = spans[child_at(k + 1, span.split, span.end)];
      scorer.pair(left.edges, right.edges, span.begin == 0 && span.end == lattice.length());
      total += scorer.binary({span.bottom, left.top, right.top});
    }
    scorer.span(span.begin, span.end, span.edges);
    total += scorer.bottom(span.bottom) + scorer.top(span.top) + scorer.unary({span.top, span.bottom});
  }
  return total;
}

}  // namespace accord::constituents
