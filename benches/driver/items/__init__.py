"""What can be measured. A new item is a module here and a line in this table."""

from .item import Item
from .manifest import MANIFEST
from .relay import RELAY
from .runtime import RUNTIME
from .search import SEARCH

ITEMS: dict[str, Item] = {item.name: item for item in (MANIFEST, SEARCH, RUNTIME, RELAY)}
