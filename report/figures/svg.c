/* Turns gnuplot's SVG into a part of a page. See figures.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures/figures.h"

/* ---- colours -------------------------------------------------------------------------------- */

/* Name of the page's CSS variable for a colour. False if the colour has no variable. */
static bool variable_of(unsigned long colour, char name[16])
{
    if (colour == 0 || colour == strtoul(PM_INK + 1, NULL, 16)) {
        snprintf(name, 16, "--ink");
        return true;
    }
    if (colour == strtoul(PM_GRID + 1, NULL, 16)) {
        snprintf(name, 16, "--grid");
        return true;
    }
    for (size_t i = 0; i < PM_SERIES_COLOURS; i++)
        if (colour == strtoul(pm_series_colours[i] + 1, NULL, 16)) {
            snprintf(name, 16, "--s%zu", i);
            return true;
        }
    return false;
}

/* Writes an attribute's value and replaces a colour by its variable. Returns the position after the
 * value. */
static const char *put_value(FILE *out, const char *value, char quote)
{
    const char *end = strchr(value, quote);
    unsigned red, green, blue;
    char name[16];

    if (!end)
        return NULL;
    if (strncmp(value, "black", 5) == 0 && value + 5 == end)
        fputs("var(--ink)", out);
    else if (sscanf(value, "rgb(%3u,%3u,%3u)", &red, &green, &blue) == 3 &&
             variable_of((unsigned long)red << 16 | green << 8 | blue, name))
        fprintf(out, "var(%s)", name);
    else
        fwrite(value, 1, (size_t)(end - value), out);
    return end;
}

/* ---- elements ------------------------------------------------------------------------------- */

typedef struct {
    const char *name; /* start of an element that is left out with its content */
    const char *end;
} omission;

static const omission omissions[] = {{"<title", "</title>"}, {"<desc", "</desc>"},
                                     {"<defs", "</defs>"},   {"<use ", "/>"},
                                     {"<!--", "-->"},        {"<rect x=\"0\" y=\"0\"", "/>"}};

/* If an element to leave out starts here, returns the position after it, else NULL. */
static const char *skip_omitted(const char *at)
{
    for (size_t i = 0; i < sizeof omissions / sizeof *omissions; i++)
        if (strncmp(at, omissions[i].name, strlen(omissions[i].name)) == 0) {
            const char *end = strstr(at, omissions[i].end);

            return end ? end + strlen(omissions[i].end) : NULL;
        }
    return NULL;
}

/* If an empty group starts here, returns the position after it, else NULL. */
static const char *skip_empty(const char *at)
{
    const char *end = strncmp(at, "<g ", 3) == 0 ? strchr(at, '>') : NULL;

    if (!end)
        return NULL;
    end += 1 + strspn(end + 1, " \t\n");
    return strncmp(end, "</g>", 4) == 0 ? end + 4 : NULL;
}

static bool is_dropped(const char *name, size_t length, bool root)
{
    static const char *const any[] = {"id", "class", "font-family", "xmlns:xlink"};
    static const char *const of_root[] = {"width", "height", "xmlns"};

    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        if (strlen(any[i]) == length && strncmp(name, any[i], length) == 0)
            return true;
    for (size_t i = 0; root && i < sizeof of_root / sizeof *of_root; i++)
        if (strlen(of_root[i]) == length && strncmp(name, of_root[i], length) == 0)
            return true;
    return false;
}

/* Copies the tag that starts at `at`. Returns the position after its '>', or NULL if it has none.
 */
static const char *put_tag(FILE *out, const char *at)
{
    bool root = strncmp(at, "<svg", 4) == 0;
    size_t length = strcspn(at, " \t\n>");

    fwrite(at, 1, length, out);
    at += length;
    for (;;) {
        const char *name = at + strspn(at, " \t\n");
        size_t size = strcspn(name, " \t\n=>");

        if (*name == '>' || strncmp(name, "/>", 2) == 0) {
            fputs(*name == '>' ? ">" : "/>", out);
            return name + (*name == '>' ? 1 : 2);
        }
        at = name + size + strspn(name + size, " \t\n=");
        if (size == 0 || (*at != '"' && *at != '\''))
            return NULL;
        if (is_dropped(name, size, root)) {
            at = strchr(at + 1, *at);
        } else {
            char quote = *at;

            fprintf(out, " %.*s=%c", (int)size, name, quote);
            at = put_value(out, at + 1, quote);
            putc(quote, out);
        }
        if (!at)
            return NULL;
        at++;
    }
}

/* Draws a point as a circle, hollow (gnuplot's shape 5) or filled (6). gnuplot refers to a shape
 * among its definitions, which the page leaves out. Returns the position after the point, or NULL
 * if no such point starts here. */
static const char *put_point(FILE *out, const char *at)
{
    const char *end = strstr(at, "/>");
    unsigned red, green, blue, shape;
    double x, y, radius;
    char name[16];

    if (!end || sscanf(at,
                       "<use xlink:href='#gpPt%1u' transform='translate(%lf,%lf) scale(%lf)' "
                       "color='rgb(%3u,%3u,%3u)'",
                       &shape, &x, &y, &radius, &red, &green, &blue) != 7)
        return NULL;
    if ((shape != 5 && shape != 6) ||
        !variable_of((unsigned long)red << 16 | green << 8 | blue, name))
        return NULL;
    fprintf(out, "<circle cx='%.2f' cy='%.2f' r='%.2f' ", x, y, radius);
    fprintf(out,
            shape == 6 ? "fill='var(%s)'/>" : "fill='none' stroke='var(%s)' stroke-width='1.6'/>",
            name);
    return end + 2;
}

/* ---- the whole drawing ---------------------------------------------------------------------- */

static bool put_svg(FILE *out, const char *at)
{
    while (at && *at) {
        const char *next = *at == '<' ? put_point(out, at) : NULL;

        if (!next && *at == '<')
            next = skip_omitted(at);
        if (!next && *at == '<')
            next = skip_empty(at);
        if (next) {
            at = next;
        } else if (*at == '<') {
            at = put_tag(out, at);
        } else if (*at == '\t' || (*at == '\n' && strchr("\t\n", at[1]))) {
            at++;
        } else {
            putc(*at++, out);
        }
    }
    return at;
}

char *pm_svg_inline(const char *svg)
{
    const char *start = strstr(svg, "<svg");
    char *text = NULL;
    size_t size = 0;
    FILE *out = start ? open_memstream(&text, &size) : NULL;
    bool whole;

    if (!out)
        return NULL;
    whole = put_svg(out, start);
    whole = !ferror(out) && whole;
    whole = fclose(out) == 0 && whole;
    if (!whole) {
        free(text);
        return NULL;
    }
    return text;
}
