/* Instructions of PTX compute in the trace engine what the PTX manual says. The instructions, their
 * inputs and expected results are in instructions.txt, which describes its format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "base/text.h"
#include "tests/trace/trace_suite.h"

#define CASES PM_SOURCE_DIR "/tests/ptx/instructions.txt"

enum { MOST_CASES = 4096, MOST_BYTES = 1 << 20, IN_WORDS = 3 };

typedef struct {
    const char *text; /* the instruction */
    char kind;
    unsigned line;
    uint64_t in[IN_WORDS], expected;
} instruction_case;

typedef struct {
    size_t count;
    instruction_case items[MOST_CASES];
} case_list;

static void read_case(case_list *list, const char *text, const char *row, unsigned line)
{
    instruction_case *c = &list->items[list->count++];
    unsigned long long in[IN_WORDS], expected;

    assert_true(list->count < MOST_CASES);
    if (!text ||
        sscanf(row, " %c %llx %llx %llx = %llx", &c->kind, &in[0], &in[1], &in[2], &expected) != 5)
        fail_msg("%s:%u: no case", CASES, line);
    for (size_t k = 0; k < IN_WORDS; k++)
        c->in[k] = in[k];
    c->expected = expected;
    c->text = text;
    c->line = line;
}

/* Reads the cases. They point into a text that is freed after the test. */
static const case_list *read_cases(void)
{
    case_list *list = room(1, sizeof *list);
    char *text = room(MOST_BYTES, 1), *instruction = NULL, *rest = text, *row;
    FILE *file = need(fopen(CASES, "r"));
    unsigned line = 0;

    assert_true(fread(text, 1, MOST_BYTES - 1, file) > 0);
    fclose(file);
    while ((row = strsep(&rest, "\n"))) {
        line++;
        if (*row == ' ')
            read_case(list, instruction, row, line);
        else if (*row && *row != '#')
            instruction = row;
    }
    return list;
}

/* Adds a case's code: it loads the inputs, runs the instruction and stores the result. */
static void add_code(pm_text *ptx, const instruction_case *c, size_t number)
{
    static const char inputs[] = "abc";
    const char *result = c->kind == 'w'   ? "cvt.u64.u32 %d, %wd;"
                         : c->kind == 'h' ? "cvt.u64.u16 %d, %hd;"
                         : c->kind == 'f' || c->kind == 'F'
                             ? "mov.b32 %wd, %fd; cvt.u64.u32 %d, %wd;"
                         : c->kind == 'g' || c->kind == 'G' ? "mov.b64 %d, %gd;"
                         : c->kind == 'p'                   ? "selp.u64 %d, 1, 0, %p;"
                                                            : "";

    pm_text_add(ptx, "{ .reg .b64 %%a, %%b, %%c, %%d; .reg .b32 %%wa, %%wb, %%wc, %%wd;\n"
                     ".reg .b16 %%ha, %%hb, %%hc, %%hd; .reg .f32 %%fa, %%fb, %%fc, %%fd;\n"
                     ".reg .f64 %%ga, %%gb, %%gc, %%gd; .reg .pred %%p;\n");
    for (size_t k = 0; k < IN_WORDS; k++) {
        const char x = inputs[k];

        pm_text_add(ptx, "ld.global.b64 %%%c, [%%in+%zu];\n", x, 8 * (IN_WORDS * number + k));
        pm_text_add(ptx, "cvt.u32.u64 %%w%c, %%%c; cvt.u16.u64 %%h%c, %%%c;\n", x, x, x, x);
        pm_text_add(ptx, "mov.b32 %%f%c, %%w%c; mov.b64 %%g%c, %%%c;\n", x, x, x, x);
    }
    pm_text_add(ptx, "%s %s\nst.global.b64 [%%out+%zu], %%d;\n}\n", c->text, result, 8 * number);
}

static char *make_ptx(const case_list *list)
{
    pm_text ptx = {0};

    pm_text_add(&ptx, ".version 8.5\n.target sm_90\n.address_size 64\n"
                      ".visible .entry all(.param .u64 in, .param .u64 out)\n{\n"
                      ".reg .b64 %%in, %%out;\nld.param.u64 %%in, [in];\n"
                      "ld.param.u64 %%out, [out];\ncvta.to.global.u64 %%in, %%in;\n"
                      "cvta.to.global.u64 %%out, %%out;\n");
    for (size_t k = 0; k < list->count; k++)
        add_code(&ptx, &list->items[k], k);
    pm_text_add(&ptx, "ret;\n}\n");
    return pm_text_take(&ptx);
}

static void *inputs_of(const case_list *list)
{
    uint64_t *in = need(malloc(list->count * IN_WORDS * sizeof *in));

    for (size_t k = 0; k < list->count; k++)
        memcpy(&in[IN_WORDS * k], list->items[k].in, sizeof list->items[k].in);
    return in;
}

static double real_of(char kind, uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    double real;
    float single;

    memcpy(&real, &bits, sizeof real);
    memcpy(&single, &word, sizeof single);
    return kind == 'f' || kind == 'F' ? single : real;
}

/* Any NaN is right where a NaN is expected. */
static bool is_right(const instruction_case *c, uint64_t result)
{
    const double wanted = real_of(c->kind, c->expected), found = real_of(c->kind, result);

    if (result == c->expected)
        return true;
    if (c->kind == 'f' || c->kind == 'g')
        return isnan(wanted) && isnan(found);
    return (c->kind == 'F' || c->kind == 'G') && fabs(found - wanted) <= ldexp(fabs(wanted), -20);
}

TEST(instructions_compute_what_the_manual_says)
{
    const case_list *list = read_cases();
    const size_t bytes = list->count * sizeof(uint64_t);
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    uint64_t *out = room(list->count, sizeof *out);
    pm_executor *engine = NULL;
    size_t wrong = 0;

    if (!engine_is_there())
        skip();
    assert_ok(pm_executor_trace_open(&options, *state, NULL, &engine, told()) == PM_OK);
    w->source_path = strdup("all.ptx");
    w->source = make_ptx(list);
    pm_workload_buffer(w, "in", IN_WORDS * bytes, inputs_of(list), PM_BUFFER_IN);
    pm_workload_buffer(w, "out", bytes, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "all", 1, (size_t[]){1}, (size_t[]){1});
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1));
    assert_ok(w->error.status == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 1, out, told()) == PM_OK);
    engine->type->close(engine);
    for (size_t k = 0; k < list->count; k++) {
        const instruction_case *c = &list->items[k];

        if (is_right(c, out[k]))
            continue;
        wrong++;
        print_error("%s:%u: %s results in %llx, not %llx\n", CASES, c->line, c->text,
                    (unsigned long long)out[k], (unsigned long long)c->expected);
    }
    assert_int_equal(wrong, 0);
}

TEST_MAIN(open_table, close_table)
