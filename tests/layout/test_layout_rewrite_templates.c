/* Tests the changes to CUDA sources before they are rewritten: functions replace template
 * instances, and array elements replace references to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "rewrite_fixture.h"

enum { MOST_KERNELS = 4 };

/* kernels: names separated by ';'. says for refused sources: parts of the message separated by '|'.
 * Otherwise it is '=' and parts of the new text separated by '|', then '#' and the new kernel
 * names, then '!' and words that must not occur. Nothing after '=': the source stays the same. */
typedef struct {
    const char *name, *kernels, *source, *says;
} template_case;

#define SUM                                                                                        \
    "template <typename T, int N>\n__global__ void sum(T *a, const T *b)\n{\n"                     \
    "    __shared__ T part[N];\n    part[threadIdx.x] = b[N];\n    a[0] = (T)part[N - 1];\n}\n"
#define TWICE "template <typename T> __device__ T twice(T x) { return x + T(2) * x; }\n"
#define USE(line)                                                                                  \
    "__global__ void k(float *a, const int *at, int n)\n{\n"                                       \
    "    int i = threadIdx.x;\n" line "\n}\n"
#define P "struct P { float x; int id[2]; };\n"

static const template_case cases[] = {
    {"an instance", "sum<float, 256>", SUM,
     "=__global__ void sum(float *a, const float *b)\n{\n    __shared__ float part[256];\n|"
     "a[0] = (float)part[256 - 1];#sum!template"},
    {"two", "sum<float, 4>;sum<unsigned int, 8>;sum<float, 4>", SUM,
     "=sum_float_4(float *a, const float *b)|part[4]|void sum_unsigned_int_8(unsigned int *a|"
     "part[8]#sum_float_4;sum_unsigned_int_8;sum_float_4!template"},
    {"host code names it", "sum<float, 4>",
     SUM "int main() { sum<float, 4><<<1, 4>>>(nullptr, nullptr); }\n",
     "=template <typename T, int N>\n__global__ void sum(T *a|void sum_float_4(float *a|"
     "int main() { sum<float, 4><<<1, 4>>>#sum_float_4"},
    {"deduced", "", TWICE USE("a[i] = twice(a[i]) + twice<float>(2);"),
     "=__device__ float twice(float x) { return x + float(2) * x; }|a[i] = twice(a[i]) + "
     "twice(2);!template"},
    {"of several types", "", TWICE USE("a[i] = twice(a[i]) + twice(i);"),
     "=float twice_float(float x)|int twice_int(int x)|twice_float(a[i]) + twice_int(i)"},
    {"in another", "outer<float>",
     TWICE "template <class T> __global__ void outer(T *a) { *a = twice(*a) + twice<int>(3); }\n",
     "=float twice_float(|int twice_int(|void outer(float *a) { *a = twice_float(*a) + "
     "twice_int(3); }#outer"},
    {"that calls itself", "",
     "template <int N> __device__ int down(int x) { if constexpr (N > 0) return down<N - 1>(x) + "
     "N; "
     "else return x; }\n" USE("a[i] = down<2>(i);"),
     "=int down_0(int x) { return x; }|int down_1(int x) { return down_0(x) + 1; }|"
     "int down_2(int x) { return down_1(x) + 2; }|a[i] = down_2(i);!template"},
    {"declared before", "",
     "template <typename U> __device__ U half_of(U x);\n" USE(
         "a[i] = half_of(a[i]);") "template <typename T> __device__ T half_of(T x) { return x / 2; "
                                  "}\n",
     "=__device__ float half_of(float x);|a[i] = half_of(a[i]);|float half_of(float x) { return x "
     "/ "
     "2; }!template"},
    {"of a type that comes later", "",
     TWICE "struct V { float x; __device__ V operator+(V o) const "
           "{ return V{x + o.x}; } };\n__device__ V operator*(V a, V b) { return V{a.x * b.x}; }\n"
           "template <class T> __device__ T same(T x) { return x; }\n"
           "struct W { int w; };\n" USE("W w = same(W{2}); a[i] = w.w + twice(a[i]);"),
     "=float twice(float x)|struct W { int w; };|W same(W x) { return x; }|W w = same(W{2});"},
    {"values", "v<true, 3, -2, 5, 'a'>",
     "template <bool B, unsigned U, long L, unsigned long M, char C> __global__ void v(long *a)\n"
     "{ if (B) a[0] = U + L + M + C; }\n",
     "=if (true) a[0] = 3u + (-2l) + 5ul + (char)97;"},
    {"a pointer", "p<float *>",
     "template <class T> __global__ void p(const T *a, T b) { T c, d; c "
     "= d = b; *c = *a[0] + *d; }\n",
     "=typedef float * p_T;\n__global__ void p(const p_T *a, p_T b) { p_T c, d;"},
    {"words that are no type in a cast", "w<unsigned int>",
     "template <class T> __global__ void w(T *a) { a[0] = T(3); }\n",
     "=typedef unsigned int w_T;\n__global__ void w(w_T *a) { a[0] = w_T(3); }"},
    {"members of that name", "m<int>",
     "struct S { int T; };\ntemplate <class T> __global__ void m(S *s, T x) { s->T = s[1].T + x; "
     "}\n",
     "=void m(S *s, int x) { s->T = s[1].T + x; }"},
    {"a macro beside it", "c<4>",
     "#define LAST(a) a[2]\ntemplate <int N> __global__ void c(int *a) { LAST(a) = N; }\n",
     "=LAST(a) = 4;"},
    {"a macro has its parameter", "c<4>",
     "#define LAST(a) a[N - 1]\ntemplate <int N> __global__ void c(int *a) { LAST(a) = N; }\n",
     "does not compile as a function|test.cu:2:|'N'"},
    {"a list of parameters", "l<int, float>",
     "template <typename... T> __global__ void l(int *a) { a[0] = sizeof...(T); }\n",
     "test.cu:1: template l is used with something else than a plain type or an integer for T"},
    {"a wrong name", "some<float>", SUM, "kernel some<float>|undeclared"},
    {"a special case", "sum<int, 1>",
     SUM "template <> __global__ void sum<int, 1>(int *a, const int *b) { *a = *b; }\n",
     "kernel sum<int, 1>: its template is in a header, or the instance is a special case"},
    {"no name", "sum<float, {1}>", SUM, "written as reduce<float, 256>"},
    {"lines", "sum<float, 4>;sum<int, 4>",
     SUM "\n__global__ void k(float *a) { float &r = a[0]; "
         "float *p = &r + 1; }\n",
     "=\v#line 1 \"test.cu\"|\v#line 8 \"test.cu\"\n\n__global__ void k"},
    {"nothing to do", "", USE("a[i] = 1;"), "="},

    {"a reference", "", USE("float &r = a[i];\nr += 2;\nr = r * r;"),
     "=\v\na[i] += 2;\na[i] = a[i] * a[i];!&"},
    {"to a member of one", "",
     P "__global__ void k(P *p)\n{\n    P &r = p[threadIdx.x];\n"
       "    int &id = r.id[1];\n    id = r.x;\n}\n",
     "=\v\n\v\n    p[threadIdx.x].id[1] = p[threadIdx.x].x;!&"},
    {"by an index that changes", "", USE("float &r = a[i];\ni++;\nr = i;"),
     "=const int r_index = i;\ni++;\na[r_index] = i;"},
    {"by an index in memory", "", USE("float &r = a[at[i]];\nr = i;"),
     "=const int r_index = at[i];\na[r_index] = i;"},
    {"by a pointer that moves", "", USE("float &r = *a;\na++;\nr = i;"), "="},
    {"in the place of a hidden name", "",
     USE("float &r = a[i];\nfor (int i = 0; i < n; i++) r += i;"),
     "=const int r_index|r_index] += i;"},
    {"in a loop", "", USE("for (; i < n; i++) {\nfloat &r = a[i];\nr += i;\n}"),
     "=for (; i < n; i++) {\n\v\na[i] += i;"},
    {"of two", "", USE("float &r = i > 3 ? a[i] : a[0]; r = 1;"), "="},
    {"in a lambda", "", USE("float &r = a[i]; auto f = [&]() { r = 1; }; f();"), "="},
    {"to a variable", "", USE("float t = 1, &r = t; r = 2; a[i] = t;"), "="},
    {"to shared memory", "", USE("__shared__ float t[4]; float &r = t[i]; r = 2; a[i] = r;"), "="},
    {"a struct is passed", "",
     P
     "__device__ void g(P &q) { q.x = 2; }\n__device__ void f(P &q, float by)\n{\n    q.x += by;\n"
     "    P t = q;\n    q = t;\n    g(q);\n    P *r = &q;\n}\n"
     "__global__ void k(P *p)\n{\n    P own = {1};\n    f(p[2], 1);\n    f(*p, own.x);\n}\n",
     "=void g(P *q) { q->x = 2; }|void f(P *q, float by)|q->x += by;|P t = (*q);|*q = t;|g(q);|P "
     "*r "
     "= q;|f(&p[2], 1);|f(p, own.x);"},
    {"a struct of its own is passed", "",
     P "__device__ void f(P &q) { q.x = 2; }\n__global__ void k(P *p) { P own; f(own); p[0] = own; "
       "}\n",
     "="},
};

