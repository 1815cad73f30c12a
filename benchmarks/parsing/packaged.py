# SPDX-License-Identifier: Apache-2.0
"""The packaged English parser: how far its confidences can be trusted, and what long sentences cost.

    python -m benchmarks packaged

Confidences are measured on UD English-EWT dev, on which the temperature was fitted too: read them as the best case.
Long sentences are the first words of the dev set run together; time and peak memory are those of a process of their
own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import accord
from accord.evaluation import calibration
from benchmarks.places import DATA

DEV = DATA / "ud" / "en_ewt-ud-dev.conllu.xz"


def confidences() -> None:
    document = accord.data.read(DEV)
    parser = accord.Parser.load("en")
    trees = parser.trees(document, probabilities=True, threads=1)
    found = calibration(parser.arc_confidences(trees)[0], trees.heads == document.heads)
    print("| confidence | words | mean confidence | right |\n|---|---|---|---|")
    for part in found.bins:
        figures = f"{part.count} | {part.confidence:.3f} | {100 * part.accuracy:.1f} %"
        print(f"| {part.low:.1f}-{part.high:.1f} | {figures} |")


def long_sentence(count: int) -> None:
    words = [word for sentence in accord.data.read(DEV).sentences for word in sentence.words][:count]
    columns = {name: [getattr(word, name) for word in words] for name in ("upos", "xpos", "feats")}
    sentence = accord.Sentence.from_words([w.form for w in words], lemmas=[w.lemma for w in words], **columns)
    parser = accord.Parser.load("en")
    started = time.process_time()
    parser(sentence)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {count} | {time.process_time() - started:.1f} | {peak:.0f} |")


def main() -> None:
    if len(sys.argv) > 1:
        return long_sentence(int(sys.argv[1]))
    confidences()
    print("\n| words | CPU s | peak MB |\n|---|---|---|", flush=True)
    for count in (1000, 2000, 5000):
        subprocess.run([sys.executable, __file__, str(count)], check=True)


if __name__ == "__main__":
    main()
