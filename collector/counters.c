/* Reads the counter table (counters.ini) with libinih and answers questions about it. The file may
 * be a user's own, so everything in it is checked, and every fault names its line: libinih tells
 * neither the line of a key nor an empty or repeated section, so the reader below, which libinih
 * calls for each line, keeps count of both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counters.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

#define MAX_NAME 48 /* libinih cuts names off at 49 characters */

typedef struct {
    char *key, *value;
    size_t line;
} setting;

typedef struct {
    char *name;
    size_t line;
    setting *settings;
    size_t setting_count;
    pm_counter_kind kind;
} section;

struct pm_counter_table {
    section families; /* key: family, value: chips */
    section *counters;
    size_t counter_count;
};

typedef struct {
    pm_counter_table *table;
    section *current; /* NULL before the first section */
    FILE *file;
    const char *path;
    size_t line;
    bool continued; /* the line starts with a blank */
    pm_error *err;
    pm_status status;
} parser;

static void section_free(section *s)
{
    for (size_t i = 0; i < s->setting_count; i++) {
        free(s->settings[i].key);
        free(s->settings[i].value);
    }
    free(s->settings);
    free(s->name);
}

void pm_counter_table_free(pm_counter_table *table)
{
    if (!table)
        return;
    section_free(&table->families);
    for (size_t i = 0; i < table->counter_count; i++)
        section_free(&table->counters[i]);
    free(table->counters);
    free(table);
}

static const setting *find_setting(const section *s, const char *key)
{
    for (size_t i = 0; i < s->setting_count; i++)
        if (strcmp(s->settings[i].key, key) == 0)
            return &s->settings[i];
    return NULL;
}

static const section *find_counter(const pm_counter_table *table, const char *name)
{
    for (size_t i = 0; i < table->counter_count; i++)
        if (strcmp(table->counters[i].name, name) == 0)
            return &table->counters[i];
    return NULL;
}

/* Keeps the first fault; false, so that callers can return it to libinih. */
static bool fault(parser *p, size_t line, const char *what)
{
    if (p->status == PM_OK)
        p->status = pm_fail(p->err, PM_BAD_INPUT, "%s:%zu: %s", p->path, line, what);
    return false;
}

static bool out_of_memory(parser *p)
{
    if (p->status == PM_OK)
        p->status = pm_fail(p->err, PM_FAILED, "%s: out of memory", p->path);
    return false;
}

static bool is_name(const char *text)
{
    size_t n = 0;

    for (; text[n]; n++)
        if (!islower((unsigned char)text[n]) && !(n && isdigit((unsigned char)text[n])) &&
            !(n && text[n] == '_'))
            return false;
    return n > 0 && n < MAX_NAME;
}

static bool begin_section(parser *p, const char *text)
{
    pm_counter_table *t = p->table;
    size_t length = strcspn(text, "]");
    char name[MAX_NAME + 1];
    section *grown;

    if (length >= sizeof name || text[length] != ']')
        return fault(p, p->line, "bad section name: write [name], at most 47 characters");
    memcpy(name, text, length);
    name[length] = '\0';
    if (!is_name(name))
        return fault(p, p->line, "bad section name: use a-z, 0-9 and _, starting with a letter");
    if (strcmp(name, "families") == 0) {
        p->current = &t->families;
    } else {
        if (find_counter(t, name))
            return fault(p, p->line, "this counter has a section already: merge the two");
        grown = realloc(t->counters, (t->counter_count + 1) * sizeof *grown);
        if (!grown)
            return out_of_memory(p);
        t->counters = grown;
        p->current = &grown[t->counter_count++];
        memset(p->current, 0, sizeof *p->current);
    }
    if (p->current->name)
        return fault(p, p->line, "a second [families] section: merge the two");
    p->current->line = p->line;
    p->current->name = strdup(name);
    return p->current->name ? true : out_of_memory(p);
}

