#!/usr/bin/env python3
"""Generates files from the tables of commands, options and environment variables in cli/:

    docs/man/perfmodel.1           from docs/man/perfmodel.1.in
    packaging/completions/perfmodel.bash     from packaging/completions/perfmodel.bash.in
    packaging/completions/_perfmodel (zsh)   from packaging/completions/_perfmodel.in
    docs/options.md
    tables of options in other documents, between <!-- options: COMMAND NAME... --> and <!-- end -->

Usage: make_manual.py [--check] [PERFMODEL]
PERFMODEL is the path of perfmodel (default: build/bin/perfmodel), which prints the tables by `help --json`. With --check,
the script writes nothing and prints the files that would change. If there are any, the exit code is 1.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILLED = ("docs/capture.md", "docs/cost.md", "docs/report.md")
GENERATED = "Written by scripts/make_manual.py: do not edit."


def sentence(text):
    """Returns a help text as a sentence."""
    return text[0].upper() + text[1:] + "."


def spelled(option):
    """Returns how an option is written, such as -o FILE: its names, and its argument with the
    separator before it."""
    names = ([f"-{option['key']}"] if option["key"] else []) + [f"--{option['name']}"]
    argument = option["argument"] or ""
    return ", ".join(names), "[=" + argument[1:] if argument.startswith("[") else " " + argument if argument else ""


def own_options(command):
    """Returns the options of a command that are in no group."""
    return [option for option in command["options"] if not option["group"]]


def shared_options(about, group):
    """Returns the group's options, and the commands that take any of them."""
    options, commands = {}, []
    for command in about["commands"]:
        of_group = [option for option in command["options"] if option["group"] == group]
        commands += [command["name"]] if of_group else []
        for option in of_group:
            options.setdefault(option["name"], option)
    return list(options.values()), commands


# ---- the manual ------------------------------------------------------------------------------------

def roff(text):
    """Converts a line of the template to roff: `code` becomes bold, *word* italic."""
    def font(found):
        return f"\\fB{found[1]}\\fP" if found[1] else f"\\fI{found[2]}\\fP"
    text = re.sub(r"`([^`]*)`|\*([^*\s][^*]*)\*", font, text.replace("\\", "\\e")).replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def marked(text):
    """Returns a text of the tables with options and variables marked as code."""
    return re.sub(r"(?<![\w-])(perfmodel [a-z]+ --[a-z-]+|--?[a-z][\w-]*|\$[A-Z_]+)", r"`\1`", text)


def roff_option(option):
    """Returns the roff lines of one option in a list."""
    names, argument = spelled(option)
    names = ", ".join(f"`{name}`" for name in names.split(", "))
    argument = re.sub(r"^(\[=| )(.*?)(\]?)$", r"\1*\2*\3" if argument.startswith("[") else r" *\2\3*", argument)
    return [".TP", roff(names + argument), roff(marked(sentence(option["help"])))]


def manual_command(about, name):
    """Returns the roff lines of a command before its options."""
    command = next(command for command in about["commands"] if command["name"] == name)
    return [f".SS {name}", roff(f"`perfmodel {name}` [*OPTION*...] {command['arguments'] or ''}".rstrip()), ".PP",
            *(roff(marked(line)) for line in re.split(r"(?<=[.]) ", command["about"]))]


def manual_options(about, name):
    """Returns the roff lines of a command's options."""
    command = next(command for command in about["commands"] if command["name"] == name)
    lines = [line for option in own_options(command) for line in roff_option(option)]
    groups = sorted({option["group"] for option in command["options"]} - {""}, key=about["groups"].index)
    return [*lines, ".PP", "Also options of: " + ", ".join(f"\\fI{group}\\fP" for group in groups) + "."]


