"""texts.py links|segments FILE: what text-loop does, with Python's regular expressions and sets."""

import re
import sys

PHONE = re.compile(
    r"(?<![^\s,:;(>])(?:\+\d{1,4}[ \t.()-]{0,3}|\()?(?:\d{1,4}[ \t.()-]{0,3})?(?:\d[\d \t.()-]{0,12}\d)\b", re.A)
URL = re.compile(
    r"(?<![^\s,:;(>])(?:https?://|rtsp://)?(?:\.?[-\w]){1,256}\.\w{1,10}(?::\d{1,5})?"
    r"(?:\.?/(?:[^\s.,?:;!]|[.,?:;!](?!\s|$)){0,2048})?", re.A | re.I)
EMAIL = re.compile(r"(?<![^\s,:;(>])[\w.+-]+@[\w.-]+\.[a-z.]{2,6}", re.A | re.I)
BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
    "abcdefghijklmnopqrstuvwxyzäöñüà")
EXTENSION = frozenset("\f^{}\\[~]|€")


def links(text):
    found = sorted(match.span() for kind in (PHONE, URL, EMAIL) for match in kind.finditer(text))
    count = end = 0
    for start, stop in found:
        if start >= end:
            count, end = count + 1, stop
    return count


def segments(text):
    if BASIC.issuperset(set(text) - EXTENSION):
        costs, single, several = [2 if c in EXTENSION else 1 for c in text], 160, 153
    else:
        costs, single, several = [2 if ord(c) > 0xFFFF else 1 for c in text], 70, 67
    if sum(costs) <= single:
        return 1
    count, free = 1, several
    for cost in costs:
        if cost > free:
            count, free = count + 1, several
        free -= cost
    return count


work = {"links": links, "segments": segments}[sys.argv[1]]
with open(sys.argv[2], encoding="utf-8") as lines:
    print(sum(work(line.rstrip("\n")) for line in lines))
