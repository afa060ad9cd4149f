"""Tables of the textbooks that the theory is usually learned from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bayesic.html import MOST_ROWS, html_table, left_out


@dataclass(frozen=True)
class TextbookTable:
    """Rows of named columns, and the class of each row.

    `codes` numbers the values of each column from 0 on in the order of `levels`, for estimators
    that take arrays.

    >>> from bayesic.datasets import li_hang
    >>> table = li_hang()
    >>> len(table), table.columns, table.target_name, table.levels[1]
    (15, ('X1', 'X2'), 'Y', ('S', 'M', 'L'))
    >>> table.codes[:3].tolist()
    [[0, 0], [0, 1], [0, 1]]
    """

    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    target_name: str
    target: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        rows = [(*row, label) for row, label in zip(self.rows, self.target, strict=True)]
        headers, notes = (*self.columns, self.target_name), left_out(len(rows), "rows")
        return html_table(headers, rows[:MOST_ROWS], self.source, notes=notes)

    @property
    def levels(self) -> tuple[tuple[Any, ...], ...]:
        """The values of each column, in the order in which they first appear."""
        return tuple(tuple(dict.fromkeys(column)) for column in zip(*self.rows, strict=True))

    @property
    def codes(self) -> np.ndarray:
        """The rows as numbers of their values: int64 (n_rows, n_columns)."""
        return np.array([self.encode(row) for row in self.rows], dtype=np.int64)

    def encode(self, row: Sequence[Any]) -> list[int]:
        """The numbers of a row's values; a value that the table does not have gets the next number.

        >>> from bayesic.datasets import li_hang
        >>> li_hang().encode((2, "S")), li_hang().encode((2, "XL"))
        ([1, 0], [1, 3])
        """
        return [
            levels.index(value) if value in levels else len(levels)
            for value, levels in zip(row, self.levels, strict=True)
        ]

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name -> values, the target last: what a dataframe library takes."""
        columns = zip(*self.rows, strict=True)
        table = {name: list(values) for name, values in zip(self.columns, columns, strict=True)}
        return {**table, self.target_name: list(self.target)}


def li_hang() -> TextbookTable:
    """Li Hang, 统计学习方法, table 4.1: 15 rows, X1 in {1, 2, 3}, X2 in {S, M, L}, Y -1 or 1.

    >>> li_hang().rows[0], li_hang().target.count(1)
    ((1, 'S'), 9)
    """
    rows = (
        ((1, "S"), -1),
        ((1, "M"), -1),
        ((1, "M"), 1),
        ((1, "S"), 1),
        ((1, "S"), -1),
        ((2, "S"), -1),
        ((2, "M"), -1),
        ((2, "M"), 1),
        ((2, "L"), 1),
        ((2, "L"), 1),
        ((3, "L"), 1),
        ((3, "M"), 1),
        ((3, "M"), 1),
        ((3, "L"), 1),
        ((3, "L"), -1),
    )
    return TextbookTable(
        source="Li Hang, 统计学习方法, table 4.1",
        columns=("X1", "X2"),
        rows=tuple(row for row, _ in rows),
        target_name="Y",
        target=tuple(label for _, label in rows),
    )


def play_tennis(language: Literal["en", "zh"] = "en") -> TextbookTable:
    """PlayTennis, Mitchell 1997 table 3.2: 14 days, in English or in Chinese (language="zh").

    >>> play_tennis().rows[0], play_tennis("zh").rows[0]
    (('Sunny', 'Hot', 'High', 'Weak'), ('晴', '热', '高', '无'))
    """
    if language not in ("en", "zh"):
        raise ValueError(f"language must be 'en' or 'zh', got {language!r}.")
    days = (
        ("Sunny", "Hot", "High", "Weak", "No"),
        ("Sunny", "Hot", "High", "Strong", "No"),
        ("Overcast", "Hot", "High", "Weak", "Yes"),
        ("Rain", "Mild", "High", "Weak", "Yes"),
        ("Rain", "Cool", "Normal", "Weak", "Yes"),
        ("Rain", "Cool", "Normal", "Strong", "No"),
        ("Overcast", "Cool", "Normal", "Strong", "Yes"),
        ("Sunny", "Mild", "High", "Weak", "No"),
        ("Sunny", "Cool", "Normal", "Weak", "Yes"),
        ("Rain", "Mild", "Normal", "Weak", "Yes"),
        ("Sunny", "Mild", "Normal", "Strong", "Yes"),
        ("Overcast", "Mild", "High", "Strong", "Yes"),
        ("Overcast", "Hot", "Normal", "Weak", "Yes"),
        ("Rain", "Mild", "High", "Strong", "No"),
    )
    chinese = {
        "Sunny": "晴", "Overcast": "多云", "Rain": "雨",
        "Hot": "热", "Mild": "温和", "Cool": "冷",
        "High": "高", "Normal": "正常",
        "Strong": "有", "Weak": "无",
    }  # fmt: skip
    word = chinese.__getitem__ if language == "zh" else str
    english_columns = ("Outlook", "Temperature", "Humidity", "Wind")
    return TextbookTable(
        source="Mitchell, Machine Learning (1997), table 3.2",
        columns=("天气", "气温", "湿度", "风") if language == "zh" else english_columns,
        rows=tuple(tuple(word(value) for value in day[:-1]) for day in days),
        target_name="打网球" if language == "zh" else "PlayTennis",
        target=tuple(day[-1] for day in days),
    )


