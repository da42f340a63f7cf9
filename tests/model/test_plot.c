/* Tests the plot of a validation: the SVG is well-formed for any names of programs, and a failure
 * leaves no incomplete file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dataset_fixture.h"

#include <spawn.h>
#include <sys/wait.h>

static const char *const plain[] = {"matmul_tiled", "sobel3x3", "nbody", "fdtd3d"};
static const char *const hostile[] = {
    "quote'); system('touch injected'); ('",
    "double\"quote\\",
    "new\nline",
    "`touch injected`",
    "@m $d <b>&amp; ]]> {/Symbol a}_b^c",
    "not utf-8 \xff\xc3",
    "noncharacter \xef\xbf\xbf",
    "END",
};

enum { PER_PROGRAM = 3, MOST = 300 };

typedef struct {
    pm_sample samples[MOST * PER_PROGRAM];
    pm_prediction predictions[MOST * PER_PROGRAM];
    pm_validation validation;
} results;

static void add(results *r, const char *program, double ratio)
{
    size_t i = r->validation.n++;

    r->samples[i] = (pm_sample){.program = program, .variant = "local", .size = "1", .kernel = "k"};
    r->predictions[i] =
        (pm_prediction){.sample = &r->samples[i], .measured_s = 2, .predicted_s = 2 * ratio};
}

static results *results_of(const char *const *programs, size_t count)
{
    results *r = room(1, sizeof *r);

    r->validation = (pm_validation){.dataset = "/data/h200.csv",
                                    .from = "/data/h100.csv",
                                    .method = "auto",
                                    .leave_out = "program",
                                    .samples = r->predictions};
    for (size_t i = 0; i < count; i++)
        for (int s = -1; s <= 1; s++)
            add(r, programs[i], (0.7 + 0.15 * (double)i) * (1 + 0.1 * s));
    return r;
}

static int run(char *const *argv)
{
    pid_t child;
    int status;

    if (posix_spawnp(&child, argv[0], NULL, NULL, argv, environ) != 0)
        return -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static char *draw(fixture *f, const results *r, const char *title)
{
    size_t size;

    snprintf(f->file, sizeof f->file, "%s/it's a \"plot\".svg", f->folder);
    assert_ok(pm_plot_validation(&r->validation, title, f->file, told()) == PM_OK);
    char *argv[] = {(char[]){"xmllint"}, (char[]){"--noout"}, f->file, NULL};
    int status = run(argv);
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        print_message("xmllint is not there: well-formedness is not checked\n");
    else
        assert_int_equal(status, 0);
    return file_bytes(f->file, &size);
}

/* The folder contains only the plot. */
static size_t files_in(const char *folder)
{
    size_t count = 0;
    char command[PATH_MAX + 64];

    snprintf(command, sizeof command, "ls -A '%s'", folder);
    FILE *list = need(popen(command, "r"));
    for (int c; (c = getc(list)) != EOF;)
        count += c == '\n';
    pclose(list);
    return count;
}

FOLDER_TEST(test_shows_programs)
{
    results *r = results_of(plain, 4);
    char *svg = draw(f, r, NULL);

    for (size_t i = 0; i < 4; i++)
        assert_non_null(strstr(svg, plain[i]));
    assert_non_null(strstr(svg, "h200.csv from h100.csv"));
    assert_non_null(strstr(svg, "predicted / measured time"));
    assert_int_equal(files_in(f->folder), 1);
}

FOLDER_TEST(test_hostile_names)
{
    results *r = results_of(hostile, sizeof hostile / sizeof *hostile);
    char before[PATH_MAX];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    char *svg = draw(f, r, "it's '`touch injected`' <title> & \\");
    assert_int_equal(chdir(before), 0);
    assert_int_equal(files_in(f->folder), 1); /* no "injected" */
    assert_non_null(strstr(svg, "new?line"));
    assert_non_null(strstr(svg, "`touch injected`"));
    assert_non_null(strstr(svg, "quote'); system('touch injected'); ('"));
    assert_non_null(strstr(svg, "double\"quote\\"));
    assert_non_null(strstr(svg, "it's '`touch injected`' &lt;title"));
    assert_non_null(strstr(svg, "{/Symbol a}_b^c"));
}

FOLDER_TEST(test_many_programs_and_wide_range)
{
    static char names[MOST][24];
    const char *programs[MOST];

    for (size_t i = 0; i < MOST; i++) {
        snprintf(names[i], sizeof names[i], "program%zu", i);
        programs[i] = names[i];
    }
    results *r = results_of(programs, MOST);
    r->predictions[0].predicted_s = 1e9;
    r->predictions[1].predicted_s = 1e-9;
    r->predictions[2].predicted_s = NAN;
    r->predictions[3].measured_s = 0;
    char *svg = draw(f, r, "");
    assert_non_null(strstr(svg, "program0"));
}

FOLDER_TEST(test_nothing_to_draw)
{
    results *r = results_of(plain, 1);

    for (size_t i = 0; i < r->validation.n; i++)
        r->predictions[i].measured_s = NAN;
    assert_int_equal(pm_plot_validation(&r->validation, NULL, f->file, told()), PM_FAILED);
    assert_non_null(strstr(last_error.text, "nothing to draw"));
    assert_int_equal(files_in(f->folder), 0);
}

FOLDER_TEST(test_unwritable)
{
    results *r = results_of(plain, 4);
    const char *path = in_folder(f, "missing/plot.svg");

    assert_int_equal(pm_plot_validation(&r->validation, NULL, path, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, path);
    /* If a folder exists at the plot's path, the temporary file is deleted. */
    path = in_folder(f, "folder");
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(pm_plot_validation(&r->validation, NULL, path, told()), PM_BAD_INPUT);
    assert_int_equal(files_in(f->folder), 1);
}

FOLDER_TEST(test_no_gnuplot)
{
    results *r = results_of(plain, 4);
    char *path = owned_memory(strdup(getenv("PATH")));

    setenv("PATH", f->folder, 1);
    pm_status status = pm_plot_validation(&r->validation, NULL, f->file, told());
    setenv("PATH", path, 1);
    assert_int_equal(status, PM_FAILED);
    assert_non_null(strstr(last_error.text, "gnuplot is not installed"));
    assert_int_equal(files_in(f->folder), 0);
}
