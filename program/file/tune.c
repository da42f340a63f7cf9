/* Reads the [tune] section of a workload file. See workload_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "program/file/workload_file.h"

enum { MOST_VALUES = 1024 }; /* largest number of values of a tuning parameter */

static const char RESTRICT[] = "restrict";

#define fault(f, line, ...)                                                                        \
    (pm_workload_file_fault(f, line, (f)->memory.err, __VA_ARGS__),                                \
     pm_give_up(&(f)->memory, PM_BAD_INPUT))

static void check_name(const pm_workload_file *f, const pm_setting *setting)
{
    if (!pm_expression_is_name(setting->key) || strcmp(setting->key, "i") == 0)
        fault(f, setting->line,
              "\"%s\" cannot be a parameter's name: letters, digits and _, not min, max or i "
              "(which counts repeats)",
              setting->key);
    for (size_t p = 0; p < f->parameter_count; p++)
        if (strcmp(f->parameters[p], setting->key) == 0)
            fault(f, setting->line, "\"%s\" is a parameter of the sizes; choose another name",
                  setting->key);
    if (f->parameter_count + f->tuned_count == PM_FILE_PARAMETERS)
        fault(f, setting->line, "more than %d parameters of sizes and of [tune] together",
              PM_FILE_PARAMETERS);
}

static void read_values(pm_workload_file *f, const pm_setting *setting)
{
    static const pm_numbers none = {0, NULL};
    pm_file_tuned *tuned = pm_add(&f->memory, f->tuned, f->tuned_count);
    const char *rest = setting->value;

    *tuned = (pm_file_tuned){.name = setting->key, .line = setting->line};
    while (rest) {
        char item[PM_FILE_ITEM], what[PM_EXPRESSION_FAULT];
        int64_t value = 0;

        if (!pm_file_item(&rest, item))
            fault(f, setting->line, "%s: a value is missing beside a comma", setting->key);
        if (!pm_expression_integer(item, &none, &value, what))
            fault(f, setting->line, "%s: %s", setting->key, what);
        for (size_t k = 0; k < tuned->count; k++)
            if (tuned->values[k] == value)
                fault(f, setting->line, "%s: %lld stands there twice", setting->key,
                      (long long)value);
        if (tuned->count == MOST_VALUES)
            fault(f, setting->line, "%s: more than %d values", setting->key, MOST_VALUES);
        *pm_add(&f->memory, tuned->values, tuned->count) = value;
    }
}

static void read_restrictions(pm_workload_file *f, const pm_setting *setting)
{
    pm_named_number names[PM_FILE_PARAMETERS];
    const pm_numbers known = {f->parameter_count + f->tuned_count, names};
    const char *rest = setting->value;

    for (size_t p = 0; p < f->parameter_count; p++)
        names[p] = (pm_named_number){f->parameters[p], 0};
    for (size_t p = 0; p < f->tuned_count; p++)
        names[f->parameter_count + p] = (pm_named_number){f->tuned[p].name, 0};
    while (rest) {
        char item[PM_FILE_ITEM], what[PM_EXPRESSION_FAULT];
        pm_file_restriction *restriction;

        if (!pm_file_item(&rest, item))
            fault(f, setting->line, "%s: a condition is missing beside a comma", RESTRICT);
        restriction = pm_add(&f->memory, f->restrictions, f->restriction_count);
        restriction->text = (pm_file_text){pm_copy(&f->memory, item), setting->line};
        if (!pm_expression_read(item, &known, false, &restriction->expression, what))
            fault(f, setting->line, "%s: %s", RESTRICT, what);
    }
}

void pm_file_read_tune(pm_workload_file *f, const pm_section *section)
{
    const pm_setting *restrictions = pm_section_find(section, RESTRICT);

    for (size_t i = 0; i < section->count; i++)
        if (&section->settings[i] != restrictions) {
            check_name(f, &section->settings[i]);
            read_values(f, &section->settings[i]);
        }
    if (f->tuned_count == 0)
        fault(f, section->line, "[tune] has no parameter: add one, such as block = 64, 128, 256");
    if (restrictions)
        read_restrictions(f, restrictions);
}

bool pm_file_allows(const pm_workload_file *f, const pm_numbers *names,
                    const pm_file_restriction **broken, char *what)
{
    *what = '\0';
    for (size_t r = 0; r < f->restriction_count; r++) {
        pm_expression_number value = {.integer = 0};

        if (!pm_expression_value(&f->restrictions[r].expression, names, &value, what) ||
            value.integer == 0) {
            *broken = &f->restrictions[r];
            return false;
        }
    }
    return true;
}
