// SPDX-License-Identifier: Apache-2.0
#include "core/text/features/templates.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "core/text/hash.hpp"

namespace accord::text {

namespace {

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    if (const std::string_view piece = trim(text.substr(0, end)); !piece.empty()) pieces.push_back(piece);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

class Compiler {
 public:
  Compiler(TemplateSet& set, std::vector<Attribute>& shared, uint64_t salt) : set_(set), shared_(shared), salt_(salt) {}

  void read(std::string_view text, std::string_view section) {
    bool inside = false;
    while (!text.empty()) {
      ++line_;
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      line = trim(line.substr(0, line.find('#')));
      if (line.empty()) continue;
      if (line.front() == '[') {
        inside = line.substr(1, line.size() - 2) == section && line.back() == ']';
        conjunctions_ = {""};
      } else if (!inside) {
        continue;
      } else if (line.starts_with("with:")) {
        conjunctions_.clear();
        for (std::string_view piece : split(line.substr(5), ";")) conjunctions_.emplace_back(piece == "-" ? "" : piece);
        if (conjunctions_.empty()) fail("'with:' names nothing; write '-' for a template alone");
      } else {
        for (const std::string& conjunction : conjunctions_) add(std::string(line).append(" ").append(conjunction));
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw std::invalid_argument("line " + std::to_string(line_) + ": " + reason); }

  void add(const std::string& text) {
    Template result;
    result.anchors.resize(set_.anchor_names.size());
    std::vector<PairUnit> pairs;
    std::vector<std::string_view> units = split(text, " \t");
    std::sort(units.begin(), units.end());
    if (std::adjacent_find(units.begin(), units.end()) != units.end()) fail("a unit stands twice in '" + text + "'");
    for (std::string_view unit : units) {
      if (!result.text.empty()) result.text += ' ';
      result.text += unit;
      read_unit(unit, result, pairs);
    }
    if (!seen_.insert(result.text).second) return;
    result.seed = mix(hash_bytes(result.text, 0x616363 ^ salt_));
    result.signature = signature(pairs);
    set_.templates.push_back(std::move(result));
  }

  void read_unit(std::string_view unit, Template& result, std::vector<PairUnit>& pairs) {
    if (unit == "bias") return;
    if (unit == "direction") return pairs.push_back({PairUnit::Kind::direction});
    if (unit == "distance") return pairs.push_back({PairUnit::Kind::distance});
    if (unit == "valency") return pairs.push_back({PairUnit::Kind::valency});
    if (unit == "pattern") {
      if (std::find(set_.anchor_names.begin(), set_.anchor_names.end(), "fourth") == set_.anchor_names.end())
        fail("'pattern' is for parts that patterns match");
      return pairs.push_back({PairUnit::Kind::pattern});
    }
    if (unit == "gap") {
      if (set_.sibling < 0) fail("'gap' is the distance to the sibling, which this kind of part does not have");
      return pairs.push_back({PairUnit::Kind::gap});
    }
    if (unit == "order") {
      if (set_.other < 0) fail("'order' needs a grandparent or a previous head, which this kind of part does not have");
      return pairs.push_back({PairUnit::Kind::order});
    }
    if (unit.starts_with("count(")) return pairs.push_back(count_unit(unit));
    const size_t dot = unit.find('.');
    if (dot == std::string_view::npos) fail("'" + std::string(unit) + "' is no unit: expected anchor.attribute");
    std::string_view place = unit.substr(0, dot);
    Unit parsed;
    if (const size_t sign = place.find_first_of("+-"); sign != std::string_view::npos) {
      const std::string_view digits = place.substr(sign + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed.offset);
      if (error != std::errc() || end != digits.data() + digits.size() || parsed.offset > AtomTable::reach)
        fail("offset in '" + std::string(unit) + "' must be a number up to " + std::to_string(AtomTable::reach));
      if (place[sign] == '-') parsed.offset = -parsed.offset;
      place = place.substr(0, sign);
    }
    parsed.attribute = attribute(unit.substr(dot + 1));
    const bool many = shared_[static_cast<size_t>(parsed.attribute)].many();
    if (place == "between") {
      if (many || parsed.offset != 0) fail("'between' takes a single-valued attribute without an offset");
      result.between.push_back(parsed);
      result.dense = false;
      return;
    }
    const auto anchor = std::find(set_.anchor_names.begin(), set_.anchor_names.end(), place);
    if (anchor == set_.anchor_names.end()) fail("unknown anchor '" + std::string(place) + "'");
    result.anchors[static_cast<size_t>(anchor - set_.anchor_names.begin())].push_back(parsed);
    if (many) result.dense = false;
  }

  PairUnit count_unit(std::string_view unit) {
    const size_t equals = unit.find('=');
    if (equals == std::string_view::npos || unit.back() != ')') fail("expected count(attribute=value)");
    PairUnit counted{PairUnit::Kind::count};
    counted.attribute = attribute(unit.substr(6, equals - 6));
    if (shared_[static_cast<size_t>(counted.attribute)].many()) fail("count() takes a single-valued attribute");
    counted.value = hash_bytes(unit.substr(equals + 1, unit.size() - equals - 2));
    return counted;
  }

  int attribute(std::string_view name) {
    const std::optional<Attribute> parsed = parse_attribute(name);
    if (!parsed) fail("unknown attribute '" + std::string(name) + "'");
    const auto found = std::find(shared_.begin(), shared_.end(), *parsed);
    if (found != shared_.end()) return static_cast<int>(found - shared_.begin());
    shared_.push_back(*parsed);
    return static_cast<int>(shared_.size()) - 1;
  }

  int signature(const std::vector<PairUnit>& pairs) {
    const auto found = std::find(set_.signatures.begin(), set_.signatures.end(), pairs);
    if (found != set_.signatures.end()) return static_cast<int>(found - set_.signatures.begin());
    set_.signatures.push_back(pairs);
    return static_cast<int>(set_.signatures.size()) - 1;
  }

  TemplateSet& set_;
  std::vector<Attribute>& shared_;
  uint64_t salt_;
  std::vector<std::string> conjunctions_ = {""};
  std::set<std::string> seen_;
  int line_ = 0;
};

}  // namespace

int PairUnit::states() const {
  switch (kind) {
    case Kind::direction:
      return 2;
    case Kind::distance:
      return distance_buckets;
    case Kind::count:
      return 3;
    case Kind::gap:
      return distance_buckets + 1;
    case Kind::order:
      return 12;
    case Kind::valency:
      return largest_valency + 1;
    case Kind::pattern:
      return static_cast<int>(most_patterns);
  }
  return 1;
}

int TemplateSet::states(int signature) const {
  int count = 1;
  for (const PairUnit& unit : signatures[static_cast<size_t>(signature)]) count *= unit.states();
  return count;
}

void TemplateSet::append_names(const std::string& section, std::vector<TemplateName>& names) const {
  for (const Template& one : templates) {
    const bool blind = std::all_of(one.anchors.begin(), one.anchors.end(), [](const auto& units) { return units.empty(); });
    names.push_back({section, one.text, blind && one.between.empty()});
  }
}

// The summand of a template's pair units in a given state.
static uint64_t pair_key(const TemplateSet& set, const Template& t, int state) {
  if (set.signatures[static_cast<size_t>(t.signature)].empty()) return 0;
  return combine(t.seed ^ 0x70616972, static_cast<uint64_t>(state));
}

TemplateSet TemplateSet::compile(std::string_view text, std::string_view section, const std::vector<std::string>& anchors,
                                 std::vector<Attribute>& shared, uint64_t salt) {
  TemplateSet set;
  set.anchor_names = anchors;
  for (size_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i] == "grandparent" || anchors[i] == "previous") set.other = static_cast<int>(i);
    if (anchors[i] == "sibling") set.sibling = static_cast<int>(i);
  }
  Compiler(set, shared, salt).read(text, section);
  std::stable_sort(set.templates.begin(), set.templates.end(),
                   [](const Template& a, const Template& b) { return a.dense != b.dense ? a.dense : a.signature < b.signature; });
  set.attributes = shared;
  set.dense = static_cast<size_t>(std::count_if(set.templates.begin(), set.templates.end(), [](const Template& t) { return t.dense; }));
  size_t begin = 0;
  for (const std::vector<PairUnit>& signature : set.signatures) {
    std::vector<PairStep> steps;
    for (const PairUnit& unit : signature) {
      const auto found = std::find(set.pair_units.begin(), set.pair_units.end(), unit);
      steps.push_back({static_cast<int>(found - set.pair_units.begin()), unit.states()});
      if (found == set.pair_units.end()) set.pair_units.push_back(unit);
    }
    set.pair_steps.push_back(std::move(steps));
  }
  for (int s = 0; s < static_cast<int>(set.signatures.size()); ++s) {
    size_t end = begin;
    while (end < set.dense && set.templates[end].signature == s) ++end;
    std::vector<uint64_t> keys;
    for (int state = 0; state < set.states(s); ++state)
      for (size_t t = begin; t < end; ++t) keys.push_back(pair_key(set, set.templates[t], state));
    set.group_ends.push_back(end);
    set.pair_keys.push_back(std::move(keys));
    begin = end;
  }
  for (size_t t = set.dense; t < set.templates.size(); ++t) {
    std::vector<uint64_t> keys;
    for (int state = 0; state < set.states(set.templates[t].signature); ++state) keys.push_back(pair_key(set, set.templates[t], state));
    set.loose_pair_keys.push_back(std::move(keys));
  }
  return set;
}

}  // namespace accord::text