def enjoy_sport() -> TextbookTable:
    """EnjoySport, Mitchell 1997 table 2.1: four days, six attributes.

    Sky can also be Cloudy, and Wind can be Light: no day of the table shows it.

    >>> enjoy_sport().rows[2], enjoy_sport().target
    (('Rainy', 'Cold', 'High', 'Strong', 'Warm', 'Change'), ('Yes', 'Yes', 'No', 'Yes'))
    """
    days = (
        ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same", "Yes"),
        ("Sunny", "Warm", "High", "Strong", "Warm", "Same", "Yes"),
        ("Rainy", "Cold", "High", "Strong", "Warm", "Change", "No"),
        ("Sunny", "Warm", "High", "Strong", "Cool", "Change", "Yes"),
    )
    return TextbookTable(
        source="Mitchell, Machine Learning (1997), table 2.1",
        columns=("Sky", "AirTemp", "Humidity", "Wind", "Water", "Forecast"),
        rows=tuple(day[:-1] for day in days),
        target_name="EnjoySport",
        target=tuple(day[-1] for day in days),
    )


def watermelon() -> TextbookTable:
    """Watermelon 3.0 of Zhou Zhihua, 机器学习: 17 melons, six categories and two measurements.

    >>> watermelon().rows[0], watermelon().target.count("是")
    (('青绿', '蜷缩', '浊响', '清晰', '凹陷', '硬滑', 0.697, 0.46), 8)
    """
    melons = (
        ("青绿", "蜷缩", "浊响", "清晰", "凹陷", "硬滑", 0.697, 0.460, "是"),
        ("乌黑", "蜷缩", "沉闷", "清晰", "凹陷", "硬滑", 0.774, 0.376, "是"),
        ("乌黑", "蜷缩", "浊响", "清晰", "凹陷", "硬滑", 0.634, 0.264, "是"),
        ("青绿", "蜷缩", "沉闷", "清晰", "凹陷", "硬滑", 0.608, 0.318, "是"),
        ("浅白", "蜷缩", "浊响", "清晰", "凹陷", "硬滑", 0.556, 0.215, "是"),
        ("青绿", "稍蜷", "浊响", "清晰", "稍凹", "软粘", 0.403, 0.237, "是"),
        ("乌黑", "稍蜷", "浊响", "稍糊", "稍凹", "软粘", 0.481, 0.149, "是"),
        ("乌黑", "稍蜷", "浊响", "清晰", "稍凹", "硬滑", 0.437, 0.211, "是"),
        ("乌黑", "稍蜷", "沉闷", "稍糊", "稍凹", "硬滑", 0.666, 0.091, "否"),
        ("青绿", "硬挺", "清脆", "清晰", "平坦", "软粘", 0.243, 0.267, "否"),
        ("浅白", "硬挺", "清脆", "模糊", "平坦", "硬滑", 0.245, 0.057, "否"),
        ("浅白", "蜷缩", "浊响", "模糊", "平坦", "软粘", 0.343, 0.099, "否"),
        ("青绿", "稍蜷", "浊响", "稍糊", "凹陷", "硬滑", 0.639, 0.161, "否"),
        ("浅白", "稍蜷", "沉闷", "稍糊", "凹陷", "硬滑", 0.657, 0.198, "否"),
        ("乌黑", "稍蜷", "浊响", "清晰", "稍凹", "软粘", 0.360, 0.370, "否"),
        ("浅白", "蜷缩", "浊响", "模糊", "平坦", "硬滑", 0.593, 0.042, "否"),
        ("青绿", "蜷缩", "沉闷", "稍糊", "稍凹", "硬滑", 0.719, 0.103, "否"),
    )
    return TextbookTable(
        source="周志华, 机器学习 (2016), 西瓜数据集 3.0",
        columns=("色泽", "根蒂", "敲声", "纹理", "脐部", "触感", "密度", "含糖率"),
        rows=tuple(melon[:-1] for melon in melons),
        target_name="好瓜",
        target=tuple(melon[-1] for melon in melons),
    )


def rainy_mails() -> TextbookTable:
    """Three short Chinese mails as word counts: 今天 上午 下雨 / 明天 上午 上午 / 下雨 时 在家.

    >>> rainy_mails().columns[:4], rainy_mails().rows[1][:4]
    (('今天', '上午', '下雨', '明天'), (0, 2, 0, 1))
    """
    vocabulary = ("今天", "上午", "下雨", "明天", "时", "在家")
    mails = ("今天 上午 下雨", "明天 上午 上午", "下雨 时 在家")
    return TextbookTable(
        source="朴素贝叶斯的最大似然估计, three samples with a vocabulary of six words",
        columns=vocabulary,
        rows=tuple(tuple(mail.split().count(word) for word in vocabulary) for mail in mails),
        target_name="类别",
        target=(1, 2, 3),
    )
