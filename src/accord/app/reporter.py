# SPDX-License-Identifier: Apache-2.0
"""Training as the command line tells it: a line for every epoch, a bar inside an epoch, notes and warnings."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from accord.app import console
from accord.learning import EpochReport, Progress, Reporter


def epoch_line(report: EpochReport, unit: str = "words") -> str:
    """What is said of an epoch; ``unit``: what its speed counts. A star marks the best epoch so far."""
    told = [f"epoch {report.epoch}", f"loss {report.objective:.1f}"]
    told += [f"dev {name} {value:.2f}" for name, value in report.scores.items()]
    told += [f"{name} {value:.6g}" for name, value in report.figures.items()]
    if report.words_per_second:
        told += [f"{report.words_per_second:,.0f} {unit}/s", f"{report.cpu_seconds:.1f} CPU s"]
    return "  ".join(told) + (" *" if report.best and report.scores else "")


class ConsoleReporter(Reporter):
    """Reports to standard error. A context: the bar goes away at its end."""

    def __init__(self, unit: str = "words") -> None:
        self._unit = unit
        self._console = console.error_console()
        self._scores = ""
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
            TextColumn("eta"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._line = self._bar.add_task("training", total=None, figures="")

    def __enter__(self) -> ConsoleReporter:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def progress(self, now: Progress) -> None:
        speed = f"  {now.words_per_second:,.0f} {self._unit}/s" if now.words_per_second else ""
        self._bar.update(
            self._line,
            total=now.epochs * now.total,
            completed=(now.epoch - 1) * now.total + now.done,
            description=f"{self._prefix()}epoch {now.epoch}/{now.epochs}",
            figures=f"loss {now.objective:.3f}  {self._scores}{speed}",
        )

    def epoch(self, report: EpochReport) -> None:
        self._scores = "  ".join(f"{name} {value:.2f}" for name, value in report.scores.items())
        self._say(self._prefix() + epoch_line(report, self._unit))

    def note(self, message: str) -> None:
        self._say(self._prefix() + message)

    def warn(self, message: str) -> None:
        self._say(f"accord: warning: {message}")

    def _prefix(self) -> str:
        return f"{self.step}: " if self.step else ""

    def _say(self, line: str, **how: Any) -> None:
        self._console.print(line, markup=False, soft_wrap=True, **how)
