/* Kernels and the counters that the trace engine must give for them, counted by hand. A case needs
 * no C: NAME.cl (or NAME.cu) has the kernels, NAME.expected beside it has the cases.
 *
 *     trace_kernels FOLDER ...       all NAME.expected of the folders, each case a test
 *
 *     # Why these are the numbers.
 *     [case other_half]
 *     kernel = copy                  name of the kernel; NAME if left out
 *     gpus = h100 k20c               GPUs whose rules count; h100 if left out (see below)
 *     global = 256                   work-items, in up to three dimensions
 *     local = 64                     work-items of a work-group
 *     options = -DN=100              options of the compiler, in OpenCL C after -cl-std=CL1.2
 *     a = i % 4                      value of a[i] (program/contents/expression.h); 0 if left out
 *     gld_request = 8 * 2            a counter of counters.ini = an expression of doubles
 *     unknown = gst_64b gst_32b      counters that this GPU does not have
 *     replays = 4                    inst_issued - inst_executed
 *     global_loads = 256             work-items of all accesses of a kind; also global_stores,
 *                                    shared_loads, shared_stores and shared_atomics
 *
 * The GPUs wide_sectors and wide_segments are made up; their warps have 64 lanes (trace_wide.h).
 *
 * A kernel takes (a, b, out), buffers of 2^18 ints each; b and out hold zeros. The compiler does
 * not know what a and b hold, so an index can depend on a loaded value and still be known here.
 * Loops that must stay loops have #pragma unroll 1: an unrolled loop may load otherwise.
 *
 * With PERFMODEL_TEST_DEVICE=h100 the cases for an H100 are held against that GPU's own counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glob.h>

#include "base/ini.h"
#include "program/contents/expression.h"
#include "trace_counts_fixture.h"
#include "trace_wide.h"

enum { FILES = 256, CASES = 1024, GPUS = 32, NAME = 128 };

typedef struct {
    pm_sections sections;
    char path[512],
        /* path: path of the source. kernel: name of the kernel for cases that give none */
        kernel[NAME];
    char *source;
} kernel_file;

typedef struct {
    const kernel_file *file;
    const pm_section *section;
    char gpu[NAME], name[3 * NAME];
} one_case;

static kernel_file files[FILES];
static one_case cases[CASES];
static size_t file_count, case_count;

/* Open executors, one for each GPU. */
static struct {
    char gpu[NAME];
    void *fixture;
} open_fixtures[GPUS];

static const char *setting(const pm_section *section, const char *key, const char *otherwise)
{
    const pm_setting *found = pm_section_find(section, key);

    return found ? found->value : otherwise;
}

static double real_value(const pm_setting *from)
{
    char fault[PM_EXPRESSION_FAULT];
    double value = 0;

    if (!pm_expression_real(from->value, &(pm_numbers){0}, &value, fault))
        fail_msg("line %u: %s: %s", from->line, from->key, fault);
    return value;
}

static unsigned read_sizes(const char *text, size_t sizes[3])
{
    unsigned count = 0;
    char *end;

    for (; count < 3 && *text; text = end) {
        sizes[count++] = strtoull(text, &end, 10);
        if (end == text)
            fail_msg("%s: not up to three sizes", text);
        end += strspn(end, " ");
    }
    return count;
}

/* ---- contents of buffer a ------------------------------------------------------------------- */

static pm_expression a_formula;

static int a_of_formula(size_t i)
{
    const pm_named_number name = {"i", (int64_t)i};
    char fault[PM_EXPRESSION_FAULT];
    pm_expression_number value;

    if (!pm_expression_value(&a_formula, &(pm_numbers){1, &name}, &value, fault))
        fail_msg("a: %s", fault);
    return (int)value.integer;
}

static void read_formula(const char *text)
{
    const pm_named_number name = {"i", 0};
    char fault[PM_EXPRESSION_FAULT];

    if (!pm_expression_read(text, &(pm_numbers){1, &name}, false, &a_formula, fault))
        fail_msg("a: %s", fault);
}

/* ---- one case ------------------------------------------------------------------------------- */

static bool is_wide(const char *gpu)
{
    return strncmp(gpu, "wide_", 5) == 0;
}

static trace_fixture *open_fixture(const char *gpu)
{
    const char *device = getenv("PERFMODEL_TEST_DEVICE");
    char folder[] = "/tmp/pm_wide_XXXXXX";
    size_t at = 0;
    int status;

    while (*open_fixtures[at].gpu && strcmp(open_fixtures[at].gpu, gpu) != 0)
        assert_true(++at < GPUS);
    if (open_fixtures[at].fixture)
        return open_fixtures[at].fixture;
    snprintf(open_fixtures[at].gpu, NAME, "%s", gpu);
    if (device) {
        if (strcmp(gpu, "h100") != 0)
            skip();
        status = trace_setup(&open_fixtures[at].fixture);
    } else if (is_wide(gpu)) {
        assert_true(write_wide_gpus(folder));
        status = trace_setup_for(&open_fixtures[at].fixture, gpu, folder);
        remove_wide_gpus(folder);
    } else {
        status = trace_setup_for(&open_fixtures[at].fixture, gpu, NULL);
    }
    if (status != 0)
        fail_msg("the trace engine does not start for %s", gpu);
    return open_fixtures[at].fixture;
}

static void close_fixtures(void)
{
    for (size_t i = 0; i < GPUS; i++)
        if (open_fixtures[i].fixture)
            trace_teardown(&open_fixtures[i].fixture);
}

