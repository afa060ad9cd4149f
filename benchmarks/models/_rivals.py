"""The models whose accuracy is compared: ours, plain naive Bayes and scikit-learn's."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

import bayesic as by
from bayesic.selection.choose_model import choose_model


class Classifier(Protocol):
    """What is needed of a model to be measured."""

    classes_: np.ndarray

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self: ...
    def predict_proba(self, X: pd.DataFrame) -> np.ndarray: ...


@dataclass(frozen=True)
class Entry:
    """A model of the comparison: its title in the report, and how to make it."""

    title: str
    make: Callable[[], Classifier]
    is_peer: bool = True


def gaussian_parameters(
    column: np.ndarray, codes: np.ndarray, n_classes: int, epsilon: float
) -> tuple[np.ndarray, np.ndarray]:
    """Mean, and variance + epsilon, of the observed numbers of each class."""
    groups = [column[(codes == code) & ~np.isnan(column)] for code in range(n_classes)]
    mean = [group.mean() if group.size else np.nan for group in groups]
    variance = [group.var() if group.size else np.nan for group in groups]
    return np.array(mean), np.array(variance) + epsilon


def gaussian_scores(column: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Log density of each number in each class; 0 where nothing was observed."""
    squares = (column[:, np.newaxis] - mean) ** 2 / variance
    scores = -0.5 * (np.log(2 * np.pi * variance) + squares)
    return np.where(np.isnan(scores), 0.0, scores)


def category_parameters(
    column: pd.Series, codes: np.ndarray, n_classes: int
) -> tuple[pd.Index, np.ndarray]:
    """The levels, and log (N_vc + 1) / (N_c + S) for each; one more row stands for unseen."""
    level_codes, levels = pd.factorize(column)
    observed = level_codes >= 0
    count = np.zeros((len(levels) + 1, n_classes))
    np.add.at(count, (level_codes[observed], codes[observed]), 1)
    return levels, np.log((count + 1) / (count.sum(axis=0) + len(levels)))


def category_scores(column: pd.Series, levels: pd.Index, log_share: np.ndarray) -> np.ndarray:
    """Log share of each category in each class; 0 where nothing was observed."""
    scores = log_share[levels.get_indexer(column)]  # -1, unseen, is the last row
    return np.where(column.isna().to_numpy()[:, np.newaxis], 0.0, scores)


class PlainNaiveBayes:
    """Gaussian and categorical naive Bayes as it is usually written.

    Variances get scikit-learn's epsilon, 1e-9 times the largest variance of a column; categories
    get Laplace smoothing over the levels seen in training; missing cells are skipped.
    """

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        self.classes_, codes, class_count = np.unique(y, return_inverse=True, return_counts=True)
        self.log_prior_ = np.log(class_count / len(y))
        numbers = X.select_dtypes("number").astype(np.float64)
        epsilon = 1e-9 * numbers.var(ddof=0).max()
        self.gaussians_ = {
            name: gaussian_parameters(column.to_numpy(), codes, len(self.classes_), epsilon)
            for name, column in numbers.items()
        }
        self.categories_ = {
            name: category_parameters(column, codes, len(self.classes_))
            for name, column in X.drop(columns=numbers.columns).items()
        }
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        scores = np.tile(self.log_prior_, (len(X), 1))
        for name, parameters in self.gaussians_.items():
            scores += gaussian_scores(X[name].to_numpy(np.float64), *parameters)
        for name, parameters in self.categories_.items():
            scores += category_scores(X[name], *parameters)
        return softmax(scores, axis=1)


