"""What is printed and drawn in Chinese: all words of the library, and none of the user's."""

import ast
import copy
import json
import pickle
import re
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

import bayesic as by
from bayesic import plots
from bayesic.data.languages import CHINESE, NOUNS, Sentence, said
from bayesic.models.schema import KINDS

SOURCES = Path(by.__file__).parent
LETTERS = re.compile(r"[A-Za-z]+")
DAY = ("晴", "冷", "高", "有")
TREE = by.hypotheses.MDLTreeClassifier().fit({"温度": range(12)}, ["低"] * 6 + ["高"] * 6)
NET = by.BeliefNetwork([("雨", "湿")], {"雨": [0.5, 0.5], "湿": [[0.9, 0.1], [0.2, 0.8]]},
                       {"雨": ["有", "无"], "湿": ["是", "否"]})  # fmt: skip


def fields(template):
    return sorted(name for _, name, _, _ in Formatter().parse(template) if name is not None)


def literals():
    """All texts of files that speak two languages, and those of them that are handed to said()."""
    texts, said = set(), set()
    for path in SOURCES.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "bayesic.data.languages import" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                if name in ("said", "_said", "Sentence") and isinstance(first, ast.Constant):
                    said.add(first.value)
    return texts, said


@pytest.fixture(scope="module")
def tennis():
    table = by.datasets.play_tennis("zh").to_dict()
    table["打网球"] = [{"Yes": "是", "No": "否"}[label] for label in table["打网球"]]
    return by.NaiveBayes().fit(table, y="打网球"), table


# the catalogue ------------------------------------------------------------------------------------


def test_every_sentence_is_in_the_catalogue_and_the_catalogue_has_no_other():
    texts, said = literals()
    assert sorted(said - set(CHINESE)) == []
    sources = [path for path in SOURCES.rglob("*.py") if path.name != "languages.py"]
    everything = "".join(path.read_text(encoding="utf-8") for path in sources)
    assert [english for english in set(CHINESE) - texts if f'"{english}"' not in everything] == []


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
        assert said(each, "zh") == "取决于 {雨}"
        assert said(each, "en") == note


# explanations -------------------------------------------------------------------------------------


def test_an_explanation_in_chinese_has_the_same_numbers_and_no_english_word(tennis):
    model, _ = tennis
    english, chinese = model.explain(DAY), model.explain(DAY, language="zh")
    assert chinese.weights == english.weights
    assert not LETTERS.search(str(chinese))
    assert str(chinese).splitlines()[0] == f"否（{english.probability['否']:.4f}），而不是 是"
    assert "先验" in str(chinese)
    assert "对数几率" in str(chinese)
    assert not LETTERS.search(re.sub("<[^>]+>|&[a-z]+;", "", chinese.to_html()))


def test_several_rows_and_few_features_are_said_in_chinese_too(tennis):
    model, _ = tennis
    days = {"天气": ["晴", "雨"], "气温": ["冷", "热"], "湿度": ["高", "高"], "风": ["有", "无"]}
    reasons = model.explain(days, top=1, language="zh")
    assert len(reasons) == 2
    assert all("其余 3 个" in str(one) for one in reasons)
    assert "先验" in reasons._repr_html_()


def test_an_impossible_row_is_explained_in_chinese():
    model = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨"]}, ["好", "坏"])
    rows = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨"], "风": ["强", "弱"]}, ["好", "坏"])
    with pytest.warns(UserWarning, match="impossible in every class"):
        text = str(rows.explain(("晴", "弱"), language="zh"))
    assert "在所有类别中都不可能" in text
    assert "被排除，因为 风 = 弱。" in text
    assert not LETTERS.search(text)
    assert "在所有类别中都不可能" in str(rows.work(("晴", "弱"), language="zh"))
    assert r"\text{在所有类别中都不可能" in rows.work(("晴", "弱"), language="zh").to_latex()
    assert "the answer is the prior" in str(rows.work(("晴", "弱")))
    assert not LETTERS.search(str(model.explain(("晴",), language="zh")).replace("inf", ""))


def test_texts_neighbours_networks_and_models_on_top_take_a_language():
    mails = by.TextClassifier(tokenizer="whitespace").fit(["免费 免费", "午饭"], ["垃圾", "正常"])
    assert not LETTERS.search(str(mails.explain("免费 午饭", language="zh")))
    near = by.KNeighborsClassifier(n_neighbors=1).fit([[0.0], [1.0]], ["低", "高"])
    assert str(near.explain((0.2,), language="zh")).startswith("低 (1.0000)，来自最近的一行\n")
    assert not LETTERS.search(str(NET.explain({"湿": "是"}, "雨", language="zh")))
    assert "取决于 雨" in str(NET.summary(language="zh"))
    half = by.SemiSupervised(by.GaussianNB()).fit([[0.0], [1.0], [0.9]], ["低", "高", None])
    assert "先验" in str(half.explain((0.2,), language="zh"))
    assert "个类别" in str(half.summary(language="zh"))


