// SPDX-License-Identifier: Apache-2.0
// Patterns of words and arcs. What compiles keeps its bounds: indices are those of its words, and its steps find every word.
#include <stdexcept>
#include <vector>

#include "core/text/patterns/patterns.hpp"
#include "tests/core/fuzz/fuzzing.hpp"

using namespace accord::text;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    std::vector<Attribute> attributes;
    for (const Pattern& pattern : compile_patterns(fuzzing::text_of(data, size), attributes)) {
      const size_t words = pattern.words.size(), arcs = pattern.arcs.size();
      fuzzing::claim(arcs >= Pattern::fewest_arcs && arcs <= Pattern::most_arcs && words == arcs + 1, "arcs make a tree");
      std::vector<bool> found(words);
      found.at(static_cast<size_t>(pattern.start)) = true;
      for (const Pattern::Step& step : pattern.steps) found.at(static_cast<size_t>(pattern.next_word(step))) = true;
      for (const bool there : found) fuzzing::claim(there, "steps find every word");
      for (const Pattern::Word& word : pattern.words)
        for (const Pattern::Condition& condition : word.conditions)
          fuzzing::claim(static_cast<size_t>(condition.attribute) < attributes.size(), "attributes are known");
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
