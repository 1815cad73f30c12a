// SPDX-License-Identifier: Apache-2.0
// The families of parts larger than arcs: what each is called, which words it has, who can score it. Everything that goes through
// all families reads this table; part_layout.hpp says what the parts of a family are.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accord::parses {

// The numbers tell the feature keys of trained models apart: new families come last.
enum class Part : uint8_t {
  arc,
  sibling,
  grandparent,
  grand_sibling,
  tri_sibling,
  head_bigram,
  any_sibling,
  valency,
  great_grandparent,
  any_tri_sibling,
  comb,
  outer_grandparent,
  path,
  nonprojective,
  pattern
};

// Which parts a model has besides arcs.
struct PartFamilies {
  bool sibling = false, grandparent = false, grand_sibling = false, tri_sibling = false;
  bool head_bigram = false, any_sibling = false, valency = false;
  bool great_grandparent = false, any_tri_sibling = false, comb = false, outer_grandparent = false;
  bool path = false, nonprojective = false, pattern = false;

  inline bool any() const;
  inline bool beyond_charts() const;  // whether some of them are in no chart of projective trees
  // Whether scores depend on which words descend from which.
  bool descent() const { return path || nonprojective; }
};

struct PartFamily {
  Part part;
  std::string_view name;  // of the family, and of its section in the templates
  bool PartFamilies::* member;
  std::array<std::string_view, 4> anchors;  // its words, as templates call them
  bool charted;                             // charts of projective trees score it, or such trees have no such part
  bool nonlocal = false;                    // its features have a scale of their own (LinearPartScorer)
};

// By number of the part, from 1 on.
inline constexpr std::array<PartFamily, 14> part_families = {{
    {Part::sibling, "sibling", &PartFamilies::sibling, {"head", "dependent", "sibling"}, true},
    {Part::grandparent, "grandparent", &PartFamilies::grandparent, {"head", "dependent", "grandparent"}, true},
    {Part::grand_sibling, "grand_sibling", &PartFamilies::grand_sibling, {"head", "dependent", "sibling", "grandparent"}, true},
    {Part::tri_sibling, "tri_sibling", &PartFamilies::tri_sibling, {"head", "dependent", "sibling", "inner"}, true},
    {Part::head_bigram, "head_bigram", &PartFamilies::head_bigram, {"head", "dependent", "previous"}, false},
    {Part::any_sibling, "any_sibling", &PartFamilies::any_sibling, {"head", "dependent", "sibling"}, false, true},
    {Part::valency, "valency", &PartFamilies::valency, {"head", "dependent"}, false},
    {Part::great_grandparent,
     "great_grandparent",
     &PartFamilies::great_grandparent,
     {"head", "dependent", "grandparent", "great_grandparent"},
     false,
     true},
    {Part::any_tri_sibling, "any_tri_sibling", &PartFamilies::any_tri_sibling, {"head", "dependent", "sibling", "inner"}, false, true},
    {Part::comb, "comb", &PartFamilies::comb, {"head", "dependent", "sibling", "inner"}, false, true},
    {Part::outer_grandparent, "outer_grandparent", &PartFamilies::outer_grandparent, {"head", "dependent", "grandparent"}, true},
    {Part::path, "path", &PartFamilies::path, {"ancestor", "descendant"}, false},
    {Part::nonprojective, "nonprojective", &PartFamilies::nonprojective, {"head", "dependent"}, true},
    {Part::pattern, "pattern", &PartFamilies::pattern, {"head", "dependent", "third", "fourth"}, false, true},
}};

inline constexpr size_t part_kinds = part_families.size() + 1;  // arcs among them

static_assert([] {
  for (size_t i = 0; i < part_families.size(); ++i)
    if (static_cast<size_t>(part_families[i].part) != i + 1) return false;
  return true;
}());

inline bool PartFamilies::any() const {
  return std::any_of(part_families.begin(), part_families.end(), [this](const PartFamily& family) { return this->*family.member; });
}

inline bool PartFamilies::beyond_charts() const {
  return std::any_of(part_families.begin(), part_families.end(),
                     [this](const PartFamily& family) { return !family.charted && this->*family.member; });
}

}  // namespace accord::parses
