/* Rewriting kernels from arrays of structs to other layouts: whole texts, word by word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <unistd.h>

#include "rewrite_fixture.h"

static const char simple[] = "typedef struct {\n"
                             "    float x, y;\n"
                             "    int id;\n"
                             "} Point;\n"
                             "\n"
                             "/* Moves a point. */\n"
                             "__kernel void move(__global Point *restrict points, float dx)\n"
                             "{\n"
                             "    int i = get_global_id(0); // the point\n"
                             "\n"
                             "    points[i].x += dx;\n"
                             "    points[i].id = points[points[i].id].id;\n"
                             "}\n";

TEST(arrays)
{
    assert_rewritten(simple, "soa",
                     "/* Rewritten by perfmodel from test.cl: Point in layout soa. */\n"
                     "typedef struct {\n"
                     "    float x, y;\n"
                     "    int id;\n"
                     "} Point;\n"
                     "\n"
                     "/* Moves a point. */\n"
                     "__kernel void move(__global float *restrict points_x, __global float "
                     "*restrict points_y,\n"
                     "                   __global int *restrict points_id, float dx)\n"
                     "{\n"
                     "    int i = get_global_id(0); // the point\n"
                     "\n"
                     "    points_x[i] += dx;\n"
                     "    points_id[i] = points_id[points_id[i]];\n"
                     "}\n");
}

TEST(tiles)
{
    assert_rewritten(simple, "asta:32",
                     "/* Rewritten by perfmodel from test.cl: Point in layout asta:32. */\n"
                     "typedef struct {\n"
                     "    float x, y;\n"
                     "    int id;\n"
                     "} Point;\n"
                     "\n"
                     "typedef struct {\n"
                     "    float x[32];\n"
                     "    float y[32];\n"
                     "    int id[32];\n"
                     "} Point_0;\n"
                     "\n"
                     "/* Moves a point. */\n"
                     "__kernel void move(__global Point_0 *restrict points_0, float dx)\n"
                     "{\n"
                     "    int i = get_global_id(0); // the point\n"
                     "\n"
                     "    points_0[i >> 5].x[i & 31] += dx;\n"
                     "    points_0[i >> 5].id[i & 31] = points_0[points_0[i >> 5].id[i & 31] >> "
                     "5].id[points_0[i >> 5].id[i & 31] & 31];\n"
                     "}\n");
}

/* Two components of a vector are two elements; a member whose address is taken may change unseen.
 */
TEST(elements_apart)
{
    assert_rewritten(
        "typedef struct { float x, y, z, w; } P;\n"
        "__kernel void k(__global const P *p, __global const int2 *pairs, __global float *out)\n"
        "{\n"
        "    int2 e = pairs[0];\n"
        "    struct { int a, b; } own = {e.x, e.y};\n"
        "    int *a = &own.a;\n"
        "\n"
        "    out[0] = p[e.x].x * p[e.y].y + p[e.x].z;\n"
        "    out[1] = p[own.a].x;\n"
        "    *a = 3;\n"
        "    out[2] = p[own.a].y;\n"
        "}\n",
        "aos-align",
        "/* Rewritten by perfmodel from test.cl: P in layout aos-align. */\n"
        "typedef struct { float x, y, z, w; } P;\n"
        "\n"
        "typedef struct __attribute__((aligned(16))) {\n"
        "    float x;\n"
        "    float y;\n"
        "    float z;\n"
        "    float w;\n"
        "} P_0;\n"
        "\n"
        "__kernel void k(__global const P_0 *p_0, __global const int2 *pairs, __global float "
        "*out)\n"
        "{\n"
        "    int2 e = pairs[0];\n"
        "    struct { int a, b; } own = {e.x, e.y};\n"
        "    int *a = &own.a;\n"
        "\n"
        "    const float4 p_w0 = *(__global const float4 *)&p_0[e.x]; /* x, z */\n"
        "    out[0] = p_w0.x * p_0[e.y].y + p_w0.z;\n"
        "    out[1] = p_0[own.a].x;\n"
        "    *a = 3;\n"
        "    out[2] = p_0[own.a].y;\n"
        "}\n");
}

/* Elements as a whole, in wide accesses; a comment in the struct's line; no empty line behind it.
 */
