"""A text and its answer: how probable each class is, and what each word adds to that."""

from typing import Any

from bayesic.data.arguments import has_learned
from bayesic.evidence.marked_words import Mark, marked_words
from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.studio.text._text_opening import check_texts, label_of
from bayesic.studio.workspace import Studio

Piece = dict[str, Any]


async def ask(studio: Studio, request: ServerRequest) -> object:
    """What a model says to a text, and why: the text in pieces, each with its weight."""
    body = await request.json()
    check_fields(body, ("text",), ("answer",))
    text, answer = body["text"], body.get("answer")
    if not isinstance(text, str) or not isinstance(answer, str | None):
        raise ValueError(f"text must be a text, and answer a class, got {body!r:.100}.")
    state = request.store.state(request.name)
    check_texts(state.model)
    return {"seq": state.seq, **await request.of_model(state, answered, state.model, text, answer)}


def answered(model: Any, text: str, answer: str | None = None) -> dict[str, Any]:
    """The posterior, the weights of evidence, and the text in pieces.

    answer : the class to explain; None for the one that is predicted
    """
    if not has_learned(model):
        return {
            "classes": [],
            "pieces": pieces_of(text, marked_words({}, model._settings.tokenizer, text)),
        }
    label = None if answer is None else label_of(model, answer)
    (reason,) = model.explain([text], answer=label)  # a list: a text is never taken for a path
    probability = reason.probability
    return {
        "text": text,
        "answer": str(reason.answer),
        "against": None if reason.against is None else str(reason.against),
        "predicted": str(max(probability, key=probability.__getitem__)),
        "classes": [
            {"name": str(label), "probability": share} for label, share in probability.items()
        ],
        "prior": reason.prior_log_odds,
        "log_odds": reason.log_odds,
        "weights": [
            {"word": word, "weight": weight, "times": reason.values.get(word, "")}
            for word, weight in reason.strongest_first()
        ],
        "impossible": reason.is_impossible,
        "pieces": pieces_of(text, marked_words(reason.weights, model.tokenizer_, text)),
    }


def pieces_of(text: str, marks: list[Mark]) -> list[Piece]:
    """All of a text in pieces: words with their weights, and what is between them.

    >>> pieces_of("a free day", [Mark(2, 6, {"free": 1.5}), Mark(7, 10)])
    [{'text': 'a '},
     {'text': 'free', 'weight': 1.5, 'tokens': [('free', 1.5)]},
     {'text': ' '},
     {'text': 'day', 'weight': None, 'tokens': []}]
    """
    pieces: list[Piece] = []
    start = 0
    for mark in marks:
        if mark.begin > start:
            pieces.append({"text": text[start : mark.begin]})
        word, tokens = text[mark.begin : mark.end], [*mark.tokens.items()]
        pieces.append({"text": word, "weight": mark.weight, "tokens": tokens})
        start = mark.end
    return pieces if start == len(text) else [*pieces, {"text": text[start:]}]
