// SPDX-License-Identifier: Apache-2.0
#include "core/text/patterns/patterns.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "core/text/characters.hpp"
#include "core/text/hash.hpp"
#include "core/text/patterns/pattern_line.hpp"

namespace accord::text {

namespace {

constexpr size_t not_lexical = std::numeric_limits<size_t>::max();

[[noreturn]] void reject_pattern(const std::string& reason) { throw std::invalid_argument(reason); }

class PatternBuilder {
 public:
  explicit PatternBuilder(std::vector<Attribute>& shared) : shared_(shared) {}

  Pattern build(const PatternLine& line) {
    pattern_.name = line.name;
    for (const PatternLine::Arc& arc : line.arcs) add_arc(arc);
    if (line.arcs.size() < Pattern::fewest_arcs || line.arcs.size() > Pattern::most_arcs)
      reject_pattern("a pattern has 2 to 8 arcs, not " + std::to_string(line.arcs.size()));
    lexical_.assign(pattern_.words.size(), not_lexical);
    for (const PatternLine::Test& test : line.tests) add_test(test);
    for (const auto& [first, second, reach] : line.orders) pattern_.orders.push_back({known(first), known(second), reach});
    plan();
    return std::move(pattern_);
  }

 private:
  int number(const std::string& name) const {
    const auto named = [&](const Pattern::Word& word) { return word.name == name; };
    const auto found = std::find_if(pattern_.words.begin(), pattern_.words.end(), named);
    return found == pattern_.words.end() ? Pattern::unknown : static_cast<int>(found - pattern_.words.begin());
  }

  int known(const std::string& name) const {
    const int word = number(name);
    if (word == Pattern::unknown) reject_pattern("the word '" + name + "' has no arc");
    return word;
  }

  int with_attributes(const std::string& name) const {
    const int word = known(name);
    if (pattern_.words[static_cast<size_t>(word)].root) reject_pattern("ROOT is no word and has no attributes");
    return word;
  }

  void add_arc(const PatternLine::Arc& arc) {
    const auto word = [&](const std::string& name) {
      if (number(name) == Pattern::unknown) pattern_.words.push_back({name, name == "ROOT", {}});
      return number(name);
    };
    const int head = word(arc.head), dependent = word(arc.dependent);
    if (arc.dependent == "ROOT") reject_pattern("ROOT has no head");
    for (const Pattern::Arc& other : pattern_.arcs)
      if (other.dependent == dependent) reject_pattern("the word '" + arc.dependent + "' has two heads");
    pattern_.arcs.push_back({head, dependent});
  }

  int column(Attribute wanted) {
    const auto found = std::find(shared_.begin(), shared_.end(), wanted);
    if (found != shared_.end()) return static_cast<int>(found - shared_.begin());
    shared_.push_back(wanted);
    return static_cast<int>(shared_.size()) - 1;
  }

  void add_test(const PatternLine::Test& test) {
    const std::string& name = test.attribute;
    const int word = with_attributes(test.word);
    const bool feature = name.front() >= 'A' && name.front() <= 'Z', form = name == "form", lemma = name == "lemma";
    if (!feature && !form && !lemma && name != "upos" && name != "xpos")
      reject_pattern("unknown attribute '" + name + "': there are form, lemma, upos, xpos and keys of FEATS");
    const int attribute = column(feature ? Attribute{Attribute::Kind::feats} : *parse_attribute(form ? "lower" : name));
    if (!test.other.empty()) {
      if (feature) reject_pattern("keys of FEATS are compared with values, not with another word");
      pattern_.agreements.push_back({word, with_attributes(test.other), attribute, test.equal});
      return;
    }
    Pattern::Condition condition{attribute, feature, test.equal, {}};
    for (const std::string& value : test.values)
      condition.values.push_back(hash_bytes(feature ? name + "=" + value : form ? lower_case(value) : value));
    size_t& lexical = lexical_[static_cast<size_t>(word)];
    if ((form || lemma) && test.equal) lexical = std::min(lexical, condition.values.size());
    pattern_.words[static_cast<size_t>(word)].conditions.push_back(std::move(condition));
  }

