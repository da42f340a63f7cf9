/* Tests the workloads that are built from workload files: the contents and offsets of buffers, the
 * arguments of launches, and the changes by variants.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "base/clock.h"
#include "owned.h"
#include "program/contents/random.h"
#include "program/suite/suite.h"
#include "worker_fixture.h"

/* A copy of the source's struct, so that the host's compiler gives its fields' offsets. */
typedef struct {
    unsigned char tag;
    struct {
        float x, y;
    } at[2];
    int id[2][3];
    double weight;
} thing;

static const char source[] =
    "typedef struct { uchar tag; struct { float x, y; } at[2]; int id[2][3]; double weight; } "
    "Thing;\n"
    "__kernel void one(__global Thing *things, __global float *a, __global float *b, int n, ulong "
    "m)\n"
    "{ if (get_global_id(0) < n) a[get_global_id(0)] = things[get_global_id(0)].at[1].x; }\n"
    "__kernel void two(__global float *a, float4 v, __local int *t, char c)\n"
    "{ t[get_local_id(0)] = c; a[get_global_id(0)] = v.x + t[0]; }\n";

static const char text[] = "[workload]\n"
                           "name = built\n"
                           "source = built.cl\n"
                           "options = -DN={n + 1} -DM={-n}\n"
                           "[size small]\n"
                           "n = 100\n"
                           "[size large]\n"
                           "n = 200000\n"
                           "[buffer things]\n"
                           "type = struct Thing\n"
                           "count = n\n"
                           "contents = range 1, 0\n"
                           "contents.at.x = range 0, 0.5\n"
                           "contents.id = range -3, 1\n"
                           "contents.tag = random 3, 9\n"
                           "contents.weight = random\n"
                           "restore = yes\n"
                           "[buffer a]\n"
                           "type = float\n"
                           "count = n\n"
                           "contents = random -2, 2, 4\n"
                           "output = yes\n"
                           "[buffer b]\n"
                           "type = float3\n"
                           "count = n\n"
                           "contents = range 0, 1\n"
                           "scratch = yes\n"
                           "[launch one]\n"
                           "global = (n + 63) / 64 * 64\n"
                           "local = 64\n"
                           "arguments = things, a|b, b|a, int n - 300 * i, ulong n * n\n"
                           "repeat = n / 50 % 7\n"
                           "[launch two]\n"
                           "global = 64, i + 1\n"
                           "local = 32, 1\n"
                           "offset = 0, 8\n"
                           "arguments = a, float4 (1, 2, n / 8, -0.5), local 4 * 32, char -7\n"
                           "repeat = with one\n"
                           "[launch last]\n"
                           "kernel = two\n"
                           "global = 64\n"
                           "local = 32\n"
                           "arguments = a, float4 (1, 2, 3, 4), local 128, char 1\n"
                           "repeat = 0\n"
                           "[variant other]\n"
                           "options = -DOTHER\n"
                           "launch.one.repeat = 1\n"
                           "launch.last.repeat = 2\n"
                           "launch.two.local = 16, 1\n"
                           "launch.last.arguments = a, float4 (4, 3, 2, 1), local 128, char 1\n";

typedef struct {
    char *folder, path[320];
    pm_program *program;
} fixture;

OWNED(program, pm_program, pm_program_read_free)

static int set_up(void **state)
{
    fixture *f = room(1, sizeof *f);

    f->folder = scratch_folder();
    write_text_in(f->folder, "built.cl", source);
    write_text_in(f->folder, "built.workload", text);
    snprintf(f->path, sizeof f->path, "%s/built.workload", f->folder);
    f->program = owned_program(pm_program_read(f->path, test_worker(), told()));
    *state = f;
    return 0;
}

#define FIXTURE_TEST(name) TEST_OF(fixture, name, set_up, NULL)

static pm_workload *build(const fixture *f, const char *variant, const char *size)
{
    pm_workload *w = pm_program_build(f->program, variant, size, 1, test_session(), told());

    if (!w)
        fail_msg("%s %s: %s", variant, size, last_error.text);
    return owned_workload(w);
}

FIXTURE_TEST(names)
{
    const pm_program_info *info = &f->program->info;

    assert_string_equal(info->name, "built");
    assert_string_equal(info->base, "aos");
    assert_true(info->layouts);
    assert_string_equal(info->variants[0], "aos");
    assert_string_equal(info->variants[1], "other");
    assert_null(info->variants[2]);
    assert_string_equal(info->sizes[1], "large");
    assert_null(info->sizes[2]);
    assert_int_equal(pm_program_check(f->program, "soa", "large", NULL), PM_OK);
    assert_int_equal(pm_program_check(f->program, "soap", "large", NULL), PM_BAD_INPUT);
    assert_int_equal(pm_program_check(f->program, "other", "medium", NULL), PM_BAD_INPUT);
}

