/* Documents as HTML or Markdown. See page.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "collector/dataset_parts.h"
#include "collector/error.h"
#include "figures.h"
#include "svg.h"

struct pm_page {
    bool html, section, failed;
    FILE *out;
    char *text;
    size_t size;
    const pm_page_column *columns;
    size_t column_count, cell; /* of the row that is open */
    bool table;
    pm_error drawing;
};

/* ---- the document --------------------------------------------------------------------------- */

pm_page *pm_page_create(bool html)
{
    pm_page *page = calloc(1, sizeof *page);

    if (!page)
        return NULL;
    page->html = html;
    page->out = open_memstream(&page->text, &page->size);
    if (!page->out) {
        free(page);
        return NULL;
    }
    return page;
}

void pm_page_free(pm_page *page)
{
    if (!page)
        return;
    if (page->out)
        fclose(page->out);
    free(page->text);
    free(page);
}

char *pm_page_finish(pm_page *page, pm_error *err)
{
    bool failed = page->failed || ferror(page->out);
    char *text;

    failed = fclose(page->out) != 0 || failed;
    page->out = NULL;
    if (failed) {
        pm_fail(err, PM_FAILED, "out of memory for the report");
        return NULL;
    }
    text = page->text;
    page->text = NULL;
    return text;
}

bool pm_page_is_html(const pm_page *page)
{
    return page->html;
}

pm_error *pm_page_error(pm_page *page)
{
    return &page->drawing;
}

FILE *pm_page_out(pm_page *page)
{
    return page->out;
}

/* ---- text ----------------------------------------------------------------------------------- */

static const char *html_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* A '#' or a list's dash is only one at the start of a line, where no text of a file stands. */
static const char *markdown_escape(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '|':
        return "\\|";
    case '\\':
        return "\\\\";
    case '`':
        return "\\`";
    case '*':
        return "\\*";
    case '[':
        return "\\[";
    case ']':
        return "\\]";
    default:
        return NULL;
    }
}

/* Controls that are written in two bytes, and marks that turn the direction of what follows. */
static size_t is_hidden(const char *text)
{
    static const char *const marks[] = {
        "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAA",
        "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE", "\xE2\x81\xA6",
        "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9", "\xEF\xBF\xBE", "\xEF\xBF\xBF"};

    if (text[0] == '\xC2' && (unsigned char)text[1] < 0xA0)
        return 2;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(text, marks[i], 3) == 0)
            return 3;
    return 0;
}

/* Where a long name may go on in the next line. */
static bool is_break(const char *text, const char *c)
{
    return c > text && c[1] && strchr("/+;:=", *c) && c[1] != ' ';
}

void pm_page_text(pm_page *page, const char *text)
{
    bool utf8 = pm_is_utf8(text);

    for (const char *c = text; *c; c++) {
        const char *escape = page->html ? html_entity(*c) : markdown_escape(*c);
        size_t hidden = is_hidden(c);

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

static void put(pm_page *page, const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0) {
        page->failed = true;
        return;
    }
    pm_page_text(page, text);
    free(text);
}

/* What a public function with a format does with its arguments. */
#define PUT(page, format)                                                                          \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put(page, format, args);                                                                   \
        va_end(args);                                                                              \
    } while (0)

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
    if (page->html)
        fputs("<p>", page->out);
}

void pm_page_add(pm_page *page, const char *format, ...)
{
    PUT(page, format);
}

void pm_page_close(pm_page *page)
{
    fputs(page->html ? "</p>\n" : "\n\n", page->out);
}

void pm_page_paragraph(pm_page *page, const char *format, ...)
{
    pm_page_open(page);
    PUT(page, format);
    pm_page_close(page);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void put_header(pm_page *page)
{
    for (size_t c = 0; c < page->column_count; c++) {
        const pm_page_column *column = &page->columns[c];

        if (page->html)
            fprintf(page->out, "<th scope=\"col\"%s>", column->number ? " class=\"n\"" : "");
        else
            fputs(c ? " | " : "| ", page->out);
        pm_page_text(page, column->name);
        fputs(page->html ? "</th>" : "", page->out);
    }
    if (page->html)
        return;
    fputs(" |\n", page->out);
    for (size_t c = 0; c < page->column_count; c++)
        fputs(page->columns[c].number ? "|--:" : "|---", page->out);
    fputs("|\n", page->out);
}

void pm_page_table(pm_page *page, const pm_page_column *columns, size_t count, const char *format,
                   ...)
{
    page->columns = columns;
    page->column_count = count;
    page->cell = 0;
    /* What scrolls can be reached with the keyboard. */
    fputs(page->html ? "<div class=\"scroll\" tabindex=\"0\"><table><caption><span>" : "**",
          page->out);
    PUT(page, format);
    page->table = true;
    fputs(page->html ? "</span></caption>\n<thead><tr>" : "**\n\n", page->out);
    put_header(page);
    if (page->html)
        fputs("</tr></thead>\n<tbody>\n", page->out);
}

static void start_cell(pm_page *page)
{
    const pm_page_column *column = &page->columns[page->cell];

    if (!page->html)
        fputs(page->cell ? " | " : "| ", page->out);
    else if (page->cell == 0)
        fprintf(page->out, "<tr><th scope=\"row\"%s>", column->number ? " class=\"n\"" : "");
    else
        fputs(column->number ? "<td class=\"n\">" : "<td>", page->out);
}

static void end_cell(pm_page *page)
{
    if (page->html)
        fputs(page->cell == 0 ? "</th>" : "</td>", page->out);
    if (++page->cell < page->column_count)
        return;
    fputs(page->html ? "</tr>\n" : " |\n", page->out);
    page->cell = 0;
}

void pm_page_cell(pm_page *page, const char *format, ...)
{
    start_cell(page);
    PUT(page, format);
    end_cell(page);
}

void pm_page_table_end(pm_page *page)
{
    page->table = false;
    fputs(page->html ? "</tbody></table></div>\n" : "\n", page->out);
}

void pm_page_live(pm_page *page, const char *key, size_t index, const char *format, ...)
{
    if (page->table)
        start_cell(page);
    if (page->html)
        fprintf(page->out, "<span data-live=\"%s\" data-of=\"%zu\">", key, index);
    PUT(page, format);
    if (page->html)
        fputs("</span>", page->out);
    if (page->table)
        end_cell(page);
}

/* ---- figures and folds ---------------------------------------------------------------------- */

static void put_legend(pm_page *page, const pm_page_drawing *d)
{
    if (d->series_count < 2)
        return;
    fputs("<ul class=\"legend\">\n", page->out);
    for (size_t i = 0; i < d->series_count; i++) {
        fprintf(page->out, "<li class=\"s%zu%s\">", i % PM_SERIES_COLOURS,
                i < PM_SERIES_COLOURS ? "" : " faint");
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
    if (!drawing) {
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
    int length;

    if (!page->html)
        return;
    va_start(args, format);
    length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        page->failed = true;
        return;
    }
    put_figure(page, drawing, text);
    free(text);
}

void pm_page_fold(pm_page *page, const char *format, ...)
{
    fputs(page->html ? "<details><summary>" : "**", page->out);
    PUT(page, format);
    fputs(page->html ? "</summary>\n" : "**\n\n", page->out);
}

void pm_page_fold_end(pm_page *page)
{
    if (page->html)
        fputs("</details>\n", page->out);
}
