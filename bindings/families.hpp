// The families of a layout as Python names them: a list of trees.Part.
#pragma once
#include <vector>

#include "core/trees/part_layout.hpp"

inline accord::trees::PartFamilies part_families(const std::vector<accord::trees::Part>& names) {
  using accord::trees::Part;
  accord::trees::PartFamilies families;
  for (const Part family : names) {
    if (family == Part::sibling) families.sibling = true;
    if (family == Part::grandparent) families.grandparent = true;
    if (family == Part::grand_sibling) families.grand_sibling = true;
    if (family == Part::tri_sibling) families.tri_sibling = true;
  }
  return families;
}
