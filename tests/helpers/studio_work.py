"""Questions for workers, which import them from here."""

import os
import time


def wait_for(network, seconds):
    """Takes so long."""
    time.sleep(seconds)
    return len(network.variables)


def wait_for_evidence(network, evidence):
    """Takes forever where anything is observed."""
    time.sleep(600 if evidence.given else 0)
    return {"waited": 0}


def fail(network):
    """Says why it fails."""
    raise ValueError("It rains.")


def vanish(network):
    """Ends the process."""
    os._exit(3)


def print_much(network):
    """Prints, which must not come between the answers."""
    print("rain" * 100_000)
    return "printed"


def never_fitted(*_):
    """Takes forever, after it has told of its progress."""
    *_, told = _
    told.write_text('{"what": "reading rows", "done": 1, "total": 4}')
    time.sleep(600)
