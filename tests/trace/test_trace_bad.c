/* Tests faulty kernels and launches: the trace engine reports the fault with its source line, does
 * not end the program and does not run for ever. Skipped if there is no LLVM.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "owned.h"
#include "trace_fixture.h"

enum { ITEMS = 128, GROUP = 64, OUT_BYTES = 4 * ITEMS };

/* Each kernel `k` has its fault on line 3. Its arguments are o, the output (a word for each
 * work-item), i an int (z: 0, m: the smallest int), lN a local array of N bytes. The first letter
 * is G for groups of 2048, D for groups that are too deep, W for too many groups in a dimension.
 * says: parts of the message, in order, separated by '|'; NULL: the kernel is not faulty and
 * runs. */
typedef struct {
    const char *name, *source, *arguments;
    pm_status status;
    const char *says;
} bad_case;

#define KERNEL(parameters, line)                                                                   \
    "kernel void k(global int *out" parameters ")\n{ size_t g = get_global_id(0); "                \
    "size_t l = get_local_id(0); (void)g; (void)l;\n" line "\n}\n"
#define HERE "bad.cl:3"

static const bad_case cases[] = {
    {"good", KERNEL("", "out[g] = 1;"), "o", PM_OK, NULL},

    {"does not compile", KERNEL("", "out[0] = nothing;"), "o", PM_BAD_INPUT, HERE ":|nothing"},
    {"no kernel", "int f(void) { return 1; }\n", "o", PM_BAD_INPUT, "bad.cl|kernel"},
    {"empty", " ", "o", PM_BAD_INPUT, "bad.cl|kernel"},
    {"another kernel", "kernel void other(global int *out)\n{\n    out[0] = 1;\n}\n", "o",
     PM_BAD_INPUT, "k|other"},
    {"no such function", "int f(int);\nkernel void k(global int *out)\n{ out[0] = f(1);\n}\n", "o",
     PM_BAD_INPUT, HERE "|f"},
    {"recursion",
     "int f(int n, global int *out)\n{ out[n & 7]++;\n return n < 2 ? 1 : f(n - 1, out) * f(n - 2, "
     "out) + 3;\n}\nkernel void k(global int *out)\n{\n    out[get_global_id(0)] = f(out[0], "
     "out);\n}\n",
     "o", PM_BAD_INPUT, "bad.cl|f|recurs"},
    {"printf", KERNEL("", "printf(\"%d\\n\", 5);"), "o", PM_BAD_INPUT, HERE "|printf"},
    {"image",
     "kernel void k(global int *out, write_only image2d_t image)\n{\n"
     "    write_imagei(image, (int2)(1, 2), (int4)(5));\n}\n",
     "oi", PM_BAD_INPUT, "bad.cl|image"},
    {"sampler",
     "kernel void k(global int *out, read_only image2d_t image)\n{\n"
     "    out[0] = read_imagei(image, CLK_FILTER_NEAREST, (int2)(1, 2)).x;\n}\n",
     "oi", PM_BAD_INPUT, HERE "|sampler"},

    {"global read, behind the end", KERNEL("", "out[0] = out[g + 128];"), "o", PM_BAD_INPUT,
     HERE "|out"},
    {"global read, by one", KERNEL("", "out[g] = out[g + 1] + 1;"), "o", PM_BAD_INPUT, HERE "|out"},
    {"global read, before the start", KERNEL("", "out[g] = out[(long)g - 64];"), "o", PM_BAD_INPUT,
     HERE},
    {"global read, far away", KERNEL("", "out[g] = out[g << 40];"), "o", PM_BAD_INPUT, HERE},
    {"global read, a wide way off, of one of two buffers",
     KERNEL(", global int *b",
            "global int *p = out[g] & 1 ? out : b; out[g] = p[(1UL << 60) + g];"),
     "oo", PM_BAD_INPUT, HERE "|wild pointer"},
    {"global write", KERNEL("", "out[g * 2] = 1;"), "o", PM_BAD_INPUT, HERE "|out"},
    {"global write of a vector", KERNEL("", "vstore16((int16)(1), g, out);"), "o", PM_BAD_INPUT,
     HERE "|out"},
    {"global atomic", KERNEL("", "atomic_inc(&out[g + 100]);"), "o", PM_BAD_INPUT, HERE "|out"},
    {"misaligned atomic", KERNEL("", "atomic_inc((global int *)((global char *)out + 62 + l));"),
     "o", PM_BAD_INPUT, HERE "|atomic|multiple of 4"},
    {"an address out of nowhere", KERNEL(", int i", "*(global int *)(size_t)(i + g * 64) = 1;"),
     "oi", PM_BAD_INPUT, HERE},
    {"shared read",
     KERNEL("", "local int t[16]; t[l % 16] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[g] = t[l];"),
     "o", PM_BAD_INPUT, HERE "|t"},
    {"shared write", KERNEL(", local int *t", "t[l * 5] = 1; out[g] = t[0];"), "ol256",
     PM_BAD_INPUT, HERE "|t"},
    {"shared atomic", KERNEL(", local int *t", "atomic_add(&t[l + 1], 1);"), "ol256", PM_BAD_INPUT,
     HERE "|t"},
    {"private read",
     KERNEL("", "int t[9]; for (int j = 0; j < 9; j++) t[out[j] & 7] = j; out[g] = t[g & 15];"),
     "o", PM_BAD_INPUT, HERE},
    {"private write",
     KERNEL("",
            "int t[9]; for (int j = 0; j < 50; j++) t[j + out[j]] = j; out[g] = t[out[g] & 7];"),
     "o", PM_BAD_INPUT, HERE},
    {"constant read",
     "constant int t[5] = {1, 2, 3, 4, 5};\nkernel void k(global int *out)\n{ "
     "out[get_global_id(0)] = t[get_global_id(0)]; }\n",
     "o", PM_BAD_INPUT, HERE "|t"},

    {"copy, behind the end", KERNEL("", "__builtin_memcpy(out + g * 64, out, 256);"), "o",
     PM_BAD_INPUT, HERE "|out"},
    {"copy of a length that is known late",
     KERNEL(", int i", "__builtin_memcpy(out, out + 64, (size_t)(i * 4));"), "oi", PM_BAD_INPUT,
     HERE "|out"},
    {"filled, behind the end", KERNEL("", "__builtin_memset(out + g, 7, 128);"), "o", PM_BAD_INPUT,
     HERE "|out"},
    {"moved, far away", KERNEL("", "__builtin_memmove(out, out + (g << 40), 64);"), "o",
     PM_BAD_INPUT, HERE "|out"},
    {"private array that wraps around",
     KERNEL("", "char t[1UL << 59]; t[out[g] + 100000] = 1; out[g] = t[out[g + 1]];"), "o",
     PM_BAD_INPUT, "bad.cl:1|private"},
    {"offset of a dimension far away", KERNEL("", "out[g] = pm_global_offset(1 << 28);"), "o",
     PM_OK, NULL},
    {"a maths function of one's own",
     "float __attribute__((overloadable)) exp(float x)\n{\n    return *(global float "
     "*)(ulong)(64 + (long)x);\n}\nkernel void k(global int *out)\n{ out[0] = exp((float)out[1]); "
     "}\n",
     "o", PM_BAD_INPUT, HERE},
    {"a maths function of one's own without lines",
     "float __attribute__((overloadable, nodebug)) exp(float x)\n{\n    return *(global float "
     "*)(ulong)(64 + (long)x);\n}\nkernel void k(global int *out)\n{ out[0] = exp((float)out[1]); "
     "}\n",
     "o", PM_BAD_INPUT, "bad.cl|exp"},
    {"a table named as the host's function",
     "constant int memset[4] = {1, 2, 3, 4};\nconstant int fmodf[64] = {9, 8, 7};\nkernel void "
     "k(global int *out)\n{ out[1] = (int)__builtin_fmodf((float)out[0], 3.0f) + memset[out[1] & "
     "3] + fmodf[out[2] & 3]; }\n",
     "o", PM_OK, NULL},
    {"a table of the host's",
     "extern constant char environ[8];\n\nkernel void k(global int *out)\n"
     "{ out[0] = environ[out[0] & 7]; }\n",
     "o", PM_BAD_INPUT, "bad.cl|environ"},
    {"a trap", KERNEL("", "if (out[g] == 0) __builtin_trap();"), "o", PM_BAD_INPUT, HERE "|trap"},
    {"a return address", KERNEL("", "out[g] = (int)(ulong)__builtin_return_address(3);"), "o",
     PM_BAD_INPUT, HERE "|address"},
    {"an address space of the host's",
     KERNEL("", "*(__attribute__((address_space(257))) int *)(ulong)(g * 4 + 4096) = 5;"), "o",
     PM_BAD_INPUT, HERE "|address space"},
    {"store to constant memory",
     KERNEL("",
            "__sync_fetch_and_add((__attribute__((address_space(4))) int *)(ulong)(out + g), 1);"),
     "o", PM_BAD_INPUT, HERE "|constant"},
    {"a boolean that is none",
     "typedef struct { bool is; } s;\nkernel void k(global int *out)\n{ global s *b = (global s "
     "*)out; out[1] = 0x7f7f7f7f; barrier(CLK_GLOBAL_MEM_FENCE); int t[2] = {out[2], out[3]}; "
     "out[8] = t[b[4].is]; }\n",
     "o", PM_BAD_INPUT, HERE "|t"},
    {"a vector of one's own",
     "typedef int wide __attribute__((ext_vector_type(512)));\n\nkernel void k(global wide "
     "*out)\n{ "
     "out[get_global_id(0)] = out[get_global_id(0) + 1]; }\n",
     "o", PM_BAD_INPUT, "bad.cl|vector"},
    {"vector, behind the end", KERNEL("", "((global ulong16 *)out)[g] = (ulong16)(g);"), "o",
     PM_BAD_INPUT, HERE "|out"},
    {"misaligned atomic", KERNEL("", "atomic_inc((global int *)((global char *)out + 62));"), "o",
     PM_BAD_INPUT, HERE "|multiple"},
    {"kernel that calls itself",
     "kernel void k(global int *out)\n{\n    if (out[0]++ < 5) { k(out + 1); k(out + 2); "
     "out[get_local_id(0)]++; }\n}\n",
     "o", PM_BAD_INPUT, HERE "|recurs"},

    {"division by zero", KERNEL(", int i", "out[g] = (int)g / i + (int)g % i;"), "oz", PM_OK, NULL},
    {"division by a product that overflows to zero",
     KERNEL(", int i", "out[g] = (int)g / (i * 2) + (int)g % (i * 4);"), "om", PM_OK, NULL},
    {"endless", KERNEL("", "while (1) out[g]++;"), "o", PM_BAD_INPUT, HERE "|step"},
    {"endless for one", KERNEL("", "while (l == 5) atomic_inc(&out[g]);"), "o", PM_BAD_INPUT,
     HERE "|step"},
    {"endless with a barrier", KERNEL("", "for (;;) { out[g]++; barrier(CLK_LOCAL_MEM_FENCE); }"),
     "o", PM_BAD_INPUT, HERE "|step"},
    {"a barrier in one side", KERNEL("", "if (l & 1) barrier(CLK_LOCAL_MEM_FENCE);"), "o",
     PM_BAD_INPUT, HERE "|barrier"},
    {"a barrier that a warp does not reach",
     KERNEL("", "if (l < 32) barrier(CLK_LOCAL_MEM_FENCE);"), "o", PM_BAD_INPUT, HERE "|barrier"},
    {"a barrier after a return", KERNEL("", "if (l == 5) return; barrier(CLK_LOCAL_MEM_FENCE);"),
     "o", PM_BAD_INPUT, HERE "|barrier"},
    {"a barrier after a warp's return",
     KERNEL("", "if (l >= 32) return; barrier(CLK_LOCAL_MEM_FENCE);"), "o", PM_BAD_INPUT,
     HERE "|barrier"},
    {"two barriers",
     KERNEL("", "if (l < 32) { barrier(CLK_LOCAL_MEM_FENCE); out[g] = 1; } else { out[g] = 2;\n"
                "barrier(CLK_LOCAL_MEM_FENCE); }"),
     "o", PM_BAD_INPUT, "bad.cl|barrier"},
    {"a barrier as often as the work-item says",
     KERNEL("", "for (size_t j = 0; j < l; j++) barrier(CLK_LOCAL_MEM_FENCE);"), "o", PM_BAD_INPUT,
     HERE "|barrier"},

    {"too few arguments", KERNEL(", int i", "out[g] = i;"), "o", PM_BAD_INPUT, "k|argument"},
    {"too many arguments", KERNEL("", "out[g] = 1;"), "oi", PM_BAD_INPUT, "k|argument"},
    {"a number for a buffer", KERNEL("", "out[g] = 1;"), "i", PM_BAD_INPUT, "k|argument|out"},
    {"a buffer for a number", KERNEL(", int i", "out[g] = i;"), "oo", PM_BAD_INPUT, "k|argument|i"},
    {"a number of another size", KERNEL(", double i", "out[g] = i;"), "oi", PM_BAD_INPUT,
     "k|argument|i|8"},
    {"a local argument for a buffer", KERNEL("", "out[g] = 1;"), "l64", PM_BAD_INPUT,
     "k|argument|out"},
    {"a buffer for a local argument", KERNEL(", local int *t", "out[g] = 1; t[l] = 2;"), "oo",
     PM_BAD_INPUT, "k|argument|t"},

    {"a group too large", KERNEL("", "out[0] = 1;"), "Go", PM_BAD_INPUT, "2048"},
    {"a group too deep", KERNEL("", "out[0] = get_local_id(2) < 64;"), "Do", PM_BAD_INPUT,
     "128|64"},
    {"too many groups in a row", KERNEL("", "out[0] = get_group_id(1) < 65535;"), "Wo",
     PM_BAD_INPUT, "70000|65535"},
    {"too much shared memory", KERNEL(", local int *t", "out[g] = 1; t[l] = 2; out[g] = t[l ^ 1];"),
     "ol1000000", PM_BAD_INPUT, "1000000|local memory"},
    {"too much private memory",
     KERNEL("", "int t[131073]; for (int j = 0; j < 9; j++) t[out[j]] = j; out[g] = t[out[g]];"),
     "o", PM_BAD_INPUT, "private memory|512"},
    {"an enormous private array",
     KERNEL("", "int t[1 << 28]; for (int j = 0; j < 9; j++) t[out[j]] = j; out[g] = t[out[g]];"),
     "o", PM_BAD_INPUT, "private memory|512"},
    {"another group than required",
     "kernel __attribute__((reqd_work_group_size(32, 1, 1)))\n"
     "void k(global int *out)\n{ out[get_global_id(0)] = 1; }\n",
     "o", PM_BAD_INPUT, "k|32"},
};

