"""The whole way on one page: learn, predict, evaluate, explain, update, forget."""

import numpy as np

import bayesic as by


def main() -> None:
    table = by.datasets.play_tennis()
    X, y = table.codes, np.array(table.target)
    print(f"{table.source}: {len(table)} days, {', '.join(table.columns)} -> {table.target_name}\n")

    model = by.CategoricalNB(alpha=1).fit(X, y)
    today = ("Sunny", "Cool", "High", "Strong")
    print(f"Learned from {model.class_count_.sum():.0f} days. Shall we play on a day like {today}?")
    probability = model.predict_proba([table.encode(today)])[0]
    for label, p in zip(model.classes_, probability, strict=True):
        print(f"  P({label:>3} | day) = {p:.4f}  {'#' * round(40 * p)}")

    print("\nWhy? Each feature's weight of evidence:")
    names = [f"{name}={value}" for name, value in zip(table.columns, today, strict=True)]
    print(model.explain([table.encode(today)], feature_names=names)[0])

    print("\nHow good is it? Every day predicted from the thirteen others:")
    held_out = model.leave_one_out(X, y)
    right = model.classes_[held_out.argmax(axis=1)] == y
    own = held_out[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    print(f"  accuracy {right.mean():.4f}, mean log loss {-np.log(own).mean():.4f}")

    print("\nIf playing in bad weather costs 5 and a missed game costs 1:")
    decision = by.decide([probability], loss=[[0, 1], [5, 0]])  # actions: stay, play
    action = ("stay at home", "play")[decision.action[0]]
    print(
        f"  expected loss: stay {decision.risk[0, 0]:.4f}, play {decision.risk[0, 1]:.4f}: {action}"
    )

    model.forget(X[:1], y[:1])
    changed = model.predict_proba([table.encode(today)])[0]
    print(f"\nForget the first day: P(No | day) goes from {probability[0]:.4f} to {changed[0]:.4f}")
    model.partial_fit(X[:1], y[:1])
    back = model.predict_proba([table.encode(today)])[0]
    print(f"Learn it again:       P(No | day) is back at {back[0]:.4f}")


if __name__ == "__main__":
    main()
