/* Documents as HTML or Markdown. See page.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/markup/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "report/figures/figures.h"

/* ---- the document --------------------------------------------------------------------------- */

typedef struct {
    pm_page page;
    pm_page_fn write;
    const void *user;
} writing;

static void write_page(void *user)
{
    writing *w = user;

    w->write(&w->page, w->user);
}

char *pm_page_write(bool html, pm_page_fn write, const void *user, pm_error *drawing, pm_error *err)
{
    char *text = NULL;
    size_t size;
    writing w = {{.html = html, .out = open_memstream(&text, &size)}, write, user};
    bool failed = !w.page.out;
    pm_status status = failed ? PM_FAILED : pm_attempt(&w.page.memory, write_page, &w, err);

    if (w.page.out) {
        failed = w.page.failed || ferror(w.page.out);
        failed = fclose(w.page.out) != 0 || failed;
    }
    if (failed)
        status = pm_fail(err, PM_FAILED, "out of memory for the report");
    pm_memory_free(&w.page.memory);
    *drawing = w.page.drawing;
    if (status == PM_OK)
        return text;
    free(text);
    return NULL;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* The escape of a character that has a meaning in the format. NULL if the character needs none. In
 * Markdown, '#' and '-' have a meaning only at the start of a line, where text of a file is never
 * written. */
static const char *escape_of(char c, bool html)
{
    static const struct {
        char c;
        const char *html, *markdown;
    } escapes[] = {{'&', "&amp;", "&amp;"}, {'<', "&lt;", "&lt;"}, {'>', "&gt;", "&gt;"},
                   {'"', "&quot;", NULL},   {'\'', "&#39;", NULL}, {'|', NULL, "\\|"},
                   {'\\', NULL, "\\\\"},    {'`', NULL, "\\`"},    {'*', NULL, "\\*"},
                   {'[', NULL, "\\["},      {']', NULL, "\\]"}};

    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (escapes[i].c == c)
            return html ? escapes[i].html : escapes[i].markdown;
    return NULL;
}

/* Number of bytes of the hidden character at c, or 0 if it is visible. Hidden are controls of two
 * bytes, line separators, marks of text direction (U+200E to U+202E, U+2066 to U+2069), U+FFFE and
 * U+FFFF. */
static size_t hidden_at(const char *c)
{
    const unsigned char *at = (const unsigned char *)c;

    if (at[0] == 0xC2 && at[1] < 0xA0)
        return 2;
    if (at[0] == 0xE2 && at[1] == 0x80)
        return at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE) ? 3 : 0;
    if (at[0] == 0xE2 && at[1] == 0x81)
        return at[2] >= 0xA6 && at[2] <= 0xA9 ? 3 : 0;
    return at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE ? 3 : 0;
}

/* True if a long name may be broken after the character at c. */
static bool is_break(const char *text, const char *c)
{
    return c > text && c[1] && strchr("/+;:=", *c) && c[1] != ' ';
}

void pm_page_text(pm_page *page, const char *text)
{
    bool utf8 = pm_is_utf8(text);

    for (const char *c = text; *c; c++) {
        const char *escape = escape_of(*c, page->html);
        size_t hidden = hidden_at(c);

        if (escape) {
            fputs(escape, page->out);
        } else if (hidden && utf8) {
            putc('?', page->out);
            c += hidden - 1;
        } else if ((unsigned char)*c < 0x20 || *c == 0x7F || ((unsigned char)*c >= 0x80 && !utf8)) {
            putc(*c == '\n' || *c == '\t' ? ' ' : '?', page->out);
        } else {
            putc(*c, page->out);
            if (page->html && page->table && is_break(text, c))
                fputs("<wbr>", page->out);
        }
    }
}

/* Formats a text. The caller frees it. If memory runs out, returns NULL and marks the page as
 * failed. */
static char *text_of(pm_page *page, const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) >= 0)
        return text;
    page->failed = true;
    return NULL;
}

static void put(pm_page *page, const char *format, va_list args)
{
    char *text = text_of(page, format, args);

    if (text)
        pm_page_text(page, text);
    free(text);
}

/* Passes the arguments of a public printf-like function to put(). */
#define PUT(page, format)                                                                          \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put(page, format, args);                                                                   \
        va_end(args);                                                                              \
    } while (0)

static void put_tag(pm_page *page, const char *html, const char *markdown)
{
    fputs(page->html ? html : markdown, page->out);
}

/* ---- headings and paragraphs ---------------------------------------------------------------- */

void pm_page_heading(pm_page *page, unsigned level, const char *id, int number, const char *format,
                     ...)
{
    if (page->html) {
        if (level == 2) {
            fputs(page->section ? "</section>\n<section>\n" : "<section>\n", page->out);
            page->section = true;
        }
        fprintf(page->out, "<h%u", level);
        if (id)
            fprintf(page->out, number < 0 ? " id=\"%s\"" : " id=\"%s%d\"", id, number);
        putc('>', page->out);
    } else {
        fprintf(page->out, "%.*s ", (int)level, "######");
    }
    PUT(page, format);
    if (page->html)
        fprintf(page->out, "</h%u>\n", level);
    else
        fputs("\n\n", page->out);
}

void pm_page_open(pm_page *page)
{
    put_tag(page, "<p>", "");
}

void pm_page_add(pm_page *page, const char *format, ...)
{
    PUT(page, format);
}

void pm_page_close(pm_page *page)
{
    put_tag(page, "</p>\n", "\n\n");
}

void pm_page_paragraph(pm_page *page, const char *format, ...)
{
    pm_page_open(page);
    PUT(page, format);
    pm_page_close(page);
}

