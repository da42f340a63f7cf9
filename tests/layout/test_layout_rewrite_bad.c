/* Tests sources that cannot be rewritten for any memory layout, or not for a given one. The error
 * names the line and a remedy, and no text is returned.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rewrite_fixture.h"

/* says: parts of the message, in order, separated by '|'; NULL: the source is not faulty. */
typedef struct {
    const char *name, *source, *says;
} bad_case;

#define P "typedef struct { float x, y; int id[2]; float4 v; } P;\n"
/* A kernel with `body` in line 3, which can use i and out. */
#define KERNEL(line)                                                                               \
    P "__kernel void k(__global P *p, __global float *out) { int i = get_global_id(0);\n" line     \
      "\n}\n"
#define STRUCT(members)                                                                            \
    "typedef struct {\n" members "\n} S;\n__kernel void k(__global S *s)\n{ s[0].x = 1; }\n"
#define NESTED                                                                                     \
    "typedef struct { float a, b; } N;\ntypedef struct { N n[2]; N m; struct { int c; } o; } S;\n"

static const bad_case cases[] = {
    {"good", KERNEL("p[i].x = p[i].y;"), NULL},
    {"no struct", "__kernel void k(__global float *p)\n{ p[0] = 1; }\n", NULL},
    {"a field that nobody reads", STRUCT("float x; double never;"), NULL},
    {"no kernel", P "float get(__global P *p) { return p->x; }\n", NULL},
    {"two structs",
     P "typedef struct { P a; int n; } Q;\n"
       "__kernel void k(__global P *p, __global Q *q)\n{ q->a = *p; p[1] = q->a; }\n",
     NULL},

    {"does not compile", KERNEL("p[i].x = ;"), "test.cl:3:10|expression"},
    {"no such header", "#include \"nowhere.h\"\n__kernel void k(void) {}\n",
     "test.cl:1:10|nowhere.h"},
    {"pointer", STRUCT("float x;\n__global float *to;"),
     "test.cl:3:|S|to is a pointer|: keep an index instead"},
    {"union", STRUCT("float x;\nunion { int a; float b; } u;"), "test.cl:3:|u is a union|struct"},
    {"nested pointer", STRUCT("float x;\nstruct { __local int *a; } in[2];"), "test.cl:3:|in.a"},
    {"union as the struct",
     "typedef union { int a; float x; } S;\n__kernel void k(__global S *s)\n{ s->x = 1; }\n",
     "test.cl:1:|S is a union"},
    {"bit-field", STRUCT("float x;\nint a : 3;"),
     "test.cl:3:|bit-fields are not supported in OpenCL"},
    {"a struct without a name",
     "__kernel void k(__global struct { int a; float x; } *s)\n{ s->x = 1; }\n",
     "test.cl:1:|without a name|give it one"},
    {"packed",
     "typedef struct __attribute__((packed)) { char c; float x; } S;\n"
     "__kernel void k(__constant S *s, __global float *o)\n{ o[0] = s->x; }\n",
     "test.cl:1:|S is packed|: leave the attribute out"},
    {"packed inside", STRUCT("float x;\nstruct __attribute__((packed)) { char c; int i; } in;"),
     "test.cl:3:|in is packed"},
    {"no members known", "struct S;\n__kernel void k(__global struct S *s)\n{ }\n", "test.cl:1:|S"},
    {"no members", "struct S {};\n__kernel void k(__global struct S *s)\n{ }\n", "test.cl:1:|S"},
    {"no number", STRUCT("float x;\nbool b;"), "test.cl:3:|b is neither a number"},
    {"recursion",
     P "void f(__global P *p, int n)\n{ if (n) f(p, n - 1); p->x = n; }\n"
       "__kernel void k(__global P *p) { f(p, 3); }\n",
     "test.cl:3:|recursion"},

    {"cast to a number's pointer", KERNEL("__global float *f = (__global float *)p; f[i] = 1;"),
     "test.cl:3:|cast|members"},
    {"cast from one", KERNEL("__global P *q = (__global P *)out; q->x = 1;"),
     "test.cl:3:|no array"},
    {"bytes", KERNEL("__global P *q = (__global P *)((__global char *)p + 32); q->x = 1;"),
     "test.cl:3:|no array"},
    {"cast to a number", KERNEL("out[i] = (ulong)p;"), "test.cl:3:|cast"},
    {"cast to an array's pointer",
     KERNEL("__global P (*q)[2] = (__global P (*)[2])p; q[i][1].x = 1;"), "test.cl:3:|cast"},
    {"vload on members", KERNEL("out[i] = vload2(0, &p[i].x).y;"),
     "test.cl:3:|address of a member is taken|copy the member into a variable"},
    {"address of a member", KERNEL("__global float *f = &p[i].x;\n*f = 1;"),
     "test.cl:3:|address of a member|variable"},
    {"address of a vector", KERNEL("__global float4 *f = &p[i].v; *f = 1;"),
     "test.cl:3:|address of a member"},
    {"array of a member as something else", KERNEL("out[i] = ((__global char *)p[i].id)[1];"),
     "test.cl:3:|cast"},
    {"atomic on something else", KERNEL("atomic_inc((volatile __global int *)&p[i].v);"),
     "test.cl:3:|cast to another type"},
    {"address of a nested struct",
     NESTED "void f(__global N *n) { n->a = 1; }\n"
            "__kernel void k(__global S *s)\n{ f(&s->m); }\n",
     "test.cl:5:|inside of another"},
    {"nested structs as a pointer",
     NESTED "void f(__global N *n) { n->a = 1; }\n"
            "__kernel void k(__global S *s)\n{ f(s->n); }\n",
     "test.cl:5:|subscripts"},
    {"nested struct without a name",
     NESTED "__kernel void k(__global S *s)\n{\n    s[0].o = s[1].o;\n}\n", "test.cl:5:|name"},
    {"null", KERNEL("__global P *q = 0;\nif (i) q = p; q->x = 1;"), "test.cl:3:|NULL|index"},
    {"null of array", KERNEL("__global P *q[2] = {0}; q[i] = p; q[i]->x = 1;"), "test.cl:3:|NULL"},
    {"compared with null", KERNEL("if (p != 0) p->x = 1;"), "test.cl:3:|NULL"},
    {"tested by if", KERNEL("if (p) p->x = 1;"), "test.cl:3:|tested"},
    {"tested by while", KERNEL("__global P *q = p; while (q) { q->x = 1; q--; }"),
     "test.cl:3:|tested"},
    {"tested by do", KERNEL("__global P *q = p; do { q->x = 1; } while (q--);"),
     "test.cl:3:|tested"},
    {"tested by for", KERNEL("for (__global P *q = p; q; q++) q->x = 1;"), "test.cl:3:|tested"},
    {"tested by !", KERNEL("if (!p) p->x = 1;"), "test.cl:3:|tested"},
    {"tested by &&", KERNEL("if (p && i) p->x = 1;"), "test.cl:3:|&&|index"},
    {"tested by ?", KERNEL("out[i] = p ? 1 : 2;"), "test.cl:3:|tested"},
    {"its address", KERNEL("__global P *q = p; __global P **z = &q; (*z)->x = 1;"),
     "test.cl:3:|pointer to a pointer"},
    {"pointer to a pointer as parameter",
     P "void f(__global P **q)\n{ (*q)++; }\n__kernel void k(__global P *p) { f(&p); p->x = 1; }\n",
     "test.cl:2:|pointer to a pointer"},
    {"array of pointers as parameter",
     P "float f(__global P *q[2])\n{ return q[1]->x; }\n__kernel void k(__global P *p)\n"
       "{ __global P *m[2] = {p, p}; p->x = f(m); }\n",
     "test.cl:2:|pointer to a pointer"},
    {"volatile", P "__kernel void k(volatile __global P *p)\n{ p->x = 1; }\n",
     "test.cl:2:|volatile structs cannot change their layout"},
    {"volatile later", KERNEL("volatile __global P *q = p; q->x = 1;"), "test.cl:3:|volatile"},
    {"pointer in a struct",
     P "struct at {\n__global P *q; };\n"
       "__kernel void k(__global P *p) { struct at a = {p}; a.q->x = 1; }\n",
     "test.cl:3:|kept in a struct|index"},
    {"array at file scope",
     P "__constant P fixed[1] = {{1, 2}};\n"
       "__kernel void k(__global P *p, __global float *out)\n"
       "{\n    __constant P *q = fixed; out[0] = q->x + p->x + fixed[0].y;\n}\n",
     "test.cl:5:|file scope|index"},
    {"to a builtin", KERNEL("printf(\"%p\", p);"), "test.cl:3:|not in this source"},
    {"a kernel called with an element",
     P "__kernel void a(__global P *p)\n{ p->x = 1; }\n__kernel void b(__global P *p)\n{ a(p + 1); "
       "}\n",
     "test.cl:2:|called from another one"},
    {"inside of a macro",
     "#define BAD(q) (__global int *)(q)\n" P
     "__kernel void k(__global P *p)\n{\n    *BAD(p) = 1;\n}\n",
     "test.cl:5:|cast"},
};

