# SPDX-License-Identifier: Apache-2.0
"""A CRF over spans of SuPar, trained from scratch on the CPU, beside the packaged `en-phrases`.

    python -m benchmarks supar_peer [--peer-python PYTHON] [--sentences 6129] [--epochs 20] [--keep FOLDER]

SuPar's CRFConstituencyParser (two layers of 200, characters, no pretrained vectors) and `en-phrases` have the same
training data, the free part of GUM; GENTLE is text of other genres. Both get words without tags. Brackets are counted
by Accord. Words a second are those of one thread by CPU time, with reading and writing of brackets for SuPar.
`--sentences` and `--epochs` make the training of SuPar short; the table says how long it trained. `--keep` is a folder
where SuPar's model stays: one that was trained there is not trained again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import accord
from accord.data import Document, read
from accord.data.constituents import plain
from benchmarks.constituents.parsers import brackets, trees
from benchmarks.inference.solver_tables import table

CORPUS = "constituency/en_gumfree"
SCORED = ("dev", "test", "gentle")
PEER = """
import functools, json, os, sys, time
import torch
torch.set_num_threads(1)
torch.load = functools.partial(torch.load, weights_only=False)  # the models of SuPar 1.1 hold more than weights
from supar import CRFConstituencyParser
folder, epochs = sys.argv[1], int(sys.argv[2])
files = {part: f"{folder}/{part}.pid" for part in ("train", "dev", "test", "gentle")}
learnt = {part: files[part] for part in ("train", "dev", "test")}
common = dict(seed=1, device="-1", verbose=False, build=True, checkpoint=False, encoder="lstm", feat=["char"], mbr=True)
sizes = dict(n_embed=100, n_lstm_hidden=200, n_lstm_layers=2, n_span_mlp=200, n_label_mlp=100, embed=None, unk="unk")
steps = dict(lr=2e-3, mu=0.9, nu=0.9, eps=1e-12, weight_decay=1e-5, decay=0.75, decay_steps=5000)
trained = f"{folder}/trained.json"
if not os.path.exists(trained):
    begin = time.process_time()
    parser = CRFConstituencyParser.build(f"{folder}/model", **common, **sizes, **learnt)
    parser.train(**learnt, buckets=16, batch_size=500, epochs=epochs, patience=epochs, **common, **steps)
    json.dump(time.process_time() - begin, open(trained, "w"))
spent = json.load(open(trained))
parser = CRFConstituencyParser.load(f"{folder}/model")
seconds = {}
for part in ("dev", "test", "gentle"):
    begin = time.process_time()
    parser.predict(files[part], pred=f"{folder}/{part}.out", buckets=8, batch_size=5000, verbose=False)
    seconds[part] = time.process_time() - begin
json.dump({"training": spent, "seconds": seconds}, open(f"{folder}/times.json", "w"))
"""


def write_plain(document: Document, file: Path) -> None:
    """Trees as parsers learn them, one in each line, under a root of their own."""
    lines = (f"(TOP {plain(s.constituents).brackets(s.forms)})" for s in document.sentences)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--peer-python", default=sys.executable, help="interpreter in which SuPar is installed")
    asked.add_argument("--sentences", type=int, default=0, help="training sentences of SuPar; 0: all")
    asked.add_argument("--epochs", type=int, default=20, help="passes of SuPar")
    asked.add_argument("--keep", type=Path, help="folder of SuPar's model")
    asked.add_argument("--few", type=int, default=0, help="sentences of each scored set; 0: all")
    given = asked.parse_args()
    parts = {part: trees(f"{CORPUS}-{part}") for part in ("train", "dev", "test")}
    parts["gentle"] = trees("constituency/en_gentle-test")
    limits = {part: given.sentences if part == "train" else given.few for part in parts}
    parts = {
        part: Document.from_sentences(document.sentences[: limits[part] or None]) for part, document in parts.items()
    }
    parser = accord.load("en-phrases")
    rows = []
    for part in SCORED:
        untagged = parts[part].replace(xpos=["_"] * int(parts[part].heads.size))
        begin = time.process_time()
        found = [one.tree for one in parser.trees(untagged, threads=1)]
        speed = int(parts[part].heads.size) / (time.process_time() - begin)
        rows.append(("en-phrases", "", part, f"{brackets(found, parts[part]).f1:.2f}", f"{speed:,.0f}"))
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        for part, document in parts.items():
            write_plain(document, folder / f"{part}.pid")
        subprocess.run(
            [given.peer_python, "-W", "ignore", "-c", PEER, str(folder), str(given.epochs)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        times = json.loads((folder / "times.json").read_text())
        trained = f"{len(parts['train'])} sentences, {given.epochs} passes, {times['training']:,.0f} CPU s"
        for part in SCORED:
            out = read(folder / f"{part}.out", format="brackets")
            found = [plain(sentence.constituents) for sentence in out.sentences]
            speed = int(parts[part].heads.size) / times["seconds"][part]
            rows.append(("SuPar", trained, part, f"{brackets(found, parts[part]).f1:.2f}", f"{speed:,.0f}"))
    table("GUM-free, words without tags", ("parser", "training", "set", "F1", "words/s"), rows)


if __name__ == "__main__":
    main()
