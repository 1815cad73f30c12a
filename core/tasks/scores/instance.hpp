// SPDX-License-Identifier: Apache-2.0
// A training sentence: its words as atoms and what is known of its tree.
//
// Set:   the trees of the space with all known heads and labels ("agreeing" trees): one tree when everything is known.
// Loss:  1 for a known head that is wrong, and `label_cost` for a known label that is wrong on a head that is not.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/parses/parts/part_layout.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/features/atoms.hpp"

namespace accord::tasks {

struct Instance {
  text::AtomTable atoms;
  std::vector<int32_t> heads;              // size n+1, heads[0] = -1; -1: unknown
  std::vector<int32_t> labels;             // size n+1; -1: unknown
  bool partial = false;                    // something is unknown
  std::vector<parses::CandidateArc> arcs;  // what a pruner left, an agreeing tree included; models of single arcs need none

  bool allows(size_t head, size_t word) const { return heads[word] < 0 || heads[word] == static_cast<int32_t>(head); }
  // Whether the label of a known arc is known.
  bool labelled(size_t word) const { return heads[word] >= 0 && labels[word] >= 0; }
};

struct InstanceRules {
  bool projective, single_root;
  bool labelled;  // labels matter
  bool partial;   // sentences with unknown heads or labels are of use
};

using LabelIds = std::unordered_map<std::string, int32_t>;

// Heads and labels of a sentence; false when there is nothing to learn from it: no word, no known head, or no tree of the kind
// has these heads. Where projective trees are asked for, a complete tree becomes the nearest projective one, and of a partial
// tree as many heads stay as a projective tree can have. DEPREL "_" is unknown, unless the list of labels has it. Throws
// std::invalid_argument for a label that is not in the list.
bool read_tree(const text::Document& document, size_t sentence, const InstanceRules& rules, const LabelIds& label_ids, Instance& instance);

}  // namespace accord::tasks
