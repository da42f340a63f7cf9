/* Tests sources that are rewritten for other memory layouts: compares each new text, word by word,
 * with the expected text in layout_rewrites.txt.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"
#include "owned.h"
#include "rewrite_fixture.h"

/* ---- layout_rewrites.txt ------------------------------------------------------------------- */

/* Sources and their rewritten texts, as differences. The head of the file describes the format. */
typedef struct {
    char *title, *layout;
    pm_text before, after;
} rewrite_case;

enum { MOST_CASES = 32 };
static rewrite_case cases[MOST_CASES];
static size_t case_count;

static void add_line(const char *line)
{
    static const char head[] = "==== ";
    rewrite_case *c = case_count > 0 ? &cases[case_count - 1] : NULL;

    if (strncmp(line, head, sizeof head - 1) == 0) {
        c = &cases[case_count++];
        c->title = strndup(line, strcspn(line, "\n"));
        c->layout = strndup(line + sizeof head - 1, strrchr(line, ':') - line - sizeof head + 1);
        return;
    }
    if (*line == '#' || !c)
        return;
    if (*line == ' ' || *line == '-' || *line == '\n')
        pm_text_add(&c->before, "%s", line + (*line != '\n'));
    if (*line == ' ' || *line == '+' || *line == '\n')
        pm_text_add(&c->after, "%s", line + (*line != '\n'));
}

static bool read_cases(void)
{
    FILE *file = fopen(PM_SOURCE_DIR "/tests/layout/layout_rewrites.txt", "r");
    char line[256];

    while (file && fgets(line, sizeof line, file) && case_count < MOST_CASES)
        add_line(line);
    return file && fclose(file) == 0 && case_count > 0 && case_count < MOST_CASES;
}

/* Prints the rewritten text, and the first line in which it differs from the expected text. */
static void print_difference(const char *text, const char *expected)
{
    size_t at = 0, line = 0;

    print_error("%s\n", text);
    while (text[at] && text[at] == expected[at])
        if (text[at++] == '\n')
            line = at;
    print_error("the first different line is\n%.*s\nbut expected is\n%.*s\n",
                (int)strcspn(text + line, "\n"), text + line, (int)strcspn(expected + line, "\n"),
                expected + line);
}

static void expect_rewritten(const char *source, const char *path, const char *layout,
                             const char *expected)
{
    pm_rewritten *out = room(1, sizeof *out);
    pm_status status = rewrite_source(source, path, layout, out, told());
    bool same = status == PM_OK && strcmp(out->text, expected) == 0;

    owned_pieces(&out->memory);
    if (status != PM_OK)
        print_error("%s\n", last_error.text);
    else if (!same)
        print_difference(out->text, expected);
    assert_true(same);
}

static void is_rewritten(void **state)
{
    const rewrite_case *c = *state;

    expect_rewritten(pm_text_get(&c->before), "test.cl", c->layout, pm_text_get(&c->after));
}

/* ---- several source files ------------------------------------------------------------------- */

/* A struct in another file is not changed. A function in that file that takes the struct prevents
 * the rewrite. */
TEST(included)
{
    const char *folder = scratch_folder();
    char path[320];

    snprintf(path, sizeof path, "%s/test.cl", folder);
    write_text_in(folder, "types.h", "typedef struct { float x, y; } P;\n");
    write_text_in(folder, "functions.h", "float get(global P *p) { return p->x; }\n");
    expect_rewritten("#include \"types.h\"\n\n/* All. */\nkernel void k(global P *p)\n"
                     "{\n    p[1].x = 2;\n}\n",
                     path, "asta:2",
                     "/* Rewritten by perfmodel from test.cl: P in layout asta:2. */\n"
                     "#include \"types.h\"\n\ntypedef struct {\n    float x[2];\n"
                     "    float y[2];\n} P_0;\n\n/* All. */\n"
                     "kernel void k(global P_0 *p_0)\n{\n    p_0[0].x[1] = 2;\n}\n");
    expect_rewritten("#include \"types.h\"\n#include \"functions.h\"\n"
                     "kernel void k(global P *p)\n{\n    p->x = get(p);\n}\n",
                     path, "soa",
                     "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
                     "typedef struct { float x, y; } P;\n"
                     "float get(global float *p_x, global float *p_y) "
                     "{ return p_x[0]; }\n"
                     "kernel void k(global float *p_x, global float *p_y)\n"
                     "{\n    p_x[0] = get(p_x, p_y);\n}\n");
}

/* The kernels' new parameters, and the result of a layout that changes nothing. */
TEST(parameters)
{
    static const pm_param_map expected[] = {{PM_PARAM_SAME, 0, 0},
                                            {PM_PARAM_PART, 1, 0},
                                            {PM_PARAM_PART, 1, 1},
                                            {PM_PARAM_COUNT, 1, 0},
                                            {PM_PARAM_SAME, 2, 0}};
    static const char source[] = "typedef struct { float x[2]; int n; } P;\n"
                                 "kernel void none(int a) { }\n"
                                 "kernel void k(int a, constant P *p, global int *out)\n"
                                 "{ out[a] = p[a].n; }\n";
    pm_rewritten out;

    assert_int_equal(rewrite_source(source, "test.cl", "aos", &out, told()), PM_OK);
    assert_string_equal(out.text, source);
    assert_int_equal(out.edits, 0);
    pm_memory_free(&out.memory);
    assert_int_equal(rewrite_source(source, "test.cl", "soa", &out, told()), PM_OK);
    assert_int_equal(out.kernel_count, 2);
    assert_string_equal(out.kernels[0].name, "none");
    assert_int_equal(out.kernels[0].count, 1);
    assert_string_equal(out.kernels[1].name, "k");
    assert_int_equal(out.kernels[1].count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < out.kernels[1].count; i++) {
        assert_int_equal(out.kernels[1].params[i].kind, expected[i].kind);
        assert_int_equal(out.kernels[1].params[i].argument, expected[i].argument);
        if (expected[i].kind == PM_PARAM_PART)
            assert_int_equal(out.kernels[1].params[i].part, expected[i].part);
    }
    pm_memory_free(&out.memory);
}

int main(void)
{
    int failed;

    if (!read_cases())
        return 1;
    for (size_t i = 0; i < case_count; i++)
        add_case(cases[i].title, is_rewritten, &cases[i]);
    failed = run_all_tests(NULL, NULL);
    for (size_t i = 0; i < case_count; i++) {
        free(cases[i].title);
        free(cases[i].layout);
        pm_text_free(&cases[i].before);
        pm_text_free(&cases[i].after);
    }
    return failed;
}
