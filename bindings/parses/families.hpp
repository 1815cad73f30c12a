// SPDX-License-Identifier: Apache-2.0
// The families of a layout as Python names them: a list of names, or of trees.Part.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parses/parts/part_families.hpp"

inline accord::parses::PartFamilies families_of(const std::vector<std::string>& names) {
  using namespace accord::parses;
  PartFamilies families;
  for (const std::string& name : names) {
    const auto named = [&](const PartFamily& family) { return family.name == name; };
    const auto found = std::find_if(part_families.begin(), part_families.end(), named);
    if (found == part_families.end()) throw std::invalid_argument("no such kind of part");
    families.*found->member = true;
  }
  return families;
}

inline accord::parses::PartFamilies families_of(const std::vector<accord::parses::Part>& parts) {
  using namespace accord::parses;
  PartFamilies families;
  for (const PartFamily& family : part_families)
    if (std::find(parts.begin(), parts.end(), family.part) != parts.end()) families.*family.member = true;
  return families;
}
