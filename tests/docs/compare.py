"""Output that a document shows, held against what a command printed, and made anew of it.

Lines are compared token by token, so that blanks do not matter. A line "..." stands for any lines, a token "..." for
any tokens. SPDX-License-Identifier: GPL-3.0-or-later
"""
import difflib
import re

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
UNIT = re.compile(r"# ?(?:ns|us|ms|s|minutes|[KMG]?B|[KMG]iB)\b")


def tokens(line, measured):
    """Returns the tokens of a line. In measured lines "#" replaces numbers, and units of time or
    size are ignored."""
    if measured:
        line = UNIT.sub("#", NUMBER.sub("#", line))
    return line.split()


def sequence_matches(pattern, items, same):
    """Returns whether the items match a pattern, in which "..." stands for any items."""
    ends = {0}      # numbers of items that the pattern so far may match
    for wanted in pattern:
        if wanted == "...":
            ends = set(range(min(ends), len(items) + 1)) if ends else ends
        else:
            ends = {end + 1 for end in ends if end < len(items) and same(wanted, items[end])}
    return len(items) in ends


def line_matches(shown, got, measured=False):
    """Returns whether a printed line matches the line of the document."""
    return sequence_matches(tokens(shown, measured), tokens(got, measured), str.__eq__)


def matches(shown, got, measured=False):
    """Returns whether the printed lines match the lines of the document."""
    pattern = [line.strip() for line in shown if line.strip()]
    return sequence_matches(pattern, [line for line in got if line.strip()],
                            lambda a, b: line_matches(a, b, measured))


def likeness(a, b):
    """Returns the similarity of a shown and a printed line without their numbers, 0 to 1."""
    if a.strip() and b.strip().startswith(a.strip()):
        return 0.9 if a.strip() != b.strip() else 1
    return difflib.SequenceMatcher(None, tokens(a, True), tokens(b, True), autojunk=False).ratio()


def place_of(line, got, start, last):
    """Returns the index of the line of got, from start on, that is most similar to `line`; -1:
    none. If several are equally similar, it is the first, or the last."""
    best, place = 0.5, -1
    for at in range(start, len(got)):
        alike = likeness(line, got[at])
        if alike > best or (last and alike == best):
            best, place = alike, at
    return place


def segments_of(shown):
    """Returns the runs of lines between lines "...", without blank lines at their ends."""
    segments = [[]]
    for line in shown:
        if line.strip() == "...":
            segments.append([])
        elif line.strip() or segments[-1]:
            segments[-1].append(line)
    for segment in segments:
        while segment and not segment[-1].strip():
            segment.pop()
    return segments


def updated(shown, got, measured=False):
    """Returns the printed lines, cut where the document has "...". The document's lines with "..."
    or measured numbers stay if they match."""
    segments = segments_of(shown)
    result, start = [], 0
    for number, segment in enumerate(segments):
        final = number == len(segments) - 1
        if number:
            result.append("...")
        if not segment:
            continue
        first = start if number == 0 else place_of(segment[0], got, start, final and len(segment) == 1)
        if first < 0:
            first = max(start, len(got) - len(segment))
        end = len(got) - 1
        if not final:
            end = place_of(segment[-1], got, first, False)
            if end < 0:
                end = min(first + len(segment), len(got)) - 1
        for line in got[first:end + 1]:
            kept = [old for old in segment if (measured or "..." in old.split()) and line_matches(old, line, measured)]
            result.append(kept[0] if kept else line)
        start = end + 1
    return result