static pm_counter_table *table;

static void add_argument(pm_workload *w, const char *a)
{
    switch (*a) {
    case 'o':
        pm_workload_arg_buffer(w, 0);
        break;
    case 'i':
        pm_workload_arg_int(w, 77);
        break;
    case 'm':
        pm_workload_arg_int(w, INT32_MIN);
        break;
    case 'z':
        pm_workload_arg_int(w, 0);
        break;
    case 'l':
        pm_workload_arg_local(w, (size_t)strtoul(a + 1, NULL, 10));
        break;
    default: /* a digit, or the letter of the launch */
        break;
    }
}

static pm_workload *make_workload(const bad_case *c)
{
    pm_workload *w = need(pm_workload_create("bad", "k", "one"));
    const char first = c->arguments[0];
    const size_t items[3] = {first == 'G' ? 4096 : ITEMS, first == 'W' ? 70000 : 1,
                             first == 'D' ? 128 : 1};
    const size_t group[3] = {first == 'G' ? 2048 : first == 'D' ? 1 : GROUP, 1, items[2]};

    give_source(w, "bad.cl", c->source);
    pm_workload_buffer(w, "out", OUT_BYTES, NULL, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_launch(w, "k", 3, items, group);
    for (const char *a = c->arguments; *a; a++)
        add_argument(w, a);
    return owned_workload(pm_workload_finish(w, told()));
}

static pm_status load_and_run(pm_workload *w, pm_error *err)
{
    pm_executor *executor = open_trace("h100", NULL, 10000, table, err);
    pm_status status;

    assert_ok_of(executor, err);
    status = executor->type->load(executor, w, err);
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    executor->type->unload(executor);
    executor->type->close(executor);
    return status;
}

static void assert_says(const char *text, const char *says)
{
    char part[64];

    for (const char *at = says; *at; at += strcspn(at, "|"), at += *at == '|') {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, "|"), at);
        if (!strstr(text, part))
            fail_msg("\"%s\" does not say \"%s\"", text, part);
    }
}