TEST(whole_elements)
{
    assert_rewritten(
        "typedef struct { float x, y, z; char tag[2]; } Point; // one\n"
        "__kernel void move(__global Point *to, __global const Point *from)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    Point p = from[i];\n"
        "\n"
        "    p.x += 1;\n"
        "    to[i] = p;\n"
        "}\n",
        "aos-align",
        "/* Rewritten by perfmodel from test.cl: Point in layout aos-align. */\n"
        "typedef struct { float x, y, z; char tag[2]; } Point; // one\n"
        "\n"
        "typedef struct __attribute__((aligned(16))) {\n"
        "    float x;\n"
        "    float y;\n"
        "    float z;\n"
        "    char tag[2];\n"
        "} Point_0;\n"
        "\n"
        "Point_0 Point_0_load(__global const Point_0 *item)\n"
        "{\n"
        "    const uint4 w0 = ((__global const uint4 *)item)[0];\n"
        "    Point_0 part;\n"
        "\n"
        "    part.x = as_float(w0.x);\n"
        "    part.y = as_float(w0.y);\n"
        "    part.z = as_float(w0.z);\n"
        "    part.tag[0] = as_char(as_uchar4(w0.w).s0);\n"
        "    part.tag[1] = as_char(as_uchar4(w0.w).s1);\n"
        "    return part;\n"
        "}\n"
        "\n"
        "void Point_0_store(__global Point_0 *item, Point_0 part)\n"
        "{\n"
        "    ((__global uint4 *)item)[0] = (uint4)(as_uint(part.x), as_uint(part.y), "
        "as_uint(part.z),\n"
        "        as_uint((uchar4)(as_uchar(part.tag[0]), as_uchar(part.tag[1]), 0, 0)));\n"
        "}\n"
        "\n"
        "Point Point_load(__global const Point_0 *p0, long i)\n"
        "{\n"
        "    const Point_0 part0 = Point_0_load(p0 + i);\n"
        "    Point value;\n"
        "\n"
        "    value.x = part0.x;\n"
        "    value.y = part0.y;\n"
        "    value.z = part0.z;\n"
        "    value.tag[0] = part0.tag[0];\n"
        "    value.tag[1] = part0.tag[1];\n"
        "    return value;\n"
        "}\n"
        "\n"
        "Point Point_store(__global Point_0 *p0, long i, Point value)\n"
        "{\n"
        "    Point_0 part0;\n"
        "\n"
        "    part0.x = value.x;\n"
        "    part0.y = value.y;\n"
        "    part0.z = value.z;\n"
        "    part0.tag[0] = value.tag[0];\n"
        "    part0.tag[1] = value.tag[1];\n"
        "    Point_0_store(p0 + i, part0);\n"
        "    return value;\n"
        "}\n"
        "\n"
        "__kernel void move(__global Point_0 *to_0, __global const Point_0 *from_0)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    Point p = Point_load(from_0, i);\n"
        "\n"
        "    p.x += 1;\n"
        "    Point_store(to_0, i, p);\n"
        "}\n");
}

