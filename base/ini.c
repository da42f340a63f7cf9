/* Reads an INI text into sections. See ini.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/ini.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
static const char blanks[] = " \t\r\v\f";

typedef struct {
    pm_sections *sections;
    pm_section *current; /* section to which settings are added; NULL before the first section */
    unsigned line;
    pm_error *err;
} reader;

void pm_sections_place(const pm_sections *sections, unsigned line, char *place, size_t size)
{
    const size_t length = strlen(sections->path);

    if (length > 0 && sections->path[length - 1] == '/')
        snprintf(place, size, "%.*s", (int)length - 1, sections->path);
    else
        snprintf(place, size, "%s:%u", sections->path, line);
}

pm_status pm_sections_fault(const pm_sections *sections, unsigned line, pm_error *err,
                            const char *format, ...)
{
    char what[sizeof err->text], place[sizeof err->text];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    pm_sections_place(sections, line, place, sizeof place);
    return pm_fail(err, PM_BAD_INPUT, "%s: %s", place, what);
}

const pm_setting *pm_section_find(const pm_section *section, const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->settings[i].key, key) == 0)
            return &section->settings[i];
    return NULL;
}

void pm_sections_free(pm_sections *sections)
{
    for (size_t s = 0; s < sections->count; s++) {
        for (size_t i = 0; i < sections->items[s].count; i++) {
            free(sections->items[s].settings[i].key);
            free(sections->items[s].settings[i].value);
        }
        free(sections->items[s].settings);
    }
    free(sections->items);
    free(sections->path);
    *sections = (pm_sections){0};
}

static pm_status fault(const reader *r, const char *what)
{
    return pm_sections_fault(r->sections, r->line, r->err, "%s", what);
}

static pm_status out_of_memory(const reader *r)
{
    return pm_fail(r->err, PM_FAILED, "%s: out of memory", r->sections->path);
}

/* ---- sections ------------------------------------------------------------------------------ */

/* Copies the word at the start of *text. Advances *text past the word and past the blanks after
 * it. */
static bool take_word(const char **text, char word[PM_SECTION_NAME])
{
    size_t length = strspn(*text, letters);

    if (length >= PM_SECTION_NAME)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length + strspn(*text + length, " \t");
    return true;
}

static bool is_there(const pm_sections *sections, const pm_section *like)
{
    for (size_t s = 0; s < sections->count; s++)
        if (strcmp(sections->items[s].kind, like->kind) == 0 &&
            strcmp(sections->items[s].name, like->name) == 0)
            return true;
    return false;
}

