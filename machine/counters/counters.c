/* Reads the counter table (counters.ini) and answers queries about it. See counters.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file may be the user's own, so that everything in it is checked and every error names its
 * line.
 */
#include "machine/counters/counters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/ini.h"
#include "base/strings.h"

typedef struct {
    const pm_section *section;
    pm_counter_kind kind;
    /* event of the trace engine that this counter counts; PM_EVENT_COUNT: the engine does not count
     * it */
    pm_event event;
} counter_row;

struct pm_counter_table {
    pm_sections sections;
    /* Section [families] of counters.ini. Each key is a family of GPU chips, and its value lists
     * the chips. NULL: the file has no such section. */
    const pm_section *families;
    counter_row *counters;
    size_t counter_count;
};

void pm_counter_table_free(pm_counter_table *table)
{
    if (!table)
        return;
    pm_sections_free(&table->sections);
    free(table->counters);
    free(table);
}

static const counter_row *find_counter(const pm_counter_table *table, const char *name)
{
    for (size_t i = 0; i < table->counter_count; i++)
        if (strcmp(table->counters[i].section->kind, name) == 0)
            return &table->counters[i];
    return NULL;
}

static const pm_setting *find_family(const pm_counter_table *table, const char *name)
{
    return table->families ? pm_section_find(table->families, name) : NULL;
}

