/* Errors and notices of one line. See error.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"

/* Replaces control characters in a message by '?', so that it stays one line. Names and paths in a
 * message may contain them. */
static void make_one_line(char *text)
{
    while (*text) {
        size_t hidden = pm_hidden_bytes(text);

        memset(text, '?', hidden);
        text += hidden ? hidden : 1;
    }
}

/* The parentheses suppress the macro pm_fail, which error.h defines for the clang analyzer. */
pm_status(pm_fail)(pm_error *err, pm_status status, const char *format, ...)
{
    if (err) {
        locale_t before = pm_numbers_begin();
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        pm_numbers_end(before);
        make_one_line(err->text);
        err->status = status;
    }
    return status;
}

pm_status pm_place_status(int reason)
{
    static const int of_the_place[] = {ENOSPC, EDQUOT,  EFBIG,  EROFS,        EACCES, EPERM,
                                       ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP,  EEXIST};

    for (size_t i = 0; i < sizeof of_the_place / sizeof *of_the_place; i++)
        if (reason == of_the_place[i])
            return PM_BAD_INPUT;
    return PM_FAILED;
}

void pm_notice(const pm_log *log, const char *format, ...)
{
    char line[1024];
    locale_t before;
    va_list args;

    if (!log || !log->fn)
        return;
    before = pm_numbers_begin();
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    pm_numbers_end(before);
    make_one_line(line);
    log->fn(log->user, line);
}
