"""The error that networks raise: it knows which variable it speaks of."""


class NetworkError(ValueError):
    """A network that cannot be; `variable` names the culprit, so that files can tell its line."""

    def __init__(self, message: str, variable: str | None = None) -> None:
        super().__init__(message)
        self.variable = variable

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.variable)
