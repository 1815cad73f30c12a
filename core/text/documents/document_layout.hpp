// SPDX-License-Identifier: Apache-2.0
// Which column of a tab-separated treebank file holds which role. The formats differ in nothing else that reading or
// writing needs to know.
//
//   CoNLL-U     ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC              (universaldependencies.org/format)
//   CoNLL-X     ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL     (Buchholz and Marsi, CoNLL 2006)
//   CoNLL-2008  ID FORM LEMMA GPOS PPOS SPLIT_FORM SPLIT_LEMMA PPOSS HEAD DEPREL PRED ARG...   (Surdeanu et al. 2008)
//   CoNLL-2009  ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED...
//                                                                                              (Hajic et al. 2009)
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accord::text {

enum class Column : uint8_t { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };
inline constexpr size_t column_count = 10;
inline constexpr std::array<std::string_view, column_count> column_names = {"id",    "form", "lemma",  "upos", "xpos",
                                                                            "feats", "head", "deprel", "deps", "misc"};

struct Layout {
  std::string_view name;
  std::array<int8_t, column_count> position;  // file column of each role, from 0; -1: the format has no such role
  uint8_t leading;                            // file columns up to the last one that has a role
  uint8_t minimum;                            // fewest columns of a row
  bool exact;                                 // rows have exactly `minimum` columns

  constexpr int place(Column column) const { return position[static_cast<size_t>(column)]; }
};

namespace layouts {
inline constexpr Layout conllu{"conllu", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10, 10, true};
inline constexpr Layout conllx{"conllx", {0, 1, 2, 3, 4, 5, 6, 7, -1, -1}, 8, 10, true};
inline constexpr Layout conll2008{"conll2008", {0, 5, 6, 3, 7, -1, 8, 9, -1, -1}, 10, 10, false};
inline constexpr Layout conll2009{"conll2009", {0, 1, 2, 4, 5, 6, 8, 10, -1, -1}, 11, 12, false};
}  // namespace layouts

// The layout of that name; throws std::invalid_argument when there is none.
const Layout& layout_named(std::string_view name);

}  // namespace accord::text
