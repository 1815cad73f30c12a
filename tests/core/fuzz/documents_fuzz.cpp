// SPDX-License-Identifier: Apache-2.0
// Treebank files of every layout. The first byte chooses the layout and whether reading goes on behind a problem. What is read is
// written back byte for byte, and what is written as CoNLL-U is read again.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "core/text/documents/document.hpp"
#include "core/text/documents/document_trees.hpp"
#include "tests/core/fuzz/fuzzing.hpp"

using namespace accord::text;

namespace {

void look_at(const Document& document) {
  size_t seen = 0;
  std::vector<Token> tokens;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence) {
    document.tokens(sentence, tokens);
    fuzzing::claim(tokens.size() == document.words(sentence), "a token for each word");
    for (const Document::Fields& row : document.rows(sentence))
      for (std::string_view field : row) seen += static_cast<size_t>(std::count(field.begin(), field.end(), '\n'));
    for (const std::string& comment : document.comments(sentence)) fuzzing::claim(comment.starts_with('#'), "comments start with #");
    document.write(sentence);
  }
  fuzzing::claim(seen == 0, "no field has a line end");
  check_trees(document, {false, false});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::array<Layout, 4> all = {layouts::conllu, layouts::conllx, layouts::conll2008, layouts::conll2009};
  const std::string bytes(fuzzing::text_of(data + 1, size - 1));
  try {
    const Document document = Document::parse(bytes, all[data[0] % 4], 1, data[0] & 4);
    fuzzing::claim(document.write() == bytes, "an unchanged document is written byte for byte");
    look_at(document);
    const Document again = Document::parse(document.to_conllu());
    fuzzing::claim(again.total_words() == document.total_words(), "CoNLL-U has all words");
    const Document commented = document.with_comments("key", std::vector<std::optional<std::string>>(document.sentences(), "value"));
    look_at(Document::parse(commented.write(), document.layout(), 1, true));
  } catch (const FormatProblem&) {
  }
  return 0;
}