/* Pointers into one array become numbers, those that change arrays become references. */
TEST(pointers)
{
    assert_rewritten(
        "struct Pair { int a[2]; };\n"
        "\n"
        "int first(__global struct Pair *p, int n)\n"
        "{\n"
        "    int sum = 0;\n"
        "    for (__global struct Pair *q = p, *end = p + n; q < end; q++)\n"
        "        sum += q->a[n];\n"
        "    return sum;\n"
        "}\n"
        "\n"
        "kernel void k(global struct Pair *p, global struct Pair *q, global int *out)\n"
        "{\n"
        "    global struct Pair *r = *out ? p : &q[1];\n"
        "\n"
        "    p += get_global_id(0);\n"
        "    out[0] = first(p, 3) + r->a[0];\n"
        "}\n",
        "soa",
        "/* Rewritten by perfmodel from test.cl: struct Pair in layout soa. */\n"
        "struct Pair { int a[2]; };\n"
        "\n"
        "/* Stands for a pointer to an element: the parts, and the element's number. */\n"
        "typedef struct {\n"
        "    __global int *p0;\n"
        "    ulong count;\n"
        "    long i;\n"
        "} Pair_ref;\n"
        "\n"
        "Pair_ref Pair_ref_at(__global const int *p0, ulong count, long i)\n"
        "{\n"
        "    Pair_ref r;\n"
        "\n"
        "    r.p0 = (__global int *)p0;\n"
        "    r.count = count;\n"
        "    r.i = i;\n"
        "    return r;\n"
        "}\n"
        "\n"
        "int first(__global int *p_a, ulong p_count, long p, int n)\n"
        "{\n"
        "    int sum = 0;\n"
        "    for (long q = p, end = p + n; q < end; q++)\n"
        "        sum += p_a[n * p_count + q];\n"
        "    return sum;\n"
        "}\n"
        "\n"
        "kernel void k(global int *p_a, ulong p_count, global int *q_a, ulong q_count, "
        "global int *out)\n"
        "{\n"
        "    long p = 0;\n"
        "    Pair_ref r = (*out ? Pair_ref_at(p_a, p_count, p) : Pair_ref_at(q_a, "
        "q_count, 1));\n"
        "\n"
        "    p += get_global_id(0);\n"
        "    out[0] = first(p_a, p_count, p, 3) + r.p0[r.i];\n"
        "}\n");
}

/* Declarations without names, and words behind the star. */
TEST(declarations)
{
    assert_rewritten(
        "typedef struct { float x; int y; } P;\n"
        "float f(__global P *restrict, P __global const *const q);\n"
        "__kernel void k(__global P p[], __global P *restrict, int n)\n"
        "{\n"
        "    p[n].x = f(p, p);\n"
        "}\n",
        "soa",
        "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
        "typedef struct { float x; int y; } P;\n"
        "float f(__global float *restrict, __global int *restrict, float __global const "
        "*const q_x,\n"
        "        int __global const *const q_y);\n"
        "__kernel void k(__global float *p_x, __global int *p_y, __global float "
        "*restrict,\n"
        "                __global int *restrict, int n)\n"
        "{\n"
        "    p_x[n] = f(p_x, p_y, p_x, p_y);\n"
        "}\n");
}

/* Names that are taken already. */
TEST(names)
{
    assert_rewritten("typedef struct { float x, y; } P;\n"
                     "typedef int P_0;\n"
                     "kernel void k(global P *p)\n"
                     "{\n"
                     "    P_0 p_v2 = 1, p_0 = 2; /* p_0_2 is in a comment alone */\n"
                     "    p[p_0].x = p_v2;\n"
                     "}\n",
                     "asta:2",
                     "/* Rewritten by perfmodel from test.cl: P in layout asta:2. */\n"
                     "typedef struct { float x, y; } P;\n"
                     "\n"
                     "typedef struct {\n"
                     "    float x[2];\n"
                     "    float y[2];\n"
                     "} P_v2_0;\n"
                     "\n"
                     "typedef int P_0;\n"
                     "kernel void k(global P_v2_0 *p_0_2)\n"
                     "{\n"
                     "    P_0 p_v2 = 1, p_0 = 2; /* p_0_2 is in a comment alone */\n"
                     "    p_0_2[p_0 >> 1].x[p_0 & 1] = p_v2;\n"
                     "}\n");
}

/* Macros whose whole expansion is an index stay, and accesses in a macro's argument change there;
 * one that hides an access makes the preprocessor's text the source. */
