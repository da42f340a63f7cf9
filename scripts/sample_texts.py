#!/usr/bin/env python3
"""Draws 60 comments of the product's C code and 40 sentences of the documentation, for readers who have never seen the
project and judge which of them are clear.

Usage: scripts/sample_texts.py SEED >sample.md
The same seed draws the same texts from the same commit. Run it in the repository. A comment is printed with the five
lines of code below it, and a sentence with its paragraph or list item.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import random
import re
import subprocess
import sys

COMMENTS, SENTENCES = 60, 40
LINES_BELOW = 6  # the rest of the comment's line, and five lines
# strings are matched, too, because they may have the characters of a comment
COMMENT_OR_STRING = r"""/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]\)))\s+(?=[A-Z`*\[(]|perfmodel)")


def tracked(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], capture_output=True, text=True, check=True).stdout.split()


def is_sentence_like(comment):
    """Returns whether a comment has more than 25 characters and is neither a licence line nor a ruler."""
    text = re.sub(r"[/*\s]+", " ", comment).strip()
    return len(text) > 25 and not ("SPDX" in text and len(text) < 60) and not text.startswith("----")


def comments():
    """Yields file, line and text with the code below, for the comments of all C files except tests and CUDA's headers."""
    for name in tracked("*.c", "*.h"):
        if name.startswith(("tests/", "compiler/cuda/")):
            continue
        text = pathlib.Path(name).read_text(encoding="utf-8", errors="replace")
        for match in re.finditer(COMMENT_OR_STRING, text, re.S):
            if match.group(0).startswith("/") and is_sentence_like(match.group(0)):
                before = text[:match.start()].split("\n")
                below = text[match.end():].split("\n")[:LINES_BELOW]
                yield name, len(before), before[-1] + match.group(0) + "\n".join(below)


def paragraphs(text):
    """Yields the heading, the text and the surrounding text of each paragraph and list item. The surrounding text of an
    item is the item with the paragraph that introduces the list (its last sentence, if it ends with a colon)."""
    heading, lead = "", ""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    for block in re.split(r"\n\s*\n", re.sub(r"```.*?```", "", text, flags=re.S)):
        if block.startswith("#"):
            heading = block.split("\n")[0]
        if block.startswith(("    ", "#")) or block.lstrip().startswith("|"):
            lead = ""
        if not block.startswith(("    ", "#")) and not block.lstrip().startswith("|"):
            for item in re.split(r"\n(?=\s*(?:[-*]|\d+\.)\s)", block):
                said = re.sub(r"\s+", " ", item).strip()
                is_item = re.match(r"(?:[-*]|\d+\.)\s", said)
                yield heading, said, f"{lead} {said}" if is_item and lead else said
                if not is_item:
                    lead = SENTENCE_END.split(said)[-1] if said.endswith(":") else ""


def sentences():
    """Yields file, heading, sentence and paragraph of README.md, CONTRIBUTING.md and docs/."""
    for name in tracked("docs/*.md", "docs/*/*.md", "README.md", "CONTRIBUTING.md"):
        for heading, said, around in paragraphs(pathlib.Path(name).read_text(encoding="utf-8")):
            for sentence in SENTENCE_END.split(re.sub(r"^\d+\.\s", "", said)):
                if len(sentence) > 30:
                    yield name, heading, sentence, around


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/sample_texts.py SEED")
    random.seed(sys.argv[1])
    chosen = random.sample(list(comments()), COMMENTS)
    said = random.sample(list(sentences()), SENTENCES)
    print(f"# {COMMENTS} comments")
    for number, (name, line, code) in enumerate(chosen, 1):
        print(f"\n## C{number} {name}:{line}\n```c\n{code}\n```")
    print(f"\n# {SENTENCES} sentences (the sentence, then its paragraph)")
    for number, (name, heading, sentence, paragraph) in enumerate(said, 1):
        print(f"\n## S{number} {name}, {heading}\n**{sentence}**\n\n(paragraph: {paragraph})")


if __name__ == "__main__":
    main()