FIXTURE_TEST(fields)
{
    pm_workload *w = build(f, "aos", "small");
    const thing *things = w->buffers[0].initial;
    double sum = 0;
    unsigned seen = 0;

    assert_int_equal(w->buffers[0].bytes, 100 * sizeof *things);
    assert_int_equal(w->buffers[0].flags, PM_BUFFER_RESTORE);
    for (size_t i = 0; i < 100; i++) {
        for (size_t k = 0; k < 2; k++) {
            assert_true(things[i].at[k].x == (float)(2 * i + k) * 0.5f);
            assert_true(things[i].at[k].y == 1);
            for (size_t j = 0; j < 3; j++)
                assert_int_equal(things[i].id[k][j], (int)(6 * i + 3 * k + j) - 3);
        }
        assert_in_range(things[i].tag, 3, 9);
        seen |= 1U << things[i].tag;
        assert_true(things[i].weight >= 0 && things[i].weight < 1);
        sum += things[i].weight;
    }
    assert_int_equal(seen, 0x3f8); /* values 3 to 9 all occur */
    /* The mean of 100 uniform numbers is 1/2, with a standard error of 0.029. */
    assert_true(sum > 35 && sum < 65);
}

FIXTURE_TEST(arrays)
{
    pm_workload *w = build(f, "aos", "large");
    const size_t n = 200000;
    const float *b = w->buffers[2].initial;
    float *want = room(n, sizeof *want);
    const thing *things = w->buffers[0].initial;

    pm_random_floats(want, n, -2, 2, 1 + 4, "a");
    assert_memory_equal(w->buffers[1].initial, want, n * sizeof *want);
    assert_int_equal(w->buffers[1].flags, PM_BUFFER_OUTPUT);
    assert_int_equal(w->buffers[2].bytes, 16 * n); /* a float3 has the size of a float4 */
    assert_int_equal(w->buffers[2].flags, PM_BUFFER_SCRATCH);
    for (size_t i = 0; i < n; i += 1999) {
        for (size_t c = 0; c < 3; c++)
            assert_true(b[4 * i + c] == (float)(3 * i + c));
        assert_true(b[4 * i + 3] == 0);
    }
    /* Random numbers do not repeat from chunk to chunk. */
    assert_true(things[0].weight != things[4096].weight && things[1].weight != things[4097].weight);
}

static int64_t value_of(const pm_arg *arg)
{
    int64_t value = 0;

    assert_int_equal(arg->kind, PM_ARG_VALUE);
    memcpy(&value, arg->value, arg->bytes);
    return value;
}

FIXTURE_TEST(launches)
{
    pm_workload *w = build(f, "aos", "small");
    const float vector[] = {1, 2, 12.5f, -0.5f};

    assert_string_equal(w->build_options, "-DN=101 -DM=-100");
    assert_int_equal(w->launch_count, 4); /* n / 50 % 7 = 2 rounds of `one` and `two` */
    for (size_t turn = 0; turn < 2; turn++) {
        const pm_launch *one = &w->launches[2 * turn], *two = &w->launches[2 * turn + 1];

        assert_string_equal(one->kernel, "one");
        assert_int_equal(one->global[0], 128);
        assert_int_equal(one->dimensions, 1);
        assert_int_equal(one->args[1].buffer, turn ? 2 : 1);
        assert_int_equal(one->args[2].buffer, turn ? 1 : 2);
        assert_int_equal((int32_t)value_of(&one->args[3]), 100 - 300 * (int)turn);
        assert_int_equal(value_of(&one->args[4]), 10000);
        assert_int_equal(one->args[4].bytes, 8);
        assert_string_equal(two->kernel, "two");
        assert_int_equal(two->dimensions, 2);
        assert_int_equal(two->global[1], turn + 1);
        assert_int_equal(two->local[0], 32);
        assert_int_equal(two->offset[1], 8);
        assert_int_equal(two->args[1].bytes, sizeof vector);
        assert_memory_equal(two->args[1].value, vector, sizeof vector);
        assert_int_equal(two->args[2].kind, PM_ARG_LOCAL);
        assert_int_equal(two->args[2].bytes, 128);
        assert_int_equal((signed char)value_of(&two->args[3]), -7);
    }
}

FIXTURE_TEST(variant)
{
    pm_workload *w = build(f, "other", "small");
    const float vector[] = {4, 3, 2, 1};
    char origin[352];

    assert_string_equal(w->build_options, "-DOTHER");
    assert_int_equal(w->launch_count, 4); /* one, two, last, last */
    assert_int_equal(w->launches[1].local[0], 16);
    assert_memory_equal(w->launches[3].args[1].value, vector, sizeof vector);
    assert_string_equal(w->variant, "other");
    snprintf(origin, sizeof origin, "%s:18", f->path);
    assert_string_equal(w->buffers[1].origin, origin);
}

