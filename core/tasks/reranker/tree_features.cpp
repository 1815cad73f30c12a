// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reranker/tree_features.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/text/blake2b.hpp"

namespace accord::tasks {

namespace {

constexpr std::array<size_t, kPlaces> kAttributes = {9, 8, 5, 14, 4, 7, 12, 7, 8};
constexpr std::array<uint64_t, 2> kAgain = {0x9E3779B97F4A7C15, 0x3C6EF372FE94F82A};  // what is added to the key of "twice", "three times"
constexpr std::string_view kStop = "STOP";
constexpr int32_t kFarthest = 30;

bool sees_above(const PlaceTemplate& one) {
  constexpr std::array<std::pair<int32_t, int32_t>, kPlaces> above = {
      {{2, 3}, {6, 7}, {4, 4}, {1, 1}, {-1, -1}, {-1, -1}, {1, 1}, {-1, -1}, {-1, -1}}};  // numbers of `parent` and `above`
  const auto [first, second] = above[static_cast<size_t>(one.place)];
  return std::ranges::any_of(one.attributes, [&](int32_t attribute) { return attribute == first || attribute == second; });
}

bool is_conjunction(std::string_view name) { return name == "CC" || name == "CCONJ" || name == "cc" || name == "CONJP"; }

std::string binned(int32_t count) { return count < 6 ? std::to_string(count) : count < 10 ? "6-9" : count < 20 ? "10-19" : "20+"; }

std::string joined(std::span<const std::string> names) {
  std::string found;
  for (const std::string& name : names) {
    if (&name != names.data()) found += ' ';
    found += name;
  }
  return found;
}

struct Group {  // templates that are asked for at the same time
  std::array<std::vector<const PlaceTemplate*>, kPlaces> places;
  bool any = false;
  const std::vector<const PlaceTemplate*>& at(TreePlace place) const { return places[static_cast<size_t>(place)]; }
  bool wants(TreePlace place) const { return !at(place).empty(); }
};

// The nodes of the trees of a list; numbers of nodes run through all trees.
class Nodes {
 public:
  explicit Nodes(const HeadedTrees& trees) : trees_(trees), starts_(trees.labels.size() + 1), children_(trees.labels.size()) {
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

  std::span<const int32_t> children(size_t node) const {
    return std::span(children_).subspan(static_cast<size_t>(starts_[node]), static_cast<size_t>(starts_[node + 1] - starts_[node]));
  }
  int32_t above(size_t node) const { return above_[node]; }
  int32_t label(size_t node) const { return trees_.labels[node]; }
  int32_t head(size_t node) const { return trees_.heads[node]; }
  int32_t begin(size_t node) const { return trees_.begins[node]; }
  int32_t end(size_t node) const { return trees_.ends[node]; }
  size_t word(size_t node) const { return static_cast<size_t>(trees_.words[node]); }
  size_t child(size_t node, size_t place) const { return static_cast<size_t>(children(node)[place]); }
  const std::string& name(size_t node) const { return trees_.names[static_cast<size_t>(label(node))]; }
  const std::string& form(size_t node) const { return trees_.forms[word(node)]; }
  const std::string& tag(size_t node) const { return trees_.tags[word(node)]; }
  // The child behind the head of a phrase of a closed-class word: the noun of a preposition. -1: there is none.
  int32_t argument(size_t node) const {
    const auto behind = static_cast<size_t>(head(node) + 1);
    const bool is = head(node) >= 0 && trees_.closed[word(node)] && behind < children(node).size();
    return is ? children(node)[behind] : -1;
  }
  std::string named(size_t node, bool lexical) const {
    return lexical && trees_.closed[word(node)] ? name(node) + '/' + form(node) : name(node);
  }
  std::vector<std::string> child_names(size_t node, bool lexical) const {
    std::vector<std::string> found;
    for (const int32_t child : children(node)) found.push_back(named(static_cast<size_t>(child), lexical));
    return found;
  }
  std::string rule(size_t node, bool lexical) const {
    std::vector<std::string> names = child_names(node, lexical);
    names[static_cast<size_t>(head(node))] += '!';
    return named(node, lexical) + " > " + joined(names);
  }
  // All that places see of a phrase but what is above it, as numbers in a string.
  std::string likeness(size_t node) const {
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
  const HeadedTrees& trees() const { return trees_; }

 private:
  const HeadedTrees& trees_;
  std::vector<int32_t> starts_, children_, above_;
};

// Makes the features of one place after the other.
class Maker {
 public:
  Maker(const Nodes& nodes, std::vector<std::string>* texts) : nodes_(nodes), texts_(texts) {}

  std::vector<uint64_t> found;

  void phrase(const Group& group, bool lexical, size_t node, int32_t upper) {
    const HeadedTrees& trees = nodes_.trees();
    const std::string label = nodes_.named(node, lexical), rule = nodes_.rule(node, lexical);
    const std::string parent = upper < 0 ? std::string(kStop) : nodes_.named(static_cast<size_t>(upper), lexical);
    const std::string above = upper < 0 ? std::string(kStop) : nodes_.rule(static_cast<size_t>(upper), lexical);
    const std::string length = binned(nodes_.end(node) - nodes_.begin(node));
    const auto begin = static_cast<size_t>(nodes_.begin(node)), end = static_cast<size_t>(nodes_.end(node));
    const std::vector<std::string> names = nodes_.child_names(node, lexical);
    if (group.wants(TreePlace::rule))
      add(group, TreePlace::rule,
          std::array<std::string_view, 9>{label, rule, parent, above, nodes_.form(node), nodes_.tag(node), length, trees.tags[begin],
                                          trees.tags[end - 1]});
    if (group.wants(TreePlace::bigram)) bigrams(group, node, names, label, parent, above);
    if (group.wants(TreePlace::trigram)) trigrams(group, node, names, label, parent);
    if (group.wants(TreePlace::span)) {
      const auto around = [&](const std::vector<std::string>& texts, bool before) -> std::string_view {
        if (before) return begin > 0 ? std::string_view(texts[begin - 1]) : kStop;
        return end < texts.size() ? std::string_view(texts[end]) : kStop;
      };
      const std::string to_end = binned(static_cast<int32_t>(trees.tags.size() - end));
      add(group, TreePlace::span,
          std::array<std::string_view, 12>{label, parent, length, trees.tags[begin], trees.tags[end - 1], around(trees.tags, true),
                                           around(trees.tags, false), trees.forms[begin], trees.forms[end - 1], around(trees.forms, true),
                                           around(trees.forms, false), to_end});
    }
    if (lexical) return;
    if (group.wants(TreePlace::modifier) || group.wants(TreePlace::distance) || group.wants(TreePlace::preposition))
      modifiers(group, node, parent, rule);
    if (group.wants(TreePlace::conjuncts)) conjuncts(group, node);
  }

  // A word with the nodes from its tag up to the root, of which the one at `highest` is the highest that the word heads.
  void word(const Group& group, std::span<const size_t> path, size_t highest) {
    const auto name = [&](size_t place) -> std::string_view {
      return place < path.size() ? std::string_view(nodes_.name(path[place])) : kStop;
    };
    const auto between = [&](size_t first, size_t last) {
      std::string text;
      for (size_t place = first; place < last; ++place) {
        if (place > first) text += ' ';
        text += nodes_.name(path[place]);
      }
      return text;
    };
    const std::string down = between(0, highest + 1), up = between(highest, path.size());
    add(group, TreePlace::word,
        std::array<std::string_view, 8>{nodes_.form(path[0]), nodes_.tag(path[0]), name(highest), name(highest + 1), name(highest + 2),
                                        name(highest + 3), down, up});
  }

 private:
  template <size_t N>
  void add(const Group& group, TreePlace place, const std::array<std::string_view, N>& values) {
    for (const PlaceTemplate* one : group.at(place)) {
      text_ = one->name;
      for (const int32_t attribute : one->attributes) (text_ += '\t') += values[static_cast<size_t>(attribute)];
      found.push_back(text::Blake2b::digest(text_));
      if (texts_ != nullptr) texts_->push_back(text_);
    }
  }

  // Two children side by side on one side of the head, from inside to outside; the outer one may be STOP.
  void bigrams(const Group& group, size_t node, const std::vector<std::string>& names, std::string_view label, std::string_view parent,
               std::string_view above) {
    const int32_t head = nodes_.head(node), count = static_cast<int32_t>(names.size());
    for (const int32_t step : {-1, 1}) {
      if (head + step < 0 || head + step >= count) continue;
      for (int32_t inside = head; inside >= 0 && inside < count; inside += step) {
        const int32_t outside = inside + step;
        const bool stop = outside < 0 || outside >= count;
        const std::string inner = names[static_cast<size_t>(inside)] + (inside == head ? "!" : "");
        const std::string_view outer = stop ? kStop : std::string_view(names[static_cast<size_t>(outside)]);
        const std::string_view outer_word = stop ? kStop : std::string_view(nodes_.form(nodes_.child(node, static_cast<size_t>(outside))));
        add(group, TreePlace::bigram,
            std::array<std::string_view, 8>{step < 0 ? "left" : "right", label, inner, outer,
                                            nodes_.form(nodes_.child(node, static_cast<size_t>(inside))), outer_word, parent, above});
      }
    }
  }

  // Three children in a row, STOP at both ends, the head marked.
  void trigrams(const Group& group, size_t node, const std::vector<std::string>& names, std::string_view label, std::string_view parent) {
    std::vector<std::string> marked = names;
    marked[static_cast<size_t>(nodes_.head(node))] += '!';
    const auto at = [&](size_t place) -> std::string_view { return place < marked.size() ? std::string_view(marked[place]) : kStop; };
    for (size_t place = 0; place < marked.size(); ++place)
      add(group, TreePlace::trigram,
          std::array<std::string_view, 5>{label, place == 0 ? kStop : at(place - 1), at(place), at(place + 1), parent});
  }

  void modifiers(const Group& group, size_t node, std::string_view parent, std::string_view rule) {
    const auto head_place = static_cast<size_t>(nodes_.head(node));
    const size_t head = nodes_.child(node, head_place);
    const std::string& label = nodes_.name(node);
    const auto is = [&](int32_t child) { return is_conjunction(nodes_.name(static_cast<size_t>(child))); };
    const std::string_view coordination = std::ranges::any_of(nodes_.children(node), is) ? "1" : "0";
    for (size_t place = 0; place < nodes_.children(node).size(); ++place) {
      if (place == head_place) continue;
      const size_t child = nodes_.child(node, place);
      const bool left = place < head_place;
      const size_t inner = left ? place + 1 : place - 1;
      const auto from = static_cast<int32_t>(nodes_.word(child)), to = static_cast<int32_t>(nodes_.word(head));
      const int32_t distance = std::abs(from - to) - 1;
      if (group.wants(TreePlace::modifier))
        add(group, TreePlace::modifier,
            std::array<std::string_view, 14>{left ? "left" : "right", parent, label, nodes_.name(head), nodes_.name(child),
                                             inner == head_place ? "1" : "0", coordination, binned_[distance_bin(distance)],
                                             nodes_.form(head), nodes_.form(child), nodes_.tag(head), nodes_.tag(child),
                                             nodes_.name(nodes_.child(node, inner)), rule});
      if (group.wants(TreePlace::distance)) distances(group, label, nodes_.name(head), nodes_.name(child), std::min(distance, kFarthest));
      const int32_t argument = nodes_.argument(child);
      if (argument >= 0 && group.wants(TreePlace::preposition)) {
        const auto behind = static_cast<size_t>(argument);
        add(group, TreePlace::preposition,
            std::array<std::string_view, 7>{label, nodes_.name(head), nodes_.name(child), nodes_.name(behind), nodes_.form(head),
                                            nodes_.form(child), nodes_.form(behind)});
      }
    }
  }

  void distances(const Group& group, std::string_view label, std::string_view head, std::string_view modifier, int32_t distance) {
    const auto one = [&](std::string_view how, int32_t count) {
      const std::string told = std::string(how) + std::to_string(count);
      add(group, TreePlace::distance, std::array<std::string_view, 4>{label, head, modifier, told});
    };
    one("=", distance);
    for (int32_t most = distance; most < 10; ++most) one("<=", most);
    for (int32_t least = 1; least <= distance; ++least) one(">=", least);
  }

  // Two children with a conjunction between them.
  void conjuncts(const Group& group, size_t node) {
    const std::span<const int32_t> children = nodes_.children(node);
    for (size_t place = 1; place + 1 < children.size(); ++place) {
      const auto middle = static_cast<size_t>(children[place]);
      if (!is_conjunction(nodes_.name(middle)) && !is_conjunction(nodes_.tag(middle))) continue;
      const auto left = static_cast<size_t>(children[place - 1]), right = static_cast<size_t>(children[place + 1]);
      const std::string left_rule = joined(nodes_.child_names(left, false)), right_rule = joined(nodes_.child_names(right, false));
      const bool alike = nodes_.child_names(left, false) == nodes_.child_names(right, false);
      const std::string_view same = alike ? "rule" : nodes_.label(left) == nodes_.label(right) ? "label" : "no";
      const int32_t longer = (nodes_.end(left) - nodes_.begin(left)) - (nodes_.end(right) - nodes_.begin(right));
      add(group, TreePlace::conjuncts,
          std::array<std::string_view, 7>{nodes_.name(node), nodes_.name(left), nodes_.name(right), same, left_rule, right_rule,
                                          longer == 0  ? "="
                                          : longer > 0 ? ">"
                                                       : "<"});
    }
  }

  static size_t distance_bin(int32_t distance) {
    return static_cast<size_t>(distance < 6 ? distance + 1 : distance < 10 ? 7 : distance < 20 ? 8 : 9);
  }

  const Nodes& nodes_;
  std::vector<std::string>* texts_;
  std::string text_;
  const std::array<std::string, 10> binned_ = {"-1", "0", "1", "2", "3", "4", "5", "6-9", "10-19", "20+"};
};

// The features of trees, made once for nodes that are alike.
class ListMaker {
 public:
  ListMaker(const std::vector<PlaceTemplate>& templates, const HeadedTrees& trees, std::vector<std::string>* texts)
      : nodes_(trees),
        maker_(nodes_, texts),
        sharing_(texts == nullptr) {
    for (const PlaceTemplate& one : templates) {
      Group& group = one.place == TreePlace::word ? words_ : groups_[sees_above(one)][one.lexical];
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

  Nodes nodes_;
  Maker maker_;
  bool sharing_;
  std::array<std::array<Group, 2>, 2> groups_;  // by whether templates see what is above, and by whether they name closed-class heads
  Group words_;
  std::unordered_map<std::string, int32_t> likenesses_;
  std::array<std::unordered_map<uint64_t, std::vector<int32_t>>, 2> made_;
  std::unordered_map<std::string, std::vector<int32_t>> word_features_;
  std::unordered_map<uint64_t, int32_t> numbers_;
  std::vector<int32_t> kinds_;
  std::vector<size_t> path_;
};

}  // namespace

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
