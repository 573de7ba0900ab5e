"""Runs a tool and tells what it said if it fails."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import RunError


def run(
    arguments: Sequence[str], directory: Path, environment: Mapping[str, str] | None = None
) -> None:
    """Runs to the end. The output is shown only if something goes wrong."""
    try:
        done = subprocess.run(
            arguments,
            cwd=directory,
            env=os.environ | (environment or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            encoding="utf-8",
        )
    except OSError as error:
        raise RunError(f"{arguments[0]}: {error}") from error
    if done.returncode != 0:
        raise RunError(f"`{' '.join(arguments)}` failed:\n{done.stdout.strip()}")
