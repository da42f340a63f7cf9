/* Tests that kernels compute the same results with other memory layouts. Each kind of layout is
 * combined with every way to use an array of structs. The kernels run in the trace engine, and by
 * OpenCL if there is a CPU device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "trace_fixture.h"
#include "transform/rewrite/transform.h"
#include "unit.h"
#include "worker_fixture.h"

enum { ITEMS = 32, ELEMENTS = 2 * ITEMS };

/* A struct without padding, so that whole buffers can be compared. */
typedef struct {
    float x, y;
    int id[2];
    float v[4];
} host_p;

typedef struct {
    float pos[2], vel[2][2];
    char tag[4];
    short s[2];
    double d;
} host_r;

static const char types[] =
    "typedef struct { float x, y; int id[2]; float4 v; } P;\n"
    "typedef struct { float x, y; } V2;\n"
    "typedef struct R_ { V2 pos, vel[2]; char tag[4]; short s[2]; double d; } R;\n"
    "#define N 32\n";

/* A kernel: `body` uses i, the number of the work-item; `before` is text at file scope. Work-items
 * write elements i and i + N of p and r, and out[i]. */
typedef struct {
    const char *name, *before, *body;
} run_case;

static const run_case cases[] = {
    {"members", "",
     "p[i].x = p[i].y + 1; p[i].id[1] += r[i].tag[2]; r[i].d = p[i].x; out[i] = r[i].d;"},
    {"steps", "", "p[i].x++; --p[i].y; p[i].id[0] <<= 1; p[i].v.x -= 2; out[i] = p[i].id[0]--;"},
    {"arrow and star", "", "(*p).x; (p + i)->x = (*(p + i)).y; out[i] = (&p[i])->y + i[p].x;"},
    {"pointer to an element", "",
     "__global P *q = &p[i]; __global const R *o = r + i;"
     "q->x = o->d; q[N].y = q->x; out[i] = (*q).y + o[0].pos.y;"},
    {"pointer that moves", "",
     "__global P *q = p; for (int k = 0; k < i; k++) q++; q->x = 5;"
     "q += N; q->y = 6; q -= 1; out[i] = q->x; q = p + i; q->id[0] = 3;"},
    {"pointers in a loop", "",
     "float sum = 0;"
     "for (__global R *e = r, *end = r + N; e < end; ++e) sum += e->d * (e - r);"
     "out[i] = sum;"},
    {"parameter that moves", "",
     "p += i; r = &r[i]; p->x = r->pos.x; p[N].y = r[N].pos.y; ++p; --p;"
     "out[i] = (*p).x;"},
    {"post increments", "",
     "__global P *q = p + i; int k = i; out[i] = q++->x; out[i] += (*q--).y;"
     "p[k++].x = 3; p[--k].y = k; q->v = (float4)(k); out[i] += (++q)->x;"},
    {"comparisons", "",
     "__global P *a = p + i, *b = p + N;"
     "out[i] = (a < b) + 2 * (a == p + 3) + 4 * (a != b) + 8 * (b >= a) + (b - a);"},
    {"two arrays at a time", "",
     "__global P *q = i & 1 ? p + i : p + N; out[i] = q->x + (i > 3 ? p : q)[1].y;"
     "__global const P *const c = &q[0]; out[i] += c->id[1];"},
    {"constant memory",
     "float low(__constant P *q, int k) { return q[k].x + q->v.y; }\n"
     "float either(__constant P *a, __constant P *b, int k)\n"
     "{ __constant P *q = k ? a : b; P s = *q; float y = q++->y;\n"
     "    return y + s.id[1] + (q - 1 == a) + (k ? b : q)->x; }\n",
     "__constant P *q = table + i, *const m[2] = {q, table}; P s = table[i]; p[i] = *q++; p[i + N] "
     "= s;"
     "out[i] = low(table, i) + low(q, 0) + low(m[i & 1], 1) + either(table, &table[i], i & 1) + "
     "table[i].id[i & 1];"},
    {"two arrays",
     "float pick(__global P *a, __global P *b, int c)\n"
     "{ __global P *q = c ? a : b; q->x = 1; (c ? b : a)[N].y = q->y; *q = *(c ? a : b + 1);\n"
     "    float back = (q == b) + 2 * (q < b) + (b - a) + ((c ? b : q) != a); b = b + 1; "
     "b[-1].x++;\n"
     "    return back + q[1].y + (c ? a : b)->id[c] + (c ? a : b)[1].v.y + sizeof(*q); }\n",
     "out[i] = pick(p + i, &p[i], i & 1); __global P *q = i & 1 ? more : p; q += i;"
     "out[i] += (q == more + i) + 2 * (q == p + i) + 4 * (more != p); q->x = 3; q = i & 2 ? q : p "
     "+ i;"
     "*q = more[i + N]; out[i] += q[N].y; q = more; more += i; more->y = q[i].v.x + (more - q);"},
    {"functions",
     "float get(__global const P *q, int k) { return q[k].x + q->y; }\n"
     "void set(__global P *q, float x) { q->x = x; q[N].y = x; }\n"
     "static float both(__global P *q, __global R *o, int k);\n"
     "static float both(__global P *q, __global R *o, int k) { set(q + k, 3); set(&q[k], 4);\n"
     "    o[k].d = 1; return get(q, k) + get(&q[k], 0); }\n",
     "out[i] = get(p, i) + both(p, r, i);"},
    {"functions that move it",
     "float walk(__global const P *q, int n) { float sum = 0; while (n--) sum += (q++)->x;\n"
     "    return sum; }\n",
     "out[i] = walk(p, 4) + walk(p + i, 3);"},
    {"functions that return it",
     "__global P *at(__global P *q, int k) { return &q[k]; }\n"
     "static __global const P * larger(__global const P *a, __global const P *b)\n"
     "{ if (a->y > b->y) return a; return b; }\n",
     "at(p, i)->x = 9; at(p, i)[N].y = at(at(p, 1), 2)->y; out[i] = larger(p + i, at(p, 0))->y;"
     "*at(p, i) = *at(p, i + N); P s = *at(p, i); out[i] += s.id[1] + at(p, i)->v.y;"},
    {"arrays of pointers", "",
     "__global P *m[2] = {p, p + i}; m[0] += i; m[1]->x = m[0]->y; m[0]++;"
     "m[i & 1] = &p[i]; m[i & 1][N].y = 7; out[i] = m[0]->x + (m[0] - m[1]);"
     "out[i] += m[0] == m[1]; *m[i & 1] = m[i & 1][N];"},
    {"elements as a whole",
     "P twice(P s) { s.x *= 2; return s; }\nfloat weight(P s) { return s.x + s.id[1] + s.v.w; }\n",
     "P s = p[i]; s.y = 1; p[i + N] = s; p[i] = p[i + N]; p[i] = twice(p[i]); out[i] = "
     "weight(p[i]);"
     "P t[2] = {p[i], *p}; t[1] = p[i + N]; p[i] = t[1]; out[i] += t[0].v.x + (p[i] = s).y;"
     "R u = r[i]; u.tag[1]++; u.s[0] = 5; u.vel[1].y = u.pos.x; r[i + N] = u; out[i] += r[i].d;"},
    {"local memory", "",
     "__local P tile[N]; tile[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE);"
     "p[i + N] = tile[(i + 1) % N]; __local P *t = &tile[i ^ 1]; out[i] = t->x;"},
    {"nested structs", "V2 turn(V2 a) { V2 b = {a.y, a.x}; return b; }\n",
     "V2 a = r[i].pos; r[i].vel[1] = turn(a); r[i].vel[i & 1].x = 3; r[i + N].pos = r[i].vel[0];"
     "__global R *q = r + i; q->vel[0] = q->pos; out[i] = q->vel[0].x + turn(q->vel[1]).y;"},
    {"arrays in structs",
     "int total(__global const int *a) { return a[0] + a[1]; }\n"
     "void put(__global short *a) { a[1] = *a; }\n",
     "int k = i & 1; p[i].id[k] = 4; p[i].id[!k] = total(p[i].id); r[i].tag[i & 3] = r[i].tag[3];"
     "put(r[i].s); put(&r[i].s[0]); __global int *a = p[i].id; a[1]++; *p[i].id = 8; out[i] = "
     "a[0];"},
    {"vectors", "",
     "p[i].v.x = p[i].v.w; p[i].v.yz = p[i].v.lo; p[i].v.s3 += 1; p[i].v *= 2;"
     "float4 t = p[i].v; p[i + N].v = t.wzyx; out[i] = p[i].v.hi.x + dot(t, p[i].v);"},
    {"atomics", "",
     "atomic_add(&p[i].id[0], 2); atomic_inc(&p[i].id[1]); __global R *q = r;"
     "atomic_xchg(&p[i].x, 2.5f); out[i] = atomic_max((volatile __global int *)&p[i].id[0], 7);"
     "(void)q; *&p[i].y = 3;"},
    {"macros",
     "#define X(k) p[k].x\n#define BOTH(a) (a + a)\n#define GLOBAL __global\n#define EACH(q) q++\n"
     "#define SWAP(a, b) do { P t_ = a; a = b; b = t_; } while (0)\n#define IDX (i + N)\n"
     "float first(GLOBAL P *q) { return q->x; }\n",
     "X(i) = BOTH(p[i].y); p[IDX].y = X(IDX); SWAP(p[i], p[IDX]); GLOBAL P *q = p; EACH(q); q--;"
     "out[i] = first(p) + q[i].x;"},
    {"sizes", "",
     "out[i] = sizeof(p[0]) + sizeof *p + sizeof(P) + sizeof(p[i].id) + sizeof p[0].v.x + "
     "sizeof(r->vel) / sizeof(r->vel[0]); __global P *q = p; out[i] += sizeof(q);"},
    {"shadows", "",
     "int p_x = i, P_0 = 1; { float p = 2; out[i] = p; } p[i].x = p_x + P_0;"
     "{ __global P *r = p + p_x; r->y = 1; } __global R *p_0 = r; p_0[i].d = 2;"},
    {"signs", "",
     "int a = i - 7; uint b = 7; char c = 1; long e = -2; ulong f = 2;"
     "out[i] = (p + a + b)->x + (p + b)[a].y + (&p[a] + b)->id[1] + *(&p[i].x) + p[c].x +"
     "(p + (i + 2) + e)->x + (p + f + i)[-2].y; __global P *q = p + N; q = q - b; out[i] += "
     "q[-3].x;"},
    {"chains", "",
     "int k = p[p[i].id[0] & 15].id[1] & 15; p[i].id[r[k].s[0] & 1] = p[k].id[0] & 7;"
     "out[i] = p[p[p[i].id[0] & 7].id[1] & 15].x; p[i].x = k, p[i].y = 2; p[k, i].id[k, 1] = 1; P "
     "s = p[i, 2];"
     "__global P *q = &p[k, i]; q[N].v = s.v;"},
    {"statements", "",
     "__global P *q = p + i; do { q->x += 1; if (q->x > 4) break; } while (q != p);"
     "for (; q >= p; q--) out[i] += q->y; switch (i & 3) { case 1: q = p + i; q->y = 1; break;"
     "default: q = p + N + i; q->y = 2; } if (i) p[i].id[0] = 1; else p[i].id[1] = 2;"
     "out[i] += q->id[0] && !p[i].id[1] ? q->x : -p[i].y; out[i] += q - p;"},
    {"typedefs",
     "typedef __global P *pointer;\ntypedef const P fixed;\nstruct S { float a; P b; };\n"
     "float of(pointer q, __global fixed *c) { return q->x + c[1].y; }\n",
     "pointer q = p + i; struct S s = {1, p[i]}; s.b = *q; q->x = of(q, p) + s.b.y; out[i] = "
     "s.b.v.x;"},
};

