"""`bayesic demo`: the textbook story of playing tennis."""

from typing import Any

import click

from bayesic.cli import options

DAY = ("Sunny", "Cool", "High", "Strong")
LOSS = {"play": {"Yes": 0, "No": 5}, "stay": {"Yes": 1, "No": 0}}


@click.command("demo")
@options.as_json
def command(as_json: bool) -> None:
    """The textbook story of playing tennis.

    Learns 14 days, computes a new one in fractions, says why, decides, and forgets a day.
    """
    from bayesic.cli.explain import print_reasons
    from bayesic.cli.output import print_json

    told = story()
    if as_json:
        names = ("work", "reasons")
        print_json(told | {name: told[name].to_dict() for name in names})
        return
    click.echo(f"{told['source']}: {told['days']} days. Shall we play when it is {told['day']}?\n")
    click.echo(told["work"])
    click.echo("\nWhy? The weight of evidence of each column:")
    print_reasons(told["reasons"])
    click.echo(
        f"\nEach day predicted from the {told['days'] - 1} others: accuracy {told['accuracy']:.4f}."
        f"\nPlaying in bad weather costs 5, a missed game 1: {told['action']} "
        f"(expected cost {told['risk']:.4f}).\n"
        f"Forget the first day: P(No) goes from {told['probability']:.4f} to "
        f"{told['probability_without_first_day']:.4f}."
    )


def story() -> dict[str, Any]:
    """All that is told, for JSON but for the work and the reasons."""
    import bayesic as by
    from bayesic.evidence.evaluation import evaluate

    days = by.datasets.play_tennis()
    table, target = days.to_dict(), days.target_name
    model = by.NaiveBayes(smoothing=0).fit(table, y=target)
    today = dict(zip(days.columns, DAY, strict=True))
    work, reasons = model.work(today), model.explain(today)
    probability = model.predict_proba([today])
    (action,), risk = by.decide(probability, LOSS, classes=model.classes_)
    held_out = model.leave_one_out(table, y=target)
    model.forget({name: cells[:1] for name, cells in table.items()}, y=target)
    return {
        "source": days.source,
        "days": len(days),
        "day": ", ".join(DAY),
        "work": work,
        "reasons": reasons,
        "probability": float(probability[0, 0]),
        "accuracy": evaluate(held_out, days.target, model.classes_).accuracy,
        "action": str(action),
        "risk": float(risk.min()),
        "probability_without_first_day": float(model.predict_proba([today])[0, 0]),
    }