def manual_groups(about):
    """Returns the roff lines of options that several commands have in common."""
    lines = []
    for group in about["groups"]:
        options, commands = shared_options(about, group)
        lines += [f".SS {group}", "Options of " + ", ".join(f"\\fB{command}\\fP" for command in commands) + "."]
        lines += [line for option in options for line in roff_option(option)]
    return lines


def manual_environment(about):
    """Returns the roff lines of the environment variables."""
    return [line for variable in about["environment"]
            for line in (".TP", roff(f"`{variable['name']}`"), roff(marked(sentence(variable["help"]))))]


def manual_examples(about):
    """Returns the roff lines of the examples of all commands."""
    lines = [line.strip() for command in about["commands"] for line in command["examples"].splitlines()]
    return [".nf", *(line.replace("-", "\\-") for line in lines if not line.startswith("Example")),
            ".fi"]


def manual(about):
    """Returns the manual in roff. The template has headings # and ##, lists of `: text` under a term, indented blocks, and {directives}."""
    lines, block, command = [f'.\\" {GENERATED} SPDX-License-Identifier: GPL-3.0-or-later',
                             f'.TH PERFMODEL 1 "" "perfmodel {about["version"]}" "User Commands"'], False, None
    source = (ROOT / "docs/man/perfmodel.1.in").read_text(encoding="utf-8").splitlines()
    directives = {"{groups}": manual_groups, "{environment}": manual_environment, "{examples}": manual_examples}
    for line, following in zip(source, [*source[1:], ""]):
        if block and line and not line.startswith("    "):
            lines += [".fi", ".PP"]
            block = False
        if line.startswith('.\\"'):
            continue
        if line.startswith("## {"):
            command = line[4:-1]
            lines += manual_command(about, command)
        elif line == "{options}":
            lines += manual_options(about, command)
        elif line in directives:
            lines += directives[line](about)
        elif line.startswith("#"):
            lines.append((".SS " if line.startswith("##") else ".SH ") + line.strip("# "))
        elif line.startswith("    "):
            lines += ([] if block else [".PP", ".nf"]) + [roff(line[4:])]
            block = True
        elif following.startswith(": "):
            lines += [".TP", roff(line)]
        elif line.startswith(": "):
            lines.append(roff(line[2:]))
        elif line:
            lines.append(roff(line))
        elif not block and not lines[-1].startswith(".S"):
            lines.append(".PP")
    return "\n".join(tidied(lines)) + "\n"


def tidied(lines):
    """Removes a .PP that groff would ignore: before a list, a block or a heading, or after another
    .PP."""
    return [line for line, following in zip(lines, [*lines[1:], ""])
            if line != ".PP" or not re.match(r"\.(PP|TP|SS|SH)\b|$", following)]


# ---- completions -----------------------------------------------------------------------------------

KINDS = {"GPU": "gpus", "DATASET": "datasets", "PROGRAM": "programs", "VARIANT": "variants", "SIZE": "sizes",
         "METHOD": "methods", "DIR": "folders", "WORKLOAD": "workloads", "SOURCE": "sources", "FILE": "files",
         "SHARE": "files:csv,jsonl", "SHARD": "files:csv,jsonl", "PATH": "files"}


def completion(argument, words=None):
    """Returns the kinds of completions for an argument: `=all` is a value; a word without = is a
    kind, such as gpus or files:json."""
    found = [f"={word}" for word in (words or "").split()]
    for part in re.split(r"[|\s]+", re.sub(r"\[?(?:=|\.\.\.|,\.\.\.)[^|\s]*|[][]", " ", argument or "")):
        ending = re.fullmatch(r"[A-Z]+\.([a-z]+)", part)
        if ending:
            found.append(f"files:{ending.group(1)}")
        elif part in KINDS:
            found.append(KINDS[part])
        elif re.fullmatch(r"[a-z]+", part):
            found.append(f"={part}")
    files = [kind[6:] for kind in found if kind.startswith("files:")]
    return [kind for kind in found if not kind.startswith("files:")] + (["files:" + ",".join(files)] if files else [])


