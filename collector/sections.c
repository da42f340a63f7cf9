/* Reads an INI text into sections. See sections.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sections.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

typedef struct {
    pm_sections *sections;
    pm_section *current; /* NULL before the first one */
    FILE *file;
    unsigned line;
    size_t bytes;
    bool continued; /* the line starts with a blank */
    pm_error *err;
    pm_status status;
} reader;

pm_status pm_sections_fault(const pm_sections *sections, unsigned line, pm_error *err,
                            const char *format, ...)
{
    char what[sizeof err->text];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pm_fail(err, PM_BAD_INPUT, "%s:%u: %s", sections->path, line, what);
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

/* Keeps the first fault; false, so that callers can return it to libinih. */
static bool fault(reader *r, const char *what)
{
    if (r->status == PM_OK)
        r->status = pm_sections_fault(r->sections, r->line, r->err, "%s", what);
    return false;
}

static bool out_of_memory(reader *r)
{
    if (r->status == PM_OK)
        r->status = pm_fail(r->err, PM_FAILED, "%s: out of memory", r->sections->path);
    return false;
}

/* ---- sections ------------------------------------------------------------------------------ */

/* Copies the word that *text starts with, and goes on behind it and the blanks that follow. */
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

/* text: what is behind the bracket. */
static bool begin_section(reader *r, const char *text)
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
    text += strspn(text, " \t\r\n");
    if (*text && *text != '#' && *text != ';')
        return fault(r, "something behind the section's ]: put it on a line of its own");
    if (r->status == PM_OK && is_there(r->sections, &section))
        r->status = pm_sections_fault(r->sections, r->line, r->err,
                                      "[%s%s%s] is there already: merge the two, or rename one",
                                      section.kind, *section.name ? " " : "", section.name);
    if (r->status != PM_OK)
        return false;
    grown = realloc(r->sections->items, (r->sections->count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory(r);
    r->sections->items = grown;
    r->current = &grown[r->sections->count++];
    *r->current = section;
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* libinih's reader of a line, like fgets; NULL is the end of the file, or a fault. */
static char *read_line(char *text, int size, void *user)
{
    reader *r = user;
    const char *start = text;
    size_t length;

    if (r->status != PM_OK || !fgets(text, size, r->file))
        return NULL;
    r->line++;
    length = strlen(text);
    r->bytes += length;
    if ((length == 0 || text[length - 1] != '\n') && !feof(r->file)) {
        fault(r, "the line is too long (190 characters; go on in an indented line), or has a NUL "
                 "byte in it");
        return NULL;
    }
    if (r->bytes > PM_SECTIONS_BYTES) {
        fault(r, "the file is larger than a megabyte: is it the right one?");
        return NULL;
    }
    r->continued = isspace((unsigned char)text[0]);
    if (r->line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0)
        start += 3;
    if (*start == '[' ? !begin_section(r, start + 1)
                      : start[strspn(start, " \t")] == '[' &&
                            !fault(r, "an indented section: start it in the first column"))
        return NULL;
    return text;
}

/* ---- settings ------------------------------------------------------------------------------ */

/* Without a comment behind it. */
static size_t length_of(const char *value)
{
    size_t length = strlen(value);

    for (size_t i = 0; i < length; i++)
        if (value[i] == '#' && (i == 0 || isspace((unsigned char)value[i - 1])))
            length = i;
    while (length > 0 && isspace((unsigned char)value[length - 1]))
        length--;
    return length;
}

static bool looks_like_key(const char *text)
{
    size_t length = strspn(text, letters);

    return isalpha((unsigned char)*text) && text[length + strspn(text + length, " \t")] == '=';
}

static bool extend(reader *r, pm_setting *s, const char *value)
{
    size_t have = strlen(s->value), more = length_of(value);
    char *joined;

    if (looks_like_key(value))
        return fault(r, "an indented key: start it in the first column (indented lines go on with "
                        "the value above)");

    if (have + more >= PM_SETTING_LENGTH)
        return fault(r, "the value has more than 16384 characters");
    joined = realloc(s->value, have + more + 2);
    if (!joined)
        return out_of_memory(r);
    s->value = joined;
    joined[have] = ' ';
    memcpy(joined + have + (have > 0), value, more);
    joined[have + (have > 0) + more] = '\0';
    return true;
}

static int add_setting(void *user, const char *section, const char *key, const char *value)
{
    reader *r = user;
    pm_section *s = r->current;
    pm_setting *grown;

    (void)section; /* cut off at 49 characters */
    if (!s)
        return fault(r, "a key before the first [section]");
    if (r->continued && s->count > 0)
        return extend(r, &s->settings[s->count - 1], value);
    if (!*key || key[strspn(key, letters)] || strlen(key) >= PM_SECTION_NAME)
        return fault(r, "bad key: up to 47 letters, digits, _ . or -, then = and a value");
    if (pm_section_find(s, key))
        return fault(r, "the section has this key already: remove one of them");
    grown = realloc(s->settings, (s->count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory(r);
    s->settings = grown;
    grown += s->count++;
    *grown = (pm_setting){.key = strdup(key), .value = strndup(value, length_of(value))};
    grown->line = r->line;
    return grown->key && grown->value ? true : out_of_memory(r);
}

static void check_values(reader *r)
{
    for (size_t s = 0; s < r->sections->count; s++)
        for (size_t i = 0; i < r->sections->items[s].count; i++) {
            const pm_setting *setting = &r->sections->items[s].settings[i];

            r->line = setting->line;
            if (!*setting->value)
                fault(r, "the value is missing");
        }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static pm_status read_all(reader *r)
{
    int first_bad = ini_parse_stream(read_line, r, add_setting, r);

    if (r->status != PM_OK)
        return r->status;
    if (ferror(r->file))
        return pm_fail(r->err, PM_BAD_INPUT, "%s: %s", r->sections->path, strerror(errno));
    if (first_bad < 0) {
        out_of_memory(r);
        return r->status;
    }
    if (first_bad > 0) {
        r->line = (unsigned)first_bad;
        fault(r, "neither [section], key = value nor # comment");
        return r->status;
    }
    r->sections->lines = r->line;
    check_values(r);
    return r->status;
}

pm_status pm_sections_read(FILE *file, const char *path, pm_sections *sections, pm_error *err)
{
    reader r = {.sections = sections, .file = file, .err = err};
    pm_status status;

    *sections = (pm_sections){.path = strdup(path)};
    if (!sections->path)
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    status = read_all(&r);
    if (status != PM_OK)
        pm_sections_free(sections);
    return status;
}
