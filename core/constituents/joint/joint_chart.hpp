// SPDX-License-Identifier: Apache-2.0
// Words, tags and phrases found together: a chart over the places of a lattice of tagged words.
//
// Set:    derivations of a grammar (grammar.hpp) over the paths of a lattice (tagged_lattice.hpp): a path, and a tree over its words
//         whose top state is a root.
// Score:  words, tags and transitions of the path; for each span the scores of its bottom state, top state and unary rule, and for each
//         pair of spans that are joined that of the binary rule. Scores of a span may look at its outermost two words on each side, at
//         the number of its words, and at the likeliest neighbours outside (SpanEdges). A PhraseScorer says them.
// Method: by width, spans are joined (Qian & Liu 2012). Answers that scores cannot tell apart from outside (same place, same top state,
//         same edges) are recombined: the best stays. Without a beam the answer is exact; a beam keeps the best so many bottom states and
//         top states of each pair of places, over all words and tags, and `gap` leaves out pairs of spans that have little hope.
//         Where no root spans the text, the fewest phrases that cover it are taken, and of those the best (`whole` is false then).
// Complexity: O(n^3 B^2) pairs of answers that a rule may join.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/joint/grammar.hpp"
#include "core/constituents/joint/tagged_lattice.hpp"

namespace accord::constituents {

inline constexpr int32_t most_span_words = 21;  // spans of more words count as spans of so many

// What scores may know of a span: tagged words of the lattice. In a span of one word, the second is the likeliest word behind it, and
// the last but one the likeliest word before it.
struct SpanEdges {
  int32_t first, second, last_but_one, last;
  int32_t words;

  bool operator==(const SpanEdges&) const = default;
};

SpanEdges edges_of_word(const TaggedLattice& lattice, int32_t word);
SpanEdges joined_edges(const SpanEdges& left, const SpanEdges& right);

// Scores of phrases. The chart says of which span or pair of spans it speaks, and then asks for states.
class PhraseScorer {
 public:
  virtual ~PhraseScorer() = default;
  virtual void span(int begin, int end, const SpanEdges& edges) = 0;
  virtual double bottom(int state) = 0;
  virtual double top(int state) = 0;
  virtual double unary(const UnaryRule& rule) = 0;
  virtual void pair(const SpanEdges& left, const SpanEdges& right, bool root) = 0;
  virtual double binary(const BinaryRule& rule) = 0;
};

struct DerivedSpan {
  int32_t begin, end;
  int32_t split;  // place, or -1: one word
  int32_t bottom, top;
  int32_t word;  // tagged word of the lattice; -1: several
  SpanEdges edges;

  bool operator==(const DerivedSpan&) const = default;
};

struct Derivation {
  double score = forbidden;
  bool whole = true;
  std::vector<DerivedSpan> spans;  // a span before those inside it, from left to right
};

struct ChartSettings {
  int beam;        // 0: everything is kept
  bool tied;       // the bottom state of a word is its tag; else any tag may be
  bool pairwise;   // scores look at the second word and at the last but one; else answers that differ there alone are recombined
  double gap = 0;  // with a beam: two spans are not joined whose sum is worse by more than that of the best two; 0: all are joined
};

// Working space of one thread.
class JointChart {
 public:
  explicit JointChart(const Grammar& grammar) : grammar_(grammar) {}

  Derivation best(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings);
  // The best and further ones; fewer when there are no more within the beam. One where no root spans the text.
  std::vector<Derivation> kbest(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings, int k);
  // The score of a derivation of this lattice.
  double score(const TaggedLattice& lattice, PhraseScorer& scorer, const Derivation& derivation) const;

 private:
  struct Bottom {
    double score;
    int32_t edges, state;  // edges: of the cell
    int32_t left, right;   // top items; a word: the tagged word, and -1
  };
  struct Top {
    double score;
    int32_t edges, state;
    int32_t bottom;
  };
  struct Cell {
    int32_t begin = 0, end = 0;
    std::vector<SpanEdges> edges;
    std::vector<Bottom> bottoms;
    std::vector<Top> tops;  // by edges
    int32_t first_bottom = 0, first_top = 0;
  };
  // What makes a bottom state: two top states joined, or a word.
  struct Offer {
    int32_t edges, state;
    double score;
    int32_t left, right;
    double weight;
  };
  // A way to an answer, kept for rankings: to a bottom from two tops or from a word, to a top from a bottom (left).
  struct Way {
    int32_t head, left, right;
    double weight;
  };

  // Key -> number, emptied at no cost.
  class Slots {
   public:
    void clear();
    // The number of a key; `fresh` for a new one.
    int32_t find(uint64_t key, int32_t fresh);

   private:
    struct Slot {
      uint64_t key = 0;
      uint32_t stamp = 0;
      int32_t number = 0;
    };
    void grow();
    std::vector<Slot> slots_ = std::vector<Slot>(256);
    std::size_t used_ = 0;
    uint32_t stamp_ = 1;
  };

  void fill(const TaggedLattice& lattice, PhraseScorer& scorer, const ChartSettings& settings, bool ranked);
  void add_words(Cell& cell, const TaggedLattice& lattice, const ChartSettings& settings, bool ranked);
  void join(Cell& cell, const Cell& left, const Cell& right, const TaggedLattice& lattice, PhraseScorer& scorer,
            const ChartSettings& settings, double least, bool ranked);
  double least_sum(const Cell& cell, const ChartSettings& settings) const;
  void offer(Cell& cell, const Offer& offer, bool ranked);
  void keep_bottoms(Cell& cell, PhraseScorer& scorer, int beam, bool ranked);
  void add_tops(Cell& cell, PhraseScorer& scorer, int beam, bool ranked);
  int32_t edges_number(Cell& cell, SpanEdges edges, bool pairwise);

  const Cell& at(int begin, int end) const { return cells_[span_index(length_, begin, end)]; }
  const Cell& cell_of(int32_t top) const { return cells_[top_cells_[static_cast<std::size_t>(top)]]; }
  const Top& top(int32_t number) const {
    const Cell& own = cell_of(number);
    return own.tops[static_cast<std::size_t>(number - own.first_top)];
  }
  int32_t best_root() const;
  Derivation answer(const TaggedLattice& lattice) const;
  Derivation pieces(const TaggedLattice& lattice) const;
  void trace(int32_t number, std::vector<DerivedSpan>& spans) const;
  void append(int32_t number, const Bottom& bottom, std::vector<DerivedSpan>& spans) const;
  std::vector<Derivation> ranking(int k) const;

  const Grammar& grammar_;
  int length_ = 0;
  std::vector<Cell> cells_;          // by span
  std::vector<uint32_t> filled_;     // cells in the order in which they were filled
  std::vector<uint32_t> top_cells_;  // by top item: its cell
  int32_t bottom_count_ = 0;
  Slots edge_slots_, bottom_slots_, top_slots_;
  std::vector<int32_t> bottom_order_;
  std::vector<Way> ways_, top_ways_;  // by head
  std::vector<Way> cell_ways_;        // of the cell that is being filled
};

}  // namespace accord::constituents
