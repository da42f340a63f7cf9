/* Tests the description of a kernel source: its structs, the parameters of its kernels, and each
 * access to a field with the loop around it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rewrite_fixture.h"
#include "worker_fixture.h"

OWNED(source, pm_source, pm_source_close)

static pm_source *open_source(const char *text, const char *options)
{
    return owned_source(pm_source_open(text, "test.cl", options, test_worker(), NULL, told()));
}

/* The fields of a struct as text: type path/access name @offset [count:stride] whole. */
static char *fields_text(const pm_struct *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = need(open_memstream(&text, &size));

    fprintf(out, "%s %zu %zu\n", s->name, s->bytes, s->align);
    for (size_t f = 0; f < s->field_count; f++) {
        const pm_field *field = &s->fields[f];

        fprintf(out, "%s %s %s %s %zu/%zu @%zu", field->type, field->path, field->access,
                field->name, field->bytes, field->align, field->offset);
        for (size_t d = 0; d < field->extent_count; d++)
            fprintf(out, " [%zu:%zu]", field->extents[d].count, field->extents[d].stride);
        fprintf(out, "%s\n", field->whole ? " whole" : "");
    }
    fclose(out);
    return owned_memory(text);
}

/* The kernel's accesses as text: line:column loop field rw. */
static char *accesses_text(const pm_source_info *info, size_t kernel)
{
    const pm_source_kernel *k = &info->kernels[kernel];
    char *text = NULL;
    size_t size = 0;
    FILE *out = need(open_memstream(&text, &size));

    for (size_t i = 0; i < k->access_count; i++) {
        const pm_source_access *a = &k->accesses[i];
        const pm_struct *s = &info->structs.items[a->structure];

        fprintf(out, "%u:%u %u %s.%s %s%s\n", a->line, a->column, a->loop, s->name,
                s->fields[a->field].path, a->read ? "r" : "", a->written ? "w" : "");
    }
    fclose(out);
    return owned_memory(text);
}

static void assert_text(const char *text, const char *expected)
{
    bool same = strcmp(text, expected) == 0;

    if (!same)
        print_error("%s", text);
    assert_true(same);
}

/* clang's offsets for the target equal those of the host's compiler for the same members. */
TEST(structs)
{
    typedef struct {
        char c;
        struct {
            double d;
            struct {
                short s[3];
                float v[4] __attribute__((aligned(16)));
            } in[2];
        } n;
        unsigned char b[2][5];
        float w[4] __attribute__((aligned(16))); /* float3 */
        unsigned long u;
        int color; /* an enum */
        struct {
            float inner, n_d;
        };
    } host;
    pm_source *source =
        open_source("typedef enum { RED, BLUE } color;\n"
                    "typedef float real;\n"
                    "struct tag {\n"
                    "    char c;\n"
                    "    struct { double d; struct { short s[3]; float4 v; } in[2]; } n;\n"
                    "    uchar b[2][5];\n"
                    "    float3 w;\n"
                    "    size_t u;\n"
                    "    color color;\n"
                    "    struct { real inner, n_d; };\n"
                    "};\n"
                    "typedef struct tag T;\n"
                    "float f(__global uchar *b) { return *b; }\n"
                    "__kernel void k(__constant struct tag *t, __global T *u, __local T *l)\n"
                    "{\n    u->c = f(u[1].b[1]); atomic_inc((__global int *)&u->color);\n}\n",
                    "");
    const pm_structs *found = &pm_source_describe(source)->structs;
    char *expected = NULL;

    assert_int_equal(found->count, 1);
    assert_true(asprintf(&expected,
                         "T %zu %zu\n"
                         "char c c c 1/1 @0\n"
                         "double n.d n.d n_d 8/8 @%zu\n"
                         "short n.in.s n.in[].s[] n_in_s 2/2 @%zu [2:%zu] [3:2]\n"
                         "float4 n.in.v n.in[].v n_in_v 16/16 @%zu [2:%zu]\n"
                         "uchar b b[][] b 1/1 @%zu [2:5] [5:1] whole\n"
                         "float3 w w w 16/16 @%zu\n"
                         "ulong u u u 8/8 @%zu\n"
                         "uint color color color 4/4 @%zu\n"
                         "float inner inner inner 4/4 @%zu\n"
                         "float n_d n_d n_d_2 4/4 @%zu\n",
                         sizeof(host), _Alignof(host), offsetof(host, n.d),
                         offsetof(host, n.in[0].s), sizeof(((host *)0)->n.in[0]),
                         offsetof(host, n.in[0].v), sizeof(((host *)0)->n.in[0]), offsetof(host, b),
                         offsetof(host, w), offsetof(host, u), offsetof(host, color),
                         offsetof(host, inner), offsetof(host, n_d)) > 0);
    assert_text(fields_text(&found->items[0]), owned_memory(expected));
}

