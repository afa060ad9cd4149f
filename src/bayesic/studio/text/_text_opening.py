"""Models of texts over HTTP: which there are, open an example or a new one; one with its words."""

from typing import Any

from bayesic.catalogue import is_text_model
from bayesic.data.arguments import has_learned
from bayesic.data.mails import text_id
from bayesic.models.words.text_classifier import TextClassifier
from bayesic.serve import models
from bayesic.serve.learning import committed
from bayesic.serve.server import ServerRequest
from bayesic.store.errors import ConflictError, StoreError
from bayesic.store.store import Store
from bayesic.studio.text._example_mails import MAILS
from bayesic.studio.workspace import Studio

EXAMPLES = {"mails": "Mails, word by word"}  # name -> title
N_WORDS = 12  # that speak most for a class


async def listed(studio: Studio, request: ServerRequest) -> object:
    """The models of texts in the store, and the examples that can be opened."""
    store, entries = request.store, []
    for name in store.models():
        try:
            model = store.state(name).model
        except StoreError:  # it is damaged, or was deleted in this moment
            continue
        if is_text_model(model):
            entries.append({"name": name, "texts": n_texts(model)})
    examples = [{"name": name, "title": title} for name, title in EXAMPLES.items()]
    return {"models": entries, "examples": examples}


def n_texts(model: TextClassifier) -> float:
    """How many texts a model has learned."""
    return model.statistics_.class_count.sum().item() if has_learned(model) else 0


async def opened(studio: Studio, request: ServerRequest) -> object:
    """Open an example, which learns its mails the first time, or make a new model."""
    body = await request.json()
    example, new = body.get("example"), body.get("new")
    if isinstance(example, str) and example in EXAMPLES:
        return {"name": await _example(request, example)}
    if not isinstance(new, str) or not new.strip() or "/" in new:
        raise ValueError(
            f'Give "example", one of {", ".join(EXAMPLES)}, or "new", a name without a slash; got '
            f"{body!r:.100}."
        )
    name = new.strip()
    if name in request.store.models():
        raise ConflictError(f"There is a model {name!r} in the store already. Choose another name.")
    await committed(request, "create", name, TextClassifier())
    return {"name": name}


async def _example(request: ServerRequest, name: str) -> str:
    store = request.store
    if name in store.models() and not is_text_model(store.state(name).model):
        raise ConflictError(
            f"The store has a model {name!r}, which is not one of texts. Delete or export it first."
        )
    if name not in store.models():
        await committed(request, "create", name, TextClassifier())
    if not has_learned(store.state(name).model):
        texts, labels = zip(*MAILS, strict=True)
        ids = [text_id(text) for text in texts]
        await committed(request, "learn", name, list(texts), list(labels), ids)
    return name


async def shown(studio: Studio, request: ServerRequest) -> object:
    """A model: its classes with their texts, and the words that speak most for each of them."""
    state = request.store.state(request.name)
    return {
        "name": request.name,
        "seq": state.seq,
        **await request.server.work(description_of, state.model),
    }


def description_of(model: Any) -> dict[str, Any]:
    """What is shown of a model of texts."""
    check_texts(model)
    if not has_learned(model):
        return {"texts": 0, "words": 0, "classes": []}
    counts = model.statistics_.class_count.tolist()
    many = len(counts) > 1
    return {
        "texts": n_texts(model),
        "words": len(model.vocabulary_),
        "classes": [
            {
                "name": str(label),
                "texts": count,
                "words": [*model.top_words(label, N_WORDS).items()] if many else [],
            }
            for label, count in zip(model.classes_.tolist(), counts, strict=True)
        ],
    }


def check_texts(model: object) -> None:
    """Refuse a model that does not read texts."""
    if not is_text_model(model):
        raise ValueError(
            f"This desk is for models of texts, and this one is a {type(model).__name__}. The "
            "models desk has all of them."
        )


async def file(studio: Studio, request: ServerRequest) -> object:
    """The model as a file."""
    return await models.downloaded(request)


def label_of(model: Any, name: str) -> Any:
    """The class that is shown under a name; a new one is the name itself."""
    known = model.classes_.tolist() if has_learned(model) else []
    return next((label for label in known if str(label) == name), name)


def text_model(store: Store, name: str) -> Any:
    """A model of texts, as it is now."""
    model = store.state(name).model
    check_texts(model)
    return model
