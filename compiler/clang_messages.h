/* What clang says while it compiles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_MESSAGES_H
#define PM_COMPILER_CLANG_MESSAGES_H

#include <stdbool.h>

#include "perfmodel.h"

enum { PM_CLANG_LINE = 600 /* of a message, which pm_error has room for */ };

typedef struct {
    char first_error[PM_CLANG_LINE]; /* "" if there is none */
    bool placed;                     /* it has a line of the source */
    unsigned errors, warnings;
} pm_clang_findings;

/* Reads them; messages is cut into its lines. The first warnings go to log. */
void pm_clang_read_messages(char *messages, const pm_log *log, pm_clang_findings *found);

#endif
