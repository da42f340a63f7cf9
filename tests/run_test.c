/* Starts a test and measures its processor time: user and system time of the test and of all
 * children that it has waited for.
 *
 *     run_test NAME COMMAND [ARGUMENT ...]
 *
 * With PERFMODEL_TEST_COSTS=FILE, a line "NAME SECONDS WALL_SECONDS CODE" is appended to the file.
 * PERFMODEL_TEST_PART=PART/PARTS names the part of a test that runs. With
 * PERFMODEL_TEST_EACH_RUN=N, N of the parts run at each commit, and PERFMODEL_TEST_SEED chooses
 * which: run_test then replaces PERFMODEL_TEST_PART. With PERFMODEL_TEST_BUDGET=SECONDS, a test
 * that took more processor time says so. It fails at twice that time, because machines differ and
 * other work slows them. A machine that is slow at that moment gets more. The exit code is the
 * test's, or 128 and the signal's number if a signal ended the test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static void forward(int signal)
{
    if (child > 0)
        kill((pid_t)child, signal);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Appends a line by a single write with O_APPEND, so that lines of concurrent tests do not mix. */
static void append(const char *path, const char *line)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

    if (file < 0 || write(file, line, strlen(line)) != (ssize_t)strlen(line))
        fprintf(stderr, "run_test: %s: %s\n", path, strerror(errno));
    if (file >= 0)
        close(file);
}

/* A run gets consecutive parts. The next seed gets the parts after them. */
static void choose_part(const char *name)
{
    const char *text = getenv("PERFMODEL_TEST_PART"), *seed = getenv("PERFMODEL_TEST_SEED");
    const char *each = getenv("PERFMODEL_TEST_EACH_RUN");
    unsigned long part, parts, run = each ? strtoul(each, NULL, 10) : 0;
    char chosen[64];

    if (!text || !seed || sscanf(text, "%lu/%lu", &part, &parts) != 2 || run == 0 || run >= parts)
        return;
    part = (strtoul(seed, NULL, 10) % parts * run + part - 1) % parts + 1;
    snprintf(chosen, sizeof chosen, "%lu/%lu", part, parts);
    printf("%s: part %s\n", name, chosen);
    fflush(stdout);
    setenv("PERFMODEL_TEST_PART", chosen, 1);
}

/* Returns how many times slower this machine is at the moment than the machine for which the budget
 * was set. It times a fixed walk through 256 KiB, which takes 0.1 s on that machine. Other work on
 * the same cores slows both. The result is at least 1, so that a fast machine gets no smaller
 * budget. */
static double slowness(void)
{
    enum { LINKS = 1 << 16, STEPS = 1 << 24 };
    const double usual_s = 0.1;
    unsigned *next = malloc(LINKS * sizeof *next), at = 0;

    if (!next)
        return 1;
    /* Multiplier and increment are such that the order is one cycle (Hull and Dobell, 1962). */
    for (unsigned i = 0; i < LINKS; i++)
        next[i] = (i * 1664525u + 1013904223u) % LINKS;
    clock_t began = clock();
    for (unsigned i = 0; i < STEPS; i++)
        at = next[at];
    double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    free(next);
    /* The end of the walk is used, so that the compiler keeps it. */
    return at >= LINKS || took < usual_s ? 1 : took / usual_s;
}

static pid_t start(char **command)
{
    pid_t pid = fork();

    if (pid == 0) {
        execvp(command[0], command);
        fprintf(stderr, "run_test: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    return pid;
}

int main(int argc, char **argv)
{
    static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const char *costs = getenv("PERFMODEL_TEST_COSTS");
    const char *limit = getenv("PERFMODEL_TEST_BUDGET");
    double budget = limit && *limit ? strtod(limit, NULL) : 0;
    double began = seconds();
    struct rusage used;
    int status = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: run_test NAME COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    choose_part(argv[1]);
    child = start(argv + 2);
    if (child < 0) {
        perror("run_test: fork");
        return 2;
    }
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        signal(forwarded[i], forward);
    while (wait4((pid_t)child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    double took = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: ended by signal %d (%s)\n", argv[1], WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    if (budget > 0 && took > budget) {
        const double slow = slowness();

        fprintf(stderr,
                "%s: %.1f s of processor time, its budget is %g s (%.2f times that on this machine "
                "now): "
                "split it or make it faster\n",
                argv[1], took, budget, slow);
        if (took > 2 * budget * slow)
            code = code == 0 ? 1 : code;
    }
    if (costs && *costs) {
        char line[256];

        snprintf(line, sizeof line, "%s %.2f %.2f %d\n", argv[1], took, seconds() - began, code);
        append(costs, line);
    }
    return code;
}
