# SPDX-License-Identifier: Apache-2.0
"""What the packaged Chinese model knows beside its treebank: a dictionary, and text for word clusters, in both scripts.

    python tools/chinese_lexicon.py dictionary words.txt
    python tools/chinese_lexicon.py text RAW_TEXT_FOLDER text.txt
    accord segment text.txt --model tokens.accord > text.seg
    accord cluster text.seg --method exchange --to simplified.txt
    python tools/chinese_lexicon.py clusters simplified.txt traditional.conllu clusters.txt

needs the packages opencc (or opencc-python-reimplemented, Apache 2.0) and, for the dictionary, jieba (MIT); nothing of
Accord. The dictionary has the words of jieba with a frequency of ``--least`` or more, each with the rounded logarithm
of its frequency, and the same words in traditional characters. The text is Wikipedia (CC BY-SA), transcripts (CC0),
recipes and laws (public domain), in simplified characters. Clusters of simplified words become those of the same words
in traditional characters.
"""

from __future__ import annotations

import argparse
import lzma
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import opencc

TEXTS = ("zht_wiki_drcd", "zhs_wiki_cmrc", "zht_transcripts", "zhs_howtocook", "zhs_laws")
LONGEST = 5  # characters of a word of the dictionary
OFTEN = 8  # words of a cluster that are seen less often are not added in traditional characters


def is_han(word: str) -> bool:
    return all("\u4e00" <= character <= "\u9fff" for character in word)


def dictionary(least: int) -> Iterable[str]:
    import jieba

    traditional = opencc.OpenCC("s2t")
    found: dict[str, int] = {}
    with (Path(jieba.__file__).parent / "dict.txt").open(encoding="utf-8") as file:
        for line in file:
            word, count, _ = line.split()
            if len(word) > LONGEST or not is_han(word) or int(count) < (1 if len(word) == 1 else least):
                continue
            for form in {word, traditional.convert(word)}:
                if len(form) == len(word):
                    found[form] = max(round(math.log(int(count))), found.get(form, 0))
    return (f"{word}\t{logarithm}" for word, logarithm in sorted(found.items()))


def simplified_text(folder: Path) -> Iterable[str]:
    converter = opencc.OpenCC("t2s")
    characters: dict[str, str] = {}  # one by one, as no text is of other use than to be counted
    for name in TEXTS:
        with lzma.open(folder / f"{name}.txt.xz", "rt", encoding="utf-8") as file:
            for line in file:
                for character in set(line) - set(characters):
                    found = converter.convert(character)
                    characters[character] = found if len(found) == 1 else character
                if line.strip():
                    yield "".join(characters[character] for character in line.strip())


def both_scripts(clusters: Mapping[str, tuple[str, str]], treebank: Path) -> Iterable[str]:
    """Clusters of words, also of their traditional forms: those of OpenCC, and those of a treebank."""
    to_traditional, to_simplified = opencc.OpenCC("s2t"), opencc.OpenCC("t2s")
    found = dict(clusters)
    for word, (path, count) in clusters.items():
        form = to_traditional.convert(word)
        if int(count) >= OFTEN and len(form) == len(word):
            found.setdefault(form, (path, count))
    for line in treebank.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) == 10 and (simple := to_simplified.convert(fields[1].lower())) in clusters:
            found.setdefault(fields[1].lower(), clusters[simple])
    rows = sorted((path, count, word) for word, (path, count) in found.items())
    return (f"{path}\t{word}\t{count}" for path, count, word in rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = options.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("dictionary")
    verb.add_argument("target", type=Path)
    verb.add_argument("--least", type=int, default=5, help="frequency of a word of two characters or more")
    verb = verbs.add_parser("text")
    verb.add_argument("folder", type=Path)
    verb.add_argument("target", type=Path)
    verb = verbs.add_parser("clusters")
    verb.add_argument("source", type=Path)
    verb.add_argument("treebank", type=Path, help="in traditional characters")
    verb.add_argument("target", type=Path)
    arguments = options.parse_args()
    if arguments.verb == "dictionary":
        lines = dictionary(arguments.least)
    elif arguments.verb == "text":
        lines = simplified_text(arguments.folder)
    else:
        rows = [line.split("\t") for line in arguments.source.read_text(encoding="utf-8").splitlines()]
        lines = both_scripts({word: (path, count) for path, word, count in rows}, arguments.treebank)
    with arguments.target.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