static const char *const layouts[] = {
    "aos",
    "aos-align",
    "aos-align8",
    "soa",
    "asta:4",
    "asta:32",
    "P=cluster:1-2-1;R=cluster:2-1-3-1",
    "P=cluster-align:1-2-1;R=cluster-align:2-2-2-1",
    "R=cluster-align:d/pos.x+pos.y/tag+vel.x+vel.y+s",
    "P=cluster-align8:v/id+x/y;R=cluster-align:d+s/vel.x+vel.y/tag+pos.y+pos.x",
    "P=soa",
    "R=asta:2;P=cluster-align:3-1"};

/* ---- workloads ----------------------------------------------------------------------------- */

enum { CASES = sizeof cases / sizeof *cases, BUFFERS = 4 + CASES };

/* Makes a workload of cases first ... last - 1, with one kernel each. It also has the buffers'
 * contents after their run. */
typedef struct {
    size_t first, last;
    void *expected[BUFFERS];
} run;

/* Original workloads, by the first case of the cases that run together. */
static run originals[2][CASES];

static pm_status compare(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const run *r = workload->check_context;

    for (size_t b = 0; b < workload->buffer_count; b++)
        for (size_t i = 0; r->expected[b] && i < workload->buffers[b].bytes; i++)
            if (((const char *)outputs[b])[i] != ((const char *)r->expected[b])[i])
                return pm_fail(err, PM_FAILED, "%s differs at byte %zu", workload->buffers[b].name,
                               i);
    return PM_OK;
}

