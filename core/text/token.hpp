// What feature extraction sees of a word: the columns a treebank gives, as views into the document's buffer.
#pragma once
#include <string_view>

namespace accord::text {

struct Token {
  std::string_view form, lemma, upos, xpos, feats;
};

}  // namespace accord::text
