"""Why: what each piece of evidence adds to an answer."""
