// SPDX-License-Identifier: Apache-2.0
// Feature templates. What compiles has a text that compiles again, to the same features.
#include <stdexcept>
#include <vector>

#include "core/text/features/templates.hpp"
#include "tests/core/fuzz/fuzzing.hpp"

using namespace accord::text;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<std::string> anchors = {"head", "dependent", "sibling", "grandparent"};
  try {
    std::vector<Attribute> attributes;
    const TemplateSet set = TemplateSet::compile(fuzzing::text_of(data, size), "arc", anchors, attributes);
    for (const Template& one : set.templates) {
      std::vector<Attribute> own;
      const TemplateSet again = TemplateSet::compile("[arc]\n" + one.text + "\n", "arc", anchors, own);
      fuzzing::claim(again.templates.size() == 1 && again.templates[0].seed == one.seed, "the text of a template is the template");
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
