/* Evaluates expressions of a workload file, and replaces each {EXPRESSION} in its texts by the
 * value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "program/file/from_file.h"

static void check_value(const pm_file_build *b, const char *text, unsigned line, bool good,
                        const char *what)
{
    if (!good)
        pm_file_fault(b, line, "\"%.60s\" in size %s: %s", text, b->size->name, what);
}

int64_t pm_file_integer(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                        unsigned line)
{
    char what[PM_EXPRESSION_FAULT];
    int64_t value = 0;

    check_value(b, text, line, pm_expression_integer(text, numbers, &value, what), what);
    return value;
}

double pm_file_real(const pm_file_build *b, const pm_numbers *numbers, const char *text,
                    unsigned line)
{
    char what[PM_EXPRESSION_FAULT];
    double value = 0;

    check_value(b, text, line, pm_expression_real(text, numbers, &value, what), what);
    return value;
}

void pm_file_substitute(const pm_file_build *b, const pm_file_text *text, char *out, size_t size)
{
    const char *at = text->text;
    size_t used = 0;

    while (*at && used < size) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        char expression[PM_FILE_ITEM];

        if (*at != '{' || at[1] == '{') { /* a doubled brace means a single brace */
            out[used++] = *at;
            at += (*at == '{' || *at == '}') && at[1] == *at ? 2 : 1;
            continue;
        }
        if (!end || (size_t)(end - at) > sizeof expression)
            pm_file_fault(b, text->line, "{ \"%.60s\": the closing } is missing", at);
        memcpy(expression, at + 1, (size_t)(end - at) - 1);
        expression[end - at - 1] = '\0';
        used +=
            (size_t)snprintf(out + used, size - used, "%lld",
                             (long long)pm_file_integer(b, &b->numbers, expression, text->line));
        at = end + 1;
    }
    if (used >= size)
        pm_file_fault(b, text->line, "longer than %zu characters, with values in place of {...}",
                      size - 1);
    out[used] = '\0';
}
