// SPDX-License-Identifier: Apache-2.0
// Arrays of all blocks of one sequence, with rows padded to whole lanes; blocks that look at no token keep their one row from sequence to
// sequence.
#pragma once
#include <span>
#include <vector>

#include "core/chains/lanes.hpp"
#include "core/tasks/labeller/scorer.hpp"

namespace accord::tasks {

class PaddedBlocks {
 public:
  void prepare(std::span<const Block> blocks, const LabellerFeatures& features) {
    data_.resize(blocks.size());
    rows_.resize(blocks.size());
    pitches_.clear();
    for (size_t b = 0; b < blocks.size(); ++b) {
      pitches_.push_back(chains::padded(static_cast<size_t>(blocks[b].width)));
      data_[b].assign(pitches_[b], 0.0);
      rows_[b] = {data_[b].data(), features.constant(b) ? 0 : pitches_[b]};
    }
  }

  // So many rows of a block that looks at tokens, all zero.
  void resize(size_t block, size_t tokens) {
    data_[block].assign(pitches_[block] * tokens, 0.0);
    rows_[block].data = data_[block].data();
  }

  // Rows that tokens share, with the row of each token of the sequence.
  void share(size_t block, const BlockRows& rows) { rows_[block] = rows; }

  size_t pitch(size_t block) const { return pitches_[block]; }
  std::span<const BlockRows> rows() const { return rows_; }

 private:
  std::vector<chains::AlignedNumbers> data_;
  std::vector<BlockRows> rows_;
  std::vector<size_t> pitches_;
};

}  // namespace accord::tasks