static double found_value(const trace_fixture *f, const char *key)
{
    static const struct {
        const char *key, *kind, *space;
    } sums[] = {{"global_loads", "load", "global"},
                {"global_stores", "store", "global"},
                {"shared_loads", "load", "shared"},
                {"shared_stores", "store", "shared"},
                {"shared_atomics", "atomic", "shared"}};

    if (strcmp(key, "replays") == 0)
        return counted(f, "inst_issued") - counted(f, "inst_executed");
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (strcmp(key, sums[i].key) == 0) /* hardware counters do not distinguish accesses */
            return f->opencl ? NAN : items(f, sums[i].kind, sums[i].space);
    return counted(f, key);
}

/* Returns whether all counters named in `names` are unknown; prints the known ones. */
static bool are_unknown(const trace_fixture *f, const char *names, const char *what)
{
    char list[1024], *rest = list;
    bool unknown = true;

    snprintf(list, sizeof list, "%s", names);
    for (char *name = strtok_r(rest, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (!isnan(counted(f, name))) {
            print_error("%s: %s is %g; this GPU has none\n", what, name, counted(f, name));
            unknown = false;
        }
    return unknown;
}

static bool is_launch_key(const char *key)
{
    static const char *const keys[] = {"kernel", "gpus", "global", "local", "options", "a"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Prints every counter that differs before the test fails. */
static void run_case(void **state)
{
    const one_case *c = *state;
    const pm_section *section = c->section;
    const char *a = setting(section, "a", NULL);
    trace_fixture *f = open_fixture(c->gpu);
    bool same = true;
    launch_case launch = {.source = c->file->source,
                          .path = c->file->path,
                          .kernel = setting(section, "kernel", c->file->kernel),
                          .options = setting(section, "options", NULL),
                          .a = a ? a_of_formula : NULL};

    if (a)
        read_formula(a);
    launch.dimensions = read_sizes(setting(section, "global", ""), launch.global);
    assert_int_equal(launch.dimensions, read_sizes(setting(section, "local", ""), launch.local));
    count_case(f, &launch);
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *wanted = &section->settings[i];

        if (is_launch_key(wanted->key))
            continue;
        if (strcmp(wanted->key, "unknown") == 0) {
            same &= are_unknown(f, wanted->value, c->name);
            continue;
        }
        const double got = found_value(f, wanted->key), want = real_value(wanted);

        if ((f->opencl && isnan(got)) || fabs(got - want) <= 1e-12 * fabs(want) ||
            (strcmp(wanted->key, "replays") == 0 && fabs(got - want) < 1e-6))
            continue;
        print_error("%s: line %u: %s is %g, by hand %s = %g\n", c->name, wanted->line, wanted->key,
                    got, wanted->value, want);
        same = false;
    }
    assert_true(same);
}

/* ---- files ---------------------------------------------------------------------------------- */

static char *read_text(const char *path)
{
    enum { MOST = 1 << 16 };
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST);
    size_t length = file && text ? fread(text, 1, MOST - 1, file) : 0;

    if (file)
        fclose(file);
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

static bool add_cases(const kernel_file *file, const pm_section *section)
{
    char list[256], *rest = list;

    if (strcmp(section->kind, "case") != 0 || !*section->name || section->count < 3)
        return false;
    snprintf(list, sizeof list, "%s", setting(section, "gpus", "h100"));
    for (char *gpu = strtok_r(rest, " ", &rest); gpu; gpu = strtok_r(NULL, " ", &rest)) {
        one_case *c = &cases[case_count++];

        if (case_count == CASES)
            return false;
        c->file = file;
        c->section = section;
        snprintf(c->gpu, sizeof c->gpu, "%s", gpu);
        snprintf(c->name, sizeof c->name, "%.100s [%s] %.40s", file->kernel, section->name, gpu);
        add_case(c->name, run_case, c);
    }
    return true;
}

/* Adds the cases of a file. path: its path, FOLDER/NAME.expected. */
static bool read_file(const char *path)
{
    kernel_file *file = &files[file_count++];
    const char *name = strrchr(path, '/') + 1;
    const int length = (int)(strrchr(path, '.') - path);

    if (file_count == FILES || pm_sections_read(path, &file->sections, told()) != PM_OK) {
        fprintf(stderr, "%s\n", last_error.text);
        return false;
    }
    snprintf(file->kernel, sizeof file->kernel, "%.*s", (int)(path + length - name), name);
    for (int cuda = 0; cuda < 2 && !file->source; cuda++) {
        snprintf(file->path, sizeof file->path, "%.*s.%s", length, path, cuda ? "cu" : "cl");
        file->source = read_text(file->path);
    }
    if (!file->source) {
        fprintf(stderr, "%s: no kernels beside it, in a file .cl or .cu\n", path);
        return false;
    }
    for (size_t s = 0; s < file->sections.count; s++)
        if (!add_cases(file, &file->sections.items[s])) {
            fprintf(stderr, "%s:%u: not a [case NAME] with sizes and counters\n", path,
                    file->sections.items[s].line);
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;

    for (int i = 1; i < argc; i++) {
        char pattern[512];
        glob_t found;

        snprintf(pattern, sizeof pattern, "%s/*.expected", argv[i]);
        if (glob(pattern, 0, NULL, &found) != 0) {
            fprintf(stderr, "%s: no such file\n", pattern);
            return 1;
        }
        for (size_t f = 0; f < found.gl_pathc; f++)
            failed += !read_file(found.gl_pathv[f]);
        globfree(&found);
    }
    if (failed == 0)
        failed = run_all_tests(NULL, NULL);
    close_fixtures();
    for (size_t f = 0; f < file_count; f++) {
        pm_sections_free(&files[f].sections);
        free(files[f].source);
    }
    return failed;
}
