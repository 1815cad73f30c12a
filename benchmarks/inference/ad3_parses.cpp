// SPDX-License-Identifier: Apache-2.0
// Times the AD3 library (Martins et al.) on the parses of instances.py; ad3_peer.py compiles and runs it.
//
//   ad3_parses STEP ROUNDS RESIDUAL REPETITIONS < sentences
//
// It is written against the headers of that library's source folder, examples/cpp/parsing included, and holds none of its code.
// Input, numbers only: the count of sentences; for each its words n; the arc scores, dependent by dependent, heads ascending; then
// the sibling tables of the heads 0..n to the right and of 1..n to the left, entries above the diagonal, row by row.
// Output, a line a sentence: the shortest CPU seconds of the repetitions, and the value of the relaxation. Each repetition solves
// a graph of its own, since factors keep what they have learnt; building it is not timed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <memory>
#include <vector>

#include "FactorHeadAutomaton.h"
#include "FactorTree.h"
#include "ad3/FactorGraph.h"

namespace {

struct Side {
  int head, direction;         // 1: modifiers to the right, -1: to the left
  std::vector<double> scores;  // of consecutive positions
};

struct Sentence {
  int words = 0;
  std::vector<double> arcs;
  std::vector<Side> sides;
};

double next_number() {
  double number = 0;
  if (!(std::cin >> number)) {
    std::fprintf(stderr, "the input ends too early\n");
    std::exit(1);
  }
  return number;
}

int modifiers(const Sentence& sentence, int head, int direction) { return direction > 0 ? sentence.words - head : head - 1; }

Sentence read_sentence() {
  Sentence sentence;
  sentence.words = static_cast<int>(next_number());
  sentence.arcs.resize(static_cast<size_t>(sentence.words) * static_cast<size_t>(sentence.words));
  for (double& score : sentence.arcs) score = next_number();
  for (const int direction : {1, -1}) {
    for (int head = direction > 0 ? 0 : 1; head <= sentence.words; ++head) {
      const auto count = static_cast<size_t>(modifiers(sentence, head, direction));
      Side side{head, direction, std::vector<double>((count + 1) * (count + 2) / 2)};
      for (double& score : side.scores) score = next_number();
      if (count > 0) sentence.sides.push_back(std::move(side));  // the one score of an empty side is a constant
    }
  }
  return sentence;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The library's graph of a sentence, with the objects that its factors point at.
class Parse {
 public:
  explicit Parse(const Sentence& sentence) {
    graph.SetVerbosity(0);
    const int length = sentence.words + 1;
    std::vector<AD3::Arc*> arcs;
    std::vector<AD3::BinaryVariable*> variables;
    std::vector<std::vector<AD3::BinaryVariable*>> by_arc(static_cast<size_t>(length),
                                                          std::vector<AD3::BinaryVariable*>(static_cast<size_t>(length)));
    for (int dependent = 1; dependent < length; ++dependent) {
      for (int head = 0; head < length; ++head) {
        if (head == dependent) continue;
        arcs_.push_back(std::make_unique<AD3::Arc>(head, dependent));
        AD3::BinaryVariable* variable = graph.CreateBinaryVariable();
        variable->SetLogPotential(sentence.arcs[variables.size()]);
        arcs.push_back(arcs_.back().get());
        variables.push_back(variable);
        by_arc[static_cast<size_t>(head)][static_cast<size_t>(dependent)] = variable;
      }
    }
    auto* tree = new AD3::FactorTree;  // the graph owns its factors
    graph.DeclareFactor(tree, variables, true);
    tree->Initialize(length, arcs);
    for (const Side& side : sentence.sides) {
      const int count = modifiers(sentence, side.head, side.direction);
      std::vector<AD3::Sibling*> siblings;
      for (int earlier = 0; earlier <= count; ++earlier) {
        for (int later = earlier + 1; later <= count + 1; ++later) {
          siblings_.push_back(
              std::make_unique<AD3::Sibling>(side.head, side.head + side.direction * earlier, side.head + side.direction * later));
          siblings.push_back(siblings_.back().get());
        }
      }
      std::vector<AD3::BinaryVariable*> outgoing;
      for (int place = 1; place <= count; ++place)
        outgoing.push_back(by_arc[static_cast<size_t>(side.head)][static_cast<size_t>(side.head + side.direction * place)]);
      auto* automaton = new AD3::FactorHeadAutomaton;
      automaton->Initialize(count + 1, siblings);
      graph.DeclareFactor(automaton, outgoing, true);
      automaton->SetAdditionalLogPotentials(side.scores);
    }
  }

  AD3::FactorGraph graph;

 private:
  std::vector<std::unique_ptr<AD3::Arc>> arcs_;
  std::vector<std::unique_ptr<AD3::Sibling>> siblings_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr, "ad3_parses STEP ROUNDS RESIDUAL REPETITIONS < sentences\n");
    return 2;
  }
  const int repetitions = std::atoi(arguments[4]);
  for (int left = static_cast<int>(next_number()); left > 0; --left) {
    const Sentence sentence = read_sentence();
    double shortest = std::numeric_limits<double>::infinity(), value = 0;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      Parse parse(sentence);
      parse.graph.SetEtaAD3(std::atof(arguments[1]));
      parse.graph.AdaptEtaAD3(true);
      parse.graph.SetMaxIterationsAD3(std::atoi(arguments[2]));
      parse.graph.SetResidualThresholdAD3(std::atof(arguments[3]));
      std::vector<double> posteriors, additional;
      const double start = cpu_seconds();
      parse.graph.SolveLPMAPWithAD3(&posteriors, &additional, &value);
      shortest = std::min(shortest, cpu_seconds() - start);
    }
    std::printf("%.9f %.9f\n", shortest, value);
  }
}
