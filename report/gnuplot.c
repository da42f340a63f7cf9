/* Runs gnuplot. See gnuplot.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gnuplot.h"

#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/error.h"

/* ---- text ----------------------------------------------------------------------------------- */

/* Bytes of a character at text[i] that has to be replaced, 0: it may stand. Controls and U+FFFE and
 * U+FFFF are no XML characters; gnuplot escapes < and & but not the end of a CDATA section. */
static size_t unfit(const char *text, size_t i, bool utf8)
{
    unsigned char c = (unsigned char)text[i];

    if (c < 0x20 || c == 0x7F || (c >= 0x80 && !utf8))
        return 1;
    if (c == '>' && i >= 2 && strncmp(text + i - 2, "]]", 2) == 0)
        return 1;
    if (strncmp(text + i, "\xEF\xBF", 2) == 0 && (unsigned char)text[i + 2] >= 0xBE)
        return 3;
    return 0;
}

void pm_gnuplot_quoted(FILE *out, const char *text, size_t most)
{
    json_t *check = json_string(text); /* NULL: not UTF-8 */
    size_t length = strlen(text), end = length;

    if (length > most) {
        end = most - 3;
        while (check && end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
    }
    putc('\'', out);
    for (size_t i = 0; i < end; i++) {
        size_t bytes = unfit(text, i, check != NULL);

        if (text[i] == '\'')
            putc('\'', out);
        putc(bytes ? '?' : text[i], out);
        i += bytes > 1 ? bytes - 1 : 0;
    }
    fputs(end < length ? "...'" : "'", out);
    json_decref(check);
}

/* ---- the script ----------------------------------------------------------------------------- */

int pm_gnuplot_script(pm_gnuplot_fn write, const void *user, pm_error *err)
{
    int fd = memfd_create("perfmodel-plot", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before;

    if (!out || !numbers) {
        pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno));
        goto fail;
    }
    before = uselocale(numbers); /* gnuplot reads 0.5, whatever the user's locale writes */
    write(out, user);
    uselocale(before);
    freelocale(numbers);
    if (fclose(out) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno));
        close(fd);
        return -1;
    }
    return fd;
fail:
    if (out)
        fclose(out);
    else if (copy >= 0)
        close(copy);
    if (fd >= 0)
        close(fd);
    if (numbers)
        freelocale(numbers);
    return -1;
}

/* ---- gnuplot -------------------------------------------------------------------------------- */

/* Starts gnuplot on these descriptors and waits for its end: 0 is success, -1 with errno set means
 * that it did not start, else its wait status. */
static int run_gnuplot(int script, int svg, int messages)
{
    static char program[] = "gnuplot", plain[] = "-d"; /* -d: none of the user's settings */
    char *argv[] = {program, plain, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed, status;

    failed = posix_spawn_file_actions_init(&actions);
    if (!failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
        if (!failed)
            failed = posix_spawn_file_actions_adddup2(&actions, svg, STDOUT_FILENO);
        if (!failed)
            failed = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
        if (!failed)
            failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (failed) {
        errno = failed;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* The last line that has something in it, of the start of the file. */
static void last_line(int fd, char *line, size_t size)
{
    char text[2048], *start;
    ssize_t length = pread(fd, text, sizeof text - 1, 0);

    text[length > 0 ? length : 0] = '\0';
    while ((start = strrchr(text, '\n')) && strspn(start, " \n\t") == strlen(start))
        *start = '\0';
    start = strrchr(text, '\n');
    snprintf(line, size, "%.*s", (int)size - 1, start ? start + 1 : text);
}

/* A full disk shows in nothing but a missing end. */
static bool is_whole(int svg)
{
    char tail[64] = "";
    off_t size = lseek(svg, 0, SEEK_END);
    off_t from = size > (off_t)sizeof tail - 1 ? size - (off_t)sizeof tail + 1 : 0;

    return size > 0 && pread(svg, tail, sizeof tail - 1, from) > 0 && strstr(tail, "</svg>");
}

pm_status pm_gnuplot_draw(int script, int svg, const char *path, pm_error *err)
{
    int messages = memfd_create("perfmodel-gnuplot", MFD_CLOEXEC), ended;
    pm_status status = PM_OK;
    char why[256];

    if (messages < 0)
        return pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno));
    ended = run_gnuplot(script, svg, messages);
    if (ended == -1)
        status = pm_fail(err, PM_FAILED,
                         errno == ENOENT ? "gnuplot is not installed: install it (Debian "
                                           "and Ubuntu: gnuplot-nox) or leave the plot out"
                                         : "cannot start gnuplot: %s",
                         strerror(errno));
    else if (ended != 0) {
        last_line(messages, why, sizeof why);
        status = pm_fail(err, PM_FAILED, "%s: gnuplot failed: %s", path, why);
    } else if (!is_whole(svg)) {
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: could not be written whole: is the disk full? Make room, or choose "
                         "another place",
                         path);
    }
    close(messages);
    return status;
}

/* ---- into memory ---------------------------------------------------------------------------- */

/* All of the descriptor's file, to free; NULL with errno. */
static char *read_whole(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    size_t got = 0;

    while (text && got < (size_t)size) {
        ssize_t n = pread(fd, text + got, (size_t)size - got, (off_t)got);

        if (n > 0) {
            got += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            free(text);
            text = NULL;
        }
    }
    if (text)
        text[got] = '\0';
    return text;
}

pm_status pm_gnuplot_svg(pm_gnuplot_fn write, const void *user, const char *what, char **svg,
                         pm_error *err)
{
    int script = pm_gnuplot_script(write, user, err), drawn = -1;
    pm_status status = script < 0 ? PM_FAILED : PM_OK;

    *svg = NULL;
    if (status == PM_OK) {
        drawn = memfd_create("perfmodel-svg", MFD_CLOEXEC);
        status = drawn < 0 ? pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno))
                           : pm_gnuplot_draw(script, drawn, what, err);
    }
    if (status == PM_OK) {
        *svg = read_whole(drawn);
        if (!*svg)
            status = pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno));
    }
    if (drawn >= 0)
        close(drawn);
    if (script >= 0)
        close(script);
    return status;
}
