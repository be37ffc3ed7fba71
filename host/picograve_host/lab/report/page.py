"""A page as blocks, rendered as Markdown and as HTML, so that both always say the same."""

import html
import re
from collections import namedtuple
from collections.abc import Iterable

Heading = namedtuple("Heading", ("text", "level"))
Text = namedtuple("Text", ("text",))
Items = namedtuple("Items", ("texts",))
Table = namedtuple("Table", ("head", "lines"))  # lines of texts, the first column their names
Code = namedtuple("Code", ("text",))
Plot = namedtuple("Plot", ("name",))  # name.svg beside the page, or inside it
Block = Heading | Text | Items | Table | Code | Plot


def as_markdown(page: Iterable[Block]) -> str:
    return "\n\n".join(_in_markdown(block) for block in page) + "\n"


def _in_markdown(block):
    match block:
        case Heading(text, level):
            return "%s %s" % ("#" * level, _plain(text))
        case Text(text):
            return _plain(text)
        case Items(texts):
            return "\n".join("- " + _plain(text) for text in texts)
        case Table(head, lines):
            rule = ["---", *["---:"] * (len(head) - 1)]
            lines = [map(_plain, head), rule, *(map(_plain, line) for line in lines)]
            return "\n".join("| %s |" % " | ".join(line) for line in lines)
        case Code(text):
            return "```sh\n%s\n```" % text
        case Plot(name):
            return "![](%s.svg)" % name


def _plain(text):
    """Text that Markdown takes as it is, in one line."""
    text = " ".join(text.split())
    return re.sub(r"[\\`*_\[\]|]", r"\\\g<0>", text).replace("&", "&amp;").replace("<", "&lt;")


FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 64rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
svg { max-width: 100%%; height: auto; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
pre { background: #f4f4f4; padding: 0.6rem; overflow-x: auto; }
</style>
</head>
<body>
%s
</body>
</html>
"""


def as_html(title: str, page: Iterable[Block], pictures: dict[str, str]) -> str:
    """`pictures`: {name of a plot: its SVG}."""
    return FRAME % (html.escape(title), "\n".join(_in_html(block, pictures) for block in page))


def _in_html(block, pictures):
    match block:
        case Heading(text, level):
            return "<h%d>%s</h%d>" % (level, html.escape(text), level)
        case Text(text):
            return "<p>%s</p>" % html.escape(text)
        case Items(texts):
            return "<ul>\n%s\n</ul>" % "\n".join("<li>%s</li>" % html.escape(t) for t in texts)
        case Table(head, lines):
            rows = [_html_row("th", head), *(_html_row("td", line) for line in lines)]
            return "<div><table>\n%s\n</table></div>" % "\n".join(rows)
        case Code(text):
            return "<pre>%s</pre>" % html.escape(text)
        case Plot(name):
            svg = pictures[name]
            return svg[svg.index("<svg") :]  # a page has its own prologue


def _html_row(tag, cells):
    cells = "".join("<%s>%s</%s>" % (tag, html.escape(cell), tag) for cell in cells)
    return "<tr>%s</tr>" % cells
