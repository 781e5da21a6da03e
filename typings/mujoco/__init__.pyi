# MuJoCo's compiled modules carry no types that pyright can find.
from typing import Any

def __getattr__(name: str) -> Any: ...
