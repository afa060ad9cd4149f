"""What is printed and drawn in Chinese: all words of the library, and none of the user's."""

import ast
import asyncio
import copy
import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Formatter
from threading import Barrier

import numpy as np
import pytest

import bayesic as by
from bayesic import plots
from bayesic.data.languages import CHINESE, NOUNS, Sentence, said
from bayesic.evidence.explanation import Explanation
from bayesic.models.columns.schema import KINDS

SOURCES = Path(by.__file__).parent
LETTERS, NUMBERS = re.compile(r"[A-Za-z]+"), re.compile(r"[-+]?\d+\.\d+")
DAY = ("晴", "冷", "高", "有")
TREE = by.hypotheses.MDLTreeClassifier().fit({"温度": range(12)}, ["低"] * 6 + ["高"] * 6)
NET = by.BeliefNetwork([("雨", "湿")], {"雨": [0.5, 0.5], "湿": [[0.9, 0.1], [0.2, 0.8]]},
                       {"雨": ["有", "无"], "湿": ["是", "否"]})  # fmt: skip


def fields(template):
    return sorted(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def literals():
    """All texts of the library but the catalogue's, and those of them that are handed to said()."""
    texts, said = set(), set()
    for path in SOURCES.rglob("*.py"):
        if path.name == "languages.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                if name in ("said", "Sentence") and isinstance(first, ast.Constant):
                    said.add(first.value)
    return texts, said


def in_chinese(shown):
    """A value as text, or what a function gives, in Chinese."""
    with by.language("zh"):
        return shown() if callable(shown) else str(shown)


@pytest.fixture(scope="module")
def tennis():
    table = by.datasets.play_tennis("zh").to_dict()
    table["打网球"] = [{"Yes": "是", "No": "否"}[label] for label in table["打网球"]]
    return by.NaiveBayes().fit(table, y="打网球"), table


# the catalogue ------------------------------------------------------------------------------------


def test_every_sentence_is_in_the_catalogue_and_the_catalogue_has_no_other():
    texts, said = literals()
    assert sorted(said - set(CHINESE)) == []
    assert sorted(set(CHINESE) - texts) == []


@pytest.mark.parametrize("english", CHINESE)
def test_both_languages_fill_in_the_same_values(english):
    assert fields(CHINESE[english]) == fields(english)


def test_every_noun_that_is_counted_has_its_chinese():
    assert all(len(pair) == 2 and not LETTERS.search("".join(pair)) for pair in NOUNS.values())


def test_kinds_that_users_type_are_never_translated():
    assert not set(KINDS) & set(CHINESE)


def test_a_sentence_is_english_until_it_is_said_and_survives_copies():
    note = Sentence("depends on {names}", names="{雨}")
    assert note == "depends on {雨}"
    assert json.loads(json.dumps([note])) == ["depends on {雨}"]
    for each in (note, copy.deepcopy(note), pickle.loads(pickle.dumps(note))):
        with by.language("zh"):
            assert said(each) == "取决于 {雨}"
            assert each == note
        assert said(each) == note


# the language that is spoken ----------------------------------------------------------------------

EVIDENCE = Explanation("spam", "ham", 0.0, {}, 0.0, {"spam": 0.5, "ham": 0.5})
HEADLINE = {"en": "spam (0.5000) rather than ham", "zh": "spam（0.5000），而不是 ham"}


def test_a_block_speaks_its_language_and_the_one_around_it_is_restored():
    for outer, inner in (("en", "zh"), ("zh", "en")):
        with by.language(outer):
            with by.language(inner):
                assert EVIDENCE.headline() == HEADLINE[inner]
            assert EVIDENCE.headline() == HEADLINE[outer]
    with pytest.raises(KeyError), by.language("zh"):
        raise KeyError
    assert EVIDENCE.headline() == HEADLINE["en"]


def test_a_plain_call_holds_until_the_next_or_until_the_end_of_the_block_around_it():
    with by.language("en"):
        by.language("zh")
        assert EVIDENCE.headline() == HEADLINE["zh"]
        by.language("en")
        assert EVIDENCE.headline() == HEADLINE["en"]
        by.language("zh")
    assert EVIDENCE.headline() == HEADLINE["en"]


def test_a_language_can_be_kept_and_used_for_several_blocks():
    chinese = by.language("zh")
    by.language("en")
    for _ in range(2):
        with chinese:
            assert EVIDENCE.headline() == HEADLINE["zh"]
        assert EVIDENCE.headline() == HEADLINE["en"]
    assert repr(chinese) == "language('zh')"


@pytest.mark.parametrize("name", ["fr", "auto", None, ["zh"]])
def test_an_unknown_language_is_refused_and_changes_nothing(name):
    with pytest.raises(ValueError, match=r"language must be 'en' or 'zh', got .*"):
        by.language(name)
    assert EVIDENCE.headline() == HEADLINE["en"]


def test_threads_do_not_hear_each_others_language():
    at_once = Barrier(4)

    def headlines(name):
        first = EVIDENCE.headline()  # of a thread that has not been told
        with by.language(name):
            said = set()
            for _ in range(50):
                at_once.wait()
                said.add(EVIDENCE.headline())
        return first, said

    by.language("zh")
    names = ["en", "zh", "en", "zh"]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(headlines, names)) == [
            (HEADLINE["en"], {HEADLINE[name]}) for name in names
        ]
    assert EVIDENCE.headline() == HEADLINE["zh"]


