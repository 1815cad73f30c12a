// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reranker/place_features.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/text/blake2b.hpp"

namespace accord::tasks {

namespace {

constexpr std::string_view kStop = "STOP";
constexpr int32_t kFarthest = 30;

bool is_conjunction(std::string_view name) { return name == "CC" || name == "CCONJ" || name == "cc" || name == "CONJP"; }

std::string binned(int32_t count) { return count < 6 ? std::to_string(count) : count < 10 ? "6-9" : count < 20 ? "10-19" : "20+"; }

}  // namespace

template <size_t N>
void PlaceFeatures::add(const TemplateGroup& group, TreePlace place, const std::array<std::string_view, N>& values) {
  for (const PlaceTemplate* one : group.at(place)) {
    text_ = one->name;
    for (const int32_t attribute : one->attributes) (text_ += '\t') += values[static_cast<size_t>(attribute)];
    found.push_back(text::Blake2b::digest(text_));
    if (texts_ != nullptr) texts_->push_back(text_);
  }
}

void PlaceFeatures::phrase(const TemplateGroup& group, bool lexical, size_t node, int32_t upper) {
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

void PlaceFeatures::word(const TemplateGroup& group, std::span<const size_t> path, size_t highest) {
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

void PlaceFeatures::bigrams(const TemplateGroup& group, size_t node, const std::vector<std::string>& names, std::string_view label,
                            std::string_view parent, std::string_view above) {
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

void PlaceFeatures::trigrams(const TemplateGroup& group, size_t node, const std::vector<std::string>& names, std::string_view label,
                             std::string_view parent) {
  std::vector<std::string> marked = names;
  marked[static_cast<size_t>(nodes_.head(node))] += '!';
  const auto at = [&](size_t place) -> std::string_view { return place < marked.size() ? std::string_view(marked[place]) : kStop; };
  for (size_t place = 0; place < marked.size(); ++place)
    add(group, TreePlace::trigram,
        std::array<std::string_view, 5>{label, place == 0 ? kStop : at(place - 1), at(place), at(place + 1), parent});
}

void PlaceFeatures::modifiers(const TemplateGroup& group, size_t node, std::string_view parent, std::string_view rule) {
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

void PlaceFeatures::distances(const TemplateGroup& group, std::string_view label, std::string_view head, std::string_view modifier,
                              int32_t distance) {
  const auto one = [&](std::string_view how, int32_t count) {
    const std::string told = std::string(how) + std::to_string(count);
    add(group, TreePlace::distance, std::array<std::string_view, 4>{label, head, modifier, told});
  };
  one("=", distance);
  for (int32_t most = distance; most < 10; ++most) one("<=", most);
  for (int32_t least = 1; least <= distance; ++least) one(">=", least);
}

void PlaceFeatures::conjuncts(const TemplateGroup& group, size_t node) {
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

size_t PlaceFeatures::distance_bin(int32_t distance) {
  return static_cast<size_t>(distance < 6 ? distance + 1 : distance < 10 ? 7 : distance < 20 ? 8 : 9);
}

}  // namespace accord::tasks
