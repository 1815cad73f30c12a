// SPDX-License-Identifier: Apache-2.0
#include "core/text/documents/document_trees.hpp"

#include <stdexcept>

#include "core/head_cycles.hpp"

namespace accord::text {
namespace {

std::string describe_cycle(std::span<const int32_t> heads, size_t start) {
  if (heads[start - 1] == static_cast<int32_t>(start)) return "word " + std::to_string(start) + " is its own head";
  constexpr size_t shown = 8;  // a cycle can be as long as the sentence
  std::string reason = "heads form a cycle: " + std::to_string(start);
  size_t word = start, steps = 0;
  do {
    word = static_cast<size_t>(heads[word - 1]);
    reason += steps < shown ? " -> " + std::to_string(word) : "";
  } while (++steps, word != start);
  return steps > shown ? reason + " -> ..." : reason;
}

}  // namespace

std::optional<TreeProblem> tree_problem(std::span<const int32_t> heads, const TreeRules& rules) {
  size_t first_root = 0, second_root = 0, first_unknown = 0;
  for (size_t word = 1; word <= heads.size(); ++word) {
    const int32_t head = heads[word - 1];
    if (head < -1 || head > static_cast<int32_t>(heads.size())) throw std::invalid_argument("a head is out of range");
    if (head == -1 && first_unknown == 0) first_unknown = word;
    if (head != 0) continue;
    if (first_root == 0) {
      first_root = word;
    } else if (second_root == 0) {
      second_root = word;
    }
  }
  if (rules.complete && first_unknown != 0) {
    return TreeProblem{first_unknown, "word " + std::to_string(first_unknown) + " has no head"};
  }
  if (const size_t word = word_on_cycle(heads); word != 0) return TreeProblem{word, describe_cycle(heads, word)};
  if (rules.single_root && second_root != 0) {
    return TreeProblem{second_root, "several roots: words " + std::to_string(first_root) + " and " + std::to_string(second_root)};
  }
  return std::nullopt;
}

std::vector<FormatProblem> check_trees(const Document& document, const TreeRules& rules) {
  std::vector<FormatProblem> problems;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence) {
    if (auto problem = tree_problem(document.heads(sentence), rules)) {
      problems.push_back({document.line(sentence, problem->word), std::move(problem->reason)});
    }
  }
  return problems;
}

}  // namespace accord::text
