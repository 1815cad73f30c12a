// SPDX-License-Identifier: Apache-2.0
// A small network with tags, and the sentences that tests show it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/neural/network.hpp"
#include "tests/core/neural/small_networks.hpp"

namespace cases {

inline const accord::text::Document known = networks::document("The:DET cat:NOUN saw:VERB | a:DET dog:NOUN ran:VERB fast:ADV");
inline const accord::text::Document words =
    networks::document("the:DET dog:NOUN | saw:VERB | cat:NOUN saw:VERB a:DET new:ADJ | ran:VERB fast:ADV the:DET");

inline accord::neural::NetworkShape shape(bool parts) {
  return {.encoder = accord::neural::Encoder::lstm,
          .word_size = 8,
          .character_size = 4,
          .filters = 6,
          .layers = 2,
          .units = 5,
          .reach = 1,
          .arc_size = 9,
          .label_size = 6,
          .labels = 3,
          .tag_hidden = 4,
          .tag_layer = 1,
          .tasks = {{"upos", 5}, {"lemma", 2}},
          .parts = parts ? std::vector<std::string>{"grandparent", "sibling"} : std::vector<std::string>{},
          .rank = 5};
}

inline std::shared_ptr<const accord::neural::Network> shared(const networks::SmallNetwork& net) {
  return std::make_shared<const accord::neural::Network>(net.network());
}

}  // namespace cases
