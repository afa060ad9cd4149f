"""Mails to try the text desk with, English and Chinese: (text, "spam" or "ham")."""

_SPAM = """\
Congratulations, you have won a free prize! Click here to claim your money now.
Win cash today: free tickets for the first 100 who click the link.
You have been selected for a free holiday. Reply now to claim your prize.
Cheap watches, cheap bags, best price guaranteed. Order now and save 80%.
Your account is locked. Click the link and confirm your password now.
Earn money from home, no experience needed. Start today for free.
Last chance! This offer ends tonight. Buy one, get one free.
Lower your loan rate today. Apply now, no credit check, money in one hour.
Hot singles in your town are waiting. Click now, it is free.
You are our lucky winner of the month. Send your bank details to get the prize money.
Lose weight fast with this miracle pill. Order now and get a free bottle.
Double your money in a week with our crypto offer. Guaranteed profit, join now.
Final notice: your parcel is waiting. Pay a small fee through this link to claim it.
Free casino bonus! Play now and win big money tonight.
Unlock your exclusive discount: click here and save on every order.
恭喜您中奖！请立即点击链接领取免费大奖。
低息贷款，无需抵押，当天到账，请立即联系我们。
免费领取优惠券，点击链接，今天最后一天。
在家兼职，每天赚五百元，无需经验，马上加入。
您的账户已被冻结，请点击链接确认密码。
发票代开，价格优惠，请联系客服。
限时特价，名牌手表，免费送货，立即购买。
内部消息，股票稳赚，加入我们，本周翻倍。
您的包裹无法送达，请点击链接支付费用。
澳门娱乐，注册即送现金，马上赢大奖。
"""

_HAM = """\
Are you free for lunch today? I would like to talk about the report.
The meeting is moved to Thursday at ten. See you in room four.
Please find the notes of yesterday's meeting below. Comments are welcome.
Thank you for the photos of the children. We will visit you in spring.
Could you send me the report before Friday? The customer asked about it.
Dinner at our place on Saturday? Bring the children, it will be fun.
The train is late, I will be at the office at half past nine.
I have read your draft and left some comments. The second chapter is good.
Happy birthday! Let us have a coffee together next week.
The doctor moved my appointment, so I can come to the meeting after all.
Attached is the invoice for March, as agreed in the contract.
The test of the new version failed last night. I will look into it today.
Do you have the key of the garden house? I want to water the plants.
We agreed on the budget in the meeting. Please send the plan to the team.
My flight lands at six. Can you pick me up, or shall I take a taxi?
今天下午三点开会，请带上项目报告。
会议改到周四上午十点，地点在四号会议室。
谢谢你寄来的照片，孩子们都很喜欢。
周六来我们家吃晚饭吧，带上孩子。
火车晚点了，我九点半到办公室。
请在周五之前把报告发给我，客户在问。
生日快乐！下周一起喝咖啡吧。
附件是三月份的合同和发票，请查收。
明天下雨，记得带伞，我去车站接你。
你的论文我看完了，第二章写得很好。
"""

MAILS = tuple(
    (text, label)
    for pair in zip(_SPAM.splitlines(), _HAM.splitlines(), strict=True)
    for text, label in zip(pair, ("spam", "ham"), strict=True)
)