/* Returns the text up to the next of these marks. */
static char *part(const char *says, const char *marks, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(says, marks), says);
    return out;
}

static size_t list_kernels(char *text, const char **kernels)
{
    size_t count = 0;

    for (char *at = strtok(text, ";"); at && count < MOST_KERNELS; at = strtok(NULL, ";"))
        kernels[count++] = at;
    return count;
}

static void check_good(const template_case *c, const pm_instances *out, size_t count)
{
    const char *called = strchr(c->says, '#'), *not = strchr(c->says, '!');
    char text[1024], names[256];
    const char *kernels[MOST_KERNELS];

    /* A source may contain a #line directive. */
    while (called && (called == c->says + 1 || strncmp(called, "#line", 5) == 0))
        called = strchr(called + 1, '#');
    if (!c->says[1]) {
        assert_null(out->text);
        return;
    }
    assert_non_null(out->text);
    snprintf(text, sizeof text, "%s", c->says + 1);
    if (called)
        text[called - c->says - 1] = '\0';
    else if (not )
        text[not -c->says - 1] = '\0';
    assert_has(out->text, text);
    if (not )
        assert_null(strstr(out->text, not +1));
    if (!called)
        return;
    assert_int_equal(list_kernels(part(called + 1, "!", names, sizeof names), kernels), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(out->kernels[i], kernels[i]);
}

static void written_out(void **state)
{
    const template_case *c = *state;
    char names[256];
    const char *kernels[MOST_KERNELS];
    const size_t count = list_kernels(part(c->kernels, "", names, sizeof names), kernels);
    pm_source *source =
        need(pm_source_open(c->source, "test.cu", "-std=c++17", test_worker(), NULL, told()));
    pm_instances out;
    const pm_status status = pm_source_instances(source, kernels, count, true, &out, told());

    if (c->says[0] == '=') {
        if (status != PM_OK)
            fail_msg("%s", last_error.text);
        check_good(c, &out, count);
    } else {
        if (status == PM_OK)
            fail_msg("not refused: %s", out.text ? out.text : "");
        assert_int_equal(status, PM_BAD_INPUT);
        assert_has(last_error.text, c->says);
        assert_null(strchr(last_error.text, '\n'));
    }
    pm_memory_free(&out.memory);
    pm_source_close(source);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        add_case(cases[i].name, written_out, &cases[i]);
    return run_all_tests(NULL, NULL);
}