void pm_page_live(pm_page *page, const char *key, size_t index, const char *text)
{
    if (page->html)
        fprintf(page->out, "<span data-live=\"%s\" data-of=\"%zu\">", key, index);
    pm_page_text(page, text);
    put_tag(page, "</span>", "");
}

/* ---- tables --------------------------------------------------------------------------------- */

static void put_header(pm_page *page, const pm_table *t)
{
    for (size_t c = 0; c < t->count; c++) {
        put_tag(page,
                t->columns[c].number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">",
                c ? " | " : "| ");
        pm_page_text(page, t->columns[c].name);
        put_tag(page, "</th>", "");
    }
    if (page->html)
        return;
    fputs(" |\n", page->out);
    for (size_t c = 0; c < t->count; c++)
        fputs(t->columns[c].number ? "|--:" : "|---", page->out);
    fputs("|\n", page->out);
}

/* Texts of at least this number of bytes get a wide column. */
enum { LONG_TEXT = 24 };

static void put_interval(pm_page *page, const pm_table_cell *cell)
{
    if (page->html && cell->key)
        fprintf(page->out, "<span class=\"range\" data-live=\"%s-range\" data-of=\"%zu\">",
                cell->key, cell->index);
    else if (*cell->range)
        put_tag(page, "<span class=\"range\">", *cell->text ? " (" : "(");
    else
        return;
    pm_page_text(page, cell->range);
    put_tag(page, "</span>", ")");
}

static void put_cell(pm_page *page, const pm_table_column *column, const pm_table_cell *cell,
                     bool first)
{
    const char *class = column->number                    ? " class=\"n\""
                        : strlen(cell->text) >= LONG_TEXT ? " class=\"long\""
                                                          : "";

    if (page->html)
        fprintf(page->out, first ? "<tr><th scope=\"row\"%s>" : "<td%s>", class);
    else
        fputs(first ? "| " : " | ", page->out);
    if (cell->key)
        pm_page_live(page, cell->key, cell->index, cell->text);
    else
        pm_page_text(page, cell->text);
    if (cell->range)
        put_interval(page, cell);
    put_tag(page, first ? "</th>" : "</td>", "");
}

void pm_page_table_v(pm_page *page, pm_table *t, const char *format, va_list args)
{
    /* tabindex lets the keyboard scroll the table. */
    put_tag(page, "<div class=\"scroll\" tabindex=\"0\"><table><caption><span>", "**");
    put(page, format, args);
    page->table = true;
    put_tag(page, "</span></caption>\n<thead><tr>", "**\n\n");
    put_header(page, t);
    put_tag(page, "</tr></thead>\n<tbody>\n", "");
    for (size_t i = 0; i < t->used && !t->failed; i++) {
        size_t column = i % t->count;

        put_cell(page, &t->columns[column], &t->cells[i], column == 0);
        if (column + 1 == t->count)
            put_tag(page, "</tr>\n", " |\n");
    }
    page->table = false;
    put_tag(page, "</tbody></table></div>\n", "\n");
    page->failed = page->failed || t->failed;
    pm_table_close(t);
}

void pm_page_table(pm_page *page, pm_table *table, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pm_page_table_v(page, table, format, args);
    va_end(args);
}

/* ---- figures and folds ---------------------------------------------------------------------- */

static void put_legend(pm_page *page, const pm_page_drawing *d)
{
    if (d->series_count < 2)
        return;
    fputs("<ul class=\"legend\">\n", page->out);
    for (size_t i = 0; i < d->series_count; i++) {
        size_t colour = d->colours ? d->colours[i] : i;

        fprintf(page->out, "<li class=\"s%zu%s\">", colour % PM_SERIES_COLOURS,
                colour < PM_SERIES_COLOURS ? "" : " faint");
        pm_page_text(page, d->series[i]);
        fputs("</li>\n", page->out);
    }
    fputs("</ul>\n", page->out);
}

static void put_figure(pm_page *page, const pm_page_drawing *d, const char *text)
{
    char *drawing = d->svg ? pm_svg_inline(d->svg) : NULL;

    fputs("<figure>\n", page->out);
    if (drawing) {
        put_legend(page, d);
        fputs("<div class=\"scroll\" tabindex=\"0\" role=\"img\" aria-label=\"", page->out);
        pm_page_text(page, text);
        if (d->id)
            fprintf(page->out, "\" id=\"%s", d->id);
        fprintf(page->out, "\">%s</div>\n", drawing);
    }
    fputs("<figcaption>", page->out);
    pm_page_text(page, text);
    if (!drawing && *page->drawing.text) {
        fputs(" Not drawn: ", page->out);
        pm_page_text(page, page->drawing.text);
        putc('.', page->out);
    }
    fputs("</figcaption>\n</figure>\n", page->out);
    page->failed = page->failed || (d->svg && !drawing);
    free(drawing);
}

void pm_page_figure(pm_page *page, const pm_page_drawing *drawing, const char *format, ...)
{
    va_list args;
    char *text;

    if (!page->html)
        return;
    va_start(args, format);
    text = text_of(page, format, args);
    va_end(args);
    if (text)
        put_figure(page, drawing, text);
    free(text);
}

void pm_page_fold(pm_page *page, const char *format, ...)
{
    put_tag(page, "<details><summary>", "**");
    PUT(page, format);
    put_tag(page, "</summary>\n", "**\n\n");
}

void pm_page_fold_end(pm_page *page)
{
    put_tag(page, "</details>\n", "");
}
