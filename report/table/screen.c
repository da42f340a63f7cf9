/* Prints lines that fit the width of a screen. See screen.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/table/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- properties of the screen --------------------------------------------------------------- */

/* Returns the width of a terminal in characters; 0: unknown. */
static int width_of(FILE *file)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size = {.ws_col = 0};
    char *end;
    long width;

    if (columns && *columns) {
        width = strtol(columns, &end, 10);
        if (!*end && width > 0)
            return width < PM_SCREEN_MOST ? (int)width : PM_SCREEN_MOST;
    }
    return fileno(file) >= 0 && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Returns true if the encoding of the user's locale is UTF-8. */
static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
    bool utf8;

    if (!locale)
        return false;
    utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}

pm_screen pm_screen_of(FILE *file)
{
    const int width = width_of(file);

    return (pm_screen){.file = file,
                       .width = width == 0                ? PM_SCREEN_WIDTH
                                : width < PM_SCREEN_LEAST ? PM_SCREEN_LEAST
                                                          : width,
                       .utf8 = is_utf8()};
}

/* ---- texts ---------------------------------------------------------------------------------- */

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Returns the width in characters of the first `bytes` bytes of a UTF-8 text. */
static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += !is_continuation(text[i]);
    return columns;
}

int pm_text_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

/* Returns the number of bytes of the first `columns` characters of a UTF-8 text, which has `bytes`
 * bytes. */
static size_t bytes_of(const char *text, size_t bytes, int columns)
{
    size_t at = 0;

    while (at < bytes && (columns > 0 || is_continuation(text[at])))
        columns -= !is_continuation(text[at++]);
    return at;
}

/* Prints the first `bytes` bytes of a text. If they have more than `columns` characters, the middle
 * is replaced by "…" (or "..."). Returns the number of characters printed. */
static int put_short(const pm_screen *screen, const char *text, size_t bytes, int columns)
{
    const char *dots = screen->utf8 ? "\xE2\x80\xA6" : "...";
    const int all = columns_of(text, bytes), left = columns - pm_text_columns(dots);
    const int head = (left + 1) / 2, tail = left - head;
    size_t before, until;

    if (all <= columns || left < 1) {
        fprintf(screen->file, "%.*s", (int)bytes, text);
        return all;
    }
    before = bytes_of(text, bytes, head);
    until = bytes_of(text, bytes, all - tail);
    fprintf(screen->file, "%.*s%s%.*s", (int)before, text, dots, (int)(bytes - until),
            text + until);
    return columns;
}

int pm_screen_put_short(const pm_screen *screen, const char *text, int columns)
{
    return put_short(screen, text, strlen(text), columns);
}

void pm_screen_put_folded(const pm_screen *screen, const char *text, int indent, int end)
{
    int at = indent;

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t bytes = strcspn(text, " ");
        const int columns = columns_of(text, bytes);

        if (at > indent && at + 1 + columns > end) {
            fprintf(screen->file, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', screen->file);
            at++;
        }
        at += put_short(screen, text, bytes, end - indent);
        text += bytes;
    }
}

/* ---- paragraphs ----------------------------------------------------------------------------- */

enum { HANGING = 2 };

static void put_paragraph(const pm_screen *screen, const char *text)
{
    const int first = (int)strspn(text, " "), further = first + HANGING;
    int start = first, at = first;

    fprintf(screen->file, "%*s", first, "");
    for (text += first; *text; text += strspn(text, " ")) {
        const size_t bytes = strcspn(text, " ");
        const int columns = columns_of(text, bytes);

        if (at > start && at + 1 + columns > screen->width) {
            fprintf(screen->file, "\n%*s", further, "");
            start = at = further;
        } else if (at > start) {
            fputc(' ', screen->file);
            at++;
        }
        at += put_short(screen, text, bytes, screen->width - further);
        text += bytes;
    }
    fputc('\n', screen->file);
}

static void say(const pm_screen *screen, const char *format, va_list args)
{
    char *text, *line, *rest;

    if (vasprintf(&text, format, args) < 0) {
        fputs("perfmodel: out of memory for a line\n", stderr);
        return;
    }
    for (rest = text; (line = strsep(&rest, "\n"));)
        if (screen->markdown)
            fprintf(screen->file, "%s\n", line);
        else
            put_paragraph(screen, line);
    free(text);
}

void pm_screen_say(const pm_screen *screen, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(screen, format, args);
    va_end(args);
}

void pm_screen_note(const pm_screen *screen, const char *format, ...)
{
    va_list args;

    if (screen->quiet)
        return;
    va_start(args, format);
    say(screen, format, args);
    va_end(args);
}

void pm_screen_gap(const pm_screen *screen)
{
    if (!screen->quiet)
        fputc('\n', screen->file);
}
