// SPDX-License-Identifier: Apache-2.0
// What every compressor offers: the best compression of a sentence when words earn or cost something more.
//
// Set:     subsets of the words 1..n of a sentence that a programme allows, with a tree over the kept words where the programme has one.
// Score:   what the programme was made of, plus an addition for each kept word. A price for length, a message of a dual solver and the
//          cost of errors in training all come in as such additions, so that none of them needs code of its own here.
// Fates:   a word may be bound to stay or to go. This is no large number: rounding does not depend on it.
// Length:  each word has a whole cost >= 0 (1, or its number of characters). A programme answers without regard to length, fast, or for
//          all totals of costs at once, slower; length.hpp builds every condition on length from these two.
//
// Implementations: PathProgramme, SpanProgramme, StatusProgramme and StatusBigramProgramme, each in a header of its name (the last two in
// statuses/). A programme keeps buffers: one object is used by one thread at a time. Arrays by word have n + 1 entries; entry 0 belongs to
// no word.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/hypergraph/items.hpp"

namespace accord::compressions {

using hypergraph::forbidden;

enum class Fate : uint8_t { open, keep, drop };

// What programmes over lengths may keep in memory, in numbers; std::invalid_argument says so where a sentence would need more.
inline constexpr double most_numbers = 1 << 27;

// One question: additions to the scores of kept words, and what is bound to happen to each word.
struct Terms {
  std::span<const double> additions;
  std::span<const Fate> fates;
};

// The words that stay and, where the programme has one, the tree over them: heads of kept words, -1 for deleted words and for the root.
struct Compression {
  double score = forbidden;  // of the programme, without additions
  std::vector<uint8_t> kept;
  std::vector<int32_t> heads;
};

class Programme {
 public:
  virtual ~Programme() = default;
  virtual int words() const = 0;

  // The best compression of any length. Returns its score with the additions; -infinity, and no compression, when there is none.
  virtual double best(const Terms& terms, Compression& out) = 0;

  // Whether all totals of costs take about as long as a few questions without regard to length.
  virtual bool lengths_are_cheap() const = 0;
  // For each total of costs, 0..high, the best score with the additions; those below low may be left out. Totals beyond the sum of all
  // costs are not asked for.
  // Throws std::invalid_argument where the table would be too large.
  virtual std::span<const double> best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) = 0;
  // The compression behind one of these scores, right after they were computed.
  virtual void trace_cost(int cost, Compression& out) = 0;

 protected:
  Programme() = default;
  Programme(const Programme&) = default;
  Programme& operator=(const Programme&) = default;
};

}  // namespace accord::compressions