def plain_arguments(command):
    """Returns the kinds of completions for plain arguments of a command."""
    return completion((command["arguments"] or "").replace("-- COMMAND ARGUMENT", ""))


def bash(about):
    """Returns bash's completions: the options of each command, and the values of each option."""
    options, values = [], {}
    for command in about["commands"]:
        words = [f"--{name}" for name in dict.fromkeys(option["name"] for option in command["options"])] + ["--help"]
        options.append(f"        {command['name']}) echo '{' '.join(words)}' ;;")
        values.setdefault(" ".join(plain_arguments(command)), []).append(f"'{command['name']} '")
        for option in command["options"]:
            if option["argument"] and option["argument"][0] != "[":
                kinds = " ".join(completion(option["argument"], option["words"])) or "none"
                for name in [f"--{option['name']}"] + ([f"-{option['key']}"] if option["key"] else []):
                    values.setdefault(kinds, []).append(f"'{command['name']} {name}'")
    cases = [f"        {patterns(about, keys)}) echo '{kinds}' ;;" for kinds, keys in values.items() if kinds]
    return filled("packaging/completions/perfmodel.bash.in", about, OPTIONS="\n".join(options), VALUES="\n".join(cases))


def patterns(about, keys):
    """Returns patterns of a shell `case` on 'COMMAND --option'. Options with the same values in all
    their commands have one pattern."""
    takers = {}
    for command in about["commands"]:
        for option in command["options"]:
            takers.setdefault(f"--{option['name']}", set()).add(command["name"])
    short, left = [], list(keys)
    for name, commands in takers.items():
        whole = [f"'{command} {name}'" for command in sorted(commands)]
        if len(whole) > 1 and set(whole) <= set(left):
            short.append(f"*' {name}'")
            left = [key for key in left if key not in whole]
    return wrapped(short + left, " | ")


def wrapped(words, joint, width=116, indent="            "):
    """Distributes words over lines that end with a shell's line continuation."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + len(joint) > width:
            lines[-1] += joint.rstrip() + " \\"
            lines.append(indent + word)
        else:
            lines[-1] += (joint if lines[-1] else "") + word
    return "\n".join(lines)


def zsh_text(text):
    """Escapes a text for _arguments, in single quotes."""
    return re.sub(r"([][:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh_action(kinds):
    """Returns the action of _arguments that completes these kinds."""
    if not kinds:
        return " "
    if all(kind.startswith("=") for kind in kinds):
        return "(" + " ".join(zsh_text(kind[1:]) for kind in kinds) + ")"
    return " _perfmodel_values " + " ".join(kinds)


def zsh_option(option):
    """Returns the specification of one option for _arguments."""
    what = zsh_text(option["help"].split("; ")[0])
    first = "*" if option["repeatable"] else ""
    if not option["argument"]:
        return f"'{first}--{option['name']}[{what}]'"
    optional = option["argument"][0] == "["
    label = zsh_text(re.sub(r"\W.*", "", option["argument"].strip("[]")) or option["name"])
    end = f"[{what}]{':' if optional else ''}:{label}:{zsh_action(completion(option['argument'], option['words']))}'"
    if option["key"]:
        return f"'(-{option['key']} --{option['name']})'{{-{option['key']},--{option['name']}}}'{end}"
    return f"'{first}--{option['name']}{'=-' if optional else ''}{end}"


def zsh(about):
    """Returns zsh's completions."""
    cases = []
    for command in about["commands"]:
        words = [zsh_option(option) for option in command["options"]] + ["'--help[this help]'"]
        kinds = plain_arguments(command)
        if "-- COMMAND" in (command["arguments"] or ""):
            words.append("'*::command:_normal'")
        elif kinds:
            words.append(f"'*:argument: _perfmodel_values {' '.join(kinds)}'")
        joined = " \\\n                ".join(words)
        cases.append(f"        {command['name']})\n            _arguments {joined} ;;")
    commands = " \\\n            ".join(f"'{command['name']}[{zsh_text(command['what'])}]'"
                                          for command in about["commands"])
    return filled("packaging/completions/_perfmodel.in", about, DESCRIPTIONS=commands, CASES="\n".join(cases))


