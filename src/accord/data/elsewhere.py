# SPDX-License-Identifier: Apache-2.0
"""Names that documents, sentences and words have in other libraries, and what stands for them here.

Who asks for one of them is told so. They are no attributes: ``hasattr`` says no, and lists of names leave them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

WORD = {
    **dict.fromkeys(("text", "orth_", "surface", "token"), "word.form"),
    **dict.fromkeys(("lemma_",), "word.lemma"),
    **dict.fromkeys(("pos", "pos_", "upostag"), "word.upos"),
    **dict.fromkeys(("tag", "tag_", "xpostag"), "word.xpos"),
    **dict.fromkeys(("morph", "features"), "word.feats"),
    **dict.fromkeys(("dep", "dep_", "relation"), "word.deprel"),
    **dict.fromkeys(("i", "ord", "index"), "word.id, which counts from 1 in its sentence"),
    **dict.fromkeys(("idx", "start_char"), "word.start"),
    **dict.fromkeys(("end_char",), "word.end"),
    **dict.fromkeys(("parent", "governor"), "word.head_word"),
    **dict.fromkeys(("lefts", "rights"), "word.children, from left to right"),
    **dict.fromkeys(("descendants",), "word.subtree"),
    **dict.fromkeys(("sent", "root"), "word.sentence"),
    **dict.fromkeys(("whitespace_", "no_space_after"), "word.space_after"),
    **dict.fromkeys(("ent_type_", "ent_iob_", "ner"), "document.entities"),
}
SENTENCE = {
    **dict.fromkeys(("ents", "entities"), "document.entities"),
    **dict.fromkeys(("id", "sent_name"), "sentence.sent_id"),
    **dict.fromkeys(("metadata",), "sentence.comment(key)"),
    **dict.fromkeys(("start_char",), "sentence.start"),
    **dict.fromkeys(("end_char",), "sentence.end"),
    **dict.fromkeys(("descendants", "nodes"), "sentence.words"),
    **dict.fromkeys(("to_tree", "dependencies"), "sentence.words, sentence.root and word.children"),
    **dict.fromkeys(("serialize", "conll", "to_string"), "sentence.to_conllu()"),
    **dict.fromkeys(("upos", "lemmas"), "[word.upos for word in sentence]"),
    **dict.fromkeys(("draw", "print_dependencies"), "accord.drawing.draw_sentence(sentence, 'text')"),
}
DOCUMENT = {
    **dict.fromkeys(("sents", "trees", "bundles"), "document.sentences"),
    **dict.fromkeys(("ents",), "document.entities"),
    **dict.fromkeys(("tokens",), "document.words, or sentence.tokens for what stands on the surface"),
    **dict.fromkeys(("nodes", "iter_words", "iter_tokens"), "document.words"),
    **dict.fromkeys(("num_words", "num_tokens"), "len(document.words)"),
    **dict.fromkeys(("to_disk", "store_conllu", "save"), "document.write(path)"),
    **dict.fromkeys(("conll", "serialize", "to_conllu_string"), "document.to_conllu()"),
}
PIPELINE = {
    **dict.fromkeys(("pipe_names", "processors", "get_pipe"), "nlp.tokenizer, .tagger, .parser, .entities"),
    **dict.fromkeys(("to_disk", "save"), "nlp.model.save(path)"),
    **dict.fromkeys(("select_pipes", "disable_pipes", "disable_pipe"), "nlp.tokenize(text) or nlp.tag(text)"),
    **dict.fromkeys(("bulk_process", "process"), "nlp.pipe(texts) or nlp(text)"),
    **dict.fromkeys(("lang", "meta"), "nlp.model.card, and nlp.language"),
    **dict.fromkeys(("update", "begin_training", "initialize"), "the command accord train pipeline"),
}


class Elsewhere:
    """What tells a user of another library its name here."""

    __slots__ = ()
    _elsewhere: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # attributes that are there stay known to type checkers

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            here = kind._elsewhere.get(name)
            advice = "" if here is None else f"; it is {here} here"
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}{advice}", name=name, obj=self)
