"""settings.py for type checkers; made from it by `python -m picograve_host.settings`."""

from typing import Any, TypedDict

SETTINGS: tuple[Any, ...]
PRESETS: dict[str, dict[str, Any]]
VARIANTS: dict[str, dict[str, Any]]

def described() -> dict[str, tuple[str, str]]: ...

class Settings(TypedDict, total=False):
    """What picograve.Config takes besides a search and a preset."""

    playouts: int | None
    playouts_top: int | None
    playouts_second: int | None
    bias: float | None
    ref: int | None
    exploration: float | None
    explore: int | None
    hope: int | None
    share: float | None
    sharing: bool | None
    recycling: str | None
    playout_policy: str | None
    epsilon: float | None
    decay: float | None
    table_after: int | None
    lean: int | None
    wide_tables: int | None
    inherit: int | None
    amaf_span: float | None
    expand_after: int | None
    recycle_by: str | None
    prior: int | None
    priors: str | None
    replies: str | None
    mercy: bool | None
    early_after: int | None
    early_margin: float | None
    reuse: bool | None
    rave_k: int | None
    switch: float | None
    depth: int | None
    quiet: int | None
    positions: int | None
    episodes: int | None
    alpha: float | None
    gamma: float | None
    wander: float | None
    ties: str | None
    reward: str | None
    variant: str | None
    root_policy: str | None
    root_epsilon: float | None
    final: str | None
    backup: str | None
    fap_segments: int | None
    fap_lengths: str | None
    fap_factors: str | None
    steepness: float | None
    bonus_by: str | None
    bonus_view: str | None
    wp_near: float | None
    wp_far: float | None
    wp_index: int | None
    wp_relative: bool | None
    wp_scaled: bool | None
    playout_limit: int | None
