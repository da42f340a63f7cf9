/* Gives each notice only once. See once.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/once.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

void pm_once_notice(pm_once *once, const pm_log *log, const char *format, ...)
{
    char line[1024];
    va_list args;

    if (!log ||
        /* The notice is not remembered as given, because the log has no receiver and the user
         * has not seen it. It can still be given later. */
        !log->fn)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (pm_strings_find(&once->told, line))
        return;
    /* If memory runs out here, the notice is not remembered, and a later call gives it again. */
    pm_strings_add(&once->told, line);
    pm_notice(log, "%s", line);
}

void pm_once_clear(pm_once *once)
{
    pm_strings_clear(&once->told);
}
