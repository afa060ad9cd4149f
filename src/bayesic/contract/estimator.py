"""The base class of all estimators."""

from collections.abc import Mapping
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bayesic.contract._borrowed import Borrowed, BorrowedSetter, in_scikit_learn
from bayesic.contract.constructor import (
    is_estimator,
    parameter_names,
    set_parameters,
    shown_estimator,
)
from bayesic.contract.offered import Offered
from bayesic.data.snapshots import learning, snapshot

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Estimator:
    """A class with the parameters of its constructor, which scikit-learn takes for its own.

    It does not derive from `sklearn.base.BaseEstimator`, whose module loads scipy.stats and, where
    it is installed, pandas: that is 1.2 seconds of processor time for each process. What only
    scikit-learn asks for is made when it does, by classes of scikit-learn itself.
    """

    # as which scikit-learn takes it: classifier, regressor, clusterer, density_estimator
    estimator_type: ClassVar[str | None] = None
    # what else it must know, by the names of its tags
    tags: ClassVar[Mapping[str, bool]] = {}
    # verbs whose further arguments all go on to the model inside
    passes_on: ClassVar[tuple[str, ...]] = ()
    # whether this is a class that `in_scikit_learn` gives
    is_borrowed: ClassVar[bool] = False
    # the attributes that hold other models: first the parameter, then what has learned
    _models_inside: ClassVar[tuple[str, ...]] = ()
    # a method of the state before and of what was set, called when parameters were set
    _when_set: ClassVar[Any] = None

    if TYPE_CHECKING:
        # each kind has parameters and learned attributes of its own
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: object) -> None: ...

    # parameters -----------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor; deep: also those of estimators among them, as a__b."""
        params = {}
        for name in parameter_names(type(self)):
            value = params[name] = getattr(self, name)
            if deep and is_estimator(value):
                params |= {f"{name}__{part}": each for part, each in value.get_params().items()}
        return params

    @learning
    def set_params(self, **params: object) -> Self:
        """Set parameters of the constructor, all of them at once.

        What is a function of counts changes at once, as if the model had learned with them.
        Parameters that say how rows are read or counted cannot: they wait for the next `fit`, and
        until then answers may be refused. A warning says where another smoothing makes numbers of
        whole numbers that were categories, or categories of numbers.
        """
        before = snapshot(self)
        set_parameters(self, params)
        if self._when_set is not None:
            self._when_set(before, params)
        return self

    def __repr__(self) -> str:
        return shown_estimator(self)

    def __dir__(self) -> list[str]:
        """The attributes that there are: neither methods that other kinds offer, nor borrowed."""
        names = super().__dir__()
        kept = {name: getattr_static(type(self), name, None) for name in names}
        return [
            name
            for name, value in kept.items()
            if not isinstance(value, Borrowed)
            and (not isinstance(value, Offered) or hasattr(self, name))
        ]

    # what scikit-learn asks -----------------------------------------------------------------

    def __sklearn_tags__(self) -> "Tags":
        """What the estimator is, and takes; on top of others, what all of these take."""
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags, TransformerTags

        what = self.estimator_type
        tags = Tags(
            what,
            TargetTags(required=what in ("classifier", "regressor")),
            TransformerTags() if hasattr(self, "transform") else None,
            ClassifierTags() if what == "classifier" else None,
            RegressorTags() if what == "regressor" else None,
        )
        for name, is_so in self.tags.items():
            parts = (tags.input_tags, tags.target_tags, tags.classifier_tags)
            setattr(next(part for part in parts if hasattr(part, name)), name, is_so)
        return self._with_tags_of_models(tags)

    def _with_tags_of_models(self, tags: "Tags") -> "Tags":
        from sklearn.utils import get_tags

        inside = getattr(self, self._models_inside[0]) if self._models_inside else ()
        models = inside if isinstance(inside, (list, tuple)) else [inside]
        all_tags = [get_tags(model) for model in models if is_estimator(model)]
        if all_tags:
            tags.input_tags = all_tags[0].input_tags
            tags.input_tags.sparse = all(each.input_tags.sparse for each in all_tags)
            tags.input_tags.allow_nan = all(each.input_tags.allow_nan for each in all_tags)
            tags.classifier_tags = all_tags[0].classifier_tags
        return tags

    def get_metadata_routing(self) -> object:
        """Which verbs ask for what beside X and y: scikit-learn's MetadataRequest, or router."""
        from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

        requests = super(Estimator, in_scikit_learn(self)).get_metadata_routing()  # type: ignore[misc]
        if not self.passes_on:
            return requests
        name, mapping = self._models_inside[0], MethodMapping()
        for verb in self.passes_on:
            mapping.add(caller=verb, callee=verb)
        router = MetadataRouter(owner=type(self).__name__).add_self_request(requests)
        return router.add(method_mapping=mapping, **{name: getattr(self, name)})

    set_fit_request = BorrowedSetter()
    set_partial_fit_request = BorrowedSetter()
    set_predict_request = BorrowedSetter()
    set_score_request = BorrowedSetter()

    # in a notebook
    _repr_html_ = Borrowed()
    _repr_mimebundle_ = Borrowed()
    _get_params_html = Borrowed()
    _get_fitted_attr_html = Borrowed()
