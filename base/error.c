/* Errors and notices, each one line. See error.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"

/* Bytes of a character that a terminal acts on instead of showing it: control characters, and in
 * UTF-8 those of U+0080 to U+009F, those that separate lines or turn the direction of writing, and
 * those without a width. 0: it is none. */
static size_t hidden_bytes(const unsigned char *c)
{
    if (c[0] < ' ' || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
        return 2;
    if (c[0] == 0xe2 && c[1] == 0x80 &&
        ((c[2] >= 0x8b && c[2] <= 0x8f) || (c[2] >= 0xa8 && c[2] <= 0xae)))
        return 3;
    if (c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa0 && c[2] <= 0xaf)
        return 3;
    return c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf ? 3 : 0;
}

/* Names and paths in a message may hold anything, and a message is one line. */
static void make_one_line(char *text)
{
    while (*text) {
        size_t hidden = hidden_bytes((const unsigned char *)text);

        memset(text, '?', hidden);
        text += hidden ? hidden : 1;
    }
}

/* The parentheses keep the analyzer's macro of that name away. */
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
