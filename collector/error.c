/* Errors and notices, each one line. See error.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

/* Names that come from outside (a file, a driver, an option) may hold newlines. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if (*text == '\n' || *text == '\r')
            *text = ' ';
}

/* The parentheses keep the analyzer's macro of that name away. */
pm_status(pm_fail)(pm_error *err, pm_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        make_one_line(err->text);
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
    make_one_line(line);
    log->fn(log->user, line);
}
