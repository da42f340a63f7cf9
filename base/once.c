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
        !log->fn) /* without a receiver the notice was not given, so it can still be given later */
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (pm_strings_find(&once->told, line))
        return;
    /* if memory runs out here, a later call gives the notice again */
    pm_strings_add(&once->told, line);
    pm_notice(log, "%s", line);
}

void pm_once_clear(pm_once *once)
{
    pm_strings_clear(&once->told);
}
