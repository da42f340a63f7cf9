"""Tests which lines the runner of the documents' commands takes as commands, and which outputs it
accepts as equal."""
import argparse
import pathlib
import tempfile
import unittest

import blocks
import compare
import run_docs


class Blocks(unittest.TestCase):
    """Blocks and the comments before them."""

    def test_console(self):
        """Commands have the lines below them; a backslash joins lines."""
        found = blocks.read(["```console", "$ a \\", "  b", "out", "", "$ c", "```"], "x.md")[0].commands
        self.assertEqual([(c.text, c.shown, c.first) for c in found], [("a \\\n  b", ["out"], 3), ("c", [], 6)])

    def test_marks(self):
        """A comment applies only to the next block."""
        text = ["<!-- docs: not run, needs a GPU -->", "<!-- docs: exit 3 -->", "```sh", "a", "```", "```sh", "b", "```"]
        first, second = blocks.read(text, "x.md")
        self.assertEqual((first.marks, second.marks), ({"not run": "needs a GPU", "exit": "3"}, {}))

    def test_hidden_and_yaml(self):
        """Commands in a comment and in a pipeline are run, too."""
        found = blocks.read(["<!-- docs: run", "cp a b", "-->", "```yaml", "  - run: perfmodel check x", "```"], "x.md")
        self.assertEqual([block.commands[0].text for block in found], ["cp a b", "perfmodel check x"])

    def test_faults(self):
        """Comments without a block, unknown words and commands outside of blocks are errors that
        name the line."""
        for lines, words in ((["<!-- docs: skip -->"], "x.md:1: no comment"), (["", "    $ perfmodel cache"], "x.md:2: "),
                             (["<!-- docs: all -->"], "needs a reason"), (["```sh", "a"], 'no "```" ends it'),
                             (["```text", "$ perfmodel cache", "```"], "x.md:1: commands"),
                             (["<!-- docs: measured -->", "text"], "x.md:2: a comment")):
            with self.assertRaisesRegex(blocks.DocumentError, words):
                blocks.read(lines, "x.md")


class Compare(unittest.TestCase):
    """Comparison of outputs, and new output for the document."""

    def test_matches(self):
        """Blanks do not matter, numbers do. "..." matches any lines or tokens."""
        for shown, got, same in ((["a  1.0 us"], ["a 1.0   us"], True), (["a 1.0 us"], ["a 1.1 us"], False),
                                 (["...", "end"], ["a", "b", "end"], True), (["a", "..."], ["b", "a"], False),
                                 (["cpu ... cores"], ["cpu EPYC 7 cores"], True), (["cpu ..."], ["gpu x"], False)):
            self.assertEqual(compare.matches(shown, got), same, (shown, got))

    def test_measured(self):
        """In measured lines, numbers and their units may differ."""
        self.assertTrue(compare.matches(["took 1.5 ms (2..3)"], ["took 830 us (1..9)"], measured=True))
        self.assertFalse(compare.matches(["took 1.5 ms"], ["lost 1.5 ms"], measured=True))

    def test_updated(self):
        """New output is cut where the document cuts it, and lines that still match are kept."""
        got = ["head 2", "x", "table 5", "row 6", "row 7", "sum 9"]
        self.assertEqual(compare.updated(["head 1", "..."], got), ["head 2", "..."])
        self.assertEqual(compare.updated(["...", "table 1", "row 2"], got), ["...", *got[2:]])
        self.assertEqual(compare.updated(["...", "table 1", "..."], got), ["...", "table 5", "..."])
        self.assertEqual(compare.updated(["a  1"], ["a 1"]), ["a 1"])
        self.assertEqual(compare.updated(["old"], ["cpu EPYC", "b"]), ["cpu EPYC", "b"])
        self.assertEqual(compare.updated(["cpu ...", "a"], ["cpu EPYC", "b"]), ["cpu ...", "b"])


class Run(unittest.TestCase):
    """Tests of complete documents."""

    def setUp(self):
        self.options = argparse.Namespace(all=False, update=False, verbose=False)

    def runner_of(self, text):
        """Runs a document with this text and returns the runner."""
        # pylint: disable-next=consider-using-with
        scratch = tempfile.TemporaryDirectory(dir=run_docs.ROOT / "tests" / "docs")
        self.addCleanup(scratch.cleanup)
        folder = pathlib.Path(scratch.name)
        (folder / "x.md").write_text(text, encoding="utf-8")
        (folder / "x").mkdir()
        runner = run_docs.Runner(folder / "x.md", folder / "x", self.options)
        runner.run_all()
        return runner

    def test_run(self):
        """Files in the document's comments are created, and `cd` applies to later commands. Paths
        start in the folder."""
        runner = self.runner_of("<!-- docs: file in/a.txt -->\n```\nhello\n```\n```console\n$ cd in\n$ cat a.txt\nhello\n"
                                "$ pwd\nin\n```\n<!-- docs: exit 3 -->\n```sh\nexit 3\n```\n"
                                "<!-- docs: all, slow -->\n```sh\nfalse\n```\n")
        self.assertEqual((runner.ran, len(runner.left_out), runner.failures), (4, 1, []))

    def test_update(self):
        """The output in the document is replaced, and the text around it stays."""
        self.options.update = True
        runner = self.runner_of("before\n\n```console\n$ echo 2\n1\n$ echo 4\n3\n```\nafter\n")
        runner.update()
        self.assertEqual(runner.path.read_text(encoding="utf-8"),
                         "before\n\n```console\n$ echo 2\n2\n$ echo 4\n4\n```\nafter\n")


if __name__ == "__main__":
    unittest.main()
