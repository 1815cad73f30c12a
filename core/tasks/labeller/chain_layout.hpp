// SPDX-License-Identifier: Apache-2.0
// How the scores that templates give become a chain.
//
// Templates come in sections; a section's features score the outcomes of a *block* at each token: all labels (state), all pairs of
// neighbouring labels (pair), ... A layout says which blocks there are, wires their scores into a chains::Chain, and carries what a
// labelling or its expectation used of the chain back to the blocks. Learners see blocks only, so that a new way of wiring needs no
// new learner.
//
//   PlainLayout        blocks state (L), pair (L L) and, in second order, triple (L L L)
//   JointLayout        two labels a token, segment s and tag t, one chain s1 t1 s2 t2 ... (Qian et al. 2010): blocks segment (S),
//                      tag (T), joint (S T: s_i t_i), segment_pair (S S), tag_pair (T T), segment_clique (S T S: s' t' s),
//                      tag_clique (T S T: t' s t)
//   LayeredLayout      m labels a token, one chain of order m: blocks layer1 (L1), ..., layer1_pair (L1 L1), ..., layer1_clique (m + 1
//                      labels that are neighbours in the chain and end in one of layer 1; not for m = 1), ..., layer1_layer2 (L1 L2), ...
//                      (m > 2) and layers (all labels of a token; m > 1)
//   SegmentLayout      a semi-Markov chain (Sarawagi & Cohen 2004): segments are scored as wholes. Blocks state (L: the labels that the
//                      tokens of a segment have), type_pair (Y Y: types of neighbouring segments, at the first token of the later one),
//                      segment (Y: by first and last token) and whole (Y: by all tokens). The last two have a row a segment.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/kbest.hpp"
#include "core/chains/sums.hpp"
#include "core/chains/viterbi.hpp"

namespace accord::tasks {

// What the rows of a block stand for: tokens, or segments, whose templates look at both ends or at all tokens one after another.
enum class Rows { tokens, ends, wholes };

struct Block {
  std::string section;
  int width;
  Rows rows = Rows::tokens;
  int reach = 1;  // rows that begin at a token: the sizes of segments
};

// The values of one block: a row a token (a segment), or one row for all, or rows that tokens with the same features share.
struct BlockRows {
  double* data = nullptr;
  size_t stride = 0;                // 0: one row for all
  const uint32_t* index = nullptr;  // the row of each token where tokens share them
  uint64_t version = 0;             // of shared rows: another number when their values have changed
  // Of shared rows: which columns have scores at all, those of row r from starts[r] on. The others are 0, and nobody asks for their
  // expectations. Null: all columns.
  const uint64_t* starts = nullptr;
  const uint32_t* columns = nullptr;
  double* row(size_t number) const { return data + stride * (index ? index[number] : number); }
};

// Which labellings there are besides what scores say; empty: all. Entries are 0 or -infinity.
struct ChainMasks {
  std::vector<double> start, end;  // by label (a joint chain: pairs s T + t)
  std::vector<double> follow;      // [previous][next]
};

// The same for layers: entries of start and end by labelling of a token (the last layer runs fastest), of follow[k] by clique of layer k.
struct LayerMasks {
  std::vector<double> start, end;
  std::vector<std::vector<double>> follow;
};

// The labels of the tokens of a segment of some type: first ones, those between, the last, and that of a segment of one token.
struct SegmentType {
  std::vector<int> first;
  int middle, last, single;
  int longest;  // tokens
};

// A run of tokens as one segment of a chain; the score of a labelling is the sum over its segments.
struct ScoredSegment {
  int32_t first, size;
  double score;
};

// Working space of one thread.
class ChainLayout {
 public:
  virtual ~ChainLayout() = default;

  virtual const std::vector<Block>& blocks() const = 0;
  // Positions of the chain a token has.
  virtual int layers() const = 0;
  virtual int labels(int layer) const = 0;

  // The chain of `tokens` tokens with these scores. `costs`, where given: [token * layers + layer], one vector of that layer's
  // labels each, added to the scores of single labels; -infinity forbids.
  virtual void assemble(size_t tokens, std::span<const BlockRows> scores, std::span<const double* const> costs) = 0;

  // Adds scale times what this labelling (the layers of a token side by side) used of each block.
  virtual void add_path(std::span<const int> labels, double scale, std::span<const BlockRows> out) const = 0;

  // Adds scale times the expectations under the chain last assembled; returns its log-partition function.
  virtual double add_expectations(double scale, std::span<const BlockRows> out) = 0;

  // The same questions to every chain last assembled. `forbidden`: no labelling is allowed, or this one is not.
  virtual double score(std::span<const int> labels) const { return chain_.score(labels); }
  virtual double maximize(std::span<int> labels) { return viterbi_.maximize(chain_, labels); }
  virtual double log_partition() { return sums_.log_partition(chain_); }
  virtual std::vector<chains::Labelling> k_best(int k) { return chains::k_best(chain_, k, viterbi_); }
  // The segments that are allowed. Throws std::invalid_argument where a chain is not one of segments of a single type.
  virtual std::vector<ScoredSegment> segments() const {
    throw std::invalid_argument("this chain scores labels of tokens, not segments: train one with model=semi");
  }

 protected:
  chains::Chain chain_;
  chains::Viterbi viterbi_;
  chains::Sums sums_;
};

std::unique_ptr<ChainLayout> make_plain_layout(int labels, int order, const ChainMasks& masks);
// `masks` speak of pairs (s, t) numbered s * tags + t.
std::unique_ptr<ChainLayout> make_joint_layout(int segments, int tags, const ChainMasks& masks);
std::unique_ptr<ChainLayout> make_layered_layout(std::vector<int> sizes, const LayerMasks& masks);
// Every label belongs to a type. A labelling that no segments have is forbidden.
std::unique_ptr<ChainLayout> make_segment_layout(int labels, std::vector<SegmentType> types);

}  // namespace accord::tasks