def test_tasks_do_not_hear_each_others_language():
    async def headlines(name):
        by.language(name)
        said = set()
        for _ in range(50):
            await asyncio.sleep(0)
            said.add(EVIDENCE.headline())
        return said

    async def all_at_once():
        return await asyncio.gather(*map(headlines, HEADLINE))

    assert asyncio.run(all_at_once()) == [{text} for text in HEADLINE.values()]
    assert EVIDENCE.headline() == HEADLINE["en"]


def test_what_programs_read_is_english_in_every_language(tennis):
    model, table = tennis
    report = by.evaluate(model, table, "打网球", cv="leave-one-out")
    answers = [
        model.explain(DAY).to_dict,
        model.work(DAY).to_dict,
        model.summary().to_dict,
        model.table("风").to_dict,
        report.to_dict,
        by.drift(model, model).to_dict,
        lambda: model.table("风").to_pandas().to_dict(),
        lambda: {name: frame.to_dict() for name, frame in report.to_pandas().items()},
    ]
    for answer in answers:
        assert json.dumps(in_chinese(answer), default=str) == json.dumps(answer(), default=str)


# explanations -------------------------------------------------------------------------------------


def test_an_explanation_in_chinese_has_the_same_numbers_and_no_english_word(tennis):
    model, _ = tennis
    explanation = model.explain(DAY)
    english, chinese = str(explanation), in_chinese(explanation)
    assert NUMBERS.findall(chinese) == NUMBERS.findall(english)
    assert not LETTERS.search(chinese)
    assert chinese.splitlines()[0] == f"否（{explanation.probability['否']:.4f}），而不是 是"
    assert "先验" in chinese
    assert "对数几率" in chinese
    assert not LETTERS.search(re.sub("<[^>]+>|&[a-z]+;", "", in_chinese(explanation.to_html)))


def test_several_rows_and_few_features_are_said_in_chinese_too(tennis):
    model, _ = tennis
    days = {"天气": ["晴", "雨"], "气温": ["冷", "热"], "湿度": ["高", "高"], "风": ["有", "无"]}
    reasons = model.explain(days, top=1)
    assert len(reasons) == 2
    assert all("其余 3 个" in in_chinese(one) for one in reasons)
    assert "先验" in in_chinese(reasons._repr_html_)


def test_an_impossible_row_is_explained_in_chinese():
    model = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨"]}, ["好", "坏"])
    rows = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨"], "风": ["强", "弱"]}, ["好", "坏"])
    with pytest.warns(UserWarning, match="impossible in every class"):
        text = in_chinese(rows.explain(("晴", "弱")))
    assert "在所有类别中都不可能" in text
    assert "被排除，因为 风 = 弱。" in text
    assert not LETTERS.search(text)
    work = rows.work(("晴", "弱"))
    assert "在所有类别中都不可能" in in_chinese(work)
    assert r"\text{在所有类别中都不可能" in in_chinese(work.to_latex)
    assert "the answer is the prior" in str(work)
    assert not LETTERS.search(in_chinese(model.explain(("晴",))).replace("inf", ""))


