/* Plots, drawn by gnuplot as SVG.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gnuplot is started without a shell; it reads its script from a memory file and writes the SVG to
 * a descriptor, so no path and no name of a user is ever part of a command line. Program names
 * stand in the script as single-quoted strings, in which gnuplot expands nothing.
 */
#include <errno.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/dataset_parts.h"
#include "collector/error.h"

enum { LONGEST_NAME = 40, MOST_LABELS = 80 };

/* ---- what is drawn -------------------------------------------------------------------------- */

/* Predicted over measured time of a program. */
typedef struct {
    const char *program;
    double log_sum, lo, hi;
    size_t n;
} bar;

static bar *find_bar(bar *bars, size_t *count, const char *program)
{
    /* Samples of a program mostly stand together: look at the last one first. */
    for (size_t i = *count; i-- > 0;)
        if (strcmp(bars[i].program, program) == 0)
            return &bars[i];
    bars[*count] = (bar){.program = program, .lo = INFINITY, .hi = 0};
    return &bars[(*count)++];
}

/* bars has validation->n members; returns how many are used. */
static size_t gather(const pm_validation *validation, bar *bars)
{
    size_t count = 0;

    for (size_t i = 0; i < validation->n; i++) {
        const pm_prediction *p = &validation->samples[i];
        double ratio = p->predicted_s / p->measured_s;
        bar *b;

        if (!isfinite(ratio) || !(ratio > 0))
            continue;
        b = find_bar(bars, &count, p->sample->program);
        b->log_sum += log(ratio);
        b->lo = fmin(b->lo, ratio);
        b->hi = fmax(b->hi, ratio);
        b->n++;
    }
    return count;
}

/* ---- the script ----------------------------------------------------------------------------- */

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

/* Writes text as a single-quoted gnuplot string of characters that XML allows. At most `most`
 * bytes of it, cut between characters. */
static void put_quoted(FILE *out, const char *text, size_t most)
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

/* Ticks that suit the range: round numbers near 1, powers of two when it is wide. */
static void put_ticks(FILE *out, double lo, double hi)
{
    static const double fine[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3};
    static const double middle[] = {0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10};
    double fold = fmax(hi, 1 / lo);
    const double *ticks = fold <= 2 ? fine : middle;
    size_t count = fold <= 2 ? sizeof fine / sizeof *fine : sizeof middle / sizeof *middle;
    int step = 1 + (int)(log2(hi / lo) / 12);

    fputs("set ytics (", out);
    if (fold <= 10)
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%g", i ? ", " : "", ticks[i]);
    else
        for (int power = -40; power <= 40; power++)
            fprintf(out, "%s%.4g", power > -40 ? ", " : "", ldexp(1, power * step));
    fputs(")\n", out);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void put_title(FILE *out, const pm_validation *v, const char *title)
{
    char text[512];

    if (!title) {
        snprintf(text, sizeof text,
                 "%s%s%s, method %s: each program by a model that has not seen %s",
                 base_name(v->dataset), v->from ? " from " : "", v->from ? base_name(v->from) : "",
                 v->method, strcmp(v->leave_out, "sample") == 0 ? "that sample" : "it");
        title = text;
    }
    fputs("set title ", out);
    put_quoted(out, title, sizeof text);
    fputs("\n", out);
}

static void put_script(FILE *out, const pm_validation *v, const char *title, const bar *bars,
                       size_t count)
{
    double lo = 0.8, hi = 1.25;
    size_t width = count < 12 ? 720 : count > 44 ? 2000 : 240 + 40 * count;
    size_t every = 1 + (count - 1) / MOST_LABELS;

    for (size_t i = 0; i < count; i++) {
        lo = fmin(lo, bars[i].lo / 1.05);
        hi = fmax(hi, bars[i].hi * 1.05);
    }
    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size %zu,480 noenhanced font 'sans-serif,13' background '#ffffff'\n"
            "set logscale y 2\nset xrange [-0.6:%zu.6]\nset yrange [%.9g:%.9g]\n"
            "set border 3\nset tics nomirror out\nset grid ytics lt 1 lc rgb '#dddddd'\n"
            "set ylabel 'predicted / measured time'\nset key off\nset bars 0.6\n"
            "set xlabel 'bar: geometric mean of the samples; whisker: smallest to largest'\n"
            "set style fill solid noborder\n",
            width, count - 1, lo, hi);
    put_title(out, v, title);
    put_ticks(out, lo, hi);
    fputs("set xtics rotate by -40 left (", out);
    for (size_t i = 0; i < count; i += every) {
        fputs(i ? ", " : "", out);
        put_quoted(out, bars[i].program, LONGEST_NAME);
        fprintf(out, " %zu", i);
    }
    fputs(")\n$bars << END\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%zu %.9g %.9g %.9g\n", i, exp(bars[i].log_sum / (double)bars[i].n),
                bars[i].lo, bars[i].hi);
    /* Colours of Okabe and Ito, which differ for every kind of colour vision. */
    fputs("END\n"
          "plot $bars using 1:2:($1-0.35):($1+0.35):($2<1?$2:1):($2<1?1:$2) with boxxyerror"
          " lc rgb '#56b4e9', \\\n"
          " 1 with lines lw 2 lc rgb '#d55e00', \\\n"
          " $bars using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lw 1.5 lc rgb '#222222'\n",
          out);
}

/* A memory file with the script in it, to be read from its start; -1 with err set. */
static int script_file(const pm_validation *validation, const char *title, const bar *bars,
                       size_t count, pm_error *err)
{
    int fd = memfd_create("perfmodel-plot", MFD_CLOEXEC), copy = fd < 0 ? -1 : dup(fd);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before;

    if (!out || !numbers) {
        pm_fail(err, PM_FAILED, "no room for the plot: %s", strerror(errno));
        goto fail;
    }
    before = uselocale(numbers); /* gnuplot reads 0.5, whatever the user's locale writes */
    put_script(out, validation, title, bars, count);
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

static pm_status draw(int script, int svg, const char *path, pm_error *err)
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
                         "another place with --plot",
                         path);
    }
    close(messages);
    return status;
}

/* ---- the file ------------------------------------------------------------------------------- */

static pm_status cannot_be_written(const char *path, pm_error *err)
{
    return pm_fail(err, pm_place_status(errno),
                   "%s: cannot be written: %s; choose another place with --plot", path,
                   strerror(errno));
}

static pm_status write_plot(int script, const char *path, pm_error *err)
{
    char part[PATH_MAX];
    int svg = pm_file_temporary(path, part);
    pm_status status;

    if (svg < 0)
        return cannot_be_written(path, err);
    status = draw(script, svg, path, err);
    if (close(svg) != 0 && status == PM_OK)
        status = cannot_be_written(path, err);
    if (status == PM_OK && rename(part, path) != 0)
        status = cannot_be_written(path, err);
    if (status != PM_OK)
        unlink(part);
    return status;
}

pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err)
{
    bar *bars = calloc(validation->n + 1, sizeof *bars);
    pm_status status = PM_FAILED;
    size_t count;
    int script;

    if (!bars)
        return pm_fail(err, PM_FAILED, "out of memory for the plot");
    count = gather(validation, bars);
    if (count == 0) {
        pm_fail(err, PM_FAILED, "%s: no sample has both times, so there is nothing to draw", path);
    } else {
        script = script_file(validation, title, bars, count, err);
        if (script >= 0) {
            status = write_plot(script, path, err);
            close(script);
        }
    }
    free(bars);
    return status;
}
