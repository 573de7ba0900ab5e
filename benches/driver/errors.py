"""What ends a run before there is a verdict."""


class RunError(Exception):
    """The run cannot go on: a wrong file, a failed installation, a closed gate, a broken peer."""