def test_texts_neighbours_networks_and_models_on_top_speak_chinese():
    mails = by.TextClassifier(tokenizer="whitespace").fit(["免费 免费", "午饭"], ["垃圾", "正常"])
    assert not LETTERS.search(in_chinese(mails.explain("免费 午饭")))
    near = by.KNeighborsClassifier(n_neighbors=1).fit([[0.0], [1.0]], ["低", "高"])
    assert in_chinese(near.explain((0.2,))).startswith("低 (1.0000)，来自最近的一行\n")
    assert not LETTERS.search(in_chinese(NET.explain({"湿": "是"}, "雨")))
    assert "取决于 雨" in in_chinese(NET.summary())
    half = by.SemiSupervised(by.GaussianNB()).fit([[0.0], [1.0], [0.9]], ["低", "高", None])
    assert "先验" in in_chinese(half.explain((0.2,)))
    assert "个类别" in in_chinese(half.summary())


def test_a_network_answers_in_chinese_with_the_same_numbers():
    hard, soft = {"湿": "是"}, {"湿": {"是": 0.7, "否": 0.1}}
    answers = [
        NET.query("雨", hard),
        NET.query("雨", likelihoods=soft),
        NET.query(["雨", "湿"]),
        NET.query(given=hard),
        NET.query(do={"雨": "有"}),
        NET.query("雨", hard, method="forward", samples=100),
        NET.query("雨", distributions=soft | {"湿": [0.5, 0.5]}),
        NET.most_probable(hard),
        NET.most_probable(),
        NET.mutual_information("雨"),
    ]
    for answer in answers:
        english, chinese = str(answer), in_chinese(answer)
        assert NUMBERS.findall(chinese) == NUMBERS.findall(english)
        assert set(LETTERS.findall(chinese)) <= {"P", "do"}
        if hasattr(answer, "_repr_html_"):
            text = re.sub("<[^>]+>|&[a-z]+;", "", in_chinese(answer._repr_html_))
            assert set(LETTERS.findall(text)) <= {"P", "do"}


def test_long_answers_of_networks_say_in_chinese_what_they_leave_out():
    die = by.BeliefNetwork(tables={"骰子": dict.fromkeys(range(30), 1 / 30)})
    many = by.BeliefNetwork(tables={f"币{n}": {"正": 0.5, "反": 0.5} for n in range(25)})
    assert "还有 10 个状态" in in_chinese(die.query("骰子"))
    assert "还有 5 个变量" in in_chinese(many.query())
    assert "还有 5 个变量" in in_chinese(many.most_probable())
    assert "还有 4 个变量" in in_chinese(many.mutual_information("币0"))


def test_a_tree_and_a_way_through_it_are_told_in_chinese():
    with_gaps = {"天": ["晴", "雨", None, "阴"] * 5, "风": ["强", "弱"] * 10}
    sparse = by.hypotheses.MDLTreeClassifier(0.1).fit(with_gaps, ["去", "留", "去", "去"] * 5)
    for tree, row in ((TREE, (3.0,)), (TREE, (None,)), (sparse, ("雪", "强"))):
        assert tree.to_text() == str(tree)
        for text in (in_chinese(tree), in_chinese(tree.explain(row))):
            assert not LETTERS.search(text)
            assert re.findall(r"[\d.]+", text)
    assert in_chinese(TREE).splitlines()[0].startswith("2 片叶子，")
    path = TREE.explain((3.0,))
    assert in_chinese(path) == "低（0.8750），来自有 6 行的叶子\n  温度 <= 5.5  低 6"
    assert str(path) == "低 (0.8750) from a leaf of 6 rows\n  温度 <= 5.5  低 6"


def test_a_model_that_has_learned_nothing_has_no_tree_to_tell():
    with pytest.raises(ValueError, match="not fitted"):
        by.hypotheses.MDLTreeClassifier().to_text()


# what was learned, and how good it is -------------------------------------------------------------


def test_a_summary_in_chinese_leaves_names_and_kinds_as_they_are(tennis):
    model, _ = tennis
    lines = in_chinese(model.summary()).splitlines()
    assert lines[0] == f"{model!r}: 14 行, 2 个类别, 4 列, {model.n_parameters} 个参数"
    words = set(LETTERS.findall("\n".join(lines[1:])))
    assert words <= {"categorical", "summary", "X", "y"}