/* A transform of the workload: parts have the contents of the fields, and refer to the line of
 * their description. */
FIXTURE_TEST(layout)
{
    pm_workload *w = build(f, "soa", "small");
    bool found = false;

    for (size_t b = 0; b < w->buffer_count; b++)
        if (strcmp(w->buffers[b].name, "things.tag") == 0) {
            found = true;
            assert_int_equal(w->buffers[b].bytes, 100);
            assert_non_null(w->buffers[b].origin);
        }
    assert_true(found);
    assert_null(w->check);
}

/* ---- many sizes of a variant with its own options ---------------------------------------------
 */

static const char many_source[] = "__kernel void many(__global float *a\n"
                                  "#if N > 7\n"
                                  ", int n\n"
                                  "#endif\n"
                                  ") { a[0] = N; }\n";

/* Reads a program with `sizes` sizes; `last` is N in the last one. */
static pm_program *read_many(const fixture *f, unsigned sizes, unsigned last)
{
    static char many[20000];
    size_t at = (size_t)sprintf(many, "[workload]\nname = many\nsource = many.cl\n"
                                      "options = -DN=1\n");

    for (unsigned s = 0; s < sizes; s++)
        at += (size_t)sprintf(many + at, "[size s%u]\nn = %u\n", s, s + 1 < sizes ? s % 7 : last);
    sprintf(many + at, "[buffer a]\ntype = float\ncount = 1\noutput = yes\n[launch many]\n"
                       "global = 1\nlocal = 1\narguments = a\n[variant other]\noptions = "
                       "-DN={n}\n");
    write_text_in(f->folder, "many.cl", many_source);
    write_text_in(f->folder, "built.workload", many);
    return pm_program_read(f->path, test_worker(), told());
}

/* All sizes are checked with one parsed source. */
FIXTURE_TEST(many_sizes)
{
    double few, all;

    pm_program_read_free(read_many(f, 2, 1)); /* the worker has started */
    few = pm_now_s();
    pm_program_read_free(read_many(f, 2, 1));
    few = pm_now_s() - few;
    all = pm_now_s();
    pm_program_read_free(read_many(f, 400, 1));
    all = pm_now_s() - all;
    print_message("2 sizes: %.3f s, 400 sizes: %.3f s\n", few, all);
    assert_true(all < 30 * few + 0.3);
}

/* If the kernel takes other arguments in one size, this is reported when that size is built to
 * run. */
FIXTURE_TEST(other_arguments_in_a_size)
{
    pm_program *program = owned_program(read_many(f, 3, 8));

    assert_non_null(program);
    owned_workload(pm_program_build(program, "other", "s1", 1, test_session(), told()));
    assert_null(pm_program_build(program, "other", "s2", 1, test_session(), told()));
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text, "built.workload"));
    assert_non_null(strstr(last_error.text, "many"));
}

/* ---- mutants: each is a valid program, or an error that names the file ----------------------- */

static const char forms_source[] =
    "#include \"forms.h\"\n"
    "__kernel void one(__global Thing *things, __global const float *a, Setup s, Small t)\n"
    "{ things[get_global_id(0)].x = (a ? a[0] : s.scale) + s.at[1].y + t.n; }\n";

static const char forms[] =
    "[workload]\n"
    "name = built\n"
    "source = forms.cl\n"
    "options = -I . -cl-std=CL2.0 -cl-nv-verbose -DN={1 << n % 8}\n"
    "[size small]\n"
    "n = 1 << 6\n"
    "m = n ** 2 > 7 ? n * 2 : n\n"
    "[buffer things]\n"
    "type = Thing\n"
    "count = m\n"
    "contents.x = each i / n == i % n ? 10 : 1\n"
    "expected = file want.bin, n / 8\n"
    "expected.tolerance = 1e-5\n"
    "restore = yes\n"
    "[buffer a]\n"
    "type = float\n"
    "count = 4\n"
    "contents = list 1, 2 ** 3, n < 3, 0.5\n"
    "[launch one]\n"
    "global = n\n"
    "local = 64\n"
    "arguments = things + n / 2, a + 1|null, Setup (0.5, (1, 2, 3), (4, 5),\n"
    "    (6, n)), bytes 0x01000000\n"
    "repeat = 1\n"
    "[reference]\n"
    "launch.one.arguments = things, NULL, Setup (1, (1, 2, 3), (4, 5), (6, 7)),\n"
    "    struct Small (n)\n";

typedef struct {
    char text[2 * sizeof text];
    size_t length;
    unsigned state;
} mutant;

static size_t roll(mutant *m, size_t sides)
{
    m->state = m->state * 1103515245U + 12345U;
    return (m->state >> 8) % sides;
}

