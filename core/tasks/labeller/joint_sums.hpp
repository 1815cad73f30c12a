// SPDX-License-Identifier: Apache-2.0
// Sums over the labellings of a joint chain s1 t1 s2 t2 ... from its blocks (chain_layout.hpp), whose tables are products.
//
//     A_i(t', s) = sum over s' of M_{i-1}(s', t') F(s', t', s) f_i(s', s)         F, G: exponentials of the cliques, the same for all
//     tokens M_i(s, t)  = L_i(s, t) sum over t' of A_i(t', s) G(t', s, t) g_i(t', t)     f, g, L: of what a token says
// and back the same way (Qian et al. 2010, section 3.1). A chain of the general kind (core/chains/sums.hpp) needs the tables F f and G g of
// each token: S S T + S T T exponentials a token. Here it is S S + T T + S T, and places s at which a segment goes on, where the masks
// leave t = t' alone, cost T and not T T. Tables of tag pairs that tokens share (chain_layout.hpp) are exponentiated once for all of them.
// Where few pairs of such a table have scores, g is 1 but for those: products with G alone are followed by what the listed pairs add.
// Complexity: O(S S T + S' T T) a token for S' places that begin a segment. Vectors are scaled as in core/chains/uniform_sums.hpp; where
// numbers could vanish, `expectations` gives up and the caller takes the general way.
#pragma once
#include <span>
#include <vector>

#include "core/chains/lanes.hpp"
#include "core/tasks/labeller/chain_layout.hpp"

namespace accord::tasks {

// The blocks of one sequence as scores, or as places for their expectations.
struct JointBlocks {
  BlockRows segment, tag, joint, segment_pair, tag_pair;
  const BlockRows* cliques;  // segment_clique and tag_clique, one row for all tokens each
};

// What is added to the scores of (s, t) at a token; null: nothing.
struct JointExtras {
  const double* segment_costs = nullptr;
  const double* tag_costs = nullptr;
  const double* start = nullptr;
  const double* end = nullptr;
};

// g(t', t) - 1 of a pair of tags, where it may be other than 0.
struct ListedPair {
  uint32_t before, tag;
  double more;
};

// Working space of one thread.
class JointSums {
 public:
  // Masks as scores over (s', t', s) and (t', s, t); empty: everything is allowed.
  JointSums(size_t segments, size_t tags, const std::vector<double>& segment_mask, const std::vector<double>& tag_mask);

  // Adds scale times the expectations to `out` and tells the log-partition function; false, with nothing added, when numbers could vanish.
  bool expectations(const JointBlocks& scores, std::span<const JointExtras> extras, double scale, const JointBlocks& out, double& value);

 private:
  bool prepare_cliques(const JointBlocks& scores);
  // `listed`: expectations of tag pairs are wanted where they have scores alone.
  bool prepare_pairs(const JointBlocks& scores, bool listed);
  bool prepare_local(const JointBlocks& scores, std::span<const JointExtras> extras);
  bool forward();
  void backward(double scale, const JointBlocks& out);
  void add_cliques(double scale, const JointBlocks& out) const;

  const double* segment_table(size_t i) const { return segment_pairs_.data() + (segment_shared_ ? 0 : i * S_ * S_); }
  const double* tag_table(size_t i) const { return tag_tables_[i]; }
  // Exponentials of a table of tag pairs in whole lanes; false where numbers could vanish.
  bool fill_tag_table(const double* scores, double* table, double& shift);
  bool share_tag_tables(const BlockRows& scores, bool listed);
  void list_pairs(const BlockRows& scores, size_t row);
  double step_listed(size_t token, const double* before, const double* local, double* forward);
  void back_listed(size_t token, double scale, double* out);
  void add_outer_products();

  size_t S_, T_, pitch_;  // pitch: tags in whole lanes
  size_t tokens_ = 0;
  const std::vector<double>&segment_mask_, &tag_mask_;
  std::vector<char> narrow_;           // by s: t = t' alone
  std::vector<char> used_;             // by (s', s): some t' allows it
  std::vector<double> clique_source_;  // scores that the clique tables were made of
  bool cliques_good_ = false;
  chains::AlignedNumbers segment_cliques_;     // F by [s'][s][t']
  chains::AlignedNumbers tag_cliques_;         // G by [s][t'][t]; narrow s: the diagonal, in row 0
  bool segment_shared_ = false;                // one table of pairs for all tokens
  std::vector<double> segment_pairs_;          // f by [token][s'][s]
  chains::AlignedNumbers tag_pairs_;           // g by [t'][t], of each token or shared row
  std::vector<const double*> tag_tables_;      // where in tag_pairs_ that of a token is
  std::vector<double> tag_shifts_;             // of shared rows; infinity: numbers could vanish
  std::vector<uint64_t> tag_versions_;         // of shared rows: what tag_pairs_ was made of
  chains::AlignedNumbers local_;               // L by [token][s][t]
  chains::AlignedNumbers before_, forward_;    // A by [token][s][t'], M by [token][s][t]
  chains::AlignedNumbers backward_, weights_;  // N of one token, and the next one's L N / scale
  chains::AlignedNumbers reached_;             // B by [s][t'] of one token
  chains::AlignedNumbers pair_sums_;           // expectations of one token's g
  chains::AlignedNumbers segment_clique_sums_, tag_clique_sums_;
  // Tables of tag pairs of which few are not 1, as lists.
  std::vector<std::vector<ListedPair>> listed_;        // by shared row; empty where the table is used as a whole
  std::vector<char> is_listed_;                        // by shared row
  std::vector<const std::vector<ListedPair>*> lists_;  // by token; null: the table of the token is used as a whole
  std::vector<size_t> wide_;                           // the s that are not narrow
  chains::AlignedNumbers turned_cliques_;              // G by [s][t][t']
  chains::AlignedNumbers token_weights_;               // L N / scale by [token][s][t], of tokens with lists
  chains::AlignedNumbers outer_sums_;                  // sums of A N L / scale by [s][t'][t] over tokens with lists, without G
  std::vector<double> scales_, plain_, exponentials_;
  double shift_ = 0, clique_shift_ = 0, log_partition_ = 0;
};

}  // namespace accord::tasks
