// SPDX-License-Identifier: Apache-2.0
// Features of the tokens of a sequence, by block of a chain layout; one anchor, `here`.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/labeller/chain_layout.hpp"
#include "core/text/features/features.hpp"

namespace accord::tasks {

struct LabellerTemplates {
  std::vector<text::Attribute> attributes;
  std::vector<text::TemplateSet> blocks;
  std::vector<uint8_t> constant;      // by block: its features look at no token
  std::vector<std::string> sections;  // by block

  // Throws std::invalid_argument naming the line.
  LabellerTemplates(std::string_view source, std::span<const Block> wanted) {
    for (const Block& block : wanted) {
      blocks.push_back(text::TemplateSet::compile(source, block.section, {"here"}, attributes));
      const auto empty = [](const text::Template& t) { return t.anchors[0].empty(); };
      constant.push_back(std::all_of(blocks.back().templates.begin(), blocks.back().templates.end(), empty));
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
  }

  bool constant(size_t block) const { return templates_.constant[block]; }
  // Rows of a block in a sequence of so many tokens.
  size_t rows(size_t block, size_t tokens) const { return constant(block) ? std::min<size_t>(tokens, 1) : tokens; }
  std::span<const uint64_t> keys(size_t block, size_t token /* 0..n-1 */) { return features_[block].at(static_cast<int>(token) + 1); }
  // Which template of the block the key at this place of the last answer belongs to.
  int template_of(size_t block, size_t place) const { return static_cast<int>(features_[block].template_of(place)); }

 private:
  const LabellerTemplates& templates_;
  text::AtomTable atoms_;
  std::vector<text::PartFeatures> features_;
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
