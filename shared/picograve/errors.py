"""What goes wrong in ways a user can understand: texts of one line."""


class BadInput(ValueError):
    """A game, move, setting or budget that cannot be; the text says what can."""


class RunFailed(Exception):
    """What was asked for is fine, but it could not be done: a board that has gone, a build."""
