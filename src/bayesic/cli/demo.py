"""`bayesic demo`: two stories of textbooks."""

from collections.abc import Mapping
from typing import Any

import click

import bayesic as by
from bayesic.cli._output import print_json
from bayesic.cli.explain import print_reasons

DAY = ("Sunny", "Cool", "High", "Strong")
LOSS = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}


# [IIR] example 13.1
TEXT_SOURCE = "Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), ex. 13.1"
TEXTS = {
    "Chinese Beijing Chinese": "China",
    "Chinese Chinese Shanghai": "China",
    "Chinese Macao": "China",
    "Tokyo Japan Chinese": "other",
}
NEW_TEXT = "Chinese Chinese Chinese Tokyo Japan"


def demo(texts: bool, as_json: bool) -> None:
    """Tell one of the stories."""
    facts = _text_story() if texts else story()
    if as_json:
        names = ("work", "reasons")
        print_json(facts | {name: facts[name].to_dict() for name in names})
    elif texts:
        _print_text_story(facts)
    else:
        _print_story(facts)


def _print_story(facts: Mapping[str, Any]) -> None:
    """The story of the days."""
    click.echo(
        f"{facts['source']}: {facts['days']} days. Shall we play when it is {facts['day']}?\n"
    )
    click.echo(facts["work"])
    click.echo("\nWhy? The weight of evidence of each column:")
    print_reasons(facts["reasons"])
    click.echo(
        f"\nEach day predicted from the {facts['days'] - 1} others: "
        f"accuracy {facts['accuracy']:.4f}."
        f"\nPlaying in bad weather costs 5, a missed game 1: {facts['action']} "
        f"(expected cost {facts['risk']:.4f}).\n"
        f"Forget the first day: P(No) goes from {facts['probability']:.4f} to "
        f"{facts['probability_without_first_day']:.4f}."
    )


def _print_text_story(facts: Mapping[str, object]) -> None:
    """The story of the texts."""
    click.echo(
        f"{facts['source']}: {facts['texts']} texts. Is this about China: {facts['text']}?\n"
    )
    click.echo(facts["work"])
    click.echo("\nWhy? The weight of evidence of each word, as often as it occurs:")
    print_reasons(facts["reasons"])
    click.echo(
        f"\nForget the first text: P(China) goes from {facts['probability']:.4f} to "
        f"{facts['probability_without_first_text']:.4f}."
    )


def _text_story() -> dict[str, Any]:
    """The story of texts as JSON, except the work and the reasons."""
    texts, labels = list(TEXTS), list(TEXTS.values())
    model = by.TextClassifier().fit(texts, labels)
    facts = {
        "source": TEXT_SOURCE,
        "texts": len(texts),
        "text": NEW_TEXT,
        "work": model.work(NEW_TEXT),
        "reasons": model.explain(NEW_TEXT),
        "probability": float(model.predict_proba([NEW_TEXT])[0, 0]),
    }
    model.forget(texts[:1], labels[:1])
    return facts | {"probability_without_first_text": float(model.predict_proba([NEW_TEXT])[0, 0])}


def story() -> dict[str, Any]:
    """The whole story as JSON, except the work and the reasons."""
    days = by.datasets.play_tennis()
    table, target = days.to_dict(), days.target_name
    model = by.NaiveBayes(smoothing=0).fit(table, y=target)
    today = dict(zip(days.columns, DAY, strict=True))
    work, reasons = model.work(today), model.explain(today)
    probability = model.predict_proba([today])
    (action,), risk = by.decide(probability, LOSS, classes=model.classes_)
    held_out = by.evaluate(model, table, target, cv="leave-one-out")
    model.forget({name: cells[:1] for name, cells in table.items()}, y=target)
    return {
        "source": days.source,
        "days": len(days),
        "day": ", ".join(DAY),
        "work": work,
        "reasons": reasons,
        "probability": float(probability[0, 0]),
        "accuracy": held_out.accuracy,
        "action": str(action),
        "risk": float(risk.min()),
        "probability_without_first_day": float(model.predict_proba([today])[0, 0]),
    }