/* What libinih calls in place of fgets. */
static char *read_line(char *text, int size, void *user)
{
    parser *p = user;
    size_t length;

    if (p->status != PM_OK || !fgets(text, size, p->file))
        return NULL;
    p->line++;
    length = strlen(text);
    if ((length == 0 || text[length - 1] != '\n') && !feof(p->file)) {
        fault(p, p->line, "the line is too long (190 characters), or has a NUL byte in it");
        return NULL;
    }
    p->continued = isspace((unsigned char)text[0]);
    if (text[0] == '[' && !begin_section(p, text + 1))
        return NULL;
    return text;
}

static bool extend(parser *p, setting *s, const char *value)
{
    size_t have = strlen(s->value), more = strlen(value);
    char *joined = realloc(s->value, have + more + 2);

    if (!joined)
        return out_of_memory(p);
    s->value = joined;
    joined[have] = ' ';
    memcpy(joined + have + 1, value, more + 1);
    return true;
}

static int add_setting(void *user, const char *section_name, const char *key, const char *value)
{
    parser *p = user;
    section *s = p->current;
    setting *grown;

    if (!s || strcmp(section_name, s->name) != 0)
        return fault(p, p->line, "a key before the first [section], or an indented section");
    if (p->continued && s->setting_count > 0)
        return extend(p, &s->settings[s->setting_count - 1], value);
    if (!is_name(key))
        return fault(p, p->line, "bad key: use a-z, 0-9 and _, starting with a letter");
    if (find_setting(s, key))
        return fault(p, p->line, "the section has this key already: remove one of them");
    grown = realloc(s->settings, (s->setting_count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory(p);
    s->settings = grown;
    grown += s->setting_count++;
    *grown = (setting){.key = strdup(key), .value = strdup(value), .line = p->line};
    return grown->key && grown->value ? true : out_of_memory(p);
}

bool pm_counter_expression_next(const char **rest, char *metric, size_t size, int *sign)
{
    const char *at = *rest + strspn(*rest, " ");
    size_t length;

    *sign = *at == '-' ? -1 : 1;
    if (*at == '+' || *at == '-')
        at += 1 + strspn(at + 1, " ");
    length = strcspn(at, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(metric, at, length);
    metric[length] = '\0';
    *rest = at + length;
    return true;
}

/* "a.sum + b.sum - c.sum"; a first term has no sign. */
static bool is_expression(const char *text)
{
    for (bool first = true;; first = false) {
        size_t length;

        if (!first) {
            if (text[0] != ' ' || (text[1] != '+' && text[1] != '-') || text[2] != ' ')
                return false;
            text += 3;
        }
        length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
        if (length == 0 || length >= PM_METRIC_NAME)
            return false;
        text += length;
        if (!*text)
            return true;
    }
}

static bool is_launch_property(const char *name)
{
    return strcmp(name, "registers") == 0 || strcmp(name, "shared_bytes") == 0 ||
           strcmp(name, "resident_groups") == 0;
}

static bool check_keys(parser *p, const section *s)
{
    for (size_t i = 0; i < s->setting_count; i++) {
        const setting *one = &s->settings[i];

        if (strcmp(one->key, "what") == 0 || strcmp(one->key, "unit") == 0 ||
            strcmp(one->key, "kind") == 0 || strcmp(one->key, "launch") == 0) {
            if (!*one->value)
                return fault(p, one->line, "the value is missing");
            if (strcmp(one->key, "launch") == 0 && !is_launch_property(one->value))
                return fault(p, one->line,
                             "unknown property: use registers, shared_bytes or resident_groups");
            continue;
        }
        if (strcmp(one->key, "cupti") != 0 && !find_setting(&p->table->families, one->key))
            return fault(p, one->line,
                         "unknown key: use what, unit, kind, launch, cupti or a family of "
                         "[families]");
        if (!is_expression(one->value))
            return fault(p, one->line,
                         "not metric names joined by \" + \" or \" - \", nor \"none\"");
    }
    return true;
}

static bool check_counter(parser *p, section *s)
{
    const setting *kind = find_setting(s, "kind");

    if (!find_setting(s, "what"))
        return fault(p, s->line, "the section has no \"what\": say what it counts");
    if (!find_setting(s, "unit"))
        return fault(p, s->line, "the section has no \"unit\"");
    if (!kind)
        return fault(p, s->line, "the section has no \"kind\": code, run or time");
    if (strcmp(kind->value, "code") == 0)
        s->kind = PM_COUNTER_CODE;
    else if (strcmp(kind->value, "run") == 0)
        s->kind = PM_COUNTER_RUN;
    else if (strcmp(kind->value, "time") == 0)
        s->kind = PM_COUNTER_TIME;
    else
        return fault(p, kind->line, "unknown kind: use code, run or time");
    return check_keys(p, s);
}

static void parse(parser *p)
{
    int first_bad = ini_parse_stream(read_line, p, add_setting, p);

    if (p->status != PM_OK)
        return;
    if (ferror(p->file))
        p->status = pm_fail(p->err, PM_FAILED, "%s: %s", p->path, strerror(errno));
    else if (first_bad > 0)
        fault(p, (size_t)first_bad, "neither [section], key = value nor # comment");
    else if (first_bad < 0)
        out_of_memory(p);
    else if (p->table->counter_count == 0)
        fault(p, p->line, "no counters in it");
    for (size_t i = 0; p->status == PM_OK && i < p->table->counter_count; i++)
        check_counter(p, &p->table->counters[i]);
}

pm_counter_table *pm_counter_table_read(const char *path, pm_error *err)
{
    char shipped[4096];
    parser p = {.path = path, .err = err};

    if (!path) {
        if (pm_share_path("counters.ini", shipped, sizeof shipped, err) != PM_OK)
            return NULL;
        p.path = shipped;
    }
    p.file = fopen(p.path, "r");
    if (!p.file) {
        pm_fail(err, PM_BAD_INPUT, "%s: %s", p.path, strerror(errno));
        return NULL;
    }
    p.table = calloc(1, sizeof *p.table);
    if (p.table)
        parse(&p);
    else
        out_of_memory(&p);
    fclose(p.file);
    if (p.status != PM_OK) {
        pm_counter_table_free(p.table);
        return NULL;
    }
    return p.table;
}

size_t pm_counter_table_size(const pm_counter_table *table)
{
    return table->counter_count;
}

const char *pm_counter_name(const pm_counter_table *table, size_t counter)
{
    return table->counters[counter].name;
}

const char *pm_counter_what(const pm_counter_table *table, size_t counter)
{
    return find_setting(&table->counters[counter], "what")->value;
}

const char *pm_counter_unit(const pm_counter_table *table, size_t counter)
{
    return find_setting(&table->counters[counter], "unit")->value;
}

pm_counter_kind pm_counter_kind_at(const pm_counter_table *table, size_t counter)
{
    return table->counters[counter].kind;
}

pm_counter_kind pm_counter_kind_of(const pm_counter_table *table, const char *name)
{
    const section *s = find_counter(table, name);

    return s ? s->kind : PM_COUNTER_CODE;
}

const char *pm_counter_launch_property(const pm_counter_table *table, size_t counter)
{
    const setting *found = find_setting(&table->counters[counter], "launch");

    return found ? found->value : NULL;
}

const char *pm_counter_family(const pm_counter_table *table, const char *chip)
{
    size_t length = strlen(chip);

    for (size_t i = 0; i < table->families.setting_count; i++) {
        const char *at = table->families.settings[i].value;

        while (*(at += strspn(at, " "))) {
            size_t word = strcspn(at, " ");

            if (word == length && memcmp(at, chip, length) == 0)
                return table->families.settings[i].key;
            at += word;
        }
    }
    return NULL;
}

const char *pm_counter_expression(const pm_counter_table *table, size_t counter, const char *family)
{
    const setting *found = find_setting(&table->counters[counter], family);

    if (!found)
        found = find_setting(&table->counters[counter], "cupti");
    return found && strcmp(found->value, "none") != 0 ? found->value : NULL;
}
