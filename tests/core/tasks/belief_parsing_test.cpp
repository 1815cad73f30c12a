// SPDX-License-Identifier: Apache-2.0
// Parsing by beliefs: the tree whose arcs are the most probable ones, by the probabilities that the parser itself gives.
#include <numeric>
#include <random>
#include <string>

#include "core/graph/solution.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/features/atoms.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/tasks/random_models.hpp"

using namespace accord;
using namespace accord::tasks;

TEST("at the model's temperature no other tree has more probable arcs, and the score is that of the tree") {
  std::mt19937 random(8);
  const parses::DecoderSettings beliefs = cases::search_by(parses::Solver::belief_propagation);
  const parses::DecoderSettings best = cases::search_by(parses::Solver::branch_and_bound, 500);
  int different = 0;
  for (int trial = 0; trial < 200; ++trial) {
    cases::RandomModel makings(random, 2 + trial % 2, false, true, LabelMode::none, 20);
    makings.settings.temperature = trial % 4 < 2 ? 3.0 : 0.3;
    const ParserModel model(makings.settings, makings.tables, {});
    std::string text;
    for (int m = 1; m <= 5; ++m) text += std::to_string(m) + "\tw" + std::to_string(random() % 50) + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
    const text::Document document = text::Document::parse(text + "\n");
    const ParseResult likely = model.parse(document, beliefs, true, 1), highest = model.parse(document, best, true, 1);
    const auto arcs = [](const ParseResult& result) {
      return std::accumulate(result.arc_probability.begin(), result.arc_probability.end(), 0.0);
    };
    CHECK(arcs(likely) >= arcs(highest) - 1e-3);  // equal ones are told apart by scores
    CHECK(likely.scores[0] <= highest.scores[0] + 1e-6);
    CHECK(likely.statuses[0] == static_cast<int32_t>(graph::Status::estimate) ||
          likely.statuses[0] == static_cast<int32_t>(graph::Status::budget));
    different += likely.heads != highest.heads;
    const std::vector<LabelledTree> list = model.kbest(document, 0, beliefs, 1);
    CHECK(std::vector<int32_t>(list[0].heads.begin() + 1, list[0].heads.end()) == likely.heads);
    CHECK_NEAR(list[0].score, likely.scores[0], 1e-9);
  }
  CHECK(different > 0);
}
