// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reranker/tree_features.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace accord::tasks {

namespace {

constexpr std::array<size_t, kPlaces> kAttributes = {9, 8, 5, 14, 4, 7, 12, 7, 8};
constexpr std::array<uint64_t, 2> kAgain = {0x9E3779B97F4A7C15, 0x3C6EF372FE94F82A};  // what is added to the key of "twice", "three times"

bool sees_above(const PlaceTemplate& one) {
  constexpr std::array<std::pair<int32_t, int32_t>, kPlaces> above = {
      {{2, 3}, {6, 7}, {4, 4}, {1, 1}, {-1, -1}, {-1, -1}, {1, 1}, {-1, -1}, {-1, -1}}};  // numbers of `parent` and `above`
  const auto [first, second] = above[static_cast<size_t>(one.place)];
  return std::ranges::any_of(one.attributes, [&](int32_t attribute) { return attribute == first || attribute == second; });
}

// The features of trees, made once for nodes that are alike.
class ListMaker {
 public:
  ListMaker(const std::vector<PlaceTemplate>& templates, const HeadedTrees& trees, std::vector<std::string>* texts)
      : nodes_(trees),
        maker_(nodes_, texts),
        sharing_(texts == nullptr) {
    for (const PlaceTemplate& one : templates) {
      TemplateGroup& group = one.place == TreePlace::word ? words_ : groups_[sees_above(one)][one.lexical];
      group.places[static_cast<size_t>(one.place)].push_back(&one);
      group.any = true;
    }
  }

  // Numbers of features among `keys`, each as often as the tree has it.
  std::vector<int32_t> tree(size_t tree) {
    std::vector<int32_t> found;
    const HeadedTrees& trees = nodes_.trees();
    const auto begin = static_cast<size_t>(trees.starts[tree]), end = static_cast<size_t>(trees.starts[tree + 1]);
    kinds_.assign(end - begin, -1);
    for (size_t node = begin; node < end; ++node)
      if (nodes_.head(node) >= 0)
        kinds_[node - begin] = likenesses_.try_emplace(nodes_.likeness(node), static_cast<int32_t>(likenesses_.size())).first->second;
    for (size_t node = begin; node < end; ++node) {
      if (nodes_.head(node) < 0) {
        if (words_.any) at_word(node, end - begin, found);
        continue;
      }
      const int32_t upper = nodes_.above(node), kind = kinds_[node - begin];
      const int32_t above = upper < 0 ? -1 : kinds_[static_cast<size_t>(upper) - begin];
      at_phrase(0, node, -1, {kind, -1}, found);
      at_phrase(1, node, upper, {kind, above}, found);
    }
    return found;
  }

  int32_t number(uint64_t key) {
    const auto [place, fresh] = numbers_.try_emplace(key, static_cast<int32_t>(keys.size()));
    if (fresh) keys.push_back(key);
    return place->second;
  }

  std::vector<uint64_t> keys;

 private:
  using Kinds = std::pair<int32_t, int32_t>;

  void at_phrase(size_t above, size_t node, int32_t upper, Kinds kinds, std::vector<int32_t>& found) {
    const uint64_t key = uint64_t(uint32_t(kinds.first)) << 32 | uint32_t(kinds.second);
    const auto [place, fresh] = made_[above].try_emplace(key);
    if (fresh || !sharing_) {
      for (const bool lexical : {false, true})
        if (groups_[above][lexical].any) maker_.phrase(groups_[above][lexical], lexical, node, upper);
      take(place->second);
    }
    found.insert(found.end(), place->second.begin(), place->second.end());
  }

