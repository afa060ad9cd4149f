"""`python -m bayesic` is `bayesic`."""

from bayesic.cli.main import main

if __name__ == "__main__":
    main()