def filled(template, about, **parts):
    """Returns a template with each @PART@ replaced."""
    text = (ROOT / template).read_text(encoding="utf-8")
    for name, part in {**parts, "COMMANDS": " ".join(command["name"] for command in about["commands"]),
                       "GENERATED": GENERATED}.items():
        text = text.replace(f"@{name}@", part)
    return text


# ---- documents -------------------------------------------------------------------------------------

def table(options):
    """Returns options as a table of Markdown."""
    lines = ["| option | meaning |", "|---|---|"]
    for option in options:
        names, argument = spelled(option)
        lines.append(f"| `{names}{argument.replace('|', chr(92) + '|')}` | {markdown(option['help'])} |")
    return "\n".join(lines)


def markdown(text):
    """Escapes a help text for a table of Markdown."""
    return marked(text).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def options_page(about):
    """Returns the text of docs/options.md."""
    parts = [f"# Options\n\n<!-- {GENERATED} -->\n\nThis page lists all options of all commands, like `perfmodel COMMAND "
             "--help` and the manual.\n[usage.md](usage.md) explains the commands by example."]
    for command in about["commands"]:
        groups = sorted({option["group"] for option in command["options"]} - {""}, key=about["groups"].index)
        links = ", ".join(f"[{group.lower()}](#{group.lower().replace(' ', '-')})" for group in groups)
        usage = f"perfmodel {command['name']} [OPTION...] {command['arguments'] or ''}".rstrip()
        parts.append(f"## {command['name']}\n\n`{usage}`: {command['what']}.")
        parts += [table(own_options(command))] if own_options(command) else []
        parts.append(f"`{command['name']}` also has the options of: {links}.")
    for group in about["groups"]:
        options, commands = shared_options(about, group)
        parts.append(f"## {group}\n\nThese commands have the following options: "
                     + ", ".join(f"`{command}`" for command in commands) + ".")
        parts.append(table(options))
    rows = [f"| {', '.join(f'`{name}`' for name in variable['name'].split(', '))} | {markdown(variable['help'])} |"
            for variable in about["environment"]]
    parts.append("## Environment variables\n\n| variable | meaning |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def filled_document(about, path):
    """Returns a document with its tables of options rewritten."""
    def block(found):
        name, *wanted = found.group(1).split()
        options = next(command["options"] for command in about["commands"] if command["name"] == name)
        missing = set(wanted) - {option["name"] for option in options}
        if missing:
            sys.exit(f"{path}: {name} has no option --{missing.pop()}")
        chosen = [option for word in wanted for option in options if option["name"] == word]
        return f"<!-- options: {found.group(1)} -->\n{table(chosen)}\n<!-- end -->"
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.sub(r"<!-- options: ([^>]*?) -->\n(?:\|.*\n)*<!-- end -->", block, text)


def main(words):
    """Writes the files, or with --check compares them."""
    check = "--check" in words
    program = ([word for word in words if word != "--check"] or [ROOT / "build/bin/perfmodel"])[0]
    about = json.loads(subprocess.run([program, "help", "--json"], check=True, capture_output=True, text=True).stdout)
    texts = {"docs/man/perfmodel.1": manual(about), "packaging/completions/perfmodel.bash": bash(about),
             "packaging/completions/_perfmodel": zsh(about), "docs/options.md": options_page(about),
             **{path: filled_document(about, path) for path in FILLED}}
    changed = [path for path, text in texts.items()
               if not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text]
    for path in changed:
        print(f"{path}: {'differs from the tables in cli/; run scripts/make_manual.py' if check else 'written'}")
        if not check:
            (ROOT / path).write_text(texts[path], encoding="utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