static void assert_says(const pm_error *err, const char *says)
{
    const char *at = err->text;

    while (*says) {
        size_t length = strcspn(says, "|");
        char part[128];

        snprintf(part, sizeof part, "%.*s", (int)length, says);
        at = strstr(at, part);
        if (!at)
            fail_msg("\"%s\" says nothing of \"%s\" there", err->text, part);
        at += length;
        says += length + (says[length] == '|');
    }
    assert_null(strchr(err->text, '\n'));
}

/* Tries layouts of each kind; a faulty source is refused by all of them. */
static void bad_source(void **state)
{
    static const char *const layouts[] = {"soa", "asta:8", "aos-align"};
    const bad_case *c = *state;

    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        pm_rewritten out;
        pm_status status = rewrite_source(c->source, "test.cl", layouts[l], &out, told());
        bool there = out.text != NULL;

        pm_memory_free(&out.memory);
        if (status == PM_OK && c->says)
            fail_msg("%s: not refused", layouts[l]);
        if (status != PM_OK && !c->says)
            fail_msg("%s: %s", layouts[l], last_error.text);
        assert_int_equal(there, status == PM_OK);
        if (c->says) {
            assert_int_equal(status, PM_BAD_INPUT);
            assert_says(&last_error, c->says);
        }
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        add_case(cases[i].name, bad_source, &cases[i]);
    return run_all_tests(NULL, NULL);
}
