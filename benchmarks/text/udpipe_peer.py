# SPDX-License-Identifier: Apache-2.0
"""Train UDPipe 1 on a treebank, to stand beside Accord in the tables for raw text.

    python -m benchmarks udpipe_peer work/udpipe_ewt.model --train TRAIN.conllu.xz --dev DEV.conllu.xz

needs the package `ufal.udpipe`, nothing of Accord. The tagger (with its lemmatizer), the tokenizer and the parser are
trained one after another; each is saved beside the model when it is done (`MODEL.tagger`, ...) and taken from there by
a later run, so that an interrupted training goes on where it stopped. The defaults are settings usual for models of
UDPipe 1 for UD 2, with fewer passes; embeddings of word forms are learnt with the parser instead of beforehand.
"""

from __future__ import annotations

import argparse
import lzma
import sys
import time
from pathlib import Path

from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

METHOD = "morphodita_parsito"
TOKENIZER = "dimension=24;epochs={epochs};batch_size=50;learning_rate=0.005;dropout=0.1;early_stopping=1"
TAGGER = (
    "models=2;iterations={iterations};templates_1=tagger;guesser_suffix_rules_1=8;guesser_enrich_dictionary_1=6;guesser_prefixes_max_1=0;"
    "use_lemma_1=0;use_xpostag_1=1;use_feats_1=1;provide_lemma_1=0;provide_xpostag_1=1;provide_feats_1=1;"
    "templates_2=lemmatizer;guesser_suffix_rules_2=8;guesser_enrich_dictionary_2=6;guesser_prefixes_max_2=4;"
    "use_lemma_2=1;use_xpostag_2=1;use_feats_2=1;provide_lemma_2=1;provide_xpostag_2=0;provide_feats_2=0"
)
PARSER = (
    "iterations={iterations};embedding_upostag=20;embedding_feats=20;embedding_xpostag=0;embedding_form=50;embedding_lemma=0;"
    "embedding_deprel=20;learning_rate=0.01;learning_rate_final=0.001;l2=0.5;hidden_layer=200;batch_size=10;"
    "transition_system=projective;transition_oracle=dynamic;structured_interval=8"
)


def read(path: Path) -> Sentences:
    """All sentences of a CoNLL-U file."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode("utf-8")
    reader = InputFormat.newInputFormat("conllu")
    reader.setText(text)
    error, sentences, sentence = ProcessingError(), Sentences(), Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise SystemExit(f"{path}: {error.message}")
    return sentences


def train(path: Path, sentences: Sentences, dev: Sentences, tokenizer: str, tagger: str, parser: str) -> None:
    """Train or combine the named parts and write them as one model file."""
    if path.exists():
        print(f"{path}: there already", flush=True)
        return
    start, cpu, error = time.time(), time.process_time(), ProcessingError()
    print(f"{path}\n  tokenizer {tokenizer}\n  tagger {tagger}\n  parser {parser}", flush=True)
    model = Trainer.train(METHOD, sentences, dev, tokenizer, tagger, parser, error)
    if error.occurred():
        raise SystemExit(f"{path}: {error.message}")
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_bytes(model)
    unfinished.replace(path)
    seconds, spent = time.time() - start, time.process_time() - cpu
    print(f"{path}: {len(model)} bytes, {seconds:.0f} s, {spent:.0f} s of processor time", flush=True)


def main() -> int:
    """Train the three parts and put them together."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    data = Path("../shared/data/ud")
    arguments.add_argument("model", type=Path, help="the model file to write")
    arguments.add_argument("--train", type=Path, default=data / "en_ewt-ud-train.conllu.xz")
    arguments.add_argument("--dev", type=Path, default=data / "en_ewt-ud-dev.conllu.xz")
    arguments.add_argument("--tokenizer-epochs", type=int, default=30)
    arguments.add_argument("--tagger-iterations", type=int, default=10)
    arguments.add_argument("--parser-iterations", type=int, default=15)
    arguments.add_argument("--tokenizer", default=TOKENIZER, help="settings of the tokenizer")
    arguments.add_argument("--tagger", default=TAGGER, help="settings of the tagger and lemmatizer")
    arguments.add_argument("--parser", default=PARSER, help="settings of the parser")
    options = arguments.parse_args()

    sentences, dev = read(options.train), read(options.dev)
    print(f"{len(sentences)} sentences, {len(dev)} for early stopping", flush=True)
    none = Trainer.NONE
    part = {name: Path(f"{options.model}.{name}") for name in ("tokenizer", "tagger", "parser")}
    kept = {name: f"from_model=file:{path}" for name, path in part.items()}
    tagger = options.tagger.format(iterations=options.tagger_iterations)
    train(part["tagger"], sentences, dev, none, tagger, none)
    tokenizer = options.tokenizer.format(epochs=options.tokenizer_epochs)
    train(part["tokenizer"], sentences, dev, tokenizer, none, none)
    parser = options.parser.format(iterations=options.parser_iterations)
    train(part["parser"], sentences, dev, none, kept["tagger"], parser)
    train(options.model, sentences, dev, kept["tokenizer"], kept["tagger"], kept["parser"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
