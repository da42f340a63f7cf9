/* How far long work has come: a bar on a terminal, a line for each step elsewhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <unistd.h>

#include "cli.h"

enum { BAR_WIDTH = 24 };

void cli_progress(size_t done, size_t total, const char *step)
{
    char of[32] = "?";
    int filled = total ? (int)((double)BAR_WIDTH * (double)done / (double)total) : 0;

    if (total)
        snprintf(of, sizeof of, "%zu", total);
    if (!isatty(STDERR_FILENO)) {
        fprintf(stderr, "[%zu/%s] %s\n", done + 1, of, step);
        return;
    }
    cli_progress_clear();
    /* Without wrapping: what is on the next line could not be cleared. */
    fprintf(stderr, "\033[?7l[%.*s%*s] %zu/%s %s\033[?7h", filled, "########################",
            BAR_WIDTH - filled, "", done + 1, of, step);
    fflush(stderr);
}

void cli_progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