static bool is_name(const char *text)
{
    size_t n = 0;

    for (; text[n]; n++)
        if (!islower((unsigned char)text[n]) && !(n && isdigit((unsigned char)text[n])) &&
            !(n && text[n] == '_'))
            return false;
    return n > 0;
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

/* Returns whether a text is a sum or difference of metric names, such as "a.sum + b.sum - c.sum".
 * The first term has no sign. */
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

static pm_status check_setting(const pm_counter_table *table, const pm_setting *one, pm_error *err)
{
    const pm_sections *sections = &table->sections;

    if (!is_name(one->key))
        return pm_sections_fault(sections, one->line, err,
                                 "bad key: use a-z, 0-9 and _, starting with a letter");
    if (strcmp(one->key, "launch") == 0 && !is_launch_property(one->value))
        return pm_sections_fault(sections, one->line, err,
                                 "unknown property: use registers, shared_bytes or "
                                 "resident_groups");
    if (strcmp(one->key, "what") == 0 || strcmp(one->key, "unit") == 0 ||
        strcmp(one->key, "kind") == 0 || strcmp(one->key, "launch") == 0)
        return PM_OK;
    if (strcmp(one->key, "cupti") != 0 && !find_family(table, one->key))
        return pm_sections_fault(sections, one->line, err,
                                 "unknown key: use what, unit, kind, launch, cupti or a family of "
                                 "[families]");
    if (!is_expression(one->value))
        return pm_sections_fault(sections, one->line, err,
                                 "not metric names joined by \" + \" or \" - \", nor \"none\"");
    return PM_OK;
}

static bool read_kind(const char *text, pm_counter_kind *kind)
{
    if (strcmp(text, "code") == 0)
        *kind = PM_COUNTER_CODE;
    else if (strcmp(text, "run") == 0)
        *kind = PM_COUNTER_RUN;
    else if (strcmp(text, "time") == 0)
        *kind = PM_COUNTER_TIME;
    else if (strcmp(text, "energy") == 0)
        *kind = PM_COUNTER_ENERGY;
    else
        return false;
    return true;
}

static pm_status check_counter(const pm_counter_table *table, const pm_section *s,
                               pm_counter_kind *found, pm_error *err)
{
    const pm_setting *kind = pm_section_find(s, "kind");
    pm_status status = PM_OK;

    if (!pm_section_find(s, "what"))
        return pm_sections_fault(&table->sections, s->line, err,
                                 "the section has no \"what\": say what it counts");
    if (!pm_section_find(s, "unit"))
        return pm_sections_fault(&table->sections, s->line, err, "the section has no \"unit\"");
    if (!kind)
        return pm_sections_fault(&table->sections, s->line, err,
                                 "the section has no \"kind\": code, run, time or energy");
    if (!read_kind(kind->value, found))
        return pm_sections_fault(&table->sections, kind->line, err,
                                 "unknown kind: use code, run, time or energy");
    for (size_t i = 0; status == PM_OK && i < s->count; i++)
        status = check_setting(table, &s->settings[i], err);
    return status;
}

static pm_status check_table(pm_counter_table *table, pm_error *err)
{
    const pm_sections *sections = &table->sections;
    pm_status status = PM_OK;

    table->counters = calloc(sections->count + 1, sizeof *table->counters);
    if (!table->counters)
        return pm_fail(err, PM_FAILED, "%s: out of memory", sections->path);
    for (size_t i = 0; i < sections->count; i++) {
        const pm_section *s = &sections->items[i];

        if (!is_name(s->kind) || *s->name)
            return pm_sections_fault(sections, s->line, err,
                                     "bad section name: use a-z, 0-9 and _, starting with a "
                                     "letter");
        if (strcmp(s->kind, "families") == 0)
            table->families = s;
    }
    for (size_t i = 0; status == PM_OK && i < sections->count; i++) {
        const pm_section *s = &sections->items[i];
        counter_row *row = &table->counters[table->counter_count];

        if (s == table->families)
            continue;
        table->counter_count++;
        row->section = s;
        row->event = pm_event_find(s->kind);
        status = check_counter(table, s, &row->kind, err);
    }
    if (status == PM_OK && table->counter_count == 0)
        return pm_sections_fault(sections, sections->lines, err, "no counters in it");
    return status;
}

pm_counter_table *pm_counter_table_read(const char *path, pm_error *err)
{
    pm_counter_table *table;
    char shipped[4096];

    if (!path) {
        if (pm_share_path("counters.ini", shipped, sizeof shipped, err) != PM_OK)
            return NULL;
        path = shipped;
    }
    table = calloc(1, sizeof *table);
    if (!table)
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
    else if (pm_sections_read(path, &table->sections, err) != PM_OK ||
             check_table(table, err) != PM_OK) {
        pm_counter_table_free(table);
        table = NULL;
    }
    return table;
}

size_t pm_counter_table_size(const pm_counter_table *table)
{
    return table->counter_count;
}

const char *pm_counter_name(const pm_counter_table *table, size_t counter)
{
    return table->counters[counter].section->kind;
}

const char *pm_counter_unit(const pm_counter_table *table, size_t counter)
{
    return pm_section_find(table->counters[counter].section, "unit")->value;
}

pm_counter_kind pm_counter_kind_at(const pm_counter_table *table, size_t counter)
{
    return table->counters[counter].kind;
}

pm_counter_kind pm_counter_kind_of(const pm_counter_table *table, const char *name)
{
    const counter_row *c = find_counter(table, name);

    return c ? c->kind : PM_COUNTER_CODE;
}

pm_event pm_counter_event(const pm_counter_table *table, size_t counter)
{
    return table->counters[counter].event;
}

const char *pm_counter_launch_property(const pm_counter_table *table, size_t counter)
{
    const pm_setting *found = pm_section_find(table->counters[counter].section, "launch");

    return found ? found->value : NULL;
}

const char *pm_counter_family(const pm_counter_table *table, const char *chip)
{
    size_t length = strlen(chip);

    for (size_t i = 0; table->families && i < table->families->count; i++) {
        const char *at = table->families->settings[i].value;

        while (*(at += strspn(at, " "))) {
            size_t word = strcspn(at, " ");

            if (word == length && memcmp(at, chip, length) == 0)
                return table->families->settings[i].key;
            at += word;
        }
    }
    return NULL;
}

const char *pm_counter_expression(const pm_counter_table *table, size_t counter, const char *family)
{
    const pm_setting *found = pm_section_find(table->counters[counter].section, family);

    if (!found)
        found = pm_section_find(table->counters[counter].section, "cupti");
    return found && strcmp(found->value, "none") != 0 ? found->value : NULL;
}

const char *pm_counter_any_expression(const pm_counter_table *table, size_t counter, size_t index)
{
    static const char *const others[] = {"what", "unit", "kind", "launch", NULL};
    const pm_section *s = table->counters[counter].section;

    for (size_t i = 0; i < s->count; i++)
        if (!pm_listed(others, s->settings[i].key) && strcmp(s->settings[i].value, "none") != 0 &&
            index-- == 0)
            return s->settings[i].value;
    return NULL;
}
