"""The words of the library in what it prints and draws, in English and in Chinese.

Names of columns, classes and levels are the user's, and stay as they are. English sentences stand
where they are used; `CHINESE` has each of them again.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[str, ...] = get_args(Language)

# English -> Chinese; words in braces are filled in
CHINESE = {
    # why a row gets its answer
    "prior": "先验",
    "log odds": "对数几率",
    "{answer} ({probability}) against the rest": "{answer}（{probability}），与其余类别相比",
    "{answer} ({probability}) rather than {other}": "{answer}（{probability}），而不是 {other}",
    "{headline}; predicted: {predicted}": "{headline}；预测为 {predicted}",
    "1 other": "其余 1 个",
    "{number} others": "其余 {number} 个",
    "{probability} says {name}": "{name} 认为是 {probability}",
    "in every class": "在所有类别中都不可能",
    "in {sides}": "在 {sides} 中不可能",
    "test": "判断",
    "{label} ({share}) from a leaf of {rows}": "{label}（{share}），来自有 {rows}的叶子",
    "{branch} (most rows)": "{branch}（行数最多）",
    " and in ": " 和 ",
    "Impossible {where}: the odds are those of the prior.": "这一行{where}：几率就是先验的几率。",
    "{label} is ruled out by {names}.": "{label} 被排除，因为 {names}。",
    "all together": "各项合在一起",
    "x is impossible in every class: the answer is the prior.": (
        "x 在所有类别中都不可能：答案就是先验。"
    ),
    "Impossible in every class: the answer is the prior.": "在所有类别中都不可能：答案就是先验。",
    "{answer}{share} from the nearest row": "{answer}{share}，来自最近的一行",
    "{answer}{share} from the {number} nearest rows": "{answer}{share}，来自最近的 {number} 行",
    "row": "行",
    "label": "标签",
    "distance": "距离",
    "weight": "权重",
    # what a model has learned
    "kind": "类型",
    "values": "取值数",
    "bits": "比特",
    "left out": "留一",
    "and": "与",
    "degrees": "自由度",
    "p-value": "p 值",
    "G": "G",
    "number": "数值",
    "word": "词",
    "count": "计数",
    "texts with it": "含有它的文本",
    "states": "状态",
    "{things} of {target}": "{target} 的{things}",
    "{things}, by bits of information about {about}": "{things}，按它们关于{about}的比特数排列",
    "{things}, by bits of information about {about}, out of {entropy}": (
        "{things}，按它们关于{about}的比特数排列，共有 {entropy} 比特"
    ),
    "the {thing}": "{thing}",
    "{target}": " {target} ",  # a name of the user is set apart
    "{things} that depend on each other": "互相依赖的{things}",
    "{things} that depend on each other within the {groups}": "在各{groups}之内互相依赖的{things}",
    "left out: bits about each learned row, from all the other rows; below 0 it misleads.": (
        "留一：其余各行就每一学过的行所提供的比特数；小于 0 则会误导。"
    ),
    "To see which columns depend on each other, pass rows: summary(X, y).": (
        "哪些列互相依赖，要从各行看出：summary(X, y)。"
    ),
    "To see which words occur together within a class, pass texts: summary(X, y).": (
        "同类文本中哪些词常一起出现，要从文本看出：summary(X, y)。"
    ),
    "To see how much each column says about the class, and which depend on each other, "
    "pass rows: summary(X, y).": (
        "各列就类别提供多少信息、哪些列互相依赖，要从各行看出：summary(X, y)。"
    ),
    "bits: what each adds to the information from one occurrence of any of them.": (
        "比特：任意一词出现一次所提供的比特数中，来自这一项的部分。"
    ),
    "Chosen: {settings}, with probabilities tempered.": "选定：{settings}，概率经过温度校准。",
    "bits of one word; {number} words a row": "一个词的比特数；平均每行 {number} 个词",
    "says nothing": "不提供信息",
    "takes no part": "不参与",
    "no value was observed": "没有观测到任何值",
    "in no test": "不在任何判断中",
    "How much each variable says about one of them: summary(target).": (
        "各变量就其中之一提供多少信息：summary(target)。"
    ),
    "No pair of {things} depends significantly on each other.": "没有显著互相依赖的一对{things}。",
    "For {pairs} of {things} there are too few rows to tell if they depend.": (
        "有 {pairs}{things}，行数太少，看不出是否互相依赖。"
    ),
    "not used": "未使用",
    "depends on {names}": "取决于 {names}",
    "Log odds are divided by a temperature of {temperature}.": "对数几率除以温度 {temperature}。",
    # one column, and a tree
    "{name}: {kind}, depends on {parents}": "{name}：{kind}，取决于 {parents}",
    "{name}: {kind}": "{name}：{kind}",
    "{headline}, smoothing {number}": "{headline}，平滑 {number}",
    "rows {label}": "行数 {label}",
    "words {label}": "词数 {label}",
    "times {label}": "次数 {label}",
    "texts {label}": "文本数 {label}",
    "correlation {label}": "相关系数 {label}",
    "P(value|{given})": "P(值|{given})",
    "column": "列",
    "component": "分量",
    "cluster": "簇",
    "centre": "中心",
    "observed": "观测数",
    "mean": "均值",
    "standard deviation": "标准差",
    "variance of the model": "模型的方差",
    "rate": "率",
    "speaks for": "支持",
    "factor": "因子",
    "all rows": "所有行",
    "<{high}": "<{high}",
    "from {low} to {high}": "从 {low} 到 {high}",
    "from {low}": "从 {low} 起",
    "any": "任意",
    "{name}{limits}": "{name}{limits}",
    "{name} {limits}": "{name} {limits}",
    "{column} {answer}": "{column} {answer}",
    "{value} given {parents}": "{value} 给定 {parents}",
    "{values}": "{values}",
    "absent": "没有",
    "present": "有",
    "<= {cut}": "<= {cut}",
    "> {cut}": "> {cut}",
    "= {level}": "= {level}",
    "is not observed": "未观测",
    "is observed": "已观测",
    "is not {level}": "不是 {level}",
    "{label} ({rows})": "{label}（{rows}）",
    "{label} ({rows}, {number} other)": "{label}（{rows}，其中 {number} 行属于别的类别）",
    "{leaves}, {bits} bits": "{leaves}，{bits} 比特",
    "{leaves}, {bits} bits: {tree} of the tree, {exceptions} of the exceptions": (
        "{leaves}，{bits} 比特：树 {tree}，例外 {exceptions}"
    ),
    "{text} … {leaves}": "{text} …… {leaves}",
    # what a network answers
    "likelihoods of {variable}": "{variable} 的似然",
    "Marginals of {variables}": "{variables}的边缘分布",
    "Marginals of {variables} given {known}": "已知 {known}，{variables}的边缘分布",
    "Most probable states: {share}": "最可能的状态：{share}",
    "Most probable states given {known}: {share}": "已知 {known}，最可能的状态：{share}",
    "Bits about {target}, out of {entropy}": "关于 {target} 的比特数，共 {entropy}",
    "Bits about {target} given {known}, out of {entropy}": (
        "已知 {known}，关于 {target} 的比特数，共 {entropy}"
    ),
    "... and {number} more states": "…… 还有 {number} 个状态",
    "... and {number} more variables": "…… 还有 {number} 个变量",
    "from {samples} samples, worth {effective}": (
        "来自 {samples} 个样本，相当于 {effective} 个独立样本"
    ),
    "{worth}; standard errors": "{worth}；标准误差",
    "{worth}; largest standard error {error}": "{worth}；最大的标准误差 {error}",
    # what has changed
    "{earlier}, then {later}: changes in nats per row": "{earlier}，随后 {later}：每行变化的奈特数",
    "change": "变化",
    "most of it": "主要来自",
    "{level} {change}": "{level} {change}",
    "mean {earlier}, then {later}": "均值 {earlier}，随后 {later}",
    "observed only later": "只在后来观测到",
    "observed only earlier": "只在先前观测到",
    "P(class)": "P(类别)",
    "... and {number} more": "…… 还有 {number} 项",
    # how good answers are
    "answers of {model}": "{model} 的回答",
    "leave-one-out": "留一法",
    "probabilities as given": "给定的概率",
    "{number}-fold cross validation": "{number} 折交叉验证",
    "1 split of {splitter}": "{splitter} 的 1 次划分",
    "{number} splits of {splitter}": "{splitter} 的 {number} 次划分",
    "1 split as given": "给定的 1 次划分",
    "{number} splits as given": "给定的 {number} 次划分",
    "{rows} has a true class with probability 0, so the log loss is infinite{others}.": (
        "有 {rows}的真实类别概率为 0，所以对数损失是无穷大{others}。"
    ),
    "{rows} have a true class with probability 0, so the log loss is infinite{others}.": (
        "有 {rows}的真实类别概率为 0，所以对数损失是无穷大{others}。"
    ),
    "; over the other {things} it is {loss}": "；在其余{things}上是 {loss}",
    "Scores": "得分",
    "score": "指标",
    "class": "类别",
    "value": "值",
    "Classes": "类别",
    "share": "占比",
    "mean probability": "平均概率",
    "precision": "精确率",
    "recall": "召回率",
    "F1": "F1",
    "Calibration": "校准",
    "confidence": "置信度",
    "mean confidence": "平均置信度",
    "share right": "正确比例",
    "{low} to {high}": "{low} 到 {high}",
    "Confusion": "混淆矩阵",
    "truth \\ answer": "真实 \\ 回答",
    "Worst": "答得最差",
    "truth": "真实",
    "answer": "回答",
    "P(truth)": "P(真实)",
    "Actions": "行动",
    "action": "行动",
    "accuracy": "准确率",
    "log loss": "对数损失",
    "Brier score": "Brier 得分",
    "expected calibration error": "期望校准误差",
    "expected cost": "期望代价",
    "cost of trusting the likeliest class": "总取最可能类别的代价",
    "cost of always {action}": "总是取 {action} 的代价",
    "{rows}, {number} of them answered differently": "{rows}，其中 {number} 个回答不同",
    "model": "模型",
    "Differences from {model}": "与 {model} 之差",
    "standard error": "标准误差",
    "Answered differently, with P(truth)": "回答不同之处，附 P(真实)",
    # pictures
    "← for {other}     log odds     for {answer} →": (
        "← 支持 {other}     对数几率     支持 {answer} →"
    ),
    "the rest": "其余",
    "accuracy {accuracy}: {right} of {total} right": (
        "准确率 {accuracy}：{total} 行中 {right} 行正确"
    ),
    "share of right answers": "回答正确的比例",
    "expected calibration error {error}, {rows}": "期望校准误差 {error}，{rows}",
    "rows": "行数",
    "rows learned": "学过的行数",
    "error": "错误率",
    "step": "步",
    "log likelihood": "对数似然",
    "given {seen}": "已知 {seen}",
    "… {number} more": "…… 另 {number} 个",
}

# noun -> the noun in Chinese, and how it is counted
NOUNS = {
    "row": ("行", "行"),
    "text": ("文本", "篇文本"),
    "column": ("列", "列"),
    "word": ("词", "个词"),
    "variable": ("变量", "个变量"),
    "class": ("类别", "个类别"),
    "state": ("状态", "个状态"),
    "component": ("分量", "个分量"),
    "cluster": ("簇", "个簇"),
    "target": ("目标", "个目标"),
    "parameter": ("参数", "个参数"),
    "pair": ("对", "对"),
    "leaf": ("叶子", "片叶子"),
}


_LANGUAGE: ContextVar[Language] = ContextVar("language", default="en")


def language(name: Language) -> "_Spoken":
    """Set the language of the words around names and numbers in all that is printed and drawn.

    Called on its own, it holds from here on; in a `with` statement, until the end of the block.
    Explanations, summaries and reports are put into words when they are shown, so one that exists
    already can be printed in either language. Names of columns, classes and values stay as they
    are; `to_dict`, `to_pandas`, errors and warnings stay English.

    It holds for this thread or asyncio task alone: new threads start with English, new tasks with
    the language of the task that creates them.

    name : "en" or "zh"

    >>> import bayesic as by
    >>> model = by.GaussianNB().fit([[1.0], [2.0], [8.0], [9.0]], ["冬", "冬", "夏", "夏"])
    >>> with by.language("zh"):
    ...     print(model.explain([8.5]).headline())
    夏（1.0000），而不是 冬
    >>> print(model.explain([8.5]).headline())
    夏 (1.0000) rather than 冬
    """
    if not isinstance(name, str) or name not in LANGUAGES:
        known = " or ".join(map(repr, LANGUAGES))
        raise ValueError(
            f"language must be {known}, got {name!r}. Names and values of your own may be in any."
        )
    return _Spoken(name)


class _Spoken(AbstractContextManager[None]):
    """A language that is spoken from now on; leaving it restores the one before."""

    def __init__(self, name: Language) -> None:
        """Speak it from now on."""
        self._name, self._before = name, _LANGUAGE.get()
        _LANGUAGE.set(name)

    def __enter__(self) -> None:
        _LANGUAGE.set(self._name)

    def __exit__(self, *raised: object) -> None:
        _LANGUAGE.set(self._before)

    def __repr__(self) -> str:
        return f"language({self._name!r})"


class Sentence(str):
    """An English sentence that can still be said in another language.

    For what is written down before it is shown, such as a note in a summary. What is filled in may
    be sentences again, or a list, which is written with commas.

    >>> note = Sentence("depends on {names}", names="雨")
    >>> with language("zh"):
    ...     note, said(note)
    ('depends on 雨', '取决于 雨')
    """

    english: str
    values: dict[str, object]

    def __new__(cls, english: str, **values: object) -> "Sentence":
        """The sentence in English, with what it was made of."""
        made = super().__new__(cls, _said_in("en", english, values))
        made.english, made.values = english, values
        return made


def said(english: str, **values: object) -> str:
    """A sentence in the language that is spoken, with these values filled in.

    What is not in the catalogue, such as a name that a user has given, stays as it is.

    >>> with language("zh"):
    ...     said("given {seen}", seen="下雨")
    '已知 下雨'
    >>> said("given {seen}", seen="rain")
    'given rain'
    """
    return _said_in(_LANGUAGE.get(), english, values)


def _said_in(language: Language, english: str, values: Mapping[str, object]) -> str:
    if isinstance(english, Sentence):
        return _said_in(language, english.english, english.values)
    template = CHINESE.get(english, english) if language == "zh" else english
    if not values:
        return template
    return template.format(**{name: _filled_in(language, part) for name, part in values.items()})


def _filled_in(language: Language, value: object) -> object:
    if isinstance(value, list):
        return ",".join(str(_filled_in(language, part)) for part in value)
    return _said_in(language, value, {}) if isinstance(value, Sentence) else value


def spoken(value: object) -> object:
    """A value as it is shown: a `Sentence` in the language that is spoken, all else as it is."""
    return said(value) if isinstance(value, Sentence) else value


def noun(singular: str, plural: bool = False) -> str:
    """What is counted, without a number.

    >>> noun("class", plural=True)
    'classes'
    >>> with language("zh"):
    ...     noun("class", plural=True)
    '类别'
    """
    if _LANGUAGE.get() == "zh":
        return NOUNS[singular][0]
    return _plural(singular) if plural else singular


def number_of(shown: str, is_one: bool, singular: str) -> str:
    """A number, which is written already, with its noun.

    >>> number_of("1", True, "row"), number_of("2", False, "class")
    ('1 row', '2 classes')
    >>> with language("zh"):
    ...     number_of("2", False, "class")
    '2 个类别'
    """
    if _LANGUAGE.get() == "zh":
        return f"{shown} {NOUNS[singular][1]}"
    return f"{shown} {singular if is_one else _plural(singular)}"


def _plural(singular: str) -> str:
    if singular == "leaf":
        return "leaves"
    return singular + ("es" if singular.endswith("s") else "s")
