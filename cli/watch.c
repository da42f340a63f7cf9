/* Opens a command's session: shows its messages and progress, and stops it on signals. See cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

enum { BAR_WIDTH = 24 };

/* ---- progress and messages ------------------------------------------------------------------ */

void cli_progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* Shows progress: a bar on a terminal, else a line for each step. */
static void show_progress(void *user, size_t done, size_t total, const char *step)
{
    char of[32] = "?";
    int filled = total ? (int)((double)BAR_WIDTH * (double)done / (double)total) : 0;

    (void)user;
    if (total)
        snprintf(of, sizeof of, "%zu", total);
    if (!isatty(STDERR_FILENO)) {
        fprintf(stderr, "[%zu/%s] %s\n", done + 1, of, step);
        return;
    }
    cli_progress_clear();
    /* Turn off the terminal's line wrapping while the bar is printed, because only the last line
     * can be cleared. */
    fprintf(stderr, "\033[?7l[%.*s%*s] %zu/%s %s\033[?7h", filled, "########################",
            BAR_WIDTH - filled, "", done + 1, of, step);
    fflush(stderr);
}

static void log_line(void *user, const char *line)
{
    (void)user;
    cli_progress_clear();
    fprintf(stderr, "perfmodel: %s\n", line);
}

/* ---- stopping ------------------------------------------------------------------------------- */

/* Flag that a signal sets to stop the command. It is global, because a signal handler gets no
 * argument that could point to it. */
static volatile int stop;

static void on_signal(int number)
{
    static const char text[] = "\nperfmodel: stopping; once more stops at once\n";
    int before = errno;

    (void)number;
    if (stop)
        _exit(CLI_INTERRUPTED);
    stop = 1;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        errno = 0; /* ignore a failed write, because there is no way to report it */
    errno = before;
}

bool cli_stopped(void)
{
    return stop != 0;
}

static void catch_signals(void)
{
    /* SA_RESTART restarts interrupted system calls, because drivers and writes to datasets do not
     * handle EINTR. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

pm_session *cli_open_session(const cli_options *o, pm_error *err)
{
    const pm_session_options options = {.datasets = o->datasets,
                                        .log = {.fn = o->quiet ? NULL : log_line},
                                        .progress = o->quiet ? NULL : show_progress,
                                        .cancel = &stop,
                                        .sample = o->sample,
                                        .step_limit = o->step_limit,
                                        .ptxas = o->ptxas,
                                        .cuda_compiler = o->cuda_compiler,
                                        .seed = o->seed,
                                        /* datasets of --with, from which models learn, too; NULL
                                         * for `validate`, which adds their rows to its datasets
                                         * itself */
                                        .with =
                                            o->command->bit == CLI_VALIDATE ? NULL : o->with.names};

    catch_signals();
    return pm_session_create(&options, err);
}