/* Fills all members with small whole numbers. */
static void fill(host_p *p, host_r *r)
{
    unsigned state = 1;

    for (size_t i = 0; i < ELEMENTS; i++) {
        unsigned a = (state = state * 1664525u + 1013904223u) >> 16;

        p[i] =
            (host_p){a % 19, a % 23, {(int)(a % 29), (int)(a % 31)}, {a % 3, a % 5, a % 7, a % 11}};
        r[i] = (host_r){{a % 13, a % 17},
                        {{a % 37, a % 41}, {a % 43, a % 47}},
                        {(char)(a % 2), (char)(a % 4), (char)(a % 6), (char)(a % 8)},
                        {(short)(a % 9), (short)(a % 10)},
                        a % 53};
    }
}

static char *make_source(const run *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = need(open_memstream(&text, &size));

    fputs(types, out);
    for (size_t c = r->first; c < r->last; c++)
        fprintf(
            out,
            "%s__kernel void k%zu(__global P *p, __global R *restrict r, __constant P table[],\n"
            "__global P *more, __global float *out)\n"
            "{\n    const int i = get_global_id(0);\n    out[i] = 0;\n    %s\n}\n",
            cases[c].before, c, cases[c].body);
    fclose(out);
    return text;
}

static pm_workload *make_workload(run *r)
{
    const size_t global = ITEMS, local = ITEMS;
    pm_workload *w = pm_workload_create("rewrite", "base", "32");
    host_p *p = need(malloc(ELEMENTS * sizeof *p)), *copies[2];
    host_r *q = need(malloc(ELEMENTS * sizeof *q));
    char *source = make_source(r), name[40];

    fill(p, q);
    for (size_t i = 0; i < 2; i++) {
        copies[i] = malloc(ELEMENTS * sizeof *p);
        assert_non_null(copies[i]);
        memcpy(copies[i], p, ELEMENTS * sizeof *p);
    }
    give_source(w, "run.cl", source);
    free(source);
    pm_workload_buffer(w, "p", ELEMENTS * sizeof *p, p, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "r", ELEMENTS * sizeof *q, q, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "table", ELEMENTS * sizeof *p, copies[0], PM_BUFFER_IN);
    pm_workload_buffer(w, "more", ELEMENTS * sizeof *p, copies[1],
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    for (size_t c = r->first; c < r->last; c++) {
        size_t buffer;

        snprintf(name, sizeof name, "out of k%zu", c);
        buffer = pm_workload_buffer(w, name, ITEMS * sizeof(float), NULL, PM_BUFFER_OUTPUT);
        snprintf(name, sizeof name, "k%zu", c);
        pm_workload_launch(w, name, 1, &global, &local);
        pm_workload_arg_buffer(w, 0);
        pm_workload_arg_buffer(w, 1);
        pm_workload_arg_buffer(w, 2);
        pm_workload_arg_buffer(w, 3);
        pm_workload_arg_buffer(w, buffer);
    }
    pm_workload_check(w, compare, r, NULL);
    w = pm_workload_finish(w, told());
    assert_string_equal(last_error.text, "");
    return w;
}

/* Runs a workload once. Keeps the outputs of the original; compares other outputs with them. */
static pm_status run_once(pm_executor *executor, const pm_workload *w, run *keep, pm_error *err)
{
    pm_status status = executor->type->load(executor, w, err);

    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    for (size_t b = 0; status == PM_OK && keep && b < w->buffer_count; b++) {
        if (!(w->buffers[b].flags & PM_BUFFER_OUTPUT))
            continue;
        keep->expected[b] = malloc(w->buffers[b].bytes);
        status = executor->type->read(executor, b, keep->expected[b], err);
    }
    if (status == PM_OK && !keep)
        status = pm_measure_check(executor, w, err);
    executor->type->unload(executor);
    return status;
}

static void forget(run *r)
{
    for (size_t b = 0; b < BUFFERS; b++)
        free(r->expected[b]);
    *r = (run){0};
}

/* Returns "" if all outputs are right, else the error; the caller frees it. */
static char *try_layout(pm_executor *executor, const char *layout, run *r)
{
    pm_workload *w = make_workload(r);
    char *fault = NULL;

    if (r->expected[0] || run_once(executor, w, r, told()) == PM_OK) {
        w = pm_layout_transform(w, layout, test_session(), told());
        if (w)
            (void)run_once(executor, w, NULL, told());
    }
    assert_true(asprintf(&fault, "%s%s%s", last_error.text, last_error.text[0] && w ? "\n" : "",
                         last_error.text[0] && w ? w->source : "") >= 0);
    pm_workload_free(w);
    return fault;
}

/* ---- tests --------------------------------------------------------------------------------- */

static bool is_alone(size_t c)
{
    /* the macros of these cases would change other cases */
    return strcmp(cases[c].name, "macros") == 0;
}

/* Runs all cases together. If that fails, runs each alone to find the faulty one. */
static void check_cases(pm_executor *executor, const char *layout, run *r)
{
    char *fault = try_layout(executor, layout, r);
    bool right = !*fault;

    for (size_t c = r->first; !right && c < r->last; c++) {
        run alone = {.first = c, .last = c + 1};
        char *own = try_layout(executor, layout, &alone);

        if (*own)
            print_error("%s: %s\n", cases[c].name, own);
        free(own);
        forget(&alone);
    }
    if (!right)
        print_error("%s\n", fault);
    free(fault);
    assert_true(right);
}

static void same_results(void **state)
{
    pm_executor *const executors[] = {traced, cpu};

    for (size_t e = 0; e < 2; e++)
        for (size_t first = 0, last; executors[e] && first < CASES; first = last) {
            for (last = first + 1; last < CASES && !is_alone(first) && !is_alone(last);)
                last++;
            originals[e][first].first = first;
            originals[e][first].last = last;
            check_cases(executors[e], *state, &originals[e][first]);
        }
}

/* Usage: test_layout_rewrite_run [PATTERN]. Only layouts that match PATTERN are tested. */
int main(int argc, char **argv)
{
    int failed;

    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        add_case(layouts[i], same_results, layouts[i]);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    failed = run_all_tests_on_executors();
    for (size_t c = 0; c < CASES; c++) {
        forget(&originals[0][c]);
        forget(&originals[1][c]);
    }
    return failed;
}
