"""A hook of mkdocs that replaces links to files outside docs/ by links to the repository on the web.

Documents link to sources and scripts by relative paths (`../scripts/x.py`), which work on GitHub. The site does not have
these files. $SITE_REPOSITORY is the address of the repository's files, such as
https://github.com/OWNER/perfmodel/blob/main. If it is not set, the links become plain text. A link to a file that does
not exist is an error.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re

from mkdocs.exceptions import PluginError

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, *, page, config, **_):
    """Replaces links of a page that point outside docs/."""
    docs = pathlib.Path(config["docs_dir"]).resolve()
    root, here = docs.parent, (docs / page.file.src_uri).parent
    base = os.environ.get("SITE_REPOSITORY", "").rstrip("/")

    def replaced(found):
        target = (here / found[2]).resolve()
        if target.is_relative_to(docs):
            return found[0]
        if not target.is_relative_to(root) or not target.exists():
            raise PluginError(f"{page.file.src_uri}: {found[2]} is not in the repository; mend the link")
        address = f"{base}/{target.relative_to(root)}{found[3] or ''}"
        return f"[{found[1]}]({address})" if base else found[1]

    return LINK.sub(replaced, markdown)