static void splice(mutant *m, size_t at, size_t gone, const char *with, size_t length)
{
    if (at + gone > m->length || m->length - gone + length >= sizeof m->text)
        return;
    memmove(m->text + at + length, m->text + at + gone, m->length - at - gone + 1);
    memcpy(m->text + at, with, length);
    m->length += length - gone;
}

static void mutate(mutant *m)
{
    static const char *const words[] = {
        "n",    "-1",   "0",     "(",     ")",     ",",      "=",      "[",      "|",
        "{",    "}",    "i",     "#",     "a",     "two",    "yes",    "1 / 0",  "half",
        "1e39", "file", "zeros", "Thing", "range", "float3", "random", "things", "+",
        "<<",   "**",   "?",     ":",     "==",    "null",   "-I",     "list",   "0x",
        "0x0g", "-W",   "Setup", "Small", "bytes", "(1,",    "..",     "size_t"};
    static const char *const long_words[] = {"local 64",
                                             "constant",
                                             "min(n, 3)",
                                             "9999999999",
                                             "9223372036854775807",
                                             "contents.at",
                                             "\n",
                                             "\n    ",
                                             "\n[size t]\n",
                                             "bytes = 40\n",
                                             "expected = file want.bin\n",
                                             "expected.tolerance = -1\n",
                                             "things + n",
                                             "bytes 0x0000003f",
                                             "Setup (1, (2), 3",
                                             "-cl-std=CL3.0",
                                             "1 << 63",
                                             "launch.two.repeat = 3\n"};
    size_t at = roll(m, m->length), line = at, end = at;

    while (at > 0 && !strchr(" ,\n", m->text[at - 1]))
        at--;
    while (line > 0 && m->text[line - 1] != '\n')
        line--;
    while (m->text[end] && m->text[end] != '\n')
        end++;
    switch (roll(m, 8)) {
    case 0: /* another byte */
        m->text[roll(m, m->length)] = (char)roll(m, 256);
        break;
    case 1: /* a line less */
        splice(m, line, end - line + (m->text[end] == '\n'), "", 0);
        break;
    case 2: { /* a line twice */
        char copy[200];
        size_t length = end - line + 1 < sizeof copy ? end - line + 1 : 0;

        memcpy(copy, m->text + line, length);
        splice(m, roll(m, 2) ? line : 0, 0, copy, length);
        break;
    }
    default: { /* replaces a word by another, or inserts one */
        const char *word = roll(m, 3) ? words[roll(m, sizeof words / sizeof *words)]
                                      : long_words[roll(m, sizeof long_words / sizeof *long_words)];
        const size_t old = strcspn(m->text + at, " ,\n");

        splice(m, at, roll(m, 4) ? old : 0, word, strlen(word));
    }
    }
}

/* The environment variable PM_MUTANTS adds more mutants. */
FIXTURE_TEST(mutants)
{
    const char *more = getenv("PM_MUTANTS");
    char want[16384];
    const unsigned count = 150 + (more ? (unsigned)strtoul(more, NULL, 10) : 0);
    unsigned sound = 0;

    write_text_in(f->folder, "forms.cl", forms_source);
    write_text_in(f->folder, "forms.h",
                  "typedef struct { float x, y; } Thing; typedef struct { int n; } Small;\n"
                  "typedef struct { float scale; int3 v; struct { short x, y; } at[2]; } Setup;\n");
    memset(want, 'x', sizeof want - 1);
    want[sizeof want - 1] = '\0';
    write_text_in(f->folder, "want.bin", want);
    for (unsigned seed = 0; seed < count; seed++) {
        mutant m = {.length = sizeof text - 1, .state = seed * 2654435761U + 1};
        pm_program *program;

        if (seed % 4 >= 2)
            m.length = sizeof forms - 1;
        memcpy(m.text, seed % 4 >= 2 ? forms : text, m.length + 1);
        for (size_t i = 0; i < 1 + seed % 2; i++)
            mutate(&m);
        write_text_in(f->folder, "built.workload", m.text);
        program = pm_program_read(f->path, test_worker(), told());
        sound += program != NULL;
        if (!program && (last_error.status != PM_BAD_INPUT || !strstr(last_error.text, f->folder)))
            fail_msg("mutant %u: %d %s", seed, (int)last_error.status, last_error.text);
        if (program) {
            pm_workload *w = pm_program_build(program, program->info.base, program->info.sizes[0],
                                              1, test_session(), told());

            if (!w)
                fail_msg("mutant %u was read, but: %s", seed, last_error.text);
            pm_workload_free(w);
        }
        pm_program_read_free(program);
    }
    assert_true(sound > 0 && sound < count);
    print_message("%u of %u mutants are sound\n", sound, count);
}
