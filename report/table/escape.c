/* Escapes special characters. See escape.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/table/escape.h"

#include "base/numbers.h"

/* Returns the text that replaces a special character in Markdown or XML. NULL: the character is not
 * special. In Markdown, '#' and '-' are special only at the start of a line, and no text from a
 * file is written there. */
static const char *escape_of(char c, pm_escape format)
{
    static const struct {
        char c;
        const char *markdown, *xml;
    } escapes[] = {{'&', "&amp;", "&amp;"}, {'<', "&lt;", "&lt;"}, {'>', "&gt;", "&gt;"},
                   {'"', NULL, "&quot;"},   {'\'', NULL, "&#39;"}, {'|', "\\|", NULL},
                   {'\\', "\\\\", NULL},    {'`', "\\`", NULL},    {'*', "\\*", NULL},
                   {'[', "\\[", NULL},      {']', "\\]", NULL}};

    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (escapes[i].c == c)
            return format == PM_ESCAPE_XML ? escapes[i].xml : escapes[i].markdown;
    return NULL;
}

/* Returns the number of bytes of the hidden character at c, or 0 if it is visible. Hidden are
 * controls of two bytes, line separators, marks of text direction (U+200E to U+202E, U+2066 to
 * U+2069), U+FFFE and U+FFFF. */
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

void pm_escape_add(pm_text *out, pm_escape format, const char *text)
{
    bool utf8 = pm_is_utf8(text);

    for (const char *c = text; *c; c++) {
        const char *escape = escape_of(*c, format);
        size_t hidden = hidden_at(c);

        if (escape) {
            pm_text_add(out, "%s", escape);
        } else if (hidden && utf8) {
            pm_text_put(out, "?", 1);
            c += hidden - 1;
        } else if ((unsigned char)*c < 0x20 || *c == 0x7F || ((unsigned char)*c >= 0x80 && !utf8)) {
            pm_text_put(out, *c == '\n' || *c == '\t' ? " " : "?", 1);
        } else {
            pm_text_put(out, c, 1);
        }
    }
}
