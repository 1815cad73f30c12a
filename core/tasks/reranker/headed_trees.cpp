// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reranker/headed_trees.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::tasks {

void HeadedTrees::check() const {
  const size_t count = labels.size(), length = forms.size();
  const auto refuse = [](bool wrong, const char* reason) {
    if (wrong) throw std::invalid_argument(reason);
  };
  refuse(tags.size() != length || closed.size() != length, "words, tags and classes of different lengths");
  const bool even =
      parents.size() == count && heads.size() == count && words.size() == count && begins.size() == count && ends.size() == count;
  refuse(!even, "nodes need a label, a parent, a head, a word and a span each");
  refuse(starts.empty() || starts.front() != 0 || starts.back() != static_cast<int64_t>(count) || !std::ranges::is_sorted(starts),
         "nodes do not fit the trees");
  for (size_t tree = 0; tree < size(); ++tree)
    for (auto node = static_cast<size_t>(starts[tree]); node < static_cast<size_t>(starts[tree + 1]); ++node) {
      refuse(labels[node] < 0 || static_cast<size_t>(labels[node]) >= names.size(), "a label without a name");
      refuse(parents[node] < -1 || parents[node] >= starts[tree + 1] - starts[tree], "a parent outside of the tree");
      refuse(words[node] < 0 || static_cast<size_t>(words[node]) >= length, "a word that the sentence does not have");
      refuse(begins[node] < 0 || begins[node] >= ends[node] || static_cast<size_t>(ends[node]) > length, "a span outside of the sentence");
    }
}

TreeNodes::TreeNodes(const HeadedTrees& trees) : trees_(trees), starts_(trees.labels.size() + 1), children_(trees.labels.size()) {
  above_.resize(trees.labels.size(), -1);
  for (size_t tree = 0; tree < trees.size(); ++tree)
    for (int64_t node = trees.starts[tree]; node < trees.starts[tree + 1]; ++node) {
      if (trees.parents[static_cast<size_t>(node)] < 0) continue;
      above_[static_cast<size_t>(node)] = static_cast<int32_t>(trees.starts[tree]) + trees.parents[static_cast<size_t>(node)];
      ++starts_[static_cast<size_t>(above_[static_cast<size_t>(node)]) + 1];
    }
  for (size_t node = 1; node < starts_.size(); ++node) starts_[node] += starts_[node - 1];
  std::vector<int32_t> filled(starts_.begin(), starts_.end() - 1);
  for (size_t node = 0; node < above_.size(); ++node)
    if (above_[node] >= 0) children_[static_cast<size_t>(filled[static_cast<size_t>(above_[node])]++)] = static_cast<int32_t>(node);
  for (size_t node = 0; node < above_.size(); ++node)
    if (head(node) >= static_cast<int32_t>(children(node).size()) || (head(node) < 0) != children(node).empty())
      throw std::invalid_argument("the head of a phrase is one of its children");
}

int32_t TreeNodes::argument(size_t node) const {
  const auto behind = static_cast<size_t>(head(node) + 1);
  const bool is = head(node) >= 0 && trees_.closed[word(node)] && behind < children(node).size();
  return is ? children(node)[behind] : -1;
}

std::string TreeNodes::named(size_t node, bool lexical) const {
  return lexical && trees_.closed[word(node)] ? name(node) + '/' + form(node) : name(node);
}

std::vector<std::string> TreeNodes::child_names(size_t node, bool lexical) const {
  std::vector<std::string> found;
  for (const int32_t child : children(node)) found.push_back(named(static_cast<size_t>(child), lexical));
  return found;
}

std::string TreeNodes::rule(size_t node, bool lexical) const {
  std::vector<std::string> names = child_names(node, lexical);
  names[static_cast<size_t>(head(node))] += '!';
  return named(node, lexical) + " > " + joined(names);
}

std::string TreeNodes::likeness(size_t node) const {
  std::string found;
  const auto add = [&found](int32_t number) { found.append(reinterpret_cast<const char*>(&number), sizeof number); };
  add(label(node)), add(begin(node)), add(end(node)), add(head(node));
  for (const int32_t child : children(node)) {
    const auto own = static_cast<size_t>(child);
    add(label(own)), add(trees_.words[own]), add(begin(own)), add(end(own));
    const int32_t behind = argument(own);
    add(behind < 0 ? -1 : label(static_cast<size_t>(behind))), add(behind < 0 ? -1 : trees_.words[static_cast<size_t>(behind)]);
    add(static_cast<int32_t>(children(own).size()));
    for (const int32_t inner : children(own)) add(label(static_cast<size_t>(inner)));
  }
  return found;
}

std::string joined(std::span<const std::string> names) {
  std::string found;
  for (const std::string& name : names) {
    if (&name != names.data()) found += ' ';
    found += name;
  }
  return found;
}

}  // namespace accord::tasks
