"""Which models and statistics there are, and where. A new model is one line here.

A file names what is listed here and nothing else: it never names a module.
"""

MODELS = {
    "AutoBayes": "bayesic.selection.auto_bayes",
    "AveragedOneDependence": "bayesic.models.levels.averaged_dependence",
    "BayesForest": "bayesic.models.trees.forest",
    "BernoulliNB": "bayesic.models.arrays.bernoulli",
    "CategoricalNB": "bayesic.models.arrays.categorical",
    "ComplementNB": "bayesic.models.arrays.complement",
    "GaussianBayes": "bayesic.models.normal.gaussian_bayes",
    "GaussianMixture": "bayesic.mixtures.gaussian_mixture",
    "GaussianNB": "bayesic.models.normal.gaussian",
    "JointBayes": "bayesic.models.levels.joint",
    "KDependence": "bayesic.models.levels.network_classifier",
    "KMeans": "bayesic.mixtures.k_means",
    "KNeighborsClassifier": "bayesic.models.neighbours.neighbours",
    "KNeighborsRegressor": "bayesic.models.neighbours.neighbours",
    "LeastSquares": "bayesic.models.linear.least_squares",
    "LinearDiscriminantAnalysis": "bayesic.models.normal.linear_discriminant",
    "LogisticRegression": "bayesic.models.linear.logistic",
    "MDLTreeClassifier": "bayesic.hypotheses.mdl_tree.tree_classifier",
    "MultinomialNB": "bayesic.models.arrays.multinomial",
    "NaiveBayes": "bayesic.models.columns.naive_bayes",
    "QuadraticDiscriminantAnalysis": "bayesic.models.normal.discriminant",
    "TextClassifier": "bayesic.models.words.text_classifier",
    "TreeAugmentedNB": "bayesic.models.levels.network_classifier",
}

STATISTICS = {
    "CategoryCounts": "bayesic.statistics.categories",
    "ClassMoments": "bayesic.statistics.moments",
    "CombinationCounts": "bayesic.statistics.combinations",
    "CrossMoments": "bayesic.statistics.cross_moments",
    "FeatureCounts": "bayesic.statistics.features",
    "Forest": "bayesic.statistics.forest",
    "ForestCounts": "bayesic.statistics.forest",
    "JointCounts": "bayesic.statistics.joint",
    "LevelCounts": "bayesic.statistics.levels",
    "Moments": "bayesic.statistics.moments",
    "NumberCounts": "bayesic.statistics.numbers",
    "PooledCounts": "bayesic.statistics.pooled",
    "PresenceCounts": "bayesic.statistics.features",
    "TableCounts": "bayesic.statistics.table_counts",
    "TextCounts": "bayesic.statistics.texts",
    "WordCounts": "bayesic.statistics.levels",
}

# what a file can hold beside models of statistics: a network, the loss of a decision, a temperature
ON_TOP = {
    "BayesDecision": "bayesic.decisions.bayes_decision",
    "BeliefNetwork": "bayesic.networks.network",
    "Calibrated": "bayesic.evaluation.calibrated",
}

# parameters that came later: older files lack them, and mean their defaults
LATER = {
    "AveragedOneDependence": {"choices", "decay"},
    "JointBayes": {"decay"},
    "KDependence": {"choices", "decay", "weights"},
    "NaiveBayes": {"choices", "decay", "variance", "weights"},
    "TextClassifier": {"choices", "decay", "max_words", "prior"},
    "TreeAugmentedNB": {"choices", "decay", "weights"},
}

# parameters of earlier versions, which older files have: they chose how weights were searched for
DROPPED = {"LogisticRegression": {"learning_rate", "solver"}}
