// SPDX-License-Identifier: Apache-2.0
// Layouts without some of their arcs: the scores of trees, and searches that leave arcs out, against enumeration.
#include "core/parses/parts/narrowed_parts.hpp"

#include <cmath>
#include <limits>

#include "core/parses/decoders/part_decoder.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_recipes.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord::parses;
using parts::Heads;

namespace {

PartFamilies covered_families(int bits) {
  PartFamilies chosen = parts::families(bits);
  chosen.head_bigram = bits & 16;
  chosen.any_sibling = bits & 32;
  chosen.valency = bits & 64;
  if (!chosen.grand_sibling) chosen.outer_grandparent = bits & 128;
  return chosen;
}

}  // namespace

TEST("trees of the arcs that are kept have the score of the wide layout") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 256; ++round) {
    const int words = 1 + static_cast<int>(random() % 4);
    PartLayout wide;
    wide.build(words, parts::random_arcs(words, round % 2 ? 1.0 : 0.7, random), covered_families(round));
    CHECK(NarrowedParts::covers(wide.families()));
    const std::vector<double> scores = parts::random_scores(wide.size(), 1.0, random);
    std::vector<uint8_t> kept(static_cast<size_t>(wide.arcs()));
    for (uint8_t& keep : kept) keep = random() % 4 != 0;
    const NarrowedParts narrow(wide, scores, kept);
    size_t trees = 0, left = 0;
    for (const Heads& heads : parts::all_heads(words)) {
      if (!accord::trees::is_tree(heads, false)) continue;
      bool whole = true;
      for (int32_t m = 1; m <= words; ++m) {
        const int arc = wide.find(heads[static_cast<size_t>(m)], m);
        whole = whole && arc >= 0 && kept[static_cast<size_t>(arc)];
      }
      ++trees;
      left += whole;
      const double score = narrow.layout().score(narrow.scores(), heads) + narrow.constant();
      if (whole) CHECK(check::near(score, wide.score(scores, heads), 1e-12));
      else CHECK(score == -std::numeric_limits<double>::infinity());
    }
    CHECK(left <= trees);
    for (size_t arc = 0; arc < narrow.arcs().size(); ++arc) {
      CHECK(wide.head(narrow.arcs()[arc]) == narrow.layout().head(static_cast<int>(arc)));
      CHECK(wide.dependent(narrow.arcs()[arc]) == narrow.layout().dependent(static_cast<int>(arc)));
    }
  }
}

TEST("families whose parts count arcs that are off, or go beyond neighbours, are not covered") {
  for (const auto member : {&PartFamilies::great_grandparent, &PartFamilies::any_tri_sibling, &PartFamilies::comb, &PartFamilies::path,
                            &PartFamilies::nonprojective, &PartFamilies::pattern}) {
    PartFamilies families = covered_families(127);
    families.*member = true;
    CHECK(!NarrowedParts::covers(families));
  }
}

// Few rounds leave gaps, so that arcs are left out, again and again, and nodes are searched.
TEST("what is proved after arcs were left out is the best of all trees, whatever the scale of scores and the evidence") {
  std::mt19937 random(2);
  int proved = 0, trials = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int words = 3 + static_cast<int>(random() % 3);
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0;
    PartLayout layout;
    layout.build(words, part_trees::random_arcs(words, true, random), covered_families(static_cast<int>(random() % 256) | 8));
    const double scale = std::pow(10.0, static_cast<double>(random() % 7) - 3);
    std::vector<double> scores = part_trees::random_scores(layout, random);
    for (double& score : scores) score *= scale;
    std::vector<int8_t> evidence;
    if (random() % 2 == 0) {
      evidence.assign(static_cast<size_t>(layout.arcs()), -1);
      evidence[random() % evidence.size()] = static_cast<int8_t>(random() % 2);
      evidence[random() % evidence.size()] = 0;
    }
    double best = -std::numeric_limits<double>::infinity();
    part_trees::for_each_tree(layout, projective, single_root, [&](std::span<const int32_t> heads) {
      for (int arc = 0; arc < layout.arcs() && !evidence.empty(); ++arc) {
        const bool on = heads[static_cast<size_t>(layout.dependent(arc))] == layout.head(arc);
        if (evidence[static_cast<size_t>(arc)] == static_cast<int8_t>(!on)) return;
      }
      best = std::max(best, layout.score(scores, heads));
    });
    DecoderSettings settings = cases::search_by(Solver::automatic, 1 + static_cast<int>(random() % 20));
    settings.search_nodes = random() % 3 == 0 ? 3 : 1000;
    Heads heads(static_cast<size_t>(words) + 1, -1);
    const Decoded decoded = PartDecoder(projective, single_root).decode(layout, scores, settings, heads, evidence);
    if (best == -std::numeric_limits<double>::infinity()) {
      CHECK(decoded.status == accord::graph::Status::infeasible);
      continue;
    }
    CHECK(decoded.bound >= best - 1e-6 * scale && decoded.score <= best + 1e-9 * scale);
    CHECK(check::near(decoded.score, layout.score(scores, heads), 1e-9 * scale));
    ++trials;
    if (decoded.status != accord::graph::Status::optimal) continue;
    ++proved;
    CHECK(decoded.score >= best - 1e-5 * scale * layout.words());
  }
  CHECK(proved * 4 > trials * 3);
}
