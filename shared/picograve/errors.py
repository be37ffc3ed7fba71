"""What the user can mend: a text of one line that says how."""


class BadInput(ValueError):
    """A game, move, setting or budget that cannot be; the text says what can."""
