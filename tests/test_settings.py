# SPDX-License-Identifier: Apache-2.0
"""Settings: declared once, checked everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from accord.errors import ConfigError
from accord.settings import make_settings, read_settings, to_toml
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.options import ParseOptions, Search


def test_pairs_override_the_file_which_overrides_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('rule = "crf"\nepochs = 4\nrate = 1\n')
    config = read_settings(ParserConfig, file, ["epochs=7", "projective=true"])
    assert (config.rule, config.epochs, config.rate, config.projective) == ("crf", 7, 1.0, True)
    assert config.seed == ParserConfig().seed


def test_a_written_file_reads_back_as_the_same_settings(tmp_path: Path) -> None:
    config = make_settings(
        ParserConfig, {"rule": "svm", "templates": 'a "quoted" \\ path', "l2": 1e-5, "average": False}
    )
    file = tmp_path / "c.toml"
    file.write_text(to_toml(config))
    assert read_settings(ParserConfig, file) == config


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("epoch=3", "unknown setting 'epoch', perhaps 'epochs'; there are: "),
        ("epochs=three", "expected int"),
        ("epochs=0", "expected a value in"),
        ("rate=nan", "expected a value in"),
        ("rate=1e999", "expected a value in"),
        ("rate=1e13", "expected a value in"),
        ("l2=-inf", "expected a value in"),
        ("rule=magic", "expected one of"),
        ("projective=maybe", "expected bool"),
        ("epochs", "expected key=value"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(pair: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        read_settings(ParserConfig, None, [pair])


def test_a_broken_or_missing_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "b.toml"
    broken.write_text("rule = [")
    with pytest.raises(ConfigError, match=r"b\.toml"):
        read_settings(ParserConfig, broken)
    with pytest.raises(ConfigError, match=r"absent\.toml"):
        read_settings(ParserConfig, tmp_path / "absent.toml")
    with pytest.raises(ConfigError, match="expected int"):
        make_settings(ParserConfig, {"epochs": True})


@pytest.mark.parametrize("value", [1.5, "2", None, 2**31, 10**5000], ids=["half", "text", "none", "large", "huge"])
def test_options_in_python_take_numbers_alone(value: object) -> None:
    with pytest.raises(ConfigError, match=r"^threads = .{1,70}: expected"):
        ParseOptions(threads=value)  # type: ignore[arg-type]


def test_a_long_value_is_shown_by_its_beginning() -> None:
    with pytest.raises(ConfigError, match=r"^epochs = '9{59}\.\.\.: expected int$"):
        make_settings(ParserConfig, {"epochs": "9" * 5000})


def test_a_number_beyond_all_floats_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text(f"rate = {'9' * 400}\n")
    with pytest.raises(ConfigError, match=r"^rate = 9{60}\.\.\.: expected"):
        read_settings(ParserConfig, file)
    assert Search(seconds=float("inf")).seconds > 1e300


def test_numbers_of_numpy_are_numbers() -> None:
    assert ParseOptions(k=np.int64(2)).k == 2