TEST(macros)
{
    assert_rewritten("typedef struct { float x, y; } P;\n"
                     "#define I get_global_id(0)\n"
                     "kernel void k(global P *p)\n"
                     "{\n"
                     "    p[I].x = p[I + 1].y; /* here */\n"
                     "}\n",
                     "soa",
                     "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
                     "typedef struct { float x, y; } P;\n"
                     "#define I get_global_id(0)\n"
                     "kernel void k(global float *p_x, global float *p_y)\n"
                     "{\n"
                     "    p_x[I] = p_y[I + 1]; /* here */\n"
                     "}\n");
    assert_rewritten("typedef struct { float x, y; } P;\n"
                     "#define SQR(a) ((a) * (a))\n"
                     "kernel void k(global P *p)\n"
                     "{\n"
                     "    p[0].x = SQR(p[1].y + p[as_int(p[3].x)].x) + as_int(-p[3].y);\n"
                     "}\n",
                     "soa",
                     "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
                     "typedef struct { float x, y; } P;\n"
                     "#define SQR(a) ((a) * (a))\n"
                     "kernel void k(global float *p_x, global float *p_y)\n"
                     "{\n"
                     "    p_x[0] = SQR(p_y[1] + p_x[as_int(p_x[3])]) + as_int(-p_y[3]);\n"
                     "}\n");
    assert_rewritten("typedef struct { float x, y; } P;\n"
                     "#define X(i) p[i].x\n"
                     "#if N\n"
                     "#error not compiled\n"
                     "#endif\n"
                     "kernel void k(global P *p)\n"
                     "{\n"
                     "    X(2) = p[1].y; /* here */\n"
                     "#pragma unroll\n"
                     "    for (int i = 0; i < 4; i++)\n"
                     "        X(i) = CLK_LOCAL_MEM_FENCE;\n"
                     "}\n",
                     "soa",
                     "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
                     "typedef struct { float x, y; } P;\n"
                     "\n"
                     "kernel void k(global float *p_x, global float *p_y)\n"
                     "{\n"
                     "    p_x[2] = p_y[1]; /* here */\n"
                     "#pragma unroll\n"
                     "    for (int i = 0; i < 4; i++)\n"
                     "        p_x[i] = CLK_LOCAL_MEM_FENCE;\n"
                     "}\n");
}

/* Writes a file into a folder. */
static void write_file(const char *folder, const char *name, const char *text)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A struct in another file stays there; a function there that takes it cannot. */
TEST(included)
{
    char folder[] = "/tmp/pm-rewrite-XXXXXX", path[128];
    pm_error err = {.text = ""};
    pm_rewritten out;
    pm_status first, second;
    bool kept, expanded;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/test.cl", folder);
    write_file(folder, "types.h", "typedef struct { float x, y; } P;\n");
    write_file(folder, "functions.h", "float get(global P *p) { return p->x; }\n");
    first = rewrite_source("#include \"types.h\"\n\n/* All. */\nkernel void k(global P *p)\n"
                           "{\n    p[1].x = 2;\n}\n",
                           path, "asta:2", &out, &err);
    kept = first == PM_OK &&
           strcmp(out.text, "/* Rewritten by perfmodel from test.cl: P in layout asta:2. */\n"
                            "#include \"types.h\"\n\ntypedef struct {\n    float x[2];\n"
                            "    float y[2];\n} P_0;\n\n/* All. */\n"
                            "kernel void k(global P_0 *p_0)\n{\n    p_0[0].x[1] = 2;\n}\n") == 0;
    if (!kept)
        print_error("%s%s\n", err.text, first == PM_OK ? out.text : "");
    pm_memory_free(&out.memory);
    second = rewrite_source("#include \"types.h\"\n#include \"functions.h\"\n"
                            "kernel void k(global P *p)\n{\n    p->x = get(p);\n}\n",
                            path, "soa", &out, &err);
    expanded = second == PM_OK &&
               strcmp(out.text, "/* Rewritten by perfmodel from test.cl: P in layout soa. */\n"
                                "typedef struct { float x, y; } P;\n"
                                "float get(global float *p_x, global float *p_y) "
                                "{ return p_x[0]; }\n"
                                "kernel void k(global float *p_x, global float *p_y)\n"
                                "{\n    p_x[0] = get(p_x, p_y);\n}\n") == 0;
    if (!expanded)
        print_error("%s%s\n", err.text, second == PM_OK ? out.text : "");
    pm_memory_free(&out.memory);
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i ? "types.h" : "functions.h");
        remove(path);
    }
    rmdir(folder);
    assert_true(kept && expanded);
}

/* The kernels' new parameters, and what a layout of no change gives back. */
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
    pm_error err = {.text = ""};
    pm_rewritten out;

    assert_int_equal(rewrite_source(source, "test.cl", "aos", &out, &err), PM_OK);
    assert_string_equal(out.text, source);
    assert_int_equal(out.edits, 0);
    pm_memory_free(&out.memory);
    assert_int_equal(rewrite_source(source, "test.cl", "soa", &out, &err), PM_OK);
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

TEST_MAIN(NULL, NULL)
