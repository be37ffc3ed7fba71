"""A game's moves in six digits: two games of the same number that differ are told apart though
the moves of neither are at hand. By chance, one pair in a million is not."""

import hashlib
from typing import Any


def digest_of(moves: str) -> int:
    return int.from_bytes(hashlib.sha256(moves.encode()).digest()[:8]) % 10**6


def digest_in(record: dict[str, Any]) -> int | None:
    """Of a game in the store; None if nothing is known of its moves."""
    if record.get("moves") is not None:
        return digest_of(record["moves"])
    return record.get("digest")