/* Adds a section for the line "[kind name]". text: the line after its opening bracket. */
static pm_status begin_section(reader *r, const char *text)
{
    pm_section section = {.line = r->line};
    pm_section *grown;

    text += strspn(text, " \t");
    if (!take_word(&text, section.kind) || !*section.kind || !take_word(&text, section.name) ||
        *text != ']')
        return fault(r,
                     "bad section name: write [kind] or [kind name], of up to 47 letters, digits, "
                     "_ . or - each");
    text++;
    text += strspn(text, blanks);
    if (*text && *text != '#' && *text != ';')
        return fault(r, "something behind the section's ]: put it on a line of its own");
    if (is_there(r->sections, &section))
        return pm_sections_fault(r->sections, r->line, r->err,
                                 "[%s%s%s] is there already: merge the two, or rename one",
                                 section.kind, *section.name ? " " : "", section.name);
    if (r->sections->count == PM_SECTIONS_MOST)
        return fault(r, "more than 10000 sections");
    grown = realloc(r->sections->items, (r->sections->count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory(r);
    r->sections->items = grown;
    r->current = &grown[r->sections->count++];
    *r->current = section;
    return PM_OK;
}

/* ---- settings ------------------------------------------------------------------------------ */

/* Returns true if the text starts with "key =" and therefore begins a new setting. An indented line
 * that does not start so continues the value of the line above. "key ==" does not begin a setting:
 * it is a comparison in an expression that continues over several lines. */
static bool looks_like_key(const char *text)
{
    const char *behind = text + strspn(text, letters);

    behind += strspn(behind, " \t");
    return isalpha((unsigned char)*text) && behind[0] == '=' && behind[1] != '=';
}

/* Appends the text `more` of an indented line to the value of the setting above it. */
static pm_status extend(const reader *r, pm_setting *s, const char *more)
{
    size_t have = strlen(s->value), length = strlen(more);
    char *joined;

    if (looks_like_key(more))
        return fault(r, "an indented key: start it in the first column (indented lines go on with "
                        "the value above)");
    if (have + length >= PM_SETTING_LENGTH)
        return fault(r, "the value has more than 16384 characters");
    joined = realloc(s->value, have + length + 2);
    if (!joined)
        return out_of_memory(r);
    s->value = joined;
    sprintf(joined + have, "%s%s", have > 0 ? " " : "", more);
    return PM_OK;
}

static void strip(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    text[length] = '\0';
}

/* Adds a setting to the current section. text: "key = value" without its comment. */
static pm_status add_setting(const reader *r, char *text)
{
    pm_section *s = r->current;
    pm_setting *grown;
    char *value = text + strcspn(text, "=:");

    if (!*value)
        return fault(r, "neither [section], key = value nor # comment");
    if (!s)
        return fault(r, "a key before the first [section]");
    *value++ = '\0';
    value += strspn(value, blanks);
    strip(text);
    if (!*text || text[strspn(text, letters)] || strlen(text) >= PM_SECTION_NAME)
        return fault(r, "bad key: up to 47 letters, digits, _ . or -, then = and a value");
    if (pm_section_find(s, text))
        return fault(r, "the section has this key already: remove one of them");
    if (strlen(value) >= PM_SETTING_LENGTH)
        return fault(r, "the value has more than 16384 characters");
    if (s->count == PM_SECTIONS_MOST)
        return fault(r, "more than 10000 keys in a section");
    grown = realloc(s->settings, (s->count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory(r);
    s->settings = grown;
    grown += s->count++;
    *grown = (pm_setting){.key = strdup(text), .value = strdup(value), .line = r->line};
    return grown->key && grown->value ? PM_OK : out_of_memory(r);
}

/* ---- the whole file ------------------------------------------------------------------------ */

static pm_status read_line(reader *r, char *line)
{
    bool indented = strchr(" \t", *line) != NULL;
    char *text = line + strspn(line, blanks);

    for (char *c = text; *c;
         c++) /* a comment starts at the beginning of the line or after a blank */
        if ((*c == '#' || *c == ';') && (c == text || c[-1] == ' ' || c[-1] == '\t')) {
            *c = '\0';
            break;
        }
    strip(text);
    if (!*text)
        return PM_OK;
    if (*text == '[' && indented)
        return fault(r, "an indented section: start it in the first column");
    if (*text == '[')
        return begin_section(r, text + 1);
    if (indented && r->current && r->current->count > 0)
        return extend(r, &r->current->settings[r->current->count - 1], text);
    return add_setting(r, text);
}

static pm_status check_values(reader *r)
{
    for (size_t s = 0; s < r->sections->count; s++)
        for (size_t i = 0; i < r->sections->items[s].count; i++) {
            const pm_setting *setting = &r->sections->items[s].settings[i];

            r->line = setting->line;
            if (!*setting->value)
                return fault(r, "the value is missing");
        }
    return PM_OK;
}

pm_status pm_sections_parse(char *text, const char *path, pm_sections *sections, pm_error *err)
{
    reader r = {.sections = sections, .err = err};
    pm_status status = PM_OK;
    char *next = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;

    *sections = (pm_sections){.path = strdup(path)};
    if (!sections->path)
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    while (status == PM_OK && next && *next) {
        char *line = strsep(&next, "\n");

        r.line++;
        status = read_line(&r, line);
    }
    sections->lines = r.line;
    if (status == PM_OK)
        status = check_values(&r);
    if (status != PM_OK)
        pm_sections_free(sections);
    return status;
}

pm_status pm_sections_read(const char *path, pm_sections *sections, pm_error *err)
{
    char *text;
    pm_status status = pm_file_read(path, PM_SECTIONS_BYTES, "an INI file", &text, err);

    *sections = (pm_sections){0};
    if (status != PM_OK)
        return status;
    status = pm_sections_parse(text, path, sections, err);
    free(text);
    return status;
}
