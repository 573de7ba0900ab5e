"""What the figures were taken on."""

import os
import platform
from pathlib import Path


def load_average() -> str:
    """How busy the machine is, over 1, 5 and 15 minutes."""
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def describe() -> dict[str, str]:
    """Processor, system and the driver's own Python."""
    return {
        "processor": _processor(),
        "cores": f"{os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()}",
        "python": f"Python {platform.python_version()}",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())