def test_a_network_answers_in_chinese_with_the_same_numbers():
    hard, soft = {"湿": "是"}, {"湿": {"是": 0.7, "否": 0.1}}
    asked = [
        lambda **how: NET.query("雨", hard, **how),
        lambda **how: NET.query("雨", likelihoods=soft, **how),
        lambda **how: NET.query(["雨", "湿"], **how),
        lambda **how: NET.query(given=hard, **how),
        lambda **how: NET.query(do={"雨": "有"}, **how),
        lambda **how: NET.query("雨", hard, method="forward", samples=100, **how),
        lambda **how: NET.query("雨", distributions=soft | {"湿": [0.5, 0.5]}, **how),
        lambda **how: NET.most_probable(hard, **how),
        lambda **how: NET.most_probable(**how),
        lambda **how: NET.mutual_information("雨", **how),
    ]
    for ask in asked:
        english, chinese = ask(), ask(language="zh")
        assert dict(chinese) == dict(english)
        words = set(LETTERS.findall(str(chinese)))
        assert words <= {"P", "do"}
        if hasattr(chinese, "_repr_html_"):
            text = re.sub("<[^>]+>|&[a-z]+;", "", chinese._repr_html_())
            assert set(LETTERS.findall(text)) <= {"P", "do"}


def test_long_answers_of_networks_say_in_chinese_what_they_leave_out():
    die = by.BeliefNetwork(tables={"骰子": dict.fromkeys(range(30), 1 / 30)})
    many = by.BeliefNetwork(tables={f"币{n}": {"正": 0.5, "反": 0.5} for n in range(25)})
    assert "还有 10 个状态" in str(die.query("骰子", language="zh"))
    assert "还有 5 个变量" in str(many.query(language="zh"))
    assert "还有 5 个变量" in str(many.most_probable(language="zh"))
    assert "还有 4 个变量" in str(many.mutual_information("币0", language="zh"))


def test_a_tree_and_a_way_through_it_are_told_in_chinese():
    with_gaps = {"天": ["晴", "雨", None, "阴"] * 5, "风": ["强", "弱"] * 10}
    sparse = by.hypotheses.MDLTreeClassifier(0.1).fit(with_gaps, ["去", "留", "去", "去"] * 5)
    for tree, row in ((TREE, (3.0,)), (TREE, (None,)), (sparse, ("雪", "强"))):
        assert tree.to_text() == str(tree)
        for text in (tree.to_text("zh"), str(tree.explain(row, language="zh"))):
            assert not LETTERS.search(text)
            assert re.findall(r"[\d.]+", text)
    assert TREE.to_text("zh").splitlines()[0].startswith("2 片叶子，")
    assert (
        str(TREE.explain((3.0,), language="zh"))
        == "低（0.8750），来自有 6 行的叶子\n  温度 <= 5.5  低 6"
    )
    assert str(TREE.explain((3.0,))) == "低 (0.8750) from a leaf of 6 rows\n  温度 <= 5.5  低 6"


def test_a_model_that_has_learned_nothing_has_no_tree_to_tell():
    with pytest.raises(ValueError, match="not fitted"):
        by.hypotheses.MDLTreeClassifier().to_text("zh")


def test_an_unknown_language_is_refused_everywhere(tennis):
    model, table = tennis
    calls = [
        lambda: model.explain(DAY, language="fr"),
        lambda: model.work(DAY, language="fr"),
        lambda: model.summary(language="fr"),
        lambda: by.evaluate(model, table, "打网球", language="fr"),
        lambda: model.table("风", language="fr"),
        lambda: by.drift(model, model, language="fr"),
        lambda: TREE.to_text("fr"),
        lambda: TREE.explain((1.0,), language="fr"),
        lambda: plots.tree(TREE, language="fr"),
        lambda: NET.query("雨", language="fr"),
        lambda: NET.most_probable(language="fr"),
        lambda: NET.mutual_information("雨", language="fr"),
        lambda: plots.evidence(model.explain(DAY), language="fr"),
        lambda: plots.log_likelihood([-2.0, -1.0], language="fr"),
        lambda: plots.confusion(["是"], ["是"], language=None),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"language must be 'en' or 'zh', got .*English\."):
            call()


# what was learned, and how good it is -------------------------------------------------------------


