"""Which search, with which settings: names composed from a few parts.

Names of tree searches are a tree policy (listed in mcts/select), with `r` where the least
recently used node is recycled when a pool is full, and `2` for a search in two levels. The
others have no such tree: `policy` plays the move that its playout policy would, `alphabeta`
looks ahead, `sarsa` and `qlearning` have learned. The settings are listed in settings.py.
"""

from picograve.errors import BadInput
from picograve.kernel import RUNTIME
from picograve.mcts.select import SELECT
from picograve.settings import PRESETS, SETTINGS

if RUNTIME != "micropython":
    from typing import TYPE_CHECKING, Any

    from picograve.settings import VARIANTS, described

    if TYPE_CHECKING:
        from typing import Self, Unpack

        from picograve.settings import Settings

USUAL = "uniform"  # preset of those who name none: a search as it is called, nothing added
LEARNERS = ("sarsa", "qlearning")
ONE_LEVEL_PLAYOUTS = 10000  # of a recycling search, for those who name none
DEEPEST = 32  # plies of alpha-beta: a position each is kept
TOP_RATIO = 2  # P_top / N_top of a recycling top level: N = 160, P_top = 160 in the paper


def searches() -> tuple[str, ...]:
    """The names of all searches, those with a tree first."""
    trees = [policy + kind for policy in SELECT for kind in ("", "2", "r", "r2")]
    return tuple(trees) + ("policy", "alphabeta") + LEARNERS


class Config:
    """A search and its settings; what is not given is the preset's. SETTINGS.md lists them all. A
    setting that the search does not use is refused."""

    def __init__(
        self, search: str = "graver2", preset: str = USUAL, **settings: "Unpack[Settings]"
    ) -> None:
        if RUNTIME != "micropython":
            given = [name for name, value in settings.items() if value is not None]
        self._make(search, preset, settings)
        if RUNTIME != "micropython":
            for name in given:
                if not self.uses(name):
                    self._refuse(name)

    def _make(self, search, preset, settings):
        _need_choice("search", search, searches())
        _need_choice("preset", preset, PRESETS)
        self.preset = preset
        changes = PRESETS[preset]
        if RUNTIME != "micropython":
            search, changes = _with_variant(search, changes, settings.pop("variant", None))
        self.search = search
        self._set(changes, settings)
        stem = search.rstrip("2")
        recycles = stem not in SELECT and stem[:-1] in SELECT
        self.policy = stem[:-1] if recycles else stem  # of the tree
        self.has_tree = self.policy in SELECT
        self.two_levels = stem != search
        self.recycles_top = recycles and (not self.two_levels or self.recycling != "second")
        self.recycles_second = recycles and self.two_levels and self.recycling != "top"
        self._check_playouts()

    @property
    def default_nodes(self) -> int:
        """For those who name no size."""
        recycles = self.recycles_top or self.recycles_second
        return SELECT[self.policy][2][2 * recycles + self.two_levels]

    def _set(self, changes, settings):
        """Each setting as given, or as the preset changes it."""
        rows = iter(SETTINGS)
        for name, default, least, most in zip(rows, rows, rows, rows):
            value = settings.pop(name, None)
            if RUNTIME != "micropython":
                _need_type(name, value, default, least, most)
            if value is None:
                value = changes.get(name, default)
            elif isinstance(default, str):
                if least:
                    _need_choice(name, value, least.split())
            elif not least <= value <= most:
                name = "lambda" if name == "share" else name
                raise BadInput("%s must be %s to %s, not %s" % (name, least, most, value))
            setattr(self, name, value)
        if settings:
            _need_choice("setting", settings.popitem()[0], SETTINGS[::4])

    def _check_playouts(self):
        if self.playouts is not None and (self.playouts_top or self.playouts_second):
            raise BadInput("give playouts, or playouts_top and playouts_second, not both")
        if not self.two_levels and self.playouts_second is not None:
            raise BadInput("%s has one level: give playouts" % self.search)
        if not self.has_tree and (self.playouts or self.playouts_top):
            raise BadInput("%s makes no playouts: leave playouts out" % self.search)

    if RUNTIME != "micropython":  # see position.py
        if TYPE_CHECKING:  # the settings are attributes

            def __getattr__(self, setting: str) -> Any: ...

        @classmethod
        def tolerant(cls, search: str, preset: str = USUAL, **settings: "Any") -> "Self":
            """A configuration that may have settings which its search does not use: of players
            that share their settings, and of games recorded before such were refused."""
            config = cls.__new__(cls)
            config._make(search, preset, settings)
            return config

        @property
        def has_many_tables(self) -> bool:
            """AMAF tables, of other nodes than roots, too."""
            return self.has_tree and SELECT[self.policy][1] == MANY

        def uses(self, setting: str, policies: tuple[str, ...] | None = None) -> bool:
            """Whether its search uses a setting. `policies` are the names of its playout policies,
            which may depend on the game; without them what they could be counts."""
            who, _, levels = _DESCRIBED[setting][0].partition(" with two")
            if levels and not self.two_levels:
                return False
            if policies is None:
                policies = tuple(self.playout_policy.split("+"))
                if any(name not in PLAYOUT for name in policies):  # perhaps a set of the game's
                    policies += tuple(PLAYOUT)
            if who in _USERS:
                return _USERS[who](self, policies)
            return self.has_tree and any(
                setting in getattr(part, "USES", ()) for part in self._parts(policies)
            )

        def _parts(self, policies):
            """The modules of its search that have settings of their own."""
            from picograve.mcts.parts import module  # whose parts need this file

            names = [SELECT[self.policy][0]]
            names += [PLAYOUT[name][0] for name in policies if name in PLAYOUT]
            names += [REWARD[self.reward][0]] if self.reward in REWARD else []
            names += [ROOT[self.root_policy]] if self.root_policy in ROOT else []
            names += [BACKUP[self.backup]] if self.backup in BACKUP else []
            return [module(name) for name in names]

        def _refuse(self, setting):
            used = [_spoken(name) for name in SETTINGS[::4] if self.uses(name)]
            raise BadInput(
                "%s does not use %s, which is for %s; it uses %s"
                % (self.search, _spoken(setting), _DESCRIBED[setting][0], ", ".join(used))
            )

        @property
        def given(self) -> dict:
            """The settings that are not usual: Config(search, **given) is this configuration."""
            usual = Config(self.search, self.preset)
            given = {} if self.preset == USUAL else {"preset": self.preset}
            for name in SETTINGS[::4]:
                if getattr(self, name) != getattr(usual, name) and self.uses(name):
                    given[name] = getattr(self, name)
            return given

        def __repr__(self) -> str:
            given = [repr(self.search)] + ["%s=%r" % item for item in self.given.items()]
            return "Config(%s)" % ", ".join(given)


