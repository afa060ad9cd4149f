"""Made-up mails, and Maildirs with them."""

import mailbox

SPAM = (
    b"Message-ID: <win@rain.example>\nFrom: Lucky <lucky@rain.example>\nSubject: Free money\n\nBuy"
)
HAM = b"Message-ID: <lunch@sun.example>\nSubject: Lunch\n\nToday?"


def made_up_maildirs(folder):
    """A folder with a Maildir for each class, as a mail server leaves them."""
    folder.mkdir()
    for name, mail in (("spam", SPAM), ("ham", HAM)):
        box = mailbox.Maildir(folder / name)
        message = mailbox.MaildirMessage(mail)
        message.set_subdir("cur" if name == "spam" else "new")
        message.set_flags("S" if name == "spam" else "")
        box.add(message)
        (folder / name / "dovecot-uidlist").write_text("3 V1 N2")
        (folder / name / "tmp" / "half").write_bytes(b"Subject: not wh")
    return folder