def test_a_summary_in_chinese_leaves_names_and_kinds_as_they_are(tennis):
    model, _ = tennis
    lines = str(model.summary(language="zh")).splitlines()
    assert lines[0] == f"{model!r}: 14 行, 2 个类别, 4 列, {model.n_parameters} 个参数"
    words = set(LETTERS.findall("\n".join(lines[1:])))
    assert words <= {"categorical", "summary", "X", "y"}
    assert model.summary(language="zh").to_dict()["columns"] == model.summary().to_dict()["columns"]


def test_the_table_of_a_column_in_chinese_leaves_names_and_kinds_as_they_are(tennis):
    model, _ = tennis
    english, chinese = model.table("风", fractions=True), model.table("风", True, "zh")
    assert chinese.to_dict() == english.to_dict()
    assert chinese.to_pandas().equals(english.to_pandas())
    assert set(LETTERS.findall(str(chinese))) == {"categorical", "P"}
    assert str(chinese).splitlines()[0] == "风：categorical，平滑 1"
    assert "P(值|是)" in str(chinese)
    assert "支持" in chinese._repr_html_()


@pytest.mark.parametrize("model", [by.NaiveBayes(columns={"温": "binned"}),
                                   by.TreeAugmentedNB(), by.AveragedOneDependence()])  # fmt: skip
def test_bins_and_what_columns_depend_on_are_told_in_chinese(model):
    warm = [10, 11, 12, 13, 20, 21, 22, 23] * 4
    columns = {"温": warm, "天": ["阴" if degrees < 20 else "晴" for degrees in warm]}
    model.fit(columns, ["留" if degrees % 10 < 2 else "去" for degrees in warm])
    shown = [model.work((21, "晴"), language="zh"), model.table("温", language="zh")]
    shown += [model.table("天", language="zh")]
    assert "from " in str(model.table("温"))
    assert "从 " in "\n".join(map(str, shown))
    words = set(LETTERS.findall("\n".join(map(str, shown)).replace("e-", "")))
    assert words <= {"P", "x", "binned", "categorical"}


def test_changes_are_told_in_chinese():
    earlier = by.NaiveBayes().fit({"天": ["晴", "雨"], "温": [1.5, 2.5]}, ["是", "否"])
    columns = {"天": ["雨", "雨"], "温": [3.5, 2.5], "风": ["强", "弱"]}
    later = by.NaiveBayes().fit(columns, ["是", "否"])
    english, chinese = by.drift(earlier, later), by.drift(earlier, later, language="zh")
    assert chinese.to_dict() == english.to_dict()
    assert set(LETTERS.findall(str(chinese))) == {"P"}
    assert str(chinese).splitlines()[0] == "2 行，随后 2 行：每行变化的奈特数"
    assert "只在后来观测到" in chinese._repr_html_()


@pytest.mark.parametrize(
    ("cv", "how"), [("leave-one-out", "留一法"), (2, "2 折交叉验证"), (None, "NaiveBayes 的回答")]
)
def test_a_report_in_chinese(tennis, cv, how):
    asked = (*tennis, "打网球")
    loss = np.array([[0, 1], [5, 0]])
    report = by.evaluate(*asked, cv=cv, loss=loss, language="zh")
    text = str(report)
    assert text.splitlines()[0] == f"14 行: {how}"
    assert set(LETTERS.findall(text)) <= {"NaiveBayes", "Brier", "F", "P"}
    assert report.accuracy == by.evaluate(*asked, cv=cv, loss=loss).accuracy


def test_rows_held_for_impossible_are_told_in_chinese():
    model = by.NaiveBayes(smoothing=0).fit({"天": ["晴", "雨", "雨"]}, ["好", "坏", "坏"])
    rows = {"天": ["晴", "雨"]}
    report = by.evaluate(model, rows, ["坏", "坏"], language="zh")
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
    figures = [
        plots.evidence(explanation, language="zh"),
        plots.evidence(model.explain(DAY, language="zh")),
        plots.confusion(["是", "否"], ["是", "是"], language="zh"),
        plots.calibration([[0.9, 0.1], [0.3, 0.7]], ["低", "高"], language="zh"),
        plots.learning_curves({"朴素": by.GaussianNB()}, X, y, n_splits=1, language="zh"),
        plots.log_likelihood([-2.0, -1.0], language="zh"),
        plots.mixture(mixture, table, language="zh"),
        plots.network(many, given={"骰子": 3}, language="zh"),
        plots.tree(TREE, language="zh"),
    ]
    for figure in figures:
        assert words_of(figure) == set()
    assert {"prior", "log", "odds"} <= words_of(plots.evidence(explanation))
