/* Calls the library on hostile cases, one after the other in one process, as a program that uses it
 * would: test_hostile FOLDER [FIRST CALL]. Each answer has to be right or one line, and nothing may
 * be left behind. run.py makes the cases, watches this process from outside and adds up.
 *
 * On standard output stands a line before each call and one after it:
 *     start CASE CALL
 *     end CASE CALL STATUS KILOBYTES TEXT
 * and where something is wrong with the answer a line in between:
 *     wrong CASE CALL WHAT
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

enum {
    PATH_ROOM = 4096,
    MOST_TEXT = 1 << 26,
    LONG_TEXT = 500,
    FILES_OPEN = 32, /* largest number of files that a library with its workers may have open */
    CHILDREN = 4
};

typedef struct {
    size_t number;
    unsigned call;
    size_t notices, wrong;
} place;

static void wrong(place *at, const char *what)
{
    at->wrong++;
    printf("wrong %zu %u %s\n", at->number, at->call, what);
}

/* Returns the fault of a message. It must be one line of printable text, and contain words unless a
 * name fills it. */
static const char *fault_of(const char *text, size_t room)
{
    size_t words = 0, length = 0;

    if (!memchr(text, '\0', room))
        return "a text without an end";
    for (; text[length]; length++) {
        if (iscntrl((unsigned char)text[length]))
            return "a text with a control character";
        words += text[length] == ' ';
    }
    return words >= 2 || length >= LONG_TEXT ? NULL : "a text that says nothing";
}

static void take_notice(void *user, const char *line)
{
    place *at = user;
    const char *fault = fault_of(line, strlen(line) + 1);

    at->notices++;
    if (fault)
        wrong(at, fault);
}

/* ---- resources of a process ---------------------------------------------------------------- */

static size_t count_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;

    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* Of all threads. */
static size_t count_children(void)
{
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;

    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        char path[PATH_ROOM];
        FILE *file;
        long pid;

        snprintf(path, sizeof path, "/proc/self/task/%.32s/children", task->d_name);
        file = fopen(path, "r");
        while (file && fscanf(file, "%ld", &pid) == 1)
            count++;
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return count;
}

static bool has_zombie(void)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

static size_t resident_kb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t all = 0, resident = 0;

    if (file) {
        if (fscanf(file, "%zu %zu", &all, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident * ((size_t)sysconf(_SC_PAGESIZE) / 1024);
}

/* ---- cases --------------------------------------------------------------------------------- */

/* Returns the text of a regular file, which the caller frees; NULL: not a regular file, or too
 * large. */
static char *read_text(const char *path)
{
    struct stat state;
    FILE *file = NULL;
    char *text = NULL;

    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size > MOST_TEXT)
        return NULL;
    file = fopen(path, "rb");
    text = file ? malloc((size_t)state.st_size + 1) : NULL;
    if (text)
        text[fread(text, 1, (size_t)state.st_size, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* Behaves like a faulty library, so that run.py can be tested. */
static pm_status break_on_purpose(const char *how, pm_error *err)
{
    *err = (pm_error){.status = PM_FAILED, .text = "kernel.cl: it is broken"};
    if (strcmp(how, "die") == 0)
        raise(SIGSEGV);
    else if (strcmp(how, "exit") == 0)
        exit(0);
    else if (strcmp(how, "hang") == 0)
        pause();
    else if (strcmp(how, "newline") == 0)
        strcpy(err->text, "two lines of\ntext are wrong");
    else if (strcmp(how, "silent") == 0)
        err->text[0] = '\0';
    else if (strcmp(how, "file") == 0)
        for (int i = 0; i <= FILES_OPEN; i++)
            dup(0);
    else if (strcmp(how, "memory") == 0)
        explicit_bzero(malloc((size_t)1 << 28), (size_t)1 << 28);
    else if (strcmp(how, "child") == 0)
        for (int i = 0; i <= CHILDREN; i++)
            if (fork() == 0)
                for (;;)
                    pause();
    return PM_FAILED;
}

static void try_call(const hostile_case *c, place *at, size_t files)
{
    const pm_log log = {.fn = take_notice, .user = at};
    const char *how = getenv("HOSTILE_BREAK"), *fault = NULL;
    pm_error err = {.text = ""};
    pm_status status;

    printf("start %zu %u\n", at->number, at->call);
    status = how ? break_on_purpose(how, &err) : hostile_call(at->call, c, &log, &err);
    if (status != PM_OK && status != PM_FAILED && status != PM_BAD_INPUT)
        wrong(at, "a status that there is not");
    if (status != PM_OK && (fault = fault_of(err.text, sizeof err.text)))
        wrong(at, fault);
    if (count_files() > files + FILES_OPEN)
        wrong(at, "files left open");
    if (count_children() > CHILDREN)
        wrong(at, "processes left running");
    if (has_zombie())
        wrong(at, "a process that nobody waited for");
    for (char *at_fault = err.text; *at_fault; at_fault++)
        *at_fault = (char)(iscntrl((unsigned char)*at_fault) ? '?' : *at_fault);
    printf("end %zu %u %d %zu %s\n", at->number, at->call, (int)status, resident_kb(),
           status == PM_OK ? "" : err.text);
}

/* Returns false if there is no such case. */
static bool try_case(const char *folder, place *at, size_t files)
{
    char workload[PATH_ROOM], source[PATH_ROOM], options[PATH_ROOM];
    hostile_case c = {.workload = workload, .source = source, .number = at->number};

    snprintf(workload, sizeof workload, "%s/%04zu/case.workload", folder, at->number);
    snprintf(source, sizeof source, "%s/%04zu/kernel.cl", folder, at->number);
    snprintf(options, sizeof options, "%s/%04zu/options", folder, at->number);
    if (access(options, R_OK) != 0)
        return false;
    c.text = read_text(source);
    c.options = read_text(options);
    for (; at->call < HOSTILE_CALLS; at->call++)
        try_call(&c, at, files);
    at->call = 0;
    free(c.text);
    free(c.options);
    return true;
}

int main(int argc, char **argv)
{
    const size_t files = count_files();
    place at = {.number = argc > 3 ? strtoul(argv[2], NULL, 10) : 0,
                .call = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0};
    const pm_log log = {.fn = take_notice, .user = &at};
    pm_error err = {.text = ""};

    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: test_hostile FOLDER [FIRST CALL]\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ends this process when its parent ends */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (hostile_open(&log, &err) != PM_OK) {
        fprintf(stderr, "test_hostile: %s\n", err.text);
        return 1;
    }
    while (try_case(argv[1], &at, files))
        at.number++;
    hostile_close();
    if (count_files() != files)
        wrong(&at, "files left open at the end");
    if (count_children() > 0)
        wrong(&at, "processes left at the end");
    printf("done %zu\n", at.number);
    return 0;
}
