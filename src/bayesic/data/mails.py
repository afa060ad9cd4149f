"""Mails, alone and in mailboxes -> their texts: subject and body, no attachments."""

import email
import html
import mailbox
import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from pathlib import Path

from bayesic.data.encodings import decoded

_TAG = re.compile(r"(<[^<>]*>)")
_UNSEEN = re.compile(r"<(script|style)\b", re.IGNORECASE)


def is_mailbox(path: Path) -> bool:
    """Whether the path has the ending of a mailbox, and is no folder.

    >>> is_mailbox(Path("spam.mbox")), is_mailbox(Path("spam.eml"))
    (True, False)
    """
    return path.suffix.lower() == ".mbox" and not path.is_dir()


def mails_of_box(path: Path) -> Iterator[str]:
    """The texts of all mails of a mailbox, in order."""
    box = mailbox.mbox(path, create=False)
    try:
        keys = box.keys()
        if not keys:
            raise ValueError(
                f"{path} must be a mailbox in which a line with From starts each mail, but there "
                "is none. Save single mails as .eml files."
            )
        for key in keys:
            yield mail_text(box.get_bytes(key))
    finally:
        box.close()


def mail_text(mail: bytes) -> str:
    """Subject and text of a mail. HTML is read, without its tags, where there is no plain text.

    >>> mail_text(b"Subject: =?utf-8?b?5LiL6Zuo?=\\nContent-Type: text/html\\n\\n<b>Free</b> lunch")
    '下雨\\nFree lunch'
    """
    try:
        message = email.message_from_bytes(mail)
        return "\n".join(filter(None, [_subject(message), _body(message)]))
    except Exception:  # email raises many kinds of errors for mails that are broken
        return decoded(mail)


def _subject(message: Message) -> str:
    subject = message.get("subject", "")
    try:
        chunks = decode_header(subject)
    except HeaderParseError:
        return str(subject)
    return "".join(
        chunk if isinstance(chunk, str) else decoded(chunk, charset) for chunk, charset in chunks
    )


def _body(message: Message) -> str:
    plain = _parts_of_type(message, "text/plain")
    if plain.strip():
        return plain
    return without_tags(_parts_of_type(message, "text/html"))


def _parts_of_type(message: Message, content_type: str) -> str:
    found = []
    for part in message.walk():
        is_shown = part.get_content_disposition() != "attachment"
        if part.get_content_type() == content_type and is_shown:
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                found.append(decoded(payload, part.get_content_charset()))
    return "\n".join(found)


def without_tags(page: str) -> str:
    """The text of an HTML page: no tags, scripts and styles; characters by name are put in.

    >>> without_tags("<style>p {color: red}</style><p>Free<br>lunch &amp; rain</p>")
    'Free lunch & rain'
    """
    shown: list[str] = []
    hidden_until = ""
    for piece in _TAG.split(page):
        if hidden_until:
            if piece.lower().startswith(hidden_until):
                hidden_until = ""
        elif unseen := _UNSEEN.match(piece):
            hidden_until = f"</{unseen[1].lower()}"
        else:
            shown.append(" " if _TAG.fullmatch(piece) else piece)
    return " ".join(html.unescape("".join(shown)).split())