class Chosen:
    """What `choose_model` chooses from the training rows."""

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        with warnings.catch_warnings():
            # of singular covariances, which do not matter here
            warnings.filterwarnings("ignore", "The covariance", UserWarning)
            self.model_ = choose_model(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.model_.predict_proba(X)


def for_columns(numeric: object, categorical: object, classifier: object) -> Pipeline:
    """A pipeline that prepares numbers and categories each in their own way."""
    prepare = make_column_transformer(
        (numeric, make_column_selector(dtype_include="number")),
        (categorical, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(prepare, classifier)


def one_hot() -> OneHotEncoder:
    return OneHotEncoder(handle_unknown="ignore", sparse_output=False)


def gaussian_peer() -> Pipeline:
    return for_columns(SimpleImputer(strategy="median"), one_hot(), GaussianNB())


def logistic_regression() -> Pipeline:
    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    return for_columns(scaled, one_hot(), LogisticRegression(max_iter=1000))


def as_categories(X: pd.DataFrame) -> pd.DataFrame:
    return X.astype(dict.fromkeys(X.select_dtypes(exclude="number"), "category"))


def boosted_trees() -> Pipeline:
    """Categories and missing cells are left to the trees, which know both.

    No early stopping: it wants two rows of every class, and nursery has folds with one.
    """
    trees = HistGradientBoostingClassifier(early_stopping=False, random_state=0)
    return make_pipeline(FunctionTransformer(as_categories), trees)


def random_forest() -> Pipeline:
    """As many trees as people take who want good probabilities; two rows to a leaf at least."""
    trees = RandomForestClassifier(300, min_samples_leaf=2, random_state=0)
    return for_columns(SimpleImputer(strategy="median"), as_ordinals(), trees)


def as_ordinals() -> OrdinalEncoder:
    return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)


def lightgbm() -> Pipeline:
    from lightgbm import LGBMClassifier

    trees = LGBMClassifier(random_state=0, n_jobs=1, verbose=-1)
    return for_columns("passthrough", as_ordinals(), trees)


class EarlyStopped:
    """LightGBM that stops by a fifth of the rows, the mean over five such fifths.

    Of a study's settings the one of least log loss: a rate of 0.1, categories as numbers.
    """

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        from lightgbm import LGBMClassifier, early_stopping

        self.prepare_ = for_columns("passthrough", as_ordinals(), "passthrough")[:-1]
        numbers = self.prepare_.fit_transform(X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        self.models_ = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes with fewer rows than folds
            for learned, held in folds.split(numbers, codes):
                known = np.isin(codes[held], codes[learned])
                model = LGBMClassifier(n_estimators=1000, random_state=0, n_jobs=1, verbose=-1)
                self.models_.append(model.fit(
                    numbers[learned], codes[learned],
                    eval_set=[(numbers[held][known], codes[held][known])],
                    callbacks=[early_stopping(20, verbose=False)],
                ))  # fmt: skip
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        numbers = self.prepare_.transform(X)
        total = np.zeros((len(X), len(self.classes_)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of names of columns that arrays do not have
            for model in self.models_:
                total[:, model.classes_] += model.predict_proba(numbers)
        return total / len(self.models_)


MODELS = {
    "default": Entry("`NaiveBayes()`", lambda: by.NaiveBayes(), is_peer=False),
    "auto": Entry('`smoothing="auto"`', lambda: by.NaiveBayes(smoothing="auto"), is_peer=False),
    "choice": Entry("`choose_model`", Chosen, is_peer=False),
    "forest": Entry("`BayesForest()`", lambda: by.BayesForest(), is_peer=False),
    "quick": Entry('`AutoBayes("quick")`', lambda: by.AutoBayes("quick"), is_peer=False),
    "average": Entry("`AutoBayes()`", lambda: by.AutoBayes(), is_peer=False),
    "plain": Entry("plain naive Bayes", PlainNaiveBayes),
    "gaussian": Entry("one-hot + GaussianNB", gaussian_peer),
    "logistic": Entry("logistic regression", logistic_regression),
    "boosting": Entry("boosted trees", boosted_trees),
    "trees": Entry("random forest, 300", random_forest),
    "lightgbm": Entry("LightGBM", lightgbm),
    "stopped": Entry("LightGBM, early-stopped mean of 5", EarlyStopped),
}
