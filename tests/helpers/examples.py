"""How many examples a property test looks at."""

from hypothesis import settings


def at_most(examples: int) -> settings:
    """So many examples, or fewer where the profile asks for fewer: `make quick` does.

    The only way to say it: `@settings(max_examples=...)` would go over the head of the profile.
    """
    return settings(max_examples=min(examples, settings.default.max_examples))