static void is_told(void **state)
{
    const bad_case *c = *state;
    pm_workload *w = make_workload(c);
    pm_status status = load_and_run(w, told());

    if (status != PM_OK)
        print_message("             %s\n", last_error.text);
    assert_int_equal(status, c->status);
    assert_int_equal(last_error.status, status);
    if (c->says)
        assert_says(last_error.text, c->says);
}

/* A buffer of more than 4 GiB works up to its end, or is refused with its name. */
TEST(a_huge_buffer)
{
    const bad_case c = {.source = "kernel void k(global int *out, global uchar *big)\n{\n"
                                  "    size_t g = get_global_id(0), end = 4294967296UL;\n"
                                  "    big[end + g] = (uchar)(g + 1);\n"
                                  "    out[g] = big[end + g] * 2 + big[g];\n}\n",
                        .arguments = "o"};
    pm_workload *w = make_workload(&c);
    pm_status status;

    pm_workload_arg_buffer(w, pm_workload_buffer(w, "big", ((size_t)4 << 30) + ITEMS, NULL, 0));
    assert_int_equal(w->error.status, PM_OK);
    status = load_and_run(w, told());
    if (status != PM_OK) {
        print_message("             %s\n", last_error.text);
        assert_says(last_error.text, "big|4294967424");
    }
}

int main(void)
{
    pm_error err = {0};
    int failed;

    if (PM_LLVM_MAJOR == 0) {
        fprintf(stderr, "skipped: built without LLVM\n");
        return 77;
    }
    table = pm_counter_table_read(NULL, &err);
    if (!table) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        add_case(cases[i].name, is_told, &cases[i]);
    failed = run_all_tests(NULL, NULL);
    pm_counter_table_free(table);
    return failed;
}
