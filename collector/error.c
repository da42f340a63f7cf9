/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

/* The parentheses keep the analyzer's macro of that name away. */
pm_status(pm_fail)(pm_error *err, pm_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        err->status = status;
    }
    return status;
}

void pm_notice(const pm_log *log, const char *format, ...)
{
    char line[1024];
    va_list args;

    if (!log || !log->fn)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log->fn(log->user, line);
}
