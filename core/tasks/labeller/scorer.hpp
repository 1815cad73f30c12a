// SPDX-License-Identifier: Apache-2.0
// Features of the tokens of a sequence, by block of a chain layout; one anchor, `here`. Blocks of segments have rows for all segments
// that begin at a token, by size: their anchors are `first` and `last` (what lies between them is the segment itself, so that
// `distance` is its size and one), or `here` for one token after another, whose keys are folded into one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/tasks/labeller/chain_layout.hpp"
#include "core/text/features/features.hpp"
#include "core/text/hash.hpp"

namespace accord::tasks {

struct LabellerTemplates {
  std::vector<text::Attribute> attributes;
  std::vector<text::TemplateSet> blocks;
  std::vector<uint8_t> constant;      // by block: its features look at no token
  std::vector<Rows> rows;             // by block
  std::vector<size_t> reach;          // by block: rows that begin at a token
  std::vector<std::string> sections;  // by block

  // Throws std::invalid_argument naming the line.
  LabellerTemplates(std::string_view source, std::span<const Block> wanted) {
    const std::vector<std::string> ends = {"first", "last"}, here = {"here"};
    for (const Block& block : wanted) {
      blocks.push_back(text::TemplateSet::compile(source, block.section, block.rows == Rows::ends ? ends : here, attributes));
      const auto looks_nowhere = [&](const text::Template& t) { return block.rows == Rows::tokens && t.anchors[0].empty(); };
      constant.push_back(std::all_of(blocks.back().templates.begin(), blocks.back().templates.end(), looks_nowhere));
      if (block.rows == Rows::wholes && blocks.back().dense < blocks.back().templates.size())
        throw std::invalid_argument("templates of [" + block.section + "] have one value a token");
      rows.push_back(block.rows);
      reach.push_back(static_cast<size_t>(block.reach));
      sections.push_back(block.section);
    }
  }

  // All templates, block by block.
  std::vector<text::TemplateName> names() const {
    std::vector<text::TemplateName> found;
    for (size_t b = 0; b < blocks.size(); ++b) blocks[b].append_names(sections[b], found);
    return found;
  }
};

// Working space of one thread.
class LabellerFeatures {
 public:
  explicit LabellerFeatures(const LabellerTemplates& templates) : templates_(templates), features_(templates.blocks.size()) {}

  void prepare(std::span<const text::Token> tokens, const text::ClusterLexicon& clusters) {
    atoms_ = text::AtomTable(tokens, templates_.attributes, clusters);
    for (size_t b = 0; b < features_.size(); ++b) features_[b].prepare(templates_.blocks[b], atoms_);
    folded_block_ = SIZE_MAX;
  }

  bool constant(size_t block) const { return templates_.constant[block]; }
  size_t reach(size_t block) const { return templates_.reach[block]; }
  // Rows of a block in a sequence of so many tokens.
  size_t rows(size_t block, size_t tokens) const { return constant(block) ? std::min<size_t>(tokens, 1) : tokens * reach(block); }
  // Of a token (0..n-1), or of the segment `token * reach + size - 1`; none of a segment that would end behind the last token.
  std::span<const uint64_t> keys(size_t block, size_t row) {
    if (templates_.rows[block] == Rows::tokens) return features_[block].at(static_cast<int>(row) + 1);
    const size_t first = row / reach(block), last = first + row % reach(block);
    if (last >= static_cast<size_t>(atoms_.words())) return {};
    return templates_.rows[block] == Rows::ends ? end_keys(block, first, last) : whole_keys(block, first, last);
  }
  // Which template of the block the key at this place of the last answer belongs to.
  int template_of(size_t block, size_t place) const {
    return static_cast<int>(templates_.rows[block] == Rows::wholes ? place : features_[block].template_of(place));
  }

 private:
  std::span<const uint64_t> end_keys(size_t block, size_t first, size_t last) {
    const int begin = static_cast<int>(first) + 1, end = static_cast<int>(last) + 1;
    const int positions[] = {begin, end};
    return features_[block].keys(positions, {begin - 1, end + 1});
  }

  // Segments that begin at one token are mostly asked for by size, so the one before is kept and a token is added to it.
  std::span<const uint64_t> whole_keys(size_t block, size_t first, size_t last) {
    if (folded_block_ != block || folded_first_ != first || folded_end_ > last + 1) {
      folded_.assign(templates_.blocks[block].templates.size(), 0);
      folded_block_ = block;
      folded_first_ = folded_end_ = first;
    }
    for (; folded_end_ <= last; ++folded_end_) {
      const std::span<const uint64_t> here = features_[block].at(static_cast<int>(folded_end_) + 1);
      for (size_t t = 0; t < folded_.size(); ++t) folded_[t] = text::combine(folded_[t], here[t]);
    }
    return folded_;
  }

  const LabellerTemplates& templates_;
  text::AtomTable atoms_;
  std::vector<text::PartFeatures> features_;
  std::vector<uint64_t> folded_;  // keys of the tokens from folded_first_ to before folded_end_, folded
  size_t folded_block_ = SIZE_MAX, folded_first_ = 0, folded_end_ = 0;
};

// Arrays of all blocks of one sequence.
class BlockArrays {
 public:
  void resize(std::span<const Block> blocks, const LabellerFeatures& features, size_t tokens) {
    data_.resize(blocks.size());
    rows_.resize(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) {
      const auto width = static_cast<size_t>(blocks[b].width);
      data_[b].assign(width * features.rows(b, tokens), 0.0);
      rows_[b] = {data_[b].data(), features.constant(b) ? 0 : width};
    }
  }

  std::span<const BlockRows> rows() const { return rows_; }
  std::vector<double>& values(size_t block) { return data_[block]; }
  const std::vector<double>& values(size_t block) const { return data_[block]; }

 private:
  std::vector<std::vector<double>> data_;
  std::vector<BlockRows> rows_;
};

}  // namespace accord::tasks
