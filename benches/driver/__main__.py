"""``python3 -m driver`` in the directory ``benches``; ``scripts/bench`` does that from anywhere."""

import sys

from .cli import main

sys.exit(main())
