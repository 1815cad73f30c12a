// What feature extraction sees of a word: views into the document that holds it. A missing value is "_", as in the
// file.
#pragma once
#include <string_view>

namespace accord::text {

struct Token {
  std::string_view form, lemma, upos, xpos, feats;
};

}  // namespace accord::text
