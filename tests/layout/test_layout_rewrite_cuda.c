/* Tests CUDA sources that are rewritten for other memory layouts: constructs of C++ are rewritten
 * correctly, or refused with their line and a remedy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rewrite_fixture.h"

/* says: parts of the message separated by '|' if the source is refused. If the source is rewritten,
 * '=' followed by parts of the new text, separated by '|'. */
typedef struct {
    const char *name, *layout, *source, *says;
} cuda_case;

#define P "struct P { float x, y; int id[2]; float4 v; };\n"
/* A kernel with `body` in line 3, which can use i and out. */
#define KERNEL(line)                                                                               \
    P "__global__ void k(P *p, const P *__restrict__ q, float *out)\n{ const int i = blockIdx.x "  \
      "* "                                                                                         \
      "blockDim.x + threadIdx.x;\n" line "\n}\n"
#define STRUCT(members) "struct S {\n" members "\n};\n__global__ void k(S *s)\n{ s[0].x = 1; }\n"

static const cuda_case cases[] = {
    {"a member", "soa", KERNEL("p[i].x = q[i].y;"),
     "=float *p_x|const float *__restrict__ q_x|p_x[i] = q_y[i];"},
    {"tiles", "asta:8", KERNEL("p[i].x = q[i].y;"),
     "=P_0 *p_0|p_0[i >> 3].x[i & 7] = q_0[i >> 3].y[i & 7];"},
    {"a vector is one field", "soa", KERNEL("p[i].v.x += q[i].v.w;"),
     "=float4 *p_v|p_v[i].x += q_v[i].w;"},
    {"a vector is assigned", "soa", KERNEL("p[i].v = make_float4(1, 2, 3, out[0]);"),
     "=p_v[i] = make_float4(1, 2, 3, out[0]);"},
    {"structs are copied", "aos-align", KERNEL("P t = q[i], u; u = q[i + 1]; p[i] = t; p[0] = u;"),
     "=static __device__ P P_load(|P t = P_load(q_0, i), u; u = P_load(q_0, i "
     "+ 1); P_store(p_0, i, t)"},
    {"from a list", "soa", KERNEL("p[i] = {1, 2, {3, 4}, make_float4(1, 2, 3, 4)};"),
     "=P_store(p_x, p_y, p_id, p_v, p_count, i, {1, 2"},
    {"a pointer becomes a number", "soa", KERNEL("const P *r = &q[i]; out[i] = r->x;"),
     "=const long long r = i;|out[i] = q_x[r];"},
    {"a pointer that moves", "soa", KERNEL("for (P *r = p; r != p + 4; ++r) r->x = 0;"),
     "=long long r = 0;"},
    {"auto", "soa", KERNEL("auto r = p + i; r->x = 1;"), "=const long long r = i;|p_x[r] = 1;"},
    {"atomics and loads through the cache", "soa", KERNEL("atomicAdd(&p[i].x, __ldg(&q[i].y));"),
     "=atomicAdd(&p_x[i], __ldg(&q_y[i]))"},
    {"casts of C++", "soa", KERNEL("p[i].x = static_cast<float>(q[i].id[1]);"),
     "=static_cast<float>(q_id["},
    {"shared memory stays", "soa",
     KERNEL("__shared__ P tile[32]; tile[threadIdx.x] = q[i]; P *r = tile; r->x = 1; out[i] = "
            "tile[0].x;"),
     "=__shared__ P tile[32]; tile[threadIdx.x] = P_load(|P *r = tile; r->x = 1; out[i] = "
     "tile[0].x;"},
    {"private structs stay", "soa",
     P "__device__ float add(const P *a) { return a->x; }\n__global__ void k(P *p)\n{ P t = p[0]; "
       "p[1].x = add(&t); }\n",
     "=float add(const P *a) { return a->x; }|p_x[1] = add(&t);"},
    {"functions take the parts", "soa",
     P "static __device__ void f(P *a) { a->x = 1; }\n__global__ void k(P *p)\n{ f(p); }\n",
     "=void f(float *a_x, float *a_y, int *a_id, float4 *a_v,|f(p_x, p_y, p_id, p_v, p_count);"},
    {"linkage", "soa",
     "struct P { float x, y; };\nextern \"C\" __global__ void k(P *p)\n{ p->x = p->y; }\n",
     "=k(float *p_x, float *p_y)"},
    {"words of mixed types", "aos-align",
     "struct S { float a; int b; unsigned int c; double d; short2 e; char4 f; long long g; bool h; "
     "};\n"
     "__global__ void k(S *s)\n{ const S t = s[1]; s[0] = t; }\n",
     "=__uint_as_float(w0.x)|__hiloint2double(|(long long)((unsigned long long)|(bool)(unsigned "
     "char)w2.z"},
    {"host code stays", "soa",
     "#include <stdio.h>\nstruct P { float x, y; };\n__global__ void k(P *p)\n{ p->x = p->y; }\n"
     "int main() { P h; printf(\"%f\", h.x); std::nothing(); }\n",
     "=#include <stdio.h>|p_x[0] = p_y[0]|int main() { P h; printf(\"%f\", h.x); std::nothing(); "
     "}"},
    {"inside of a macro", "soa", "#define SET(a) (a)->x = 1\n" KERNEL("SET(&p[i]);"),
     "=p_x[i] = 1"},

    {"all of it in a macro", "soa", "#define FIRST(a) a[i].x\n" KERNEL("FIRST(p) = FIRST(q) + 1;"),
     "=__global__ void k(float *p_x|p_x[i] = q_x[i] + 1;"},
    {"an index of the thread's own", "aos-align",
     "struct P { float x, y, z, w; };\n__global__ void k(const P *p, float *out)\n{\n"
     "    const float a = p[threadIdx.x].x + p[threadIdx.x].w;\n    out[0] = a;\n}\n",
     "=typedef struct __align__(16) __attribute__((may_alias)) {|float x, y, z, w;|} P_0_word;|"
     "const P_0_word p_w0 = *(const P_0_word *)&p_0[threadIdx.x];|p_w0.x + p_w0.w"},
    {"a word of several types", "aos-align",
     "struct P { float x; int y; double z; };\n__global__ void k(P *p)\n{\n"
     "    p[3].x = 1;\n    p[3].y = 2;\n    p[3].z = 3;\n}\n",
     "=unsigned int x, y, z, w;|} P_0_word;|*(P_0_word *)&p_0[3] = "
     "P_0_word{__float_as_uint(p_w0_x), (unsigned int)p_w0_y, "
     "(unsigned int)__double2loint(p_w0_z), (unsigned int)__double2hiint(p_w0_z)};"},
    {"a vector's component is written", "aos-align",
     "struct P { float2 x, y; };\n__global__ void k(P *p, float *out)\n{\n"
     "    const float a = p[3].x.x + p[3].y.y;\n    p[3].x.x = 1;\n"
     "    out[0] = a + p[3].x.x + p[3].y.x;\n}\n",
     "=make_float2(p_w0.x, p_w0.y).x + make_float2(p_w0.z, p_w0.w).y|p_0[3].x.x = 1;|p_0[3].x.x + "
     "make_float2(p_w0.z, p_w0.w).x"},

    {"a reference", "soa",
     KERNEL("P &r = p[i]; r.x = 1; r.id[1] = r.id[0]; r.v.y = 2; const P &s = q[i + 1]; P t = s; "
            "P *u = &r; u->y = s.y + t.x;"),
     "=const long long r = i;|p_x[r] = 1;|p_id[p_count + r] = p_id[r];|p_v[r].y = 2;|"
     "const long long s = i + 1;|P t = P_load(q_x"},
    {"a reference to an element of several", "soa",
     KERNEL("P &r = i > 3 ? p[i] : p[0]; r = *q; out[0] = r.x;"),
     "test.cu:4:|a reference to an element"},
    {"a struct is assigned to a reference", "soa",
     KERNEL("auto &r = p[i]; r = q[i]; P t = r; p[2] = t; r = P{};"),
     "=const long long r = i;|P_store(p_x, p_y, p_id, p_v, p_count, r, P_load(|P t = P_load(p_x"},
    {"a reference to what is no array", "soa", KERNEL("P t = p[i]; P &r = t; r.x = 1; p[i] = r;"),
     "=P &r = t; r.x = 1; P_store("},
    {"a reference by a pointer that moves", "soa",
     KERNEL("for (const P *s = q; s < q + 4; s++) { const P &r = *s; out[i] += r.x; }"),
     "=const long long r = s; out[i] += q_x[r];"},
    {"a reference is given on", "soa",
     P "__device__ void f(P &a) { a.x = 1; }\n__global__ void k(P *p)\n{ P &r = p[3]; f(r); }\n",
     "test.cu:4:|by reference"},
    {"a reference is read", "soa",
     P "__device__ float f(const P &a) { return a.x; }\n__global__ void k(P *p)\n"
       "{ P &r = p[3]; r.y = f(r); }\n",
     "=p_y[r] = f(P_load(p_x, p_y, p_id, p_v, p_count, r));"},
    {"a reference to a member", "soa", KERNEL("const float &r = p[i].x; out[0] = r;"),
     "test.cu:4:|a reference to an element"},
    {"a reference to a component", "soa", KERNEL("float &r = p[i].v.x; r = 1;"),
     "test.cu:4:|a reference to an element"},
    {"a component by reference", "soa",
     P "__device__ void f(float &a) { a = 1; }\n__global__ void k(P *p)\n{ f(p[3].v.y); }\n",
     "=f(p_v[3].y);"},
    {"a template that calls", "soa",
     P "__device__ void f(P *a) { a->x = 1; }\ntemplate <int N> __device__ void g(P *a) { f(a); }\n"
       "__global__ void k(P *p)\n{ f(p); }\n",
     "test.cu:3:|a template that is not used here names f"},
    {"by reference", "soa",
     P "__device__ void f(P &a) { a.x = 1; }\n__global__ void k(P *p)\n{ f(p[3]); }\n",
     "test.cu:4:|by reference|pointer"},
    {"read by reference", "soa",
     P "__device__ float f(const P &a, const P &b) { return a.x + b.y; }\n__global__ void k(P "
       "*p)\n{ p[0].x = f(p[3], p[4]); }\n",
     "=p_x[0] = f(P_load("},
    {"written meanwhile", "soa",
     P "__device__ float f(const P &a, P *b) { b->x = 1; return a.x; }\n__global__ void k(P *p)\n{ "
       "p[0].y = f(p[3], p); }\n",
     "test.cu:4:|by reference"},
    {"a scalar by reference", "soa",
     P "__device__ void f(float &a) { a = 1; }\n__global__ void k(P *p)\n{ f(p[3].x); }\n",
     "=f(p_x[3]);"},
    {"now here, now there", "soa",
     P "__device__ float f(const P *a) { return a->x; }\n__global__ void k(P *p)\n{ P t = p[0]; "
       "p[0].x = f(&t) + f(p); }\n",
     "test.cu:2:|a points to an element of a kernel's array here and to another struct there"},
    {"as bytes", "soa", KERNEL("reinterpret_cast<float *>(p)[i] = 1;"), "test.cu:4:|cast"},
    {"the address of a member", "soa", KERNEL("float *r = &p[i].x; r[1] = 0;"),
     "test.cu:4:|address of a member"},
    {"no element", "soa", KERNEL("const P *r = nullptr; if (i) r = q; out[i] = r->x;"),
     "test.cu:4:|NULL"},
    {"a lambda", "soa", KERNEL("auto f = [=]() { return q[i].x; }; out[i] = f();"),
     "test.cu:4:|lambda"},
    {"a member function", "soa",
     "struct P { float x, y; __device__ float sum() const { return x + y; } };\n"
     "__global__ void k(P *p)\n{ p[0].x = p[1].sum(); }\n",
     "test.cu:3:|member function|copy"},
    {"a template beside it", "soa",
     P "template <int N> __global__ void t(P *p)\n{ p[N].x = 1; }\n__global__ void k(P *p)\n{ p->x "
       "= 1; }\n",
     "=template <int N> __global__ void t(P *p)\n{ p[N].x = 1; }|k(float *p_x|p_x[0] = 1;"},
    {"templates alone", "soa", P "template <int N> __global__ void t(P *p)\n{ p[N].x = 1; }\n",
     "test.cu:2:|kernel t is a template"},
    {"a template's struct", "soa",
     "template <class T> struct V { T x, y; };\n__global__ void k(V<float> *p)\n{ p->x = 1; }\n",
     "test.cu:2:|instance of a template"},
    {"a base class", "soa",
     "struct B { int b; };\nstruct S : B { float x; };\n__global__ void k(S *s)\n{ s->x = 1; }\n",
     "test.cu:2:|S has a base class"},
    {"a constructor", "soa", STRUCT("float x; __device__ S() { x = 0; }"),
     "test.cu:2:|S has a constructor"},
    {"a virtual function", "soa", STRUCT("float x; __device__ virtual void f() {}"),
     "test.cu:2:|a virtual function"},
    {"what is not public", "soa",
     "class S {\nprivate: int y;\npublic: float x;\n};\n__global__ void k(S *s)\n{ s->x = 1; }\n",
     "test.cu:2:|not public"},
    {"a bit-field", "soa", STRUCT("float x;\nint a : 3;"), "test.cu:3:|bit-field"},
    {"an enumeration", "soa", STRUCT("float x;\nenum { A, B } kind;"),
     "test.cu:3:|kind is an enumeration|int"},
    {"kept in a struct", "soa",
     "struct P { float x, y; };\nstruct H { P *p; };\n__global__ void k(P *p)\n{ H h = {p}; h.p->x "
     "= 1; }\n",
     "test.cu:4:|kept in a struct"},
    {"preprocessed", "soa", "# 1 \"a.cu\"\n" KERNEL("p[i].x = 1;"), "test.cu:1: |preprocessor"},
    {"a wrong source", "soa", KERNEL("p[i].x = ;"), "test.cu:4:10|expression"},
};

static void cuda_source(void **state)
{
    const cuda_case *c = *state;
    const bool good = c->says[0] == '=';
    pm_rewritten out;
    pm_status status = rewrite_source(c->source, "test.cu", c->layout, &out, told());

    if (good && status != PM_OK)
        fail_msg("%s", last_error.text);
    if (!good && status == PM_OK)
        fail_msg("not refused: %s", out.text);
    if (good) {
        assert_has(out.text, c->says + 1);
    } else {
        assert_int_equal(status, PM_BAD_INPUT);
        assert_has(last_error.text, c->says);
        assert_null(strchr(last_error.text, '\n'));
    }
    pm_memory_free(&out.memory);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        add_case(cases[i].name, cuda_source, &cases[i]);
    return run_all_tests(NULL, NULL);
}
