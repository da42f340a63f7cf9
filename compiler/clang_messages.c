/* Finds the errors and warnings in the text that clang prints. See clang_messages.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/clang_messages.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { LINE_SHOWN = PM_CLANG_LINE, WARNINGS_SHOWN = 10 };

/* Copies a line of clang's output to `text` without the word "error: " or "warning: ". The result
 * is, for example, "foo.cl:12:5: use of ...". */
static void copy_message(char *text, const char *line, size_t length, const char *kind)
{
    size_t head = (size_t)(strstr(line, kind) - line), skip = head + strlen(kind);

    if (head > LINE_SHOWN / 2)
        head = LINE_SHOWN / 2;
    snprintf(text, LINE_SHOWN, "%.*s%.*s", (int)head, line,
             (int)(length - skip > LINE_SHOWN ? LINE_SHOWN : length - skip), line + skip);
}

static void read_line(const char *line, size_t length, const pm_log *log, pm_clang_findings *found)
{
    static const char *const kinds[] = {"fatal error: ", "error: ", "warning: "};
    size_t kind = 0;

    while (kind < 3 && !strstr(line, kinds[kind]))
        kind++;
    if (kind == 3 || strstr(line, "too many errors emitted"))
        return;
    if (kind == 2) {
        char text[LINE_SHOWN];

        copy_message(text, line, length, kinds[kind]);
        if (found->warnings++ < WARNINGS_SHOWN)
            pm_notice(log, "%s", text);
    } else if (found->errors++ == 0) {
        const char *at = strstr(line, kinds[kind]);

        copy_message(found->first_error, line, length, kinds[kind]);
        /* A message with a source location starts with "path:line:column: ", so a digit, a colon
         * and a blank stand before the word "error". A message without a location starts with
         * "clang: ". */
        found->placed =
            at - line > 3 && at[-1] == ' ' && at[-2] == ':' && at[-3] >= '0' && at[-3] <= '9';
    }
}

void pm_clang_read_messages(char *messages, const pm_log *log, pm_clang_findings *found)
{
    char *line = messages;

    while (*line) {
        size_t length = strcspn(line, "\n");
        bool last = line[length] == '\0';

        line[length] = '\0';
        read_line(line, length, log, found);
        line += length + !last;
    }
    if (found->warnings > WARNINGS_SHOWN)
        pm_notice(log, "and %u more warnings", found->warnings - WARNINGS_SHOWN);
}
