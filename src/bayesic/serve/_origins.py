"""The origin of requests from browsers: only pages of this server may send them.

A page of another site cannot read our answers, but it can make a browser ask. Browsers say for whom
they ask: `Sec-Fetch-Site` where they send it, and otherwise `Origin`. Programs send neither.
"""

from http import HTTPStatus

from starlette.requests import Request

from bayesic.serve.refusals import RefusedError

OURS = ("same-origin", "none")  # a page of ours, or the person, who typed the address


def check_origin(request: Request) -> None:
    """Refuse what a browser sends for a page of another site."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site in OURS or (site is None and (origin is None or _is_ours(origin, request))):
        return
    whose = "another site" if origin is None else f"{origin!r:.100}"
    raise RefusedError(
        HTTPStatus.FORBIDDEN,
        f"In a browser, only pages of this server may ask it, and {whose} asked. Ask from a "
        "program, or type the address into the browser; a proxy must pass the header Host on.",
    )


def _is_ours(origin: str, request: Request) -> bool:
    return origin.lower().partition("://")[2] == request.headers.get("host", "").lower()
