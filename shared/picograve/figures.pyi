"""figures.py for type checkers, which cannot follow a list of names into a namedtuple."""

from typing import Any, Self

FIGURES: tuple[str, ...]
MEASURED: tuple[str, ...]

class Result(tuple[Any, ...]):
    def __new__(cls, *values: Any, **named: Any) -> Self: ...
    value: float
    visits: dict[str, int] | None
    move: str
    _fields: tuple[str, ...]
    def __getattr__(self, figure: str) -> Any: ...
    def _asdict(self) -> dict[str, Any]: ...

def report(visits: dict[str, int] | None, **figures: Any) -> Result: ...
