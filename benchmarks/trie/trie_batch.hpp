// SPDX-License-Identifier: Apache-2.0
// Many parts in one call: the parts of all sentences of a batch, described by what they share.
//
// The tokens of a part come from one filling of each context (say, a head and a child: see trie_sharing.hpp) and from
// its own units (say, the distance). The same batch can be read with every index, walking each part alone or sharing
// walks, with the same result: sharing changes the cost only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/trie/trie.hpp"
#include "benchmarks/trie/trie_baselines.hpp"

namespace accord::text {

struct PartContext {
  std::vector<std::int32_t> units;
  std::span<const std::int32_t> tokens;  // fillings x units
};

struct PartBatch {
  std::vector<PartContext> contexts;         // contexts that share a unit must agree on its token within a part
  std::vector<std::int32_t> own_units;       // in no context
  std::span<const std::int32_t> fillings;    // parts x contexts; -1: the part leaves the units of the context without token
  std::span<const std::int32_t> own_tokens;  // parts x own_units
  std::span<const std::int64_t> sentences;   // the first part of each sentence, then the number of parts

  std::size_t part_count() const { return sentences.empty() ? 0 : static_cast<std::size_t>(sentences.back()); }
  // Throws std::invalid_argument where a number is out of range or an array has the wrong length.
  void check(std::int32_t unit_count) const;
  // Fills in the tokens of the part; units it does not have stay -1.
  void gather(std::size_t part, std::span<std::int32_t> tokens) const;
};

enum class BatchOutput {
  retrieve,    // find the feature rows and do nothing with them
  best_label,  // add up the weights per label; keep the best label of each part
  features,    // list the features of each part
};

struct BatchResult {
  std::uint64_t label_rows = 0;  // found, over all parts
  std::uint64_t checksum = 0;    // of the label rows of each part, whatever their order
  std::uint64_t visits = 0;      // look-ups made
  std::vector<std::int32_t> best_labels;
  std::vector<double> best_scores;
  std::vector<std::int64_t> feature_begin;  // part p fires features[feature_begin[p] .. feature_begin[p+1])
  std::vector<std::int32_t> features;
};

// Inserts the features of every part, one label each.
void insert_batch(FeatureTrie& trie, const PartBatch& batch, std::span<const std::int32_t> labels);

BatchResult extract_batch(const FeatureTrie& trie, const PartBatch& batch, BatchOutput output);
// Walks each filling of a context once per sentence.
BatchResult extract_batch_shared(const FeatureTrie& trie, const PartBatch& batch, BatchOutput output);
// The baselines find label rows of the trie they were made from.
BatchResult extract_batch(const StringHashIndex& index, const FeatureTrie& trie, const PartBatch& batch, BatchOutput output);
BatchResult extract_batch(const ByteTrieIndex& index, const FeatureTrie& trie, const PartBatch& batch, BatchOutput output);

// For each template, the share of the parts for which it fires with stored features: what TemplateTree takes to
// choose fathers that prune more.
std::vector<double> measure_presence(const FeatureTrie& trie, const PartBatch& batch);

}  // namespace accord::text
