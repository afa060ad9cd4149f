"""Words that say little about any text: articles, pronouns, prepositions, auxiliary verbs.

Words that deny, such as "not" and "不", are not among them: they turn the meaning of their
neighbours. English is as the tokenizer cuts it: "doesn't" is "doesn", for "t" is a single letter.
"""

ENGLISH = """
about above across after again against all almost along also although am among an and any are aren
around as at away be because been before behind being below beneath beside besides between beyond
both but by can could did didn do does doesn doing don done down during each either else ever
every few for from further had hadn has hasn have haven having he hence her here hers herself him
himself his how however if in indeed inside into is isn it its itself just ll may me might mine
more most much must mustn my myself near of off often on once one only onto or other others
otherwise ought our ours ourselves out outside over own per perhaps quite rather re same shall
shan she should shouldn since so some such than that the their theirs them themselves then thence
there therefore these they this those though through throughout thus till to together too toward
towards under until unto up upon us ve very via was wasn we were weren what whatever when whence
whenever where whereas wherever whether which whichever while who whoever whom whose why will with
within would wouldn yet you your yours yourself yourselves
"""

CHINESE = """
的 地 得 了 着 过 和 与 及 以及 或 或者 而 而且 并 并且 但 但是 可是 然而 不过 因 因为 由于 所以
因此 如果 假如 虽然 尽管 即使 无论 不管 只要 只有 除了 除非 于是 然后 那么 这么 怎么 什么 为什么
哪 哪里 哪儿 谁 多少 几 我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 大家 别人 这 那 这个
那个 这些 那些 这里 那里 这儿 那儿 这样 那样 每 各 某 某些 其 其他 其它 其中 此 之 者 所 以 在 从
自 自从 到 往 向 对 对于 关于 至于 根据 按照 通过 为 为了 由 被 把 将 让 给 跟 同 比 于 是 有 也
都 就 才 又 再 还 还是 更 最 很 太 真 非常 已 已经 曾 曾经 正在 刚 刚刚 吗 呢 吧 啊 呀 哦 嗯 啦 嘛
哈 么 一 一个 一些 一样 一下 一直 等 等等 们 个 上 下 里 中 内 外 前 后 时 时候 之后 之前
"""

STOP_WORDS = {"en": frozenset(ENGLISH.split()), "zh": frozenset(CHINESE.split())}
