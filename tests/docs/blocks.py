"""Code blocks of a Markdown document that a test runs, and the comments that say how. CONTRIBUTING.md describes both.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import dataclasses
import re

COMMENT = re.compile(r"<!-- docs: (.*?) *-->|<!-- docs: run$")
FENCE = re.compile(r"(```+)\s*([\w+-]*)")
STRAY = re.compile(r"(?:    |\s*\$ )\$? ?perfmodel [a-z-]")
STEP = re.compile(r"\s*- (?:run: )?(perfmodel .*)")
LANGUAGES = ("console", "sh", "yaml")


class DocumentError(Exception):
    """A fault of a document: file, line, and what is wrong."""


@dataclasses.dataclass
class Command:
    """A command of a block, and the output that the document shows below it."""
    line: int                   # line of the document, counted from 0
    text: str
    shown: list                 # lines of output
    first: int = 0              # line of the document at which these lines begin


@dataclasses.dataclass
class Block:
    """A fenced block, or commands in a comment (language "hidden")."""
    line: int
    language: str
    lines: list
    # words of the comments before the block: {word: the rest of the comment}
    marks: dict
    commands: list = dataclasses.field(default_factory=list)


def mark_of(words, where):
    """Returns the word of a comment and the text after it."""
    for word in ("not run", "all", "file", "exit", "measured", "needs"):
        if words == word or words.startswith((word + ",", word + " ")):
            rest = words[len(word):].lstrip(", ")
            if word in ("not run", "all", "file", "exit", "needs") and not rest:
                raise DocumentError(f"{where}: \"docs: {word}\" needs a reason or a name behind it")
            return word, rest
    raise DocumentError(f"{where}: no comment of the docs' test: \"{words}\"")


def console_commands(lines, first):
    """Returns the commands of a block whose lines begin with "$ ", each with the lines below it."""
    commands, at = [], 0
    while at < len(lines):
        if lines[at].startswith("$ "):
            start, text = at, lines[at][2:]
            while text.endswith("\\") and at + 1 < len(lines):
                at += 1
                text += "\n" + lines[at]
            commands.append(Command(first + start, text, [], first + at + 1))
        elif commands:
            commands[-1].shown.append(lines[at])
        at += 1
    for command in commands:
        while command.shown and not command.shown[-1].strip():
            command.shown.pop()
    return commands


def plain_commands(lines, first):
    """Returns the commands of a block without output, one command per line."""
    commands, at = [], 0
    while at < len(lines):
        start, text = at, lines[at]
        while text.endswith("\\") and at + 1 < len(lines):
            at += 1
            text += "\n" + lines[at]
        if text.strip() and not text.lstrip().startswith("#"):
            commands.append(Command(first + start, text, []))
        at += 1
    return commands


def commands_of(block, first):
    """Returns the commands of a block. first: line of the document below the fence."""
    if block.language == "console":
        return console_commands(block.lines, first)
    if block.language == "hidden":      # the block is one script, which may write files
        return [Command(block.line, "\n".join(block.lines), [])]
    if block.language == "sh":
        return plain_commands(block.lines, first)
    if block.language == "yaml":        # a pipeline: only the steps that run perfmodel are commands
        return [Command(first + at, found[1], []) for at, line in enumerate(block.lines)
                if (found := STEP.fullmatch(line))]
    return []


def end_of(lines, start, closing, where):
    """Returns the first line from start on that consists of `closing` alone."""
    for at in range(start, len(lines)):
        if lines[at].strip() == closing:
            return at
    raise DocumentError(f"{where}: no \"{closing}\" ends it")


def read(lines, name):
    """Returns the blocks of a document in order."""
    blocks, marks, at = [], {}, 0
    while at < len(lines):
        where = f"{name}:{at + 1}"
        line = lines[at]
        comment, fence = COMMENT.fullmatch(line.strip()), FENCE.match(line)
        if comment and comment[1] is None:
            end = end_of(lines, at + 1, "-->", where)
            block = Block(at, "hidden", lines[at + 1:end], marks)
            block.commands = commands_of(block, at + 1)
            blocks.append(block)
            marks, at = {}, end
        elif comment:
            word, rest = mark_of(comment[1], where)
            marks[word] = rest
        elif fence:
            end = end_of(lines, at + 1, fence[1], where)
            block = Block(at, fence[2], lines[at + 1:end], marks)
            block.commands = commands_of(block, at + 1)
            if block.language not in LANGUAGES and any(STRAY.match("    " + text) for text in block.lines):
                raise DocumentError(f"{where}: commands of perfmodel stand in ```console or ```sh blocks")
            blocks.append(block)
            marks, at = {}, end
        elif STRAY.match(line) and not lines[at - 1].lstrip().startswith(("- ", "* ")):
            raise DocumentError(f"{where}: commands of perfmodel stand in ```console or ```sh blocks")
        elif line.strip() and marks:
            raise DocumentError(f"{where}: a comment of the docs' test stands right before a block")
        at += 1
    return blocks