  // What words of a sentence a word can be, from few to many: by how many forms are listed, then those with any condition.
  size_t choices(int word) const {
    const auto w = static_cast<size_t>(word);
    return lexical_[w] != not_lexical ? lexical_[w] : not_lexical - !pattern_.words[w].conditions.empty();
  }

  // Of the arcs with one end found, the one whose other end has the fewest choices.
  std::optional<Pattern::Step> next_step(const std::vector<bool>& found) const {
    std::optional<Pattern::Step> best;
    for (size_t a = 0; a < pattern_.arcs.size(); ++a) {
      const auto [head, dependent] = pattern_.arcs[a];
      const bool up = found[static_cast<size_t>(dependent)];
      if (found[static_cast<size_t>(head)] == up) continue;
      const Pattern::Step step{static_cast<int>(a), up};
      if (!best || choices(pattern_.next_word(step)) < choices(pattern_.next_word(*best))) best = step;
    }
    return best;
  }

  void plan() {
    std::vector<bool> found(pattern_.words.size(), false);
    for (int word = 1; word < static_cast<int>(found.size()); ++word)
      if (choices(word) < choices(pattern_.start)) pattern_.start = word;
    found[static_cast<size_t>(pattern_.start)] = true;
    while (const std::optional<Pattern::Step> step = next_step(found)) {
      pattern_.steps.push_back(*step);
      found[static_cast<size_t>(pattern_.next_word(*step))] = true;
    }
    if (std::find(found.begin(), found.end(), false) != found.end()) reject_pattern("the arcs do not join all words");
    if (pattern_.steps.size() != pattern_.arcs.size()) reject_pattern("the arcs go round in a circle");
  }

  std::vector<Attribute>& shared_;
  Pattern pattern_;
  std::vector<size_t> lexical_;  // by word: how many forms or lemmas it may have
};

bool holds(const Pattern::Condition& condition, const AtomTable& atoms, int position) {
  const auto listed = [&](uint64_t value) {
    return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
  };
  if (!condition.many) return listed(atoms.at(condition.attribute, position)) == condition.equal;
  const std::span<const uint64_t> values = atoms.many(condition.attribute, position);
  return std::any_of(values.begin(), values.end(), listed) == condition.equal;
}

}  // namespace

bool Pattern::fits(const AtomTable& atoms, int word, int position, std::span<const int> positions) const {
  const Word& wanted = words[static_cast<size_t>(word)];
  if (wanted.root != (position == 0)) return false;
  for (const Condition& condition : wanted.conditions)
    if (!holds(condition, atoms, position)) return false;
  if (std::find(positions.begin(), positions.end(), position) != positions.end()) return false;
  const auto place = [&](int other) { return other == word ? position : positions[static_cast<size_t>(other)]; };
  for (const auto& [first, second, reach] : orders) {
    const int left = place(first), right = place(second);
    if (left == unknown || right == unknown) continue;
    if (left >= right || right - left > reach) return false;
  }
  for (const auto& [first, second, attribute, equal] : agreements) {
    const int one = place(first), other = place(second);
    if (one == unknown || other == unknown) continue;
    if ((atoms.at(attribute, one) == atoms.at(attribute, other)) != equal) return false;
  }
  return true;
}

std::vector<Pattern> compile_patterns(std::string_view text, std::vector<Attribute>& shared) {
  std::vector<Pattern> patterns;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    try {
      const PatternLine line = read_pattern_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.name.empty()) continue;
      for (const Pattern& known : patterns)
        if (known.name == line.name) reject_pattern("there is a pattern '" + line.name + "' already");
      if (patterns.size() == most_patterns) reject_pattern("there are more than " + std::to_string(most_patterns) + " patterns");
      patterns.push_back(PatternBuilder(shared).build(line));
    } catch (const std::invalid_argument& error) {
      reject_pattern("line " + std::to_string(number) + ": " + error.what());
    }
  }
  return patterns;
}

}  // namespace accord::text