def test_the_table_of_a_column_in_chinese_leaves_names_and_kinds_as_they_are(tennis):
    model, _ = tennis
    table = model.table("风", fractions=True)
    chinese = in_chinese(table)
    assert set(LETTERS.findall(chinese)) == {"categorical", "P"}
    assert chinese.splitlines()[0] == "风：categorical，平滑 1"
    assert "P(值|是)" in chinese
    assert "支持" in in_chinese(table._repr_html_)


@pytest.mark.parametrize("model", [by.NaiveBayes(columns={"温": "binned"}),
                                   by.TreeAugmentedNB(), by.AveragedOneDependence()])  # fmt: skip
def test_bins_and_what_columns_depend_on_are_told_in_chinese(model):
    warm = [10, 11, 12, 13, 20, 21, 22, 23] * 4
    columns = {"温": warm, "天": ["阴" if degrees < 20 else "晴" for degrees in warm]}
    model.fit(columns, ["留" if degrees % 10 < 2 else "去" for degrees in warm])
    shown = model.work((21, "晴")), model.table("温"), model.table("天")
    assert "from " in str(shown[1])
    chinese = "\n".join(map(in_chinese, shown))
    assert "从 " in chinese
    words = set(LETTERS.findall(chinese.replace("e-", "")))
    assert words <= {"P", "x", "binned", "categorical"}


def test_changes_are_told_in_chinese():
    earlier = by.NaiveBayes().fit({"天": ["晴", "雨"], "温": [1.5, 2.5]}, ["是", "否"])
    columns = {"天": ["雨", "雨"], "温": [3.5, 2.5], "风": ["强", "弱"]}
    later = by.NaiveBayes().fit(columns, ["是", "否"])
    changes = by.drift(earlier, later)
    assert set(LETTERS.findall(in_chinese(changes))) == {"P"}
    assert in_chinese(changes).splitlines()[0] == "2 行，随后 2 行：每行变化的奈特数"
    assert "只在后来观测到" in in_chinese(changes._repr_html_)


@pytest.mark.parametrize(
    ("cv", "how"), [("leave-one-out", "留一法"), (2, "2 折交叉验证"), (None, "NaiveBayes 的回答")]
)
def test_a_report_in_chinese(tennis, cv, how):
    report = by.evaluate(*tennis, "打网球", cv=cv, loss=np.array([[0, 1], [5, 0]]))
    text = in_chinese(report)
    assert text.splitlines()[0] == f"14 行: {how}"
    assert set(LETTERS.findall(text)) <= {"NaiveBayes", "Brier", "F", "P"}


def test_rows_held_for_impossible_are_told_in_chinese():
    model = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨", "雨"]}, ["好", "坏", "坏"])
    rows = {"天": ["晴", "雨"]}
    report = by.evaluate(model, rows, ["坏", "坏"])
    with by.language("zh"):
        assert report.notes() == [
            "有 1 行的真实类别概率为 0，所以对数损失是无穷大；在其余行上是 0.0000。"
        ]


# pictures -----------------------------------------------------------------------------------------


def words_of(figure):
    figure.canvas.draw()
    found = figure.findobj(lambda part: hasattr(part, "get_text") and part.get_visible())
    return {word for part in found for word in LETTERS.findall(part.get_text())}


@pytest.mark.filterwarnings("ignore:No font was found", "ignore:Glyph")
def test_pictures_in_chinese_have_no_english_word(tennis):
    model, _ = tennis
    explanation = model.explain(DAY)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [5, 5]], 30, axis=0)
    y = np.repeat(["低", "高"], 30)
    table = {"长": X[:, 0], "宽": X[:, 1]}
    mixture = by.GaussianMixture(2, random_state=0).fit(table)
    many = by.BeliefNetwork(tables={"骰子": dict.fromkeys(range(8), 0.125)})
    with by.language("zh"):
        figures = [
            plots.evidence(explanation),
            plots.confusion(["是", "否"], ["是", "是"]),
            plots.calibration([[0.9, 0.1], [0.3, 0.7]], ["低", "高"]),
            plots.learning_curves({"朴素": by.GaussianNB()}, X, y, n_splits=1),
            plots.log_likelihood([-2.0, -1.0]),
            plots.mixture(mixture, table),
            plots.network(many, given={"骰子": 3}),
            plots.tree(TREE),
        ]
    for figure in figures:
        assert words_of(figure) == set()
    assert {"prior", "log", "odds"} <= words_of(plots.evidence(explanation))
