// SPDX-License-Identifier: Apache-2.0
// What the two-dimensional trie is measured against and tested against: features as strings.
//
// For each template that fires, the string of the feature is built (the template, then the spelling of each token)
// and looked up. Cost per part: the length of all feature strings to build them, and again to hash them
// (StringHashIndex) or to follow them byte by byte (ByteTrieIndex, a double-array trie). Both give the label rows of
// the trie they are made from. The buffer for the string is reused, so that neither allocates once it has grown: a
// naive method at its best.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "benchmarks/trie/trie.hpp"

namespace accord::text {

// Spells features. The token t of unit u reads alphabets[alphabet_of_unit[u]][t].
class FeatureSpeller {
 public:
  // Throws std::invalid_argument when a unit has no alphabet.
  FeatureSpeller(const TemplateTree& tree, std::vector<std::vector<std::string>> alphabets, std::vector<std::int32_t> alphabet_of_unit);

  std::size_t template_count() const { return templates_.size(); }
  // The string of the feature, or false if the template does not fire.
  bool spell(std::size_t template_id, const std::int32_t* tokens, std::string& feature) const;

 private:
  std::vector<std::vector<std::int32_t>> templates_;
  std::vector<std::string> template_names_;
  std::vector<std::vector<std::string>> alphabets_;
  std::vector<std::int32_t> alphabet_of_unit_;
};

class StringHashIndex {
 public:
  StringHashIndex(const FeatureTrie& trie, FeatureSpeller speller);

  // As FeatureTrie::walk; visits are templates that fire.
  template <typename Found>
  std::size_t walk(const std::int32_t* tokens, std::string& buffer, Found&& found) const {
    std::size_t visits = 0;
    for (std::size_t index = 0; index < speller_.template_count(); ++index) {
      if (!speller_.spell(index, tokens, buffer)) continue;
      ++visits;
      if (const auto entry = label_rows_.find(buffer); entry != label_rows_.end()) found(entry->second);
    }
    return visits;
  }
  // An estimate: nodes and buckets of the map, and the strings too long to lie inside their node.
  std::size_t memory_bytes() const;

 private:
  FeatureSpeller speller_;
  std::unordered_map<std::string, std::uint32_t> label_rows_;
};

class ByteTrieIndex {
 public:
  ByteTrieIndex(const FeatureTrie& trie, FeatureSpeller speller);

  template <typename Found>
  std::size_t walk(const std::int32_t* tokens, std::string& buffer, Found&& found) const {
    std::size_t visits = 0;
    for (std::size_t index = 0; index < speller_.template_count(); ++index) {
      if (!speller_.spell(index, tokens, buffer)) continue;
      ++visits;
      if (const std::uint32_t label_row = find(buffer); label_row != no_row) found(label_row);
    }
    return visits;
  }
  std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t base = 0;        // of the slots of the next byte, or the label row where a string ends
    std::uint32_t check = no_row;  // the slot of the byte before
  };

  std::uint32_t find(std::string_view feature) const noexcept;

  FeatureSpeller speller_;
  std::vector<Slot> slots_;  // the first is the root
};

}  // namespace accord::text
