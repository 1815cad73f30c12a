// Documents: what is read, what is refused, and that nothing is lost on the way back.
#include "core/text/document.hpp"

#include "tests/core/check.hpp"

using namespace accord::text;

TEST("words, fields and heads are read") {
  const Document document = Document::parse("1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tb\tb\tNOUN\tNN\t_\t0\troot\t_\t_\n\n");
  CHECK(document.sentences() == 1);
  CHECK(document.words(0) == 2);
  CHECK(document.head(0, 1) == 2);
  CHECK(document.field(0, 2, Column::deprel) == "root");
  CHECK(document.write() == document.bytes());
}