def scaled(value: float, by: int) -> int:
    """value * by, rounded; four decimals of value count. In whole numbers, because a chip's
    short floats would round some products to another side than a desktop's."""
    return (round(value * 10000) * by + 5000) // 10000


def _need_choice(name, value, choices):
    if value not in choices:
        raise BadInput("no %s called %s; there are %s" % (name, value, ", ".join(choices)))


if RUNTIME != "micropython":
    from inspect import Parameter, Signature
    from numbers import Integral, Real

    from picograve.mcts.backup import BACKUP
    from picograve.mcts.playout import PLAYOUT
    from picograve.mcts.reward import REWARD
    from picograve.mcts.root import ROOT
    from picograve.mcts.select import MANY

    _DESCRIBED = described()
    # Who uses a setting, in the words of settings.py: asked of a Config and its playout policies.
    _USERS = {
        "trees": lambda config, policies: config.has_tree,
        "two levels": lambda config, policies: config.two_levels,
        "recycling": lambda config, policies: config.recycles_top or config.recycles_second,
        "searches with AMAF": lambda config, policies: (
            config.has_tree and SELECT[config.policy][1] != 0
        ),
        "many AMAF tables": lambda config, policies: config.has_many_tables,
        "trees and policy": lambda config, policies: config.has_tree or config.search == "policy",
        "several playout policies": lambda config, policies: config.has_tree and len(policies) > 1,
        "alphabeta": lambda config, policies: config.search == "alphabeta",
        "sarsa and qlearning": lambda config, policies: config.search in LEARNERS,
    }
    _OF_VARIANTS = ("uct", "tuned")  # tree policies
    _TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}

    def _with_variant(search, changes, variant):
        """The search and the preset's changes with those of a variant; a configuration keeps the
        parts, not the name."""
        if variant is None or variant == "none":
            return search, changes
        _need_type("variant", variant, "none", None, None)
        _need_choice("variant", variant, VARIANTS)
        policy = search.rstrip("2")
        policy = policy if policy in SELECT else policy[:-1]
        if policy not in _OF_VARIANTS:
            raise BadInput(
                "variant %s is for uct, uct2, uctr and uctr2, not %s: give one as the search"
                % (variant, search)
            )
        stem = "tuned" if variant == "ucb1-tuned" else "uct"
        return stem + search[len(policy) :], changes | VARIANTS[variant]

    def _spoken(name):
        """A setting's name for users: Python keeps `lambda` for itself."""
        return "lambda" if name == "share" else name

    def _kind(default):
        return int if default is None else type(default)

    def _need_type(name, value, default, least, most):
        kind = _kind(default)
        if kind is bool:
            good = value in (False, True)
        else:
            good = isinstance(value, {int: Integral, float: Real, str: str}[kind])
            good = good and not isinstance(value, bool)
        if value is not None and not good:
            limits = ", %s to %s" % (least, most) if kind in (int, float) else ""
            raise BadInput("%s is %s%s, not %r" % (_spoken(name), _TYPES[kind], limits, value))

    SEARCHES = searches()
    TREE_SEARCHES = tuple(search for search in SEARCHES if Config(search).has_tree)

    def _parameter(name, default, kind=None):
        return Parameter(
            name,
            Parameter.KEYWORD_ONLY if kind else Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=kind or str,
        )

    # What help(Config) shows: the defaults of the usual preset.
    Config.__signature__ = Signature(  # type: ignore[attr-defined]
        [_parameter("search", "graver2"), _parameter("preset", USUAL)]
        + [
            _parameter(name, PRESETS[USUAL].get(name, default), _kind(default))
            for name, default in zip(SETTINGS[::4], SETTINGS[1::4])
        ]
    )
