"""Examples that are one click away. Each is made when it is opened, from what a user could give."""

from collections.abc import Callable

from bayesic import datasets
from bayesic.networks.network import BeliefNetwork

# What is asked of a mail is whether a word is in it, so a row is the set of its words.
MAILS = (
    ("win a free prize now", "spam"),
    ("free money click now", "spam"),
    ("click to win a prize", "spam"),
    ("your free prize is waiting", "spam"),
    ("money money money now", "spam"),
    ("lunch at noon", "ham"),
    ("meeting moved to noon", "ham"),
    ("are you free for lunch", "ham"),
    ("notes of the meeting", "ham"),
    ("call me now about the meeting", "ham"),
    ("the prize committee has a meeting", "ham"),
)
WORDS = ("free", "prize", "money", "now", "click", "meeting", "lunch")


def play_tennis() -> BeliefNetwork:
    """Naive Bayes of the 14 days of [Mitchell] table 3.2, as a network: shares as they are."""
    table = datasets.play_tennis()
    edges = [(table.target_name, column) for column in table.columns]
    return BeliefNetwork(edges).fit(table.to_dict())


def mails() -> BeliefNetwork:
    """Which words are in a mail, given what it is, from eleven mails, with Laplace smoothing."""
    rows = {word: ["yes" if word in text.split() else "no" for text, _ in MAILS] for word in WORDS}
    yes_or_no = dict.fromkeys(WORDS, ("yes", "no"))
    net = BeliefNetwork([("mail", word) for word in WORDS], states={"mail": None, **yes_or_no})
    return net.fit({"mail": [label for _, label in MAILS], **rows}, smoothing=1)


EXAMPLES: dict[str, tuple[str, Callable[[], BeliefNetwork]]] = {  # name -> title, and how
    "asia": ("Chest clinic (ASIA)", datasets.asia),
    "tennis": ("Play tennis", play_tennis),
    "mails": ("Mails: spam or not", mails),
    "campfire": ("Storm, bus tour and campfire", lambda: datasets.campfire(0.25, 0.5)),
}