static const char walked[] =
    "typedef struct { float x, y; int id[2]; struct { float a, b; } n; } P;\n" /* 1 */
    "#define AT(i) q[i].y\n"
    "float get(__global const P *q, int i)\n"
    "{\n"
    "    float sum = q->x;\n" /* 5 */
    "    for (int k = 0; k < 2; k++)\n"
    "        sum += q[i].id[k];\n"
    "    return sum;\n"
    "}\n"
    "__kernel void k(__global P *p, __global P *q, __global const P *r, __global float *out)\n"
    "{\n" /* 11 */
    "    int i = get_global_id(0);\n"
    "    while (out[i] < 3) {\n"
    "        p[i].x += get(r, i) + AT(i);\n" /* 14 */
    "        do\n"
    "            q[q[i].id[0]].x = 1;\n" /* 16 */
    "        while (p->n.a++ < 2);\n"
    "    }\n"
    "    out[i] = sizeof(p[0].y);\n"
    "    p[1].n = r[2].n;\n" /* 20 */
    "    atomic_inc(&q->id[1]);\n"
    "}\n"
    "__kernel void other(__global P *p, __global P *q, int n)\n"
    "{\n" /* 24 */
    "    __global P *e = n ? p : q;\n"
    "    *e = q[1];\n"
    "}\n";

TEST(accesses)
{
    pm_source *source = open_source(walked, "");
    const pm_source_info *info = pm_source_describe(source);

    assert_int_equal(info->kernel_count, 2);
    assert_string_equal(info->kernels[0].name, "k");
    assert_int_equal(info->kernels[0].line, 10);
    assert_text(accesses_text(info, 0), "14:9 13 P.x rw\n"
                                        "5:17 13 P.x r\n"
                                        "7:16 6 P.id r\n"
                                        "14:31 13 P.y r\n"
                                        "16:13 15 P.x w\n"
                                        "16:15 15 P.id r\n"
                                        "17:16 15 P.n.a rw\n"
                                        "20:5 0 P.n.a w\n"
                                        "20:5 0 P.n.b w\n"
                                        "20:14 0 P.n.a r\n"
                                        "20:14 0 P.n.b r\n"
                                        "21:17 0 P.id rw\n");
    assert_text(accesses_text(info, 1), "26:5 0 P.x w\n26:5 0 P.y w\n26:5 0 P.id w\n"
                                        "26:5 0 P.n.a w\n26:5 0 P.n.b w\n"
                                        "26:10 0 P.x r\n26:10 0 P.y r\n26:10 0 P.id r\n"
                                        "26:10 0 P.n.a r\n26:10 0 P.n.b r\n");
}

/* Parameters that are read and written. An access through a choice of arrays may be to any of
 * them. */
TEST(parameters)
{
    static const struct {
        const char *name;
        size_t structure;
        bool read, written;
    } expected[2][4] = {
        {{"p", 0, true, true},
         {"q", 0, true, true},
         {"r", 0, true, false},
         {"out", PM_NO_STRUCT, false, false}},
        {{"p", 0, false, true}, {"q", 0, true, true}, {"n", PM_NO_STRUCT, false, false}}};
    pm_source *source = open_source(walked, "");
    const pm_source_info *info = pm_source_describe(source);

    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(info->kernels[k].param_count, k ? 3 : 4);
        for (size_t p = 0; p < info->kernels[k].param_count; p++) {
            const pm_source_param *param = &info->kernels[k].params[p];

            assert_string_equal(param->name, expected[k][p].name);
            assert_int_equal(param->structure, expected[k][p].structure);
            assert_int_equal(param->read, expected[k][p].read);
            assert_int_equal(param->written, expected[k][p].written);
        }
    }
}

TEST(names)
{
    pm_source *source =
        open_source("typedef struct tag { int a; } T;\nenum { ONE, TWO };\nunion both { int i; };\n"
                    "__constant int c = N;\nint f(int x) { int local; return x; }\nint f(int);\n"
                    "__kernel void k(__global T *t) { t->a = c; }\n",
                    "-D N=3");
    const pm_source_info *info = pm_source_describe(source);
    static const char *const expected[] = {"tag", "T", "ONE", "TWO", "both", "c", "f"};

    assert_int_equal(info->name_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < info->name_count; i++)
        assert_string_equal(info->names[i], expected[i]);
}

/* A source without arrays of structs, and lines after a #line directive. */
TEST(odd_sources)
{
    pm_source *source = open_source("kernel void k(global float *p) { p[0] = 1; }\n", "");

    assert_int_equal(pm_source_describe(source)->structs.count, 0);
    assert_int_equal(pm_source_describe(source)->kernel_count, 1);
    source = open_source("", "");
    assert_int_equal(pm_source_describe(source)->kernel_count, 0);
    assert_null(pm_source_open("#line 40 \"other.cl\"\nkernel void k(int x) { x = ; }\n", "test.cl",
                               "", test_worker(), NULL, told()));
    assert_error(PM_BAD_INPUT, "other.cl:40:");
    assert_null(pm_source_open("kernel void k(int x) { }\n", "test.cl", "-cl-std=CL9",
                               test_worker(), NULL, told()));
    assert_error(PM_BAD_INPUT, "-cl-std=CL9");
}