  void at_word(size_t node, size_t most, std::vector<int32_t>& found) {
    path_.assign(1, node);
    size_t highest = 0;
    while (nodes_.above(path_.back()) >= 0) {
      path_.push_back(static_cast<size_t>(nodes_.above(path_.back())));
      if (path_.size() > most) throw std::invalid_argument("a node hangs from itself");
      if (highest + 2 == path_.size() && nodes_.word(path_.back()) == nodes_.word(node)) ++highest;
    }
    std::string key;
    const auto add = [&key](int32_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
    add(static_cast<int32_t>(nodes_.word(node))), add(static_cast<int32_t>(highest));
    for (const size_t one : path_) add(nodes_.label(one));
    const auto [place, fresh] = word_features_.try_emplace(std::move(key));
    if (fresh || !sharing_) {
      maker_.word(words_, path_, highest);
      take(place->second);
    }
    found.insert(found.end(), place->second.begin(), place->second.end());
  }

  void take(std::vector<int32_t>& numbers) {
    numbers.clear();
    for (const uint64_t key : maker_.found) numbers.push_back(number(key));
    maker_.found.clear();
  }

  TreeNodes nodes_;
  PlaceFeatures maker_;
  bool sharing_;
  std::array<std::array<TemplateGroup, 2>, 2>
      groups_;  // by whether templates see what is above, and by whether they name closed-class heads
  TemplateGroup words_;
  std::unordered_map<std::string, int32_t> likenesses_;
  std::array<std::unordered_map<uint64_t, std::vector<int32_t>>, 2> made_;
  std::unordered_map<std::string, std::vector<int32_t>> word_features_;
  std::unordered_map<uint64_t, int32_t> numbers_;
  std::vector<int32_t> kinds_;
  std::vector<size_t> path_;
};

}  // namespace

TreeFeatures::TreeFeatures(std::vector<PlaceTemplate> templates) : templates_(std::move(templates)) {
  for (const PlaceTemplate& one : templates_) {
    const auto place = static_cast<size_t>(one.place);
    const auto wrong = [&](int32_t attribute) { return attribute < 0 || static_cast<size_t>(attribute) >= kAttributes[place]; };
    if (place >= kPlaces || std::ranges::any_of(one.attributes, wrong)) throw std::invalid_argument("a template of no place");
  }
}

ListKeys TreeFeatures::keys(const HeadedTrees& trees) const {
  trees.check();
  ListMaker maker(templates_, trees, nullptr);
  std::vector<std::vector<int32_t>> rows(trees.size());
  std::vector<int32_t> times;
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    const std::vector<int32_t> found = maker.tree(tree);
    times.resize(maker.keys.size(), 0);
    for (const int32_t one : found) ++times[static_cast<size_t>(one)];
    for (const int32_t one : found) {
      int32_t& count = times[static_cast<size_t>(one)];
      if (count == 0) continue;
      rows[tree].push_back(one);
      const uint64_t key = maker.keys[static_cast<size_t>(one)];
      for (size_t more = 0; more < kAgain.size(); ++more)
        if (count > static_cast<int32_t>(more) + 1) rows[tree].push_back(maker.number(key + kAgain[more]));
      count = 0;
    }
  }
  std::vector<int32_t> order(maker.keys.size()), rank(maker.keys.size()), owners(maker.keys.size(), 0);
  for (size_t place = 0; place < order.size(); ++place) order[place] = static_cast<int32_t>(place);
  std::ranges::sort(order, {}, [&](int32_t one) { return maker.keys[static_cast<size_t>(one)]; });
  for (size_t place = 0; place < order.size(); ++place) rank[static_cast<size_t>(order[place])] = static_cast<int32_t>(place);
  for (const std::vector<int32_t>& row : rows)
    for (const int32_t one : row) ++owners[static_cast<size_t>(one)];
  ListKeys found;
  for (const int32_t one : order) found.present.push_back(maker.keys[static_cast<size_t>(one)]);
  for (size_t tree = 0; tree < rows.size(); ++tree) {
    std::vector<int32_t> telling;
    for (const int32_t one : rows[tree])
      if (owners[static_cast<size_t>(one)] != static_cast<int32_t>(rows.size())) telling.push_back(rank[static_cast<size_t>(one)]);
    std::ranges::sort(telling);
    found.trees.insert(found.trees.end(), telling.size(), static_cast<int32_t>(tree));
    for (const int32_t one : telling) found.keys.push_back(found.present[static_cast<size_t>(one)]);
  }
  return found;
}

std::vector<std::string> TreeFeatures::texts(const HeadedTrees& trees, size_t tree) const {
  trees.check();
  if (tree >= trees.size()) throw std::invalid_argument("there is no such tree");
  std::vector<std::string> found;
  ListMaker(templates_, trees, &found).tree(tree);
  return found;
}

}  // namespace accord::tasks
