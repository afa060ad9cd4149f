"""The whole way on one page: a mixed table, probabilities, reasons, a decision, forgetting."""

import bayesic as by

DEGREES = [34, 33, 28, 22, 15, 6, 13, 21, 14, 20, 23, 22, 27, None]  # one was not measured
LOSS = {"stay at home": {"No": 0, "Yes": 1}, "play": {"No": 5, "Yes": 0}}


def main() -> None:
    tennis = by.datasets.play_tennis()
    words, target = tennis.to_dict(), tennis.target_name
    print(f"{tennis.source}: {len(tennis)} days.\n")

    print("The calculation of the book, for a day that is sunny, cool, humid and windy:")
    plain = by.NaiveBayes(smoothing=0).fit(words, y=target)
    print(plain.work(("Sunny", "Cool", "High", "Strong")))

    print("\nThe same table with degrees instead of hot, mild and cool, as it is:")
    days = {**words, "Temperature": DEGREES}
    model = by.NaiveBayes().fit(days, y=target)
    print("  " + ", ".join(f"{column}: {kind}" for column, kind in model.kinds_.items()))
    today = {"Outlook": "Sunny", "Temperature": 8, "Humidity": "High", "Wind": "Strong"}
    probability = model.predict_proba([today])
    for label, p in zip(model.classes_, probability[0], strict=True):
        print(f"  P({label:>3} | day) = {p:.4f}  {'#' * round(40 * p)}")

    print("\nWhy? Each column's weight of evidence:")
    print(model.explain(today))

    right = model.classes_[model.leave_one_out(days, y=target).argmax(axis=1)] == tennis.target
    print(f"\nEach day predicted from the {len(tennis) - 1} others: accuracy {right.mean():.4f}")

    print("\nIf playing in bad weather costs 5 and a missed game costs 1:")
    (action,), (risks,) = by.decide(probability, LOSS, classes=model.classes_)
    print(f"  expected loss: stay {risks[0]:.4f}, play {risks[1]:.4f}: {action}")

    first_day = {column: cells[:1] for column, cells in days.items()}
    before = probability[0, 0]
    after = model.forget(first_day, y=target).predict_proba([today])[0, 0]
    print(f"\nForget the first day: P(No | day) goes from {before:.4f} to {after:.4f}")
    again = model.partial_fit(first_day, y=target).predict_proba([today])[0, 0]
    print(f"Learn it again:       P(No | day) is back at {again:.4f}")

    print("\nTo see all this on a page: make studio, or: bayesic studio")


if __name__ == "__main__":
    main()
