"""Mails, alone and in mailboxes -> their texts: sender, subject and body, no attachments.

Each has an id, its Message-ID: so a mail that comes twice can be told from two mails.
"""

import email
import hashlib
import html
import mailbox
import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from pathlib import Path

from bayesic.data.encodings import decoded

IN_MAILDIR = ("cur", "new")  # where a Maildir has its mails; in tmp they are not whole yet
MOST_OF_AN_ID = 998  # characters: as long as a line of a mail may be

Identified = tuple[str, str]  # id, and text

_TAG = re.compile(r"(<[^<>]*>)")
_UNSEEN = re.compile(r"<(script|style)\b", re.IGNORECASE)


def is_mailbox(path: Path) -> bool:
    """Whether the path has the extension of a mailbox, and is not a folder.

    >>> is_mailbox(Path("spam.mbox")), is_mailbox(Path("spam.eml"))
    (True, False)
    """
    return path.suffix.lower() == ".mbox" and not path.is_dir()


def is_maildir(path: Path) -> bool:
    """Whether a folder is a Maildir: each mail is a file in cur or new, and has no extension."""
    return all((path / name).is_dir() for name in IN_MAILDIR)


def is_mail(path: Path) -> bool:
    """Whether a file is one mail: by its extension, or because it is in a Maildir.

    >>> is_mail(Path("win.eml")), is_mail(Path("win.txt"))
    (True, False)
    """
    if path.suffix.lower() == ".eml":
        return True
    return path.parent.name in IN_MAILDIR and is_maildir(path.parent.parent)


def mails_of_box(path: Path) -> Iterator[Identified]:
    """The ids and texts of all mails of a mailbox, in order."""
    box = mailbox.mbox(path, create=False)
    try:
        keys = box.keys()
        if not keys:
            raise ValueError(
                f"{path} must be a mailbox in which a line with From starts each mail, but there "
                "is none. Save single mails as .eml files."
            )
        for key in keys:
            yield read_mail(box.get_bytes(key))
    finally:
        box.close()


def read_mail(mail: bytes) -> Identified:
    """Id and text of a mail: its Message-ID; sender, subject and body.

    HTML is read, without its tags, where there is no plain text. A mail that is broken is a text as
    it is. What has no Message-ID has the checksum of its text instead.

    >>> read_mail(b"Message-ID: <7@rain.example>\\nFrom: Ann <ann@rain.example>\\n\\nRain today")
    ('<7@rain.example>', 'Ann <ann@rain.example>\\nRain today')
    """
    try:
        message = email.message_from_bytes(mail)
        parts = [_header(message, "from"), _header(message, "subject"), _body(message)]
        text, id = "\n".join(filter(None, parts)), _message_id(message)
    except Exception:  # email raises many kinds of errors for mails that are broken
        text, id = decoded(mail), None
    text = text.replace("\r\n", "\n").rstrip()  # however it was sent
    return id or text_id(text), text


def mail_text(mail: bytes) -> str:
    """The text of a mail.

    >>> mail_text(b"Subject: =?utf-8?b?5LiL6Zuo?=\\nContent-Type: text/html\\n\\n<b>Free</b> lunch")
    '下雨\\nFree lunch'
    """
    return read_mail(mail)[1]


def text_id(text: str) -> str:
    """The id of a text that has no other: its checksum.

    >>> text_id("free lunch")
    'sha256:517e483d603671bb5aaa842b5d8a951c'
    """
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _message_id(message: Message) -> str | None:
    """The Message-ID of a mail, if it has one that is as it should be."""
    id = "".join(str(message.get("message-id", "")).split())
    is_right = id.isascii() and id.isprintable() and len(id) <= MOST_OF_AN_ID
    return id if is_right else None


def _header(message: Message, name: str) -> str:
    header = message.get(name, "")
    try:
        chunks = decode_header(header)
    except HeaderParseError:
        return str(header)
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
