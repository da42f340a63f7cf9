// Makes elements of the page. Texts come from files that may be hostile: they become text nodes,
// never markup.
// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
const elements = (() => {
  // Control characters, marks that turn the direction of the text after them, and characters that
  // are not text.
  const HIDDEN = new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2066-\\u2069\\ufffe\\uffff]", "g");
  const LONG_TEXT = 24;

  const clean = (text) =>
    String(text).replace(HIDDEN, (c) => (c === "\n" || c === "\t" ? " " : "?"));

  // Makes an element. Children are elements or texts; null and undefined are left out.
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (value !== null && value !== undefined && value !== false)
        element.setAttribute(key, value === true ? "" : value);
    for (const child of children.flat(Infinity))
      if (child !== null && child !== undefined)
        element.append(child instanceof Node ? child : clean(child));
    return element;
  }

  const paragraph = (...children) => make("p", null, ...children);
  const heading = (level, text, id) => make("h" + level, { id }, text);
  const fold = (summary, ...children) =>
    make("details", null, make("summary", null, summary), ...children);

  // A text that money.js recomputes when the reader changes a rate.
  const live = (key, number) => make("span", { "data-live": key, "data-of": number });
  const liveRange = (key, number) =>
    make("span", { class: "range", "data-live": key + "-range", "data-of": number });

  // Lets a long name continue on the next line after a separator.
  function breakable(text) {
    const parts = clean(text).split(/(?<=[^ ][/+;:=])(?=[^])/);
    return parts.flatMap((part, i) => (i ? [make("wbr"), part] : [part]));
  }

  // Content of a cell: a text, [text, interval], or an element.
  function content(cell) {
    if (cell instanceof Node)
      return [cell];
    if (!Array.isArray(cell))
      return breakable(cell);
    const [text, range] = cell;
    const small = () => make("span", { class: "range" }, breakable(range));
    return [text instanceof Node ? text : breakable(text),
      range instanceof Node ? range : range ? small() : null];
  }

  function tableCell(cell, column, first) {
    const long = typeof cell === "string" && cell.length >= LONG_TEXT;
    const attributes = { class: column.number ? "n" : long ? "long" : null };
    return first ? make("th", { scope: "row", ...attributes }, content(cell))
                 : make("td", attributes, content(cell));
  }

  // A table in a box that scrolls and that can be reached by keyboard. columns: names; a name that
  // starts with "#" heads a column of numbers. The first column heads the rows.
  function table(caption, columns, rows) {
    const heads = columns.map((name) => name[0] === "#" ? { name: name.slice(1), number: true }
                                                        : { name, number: false });
    return make("div", { class: "scroll", tabindex: 0 },
      make("table", null, make("caption", null, make("span", null, caption)),
        make("thead", null, make("tr", null, heads.map((head) =>
          make("th", { scope: "col", class: head.number ? "n" : null }, head.name)))),
        make("tbody", null, rows.map((row) =>
          make("tr", null, row.map((cell, i) => tableCell(cell, heads[i], i === 0)))))));
  }

  // A table of things whose columns are {name, cell(thing)}. A column with known(thing) is left out
  // if no thing is known.
  function tableOf(caption, columns, things) {
    const shown = columns.filter((c) => c && (!c.known || things.some(c.known)));
    return table(caption, shown.map((c) => c.name),
      things.map((thing) => shown.map((c) => c.cell(thing))));
  }

  return { make, clean, breakable, paragraph, heading, fold, live, liveRange, table, tableOf };
})();
