"""Classifiers of tables: columns of any kind, matched by their names."""

from typing import ClassVar

from bayesic.models.classifier import ClassStatistics, CountingClassifier, FittedClasses
from bayesic.models.counting import Settings
from bayesic.models.fitted import learned


class TableClassifier(CountingClassifier[ClassStatistics, FittedClasses, Settings]):
    """A classifier of tables; its fitted object says which columns are uninformative, and why."""

    declares_classes = False
    fits_when_asked = True
    tags: ClassVar[dict[str, bool]] = {
        **CountingClassifier.tags,
        "categorical": True,
        "string": True,
    }

    class_count_ = learned("counts.class_count", "Rows of each class.")
    class_prior_ = learned("prior.probability", "P(c) of each class.")
    uninformative_columns_ = learned(
        "uninformative",
        "The columns that say nothing about the class, so that they change no answer, and why.",
    )
