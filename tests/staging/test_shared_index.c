/* Tests the analysis of array accesses in small kernels and in the suite's kernels, by comparing
 * its results as lines of text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "index_dump.h"
#include "owned.h"

enum { MOST_BYTES = 1 << 20 };

/* says: lines of the dump, in order, separated by '|'; with '!' in front: a line that must not
 * occur. */
typedef struct {
    const char *name, *body, *says;
} good_case;

#define HEAD                                                                                       \
    "struct args { int n, m; };\n"                                                                 \
    "static int at(int x, int y, int w) { const int r = y * w; return r + x; }\n"                  \
    "static float sum(__global const float *p, int i, int n)\n"                                    \
    "{ float s = 0; for (int k = 0; k < 3; k++) s += p[i + k]; if (i < n) s += p[n]; return s; "   \
    "}\n"                                                                                          \
    "static void put(__global float *p, int i) { *(p + i) = 1.0f; }\n"                             \
    "typedef struct { float x, y; int id[4]; } part;\n"                                            \
    "__constant int table[4] = {1, 2, 3, 4};\n"                                                    \
    "__kernel __attribute__((reqd_work_group_size(8 * 8, 2 * 2, 1))) void\n"                       \
    "k(__global float *a, __global const float *restrict b, __global part *p, int n, uint m,\n"    \
    "  struct args g, __global int *h, __global float4 *v, __local float *l)\n"                    \
    "{ const int lid = get_local_id(0), x = get_global_id(0), row = get_local_id(1);\n"

static const good_case cases[] = {
    /* ---- values */
    {"ids", "a[x] = b[lid + 2 * row];",
     "atom L0 LOCAL >= 0 <= 63 `lid`|atom L1 LOCAL >= 0 <= 3 `row`|"
     "a[L0 + 64 * G0 + O0] w|b[L0 + 2 * L1] r"},
    {"arithmetic", "a[-(lid - 3) * 2 + (n << 3) + ~row] = 0;", "a[8 * {n} - 2 * L0 - L1 + 5] w"},
    {"constants", "a[(int)sizeof(part) * lid + table[0] * 0] = 0;", "a[24 * L0] w"},
    {"a helper's value", "a[at(lid, row, n)] = 0;", "a[L1 * {n} + L0] w"},
    {"what n / 2 is", "const int c = n / 2; a[c + lid] = b[n / 2];",
     "atom {(n / 2)} VALUE uniform `(n / 2)`|a[{(n / 2)} + L0] w|b[{(n / 2)}] r"},
    {"hidden by another", "a[n / 3] = 0; { int n = get_group_id(0); a[n / 3] = 1; }",
     "atom {(n / 3)}|atom {(n / 3)}"},
    {"members", "a[g.n + lid] = 0;", "a[{(g.n)} + L0] w"},
    {"loads that nobody changes", "a[table[n] + lid] = b[(int)b[n]];",
     "a[{(table[n])} + L0] w|b[{((int)b[n])}] r"},
    {"loads of data", "h[h[lid]] = 0;", "h[?] w"},
    {"bits", "a[x - (lid & 7)] = b[lid >> 3];",
     "`(lid & 7)`|a[8 * P0(lid >> 3) + 64 * G0 + O0] w|b[P0(lid >> 3)] r"},
    {"digits", "a[row / 2 + lid % 16] = b[lid / 16];",
     "a[P1(row >> 1) + P0(lid & 15)] w|b[P0(lid >> 4)] r"},
    {"bits that an offset mixes", "a[x & 7] = 0;", "a[ITEM[0..7]] w"},
    {"division below 0", "a[(lid - 8) / 4] = b[(lid - 8) >> 2];", "a[?] w|b[P0(lid >> 2) - 2] r"},
    {"unsigned below 0", "uint u = lid; a[(u - 8) / 4] = b[min(u - 1, 7u)]; a[u - 8] = 0;",
     "a[?] w|b[?] r|a[L0 - 8] w"},
    {"items", "uchar c = h[lid]; a[c] = b[h[x] & 255]; a[h[x] % 16u] = 0;",
     "a[ITEM[0..255]] w|b[ITEM[0..255]] r|a[ITEM[0..15]] w"},
    {"narrow types wrap", "uchar c = lid; c += 250; a[c] = 0; uchar d = lid; a[d] = 1;",
     "a[ITEM[0..255]] w|a[L0] w"},
    {"clamps", "a[max(x - 1, 0)] = b[clamp(x + 1, 0, n - 1)]; a[min(max(x - 1, 0), n)] = 0;",
     "a[CLAMP(L0 + 64 * G0 + O0 - 1, 0..)] w|b[CLAMP(L0 + 64 * G0 + O0 + 1, ..{n} - 1)] r|"
     "a[CLAMP(L0 + 64 * G0 + O0 - 1, 0..{n})] w"},
    {"clamps as choices", "a[lid < n ? lid : n] = b[lid > 5 ? lid : 5]; a[min(lid, 70)] = 0;",
     "a[CLAMP(L0, ..{n})] w|b[CLAMP(L0, 5..)] r|a[L0] w"},
    {"choices in choices",
     "a[lid < 2 ? 2 : lid > n ? n : lid] = b[lid >= n ? n : lid < 0 ? 0 : lid];",
     "atom CLAMP(L0, 2..{n}) CLAMP >= 2 <= 63 `` assumes {n} - 2|a[CLAMP(L0, 2..{n})] w|"
     "b[CLAMP(L0, ..{n})] r"},
    {"once and not twice", "int i = n; a[i++ / 2] = 0; while (--i > 0) a[i / 2] = 1;",
     "loop 0 line 12 uniform|a[?] w|a[{(i / 2)}] w loop 0"},
    {"sizes", "a[get_num_groups(1) * lid] = 0;", "atom {(get_num_groups(1))} VALUE >= 1 uniform"},
    {"local variables", "local int c; if (lid == 0) c = n; barrier(1); a[c] = 0;", "a[?] w"},
    {"a stale sum", "int i = 0; n = n + 1; const int c = n; n += lid; a[c] = 0; a[n] = 0;",
     "a[?] w|a[?] w"},
    {"vectors", "const int2 d = (int2)(lid, n); a[d.x + d.y] = b[d.s0];", "a[L0 + {n}] w|b[L0] r"},

    /* ---- variables */
    {"one change behind the other", "int i, c = 1; i = lid; i += 2; c *= 3; a[i] = b[i * c];",
     "a[L0 + 2] w|b[3 * L0 + 6] r"},
    {"in a branch", "int i = lid; if (n > 3) i = 5; a[i] = 0;", "a[?] w"},
    {"uniform, in a branch", "int i = 0; if (n > 3) i = 5; a[i + lid] = 0;", "a[{i} + L0] w"},
    {"in a branch that is not uniform", "int i = 0; if (lid > 3) i = 5; a[i] = 0;", "a[?] w"},
    {"moving on", "int i = row * n + lid; for (int k = 0; k < n; k++) { a[i] = 0; i += m; }",
     "`(i - (n * row + lid))`|a[{n} * L1 + L0 + {(i - (n * row + lid))}] w loop 0"},
    {"moving on by something else",
     "int i = lid; for (int k = 0; k < n; k++) { a[i] = 0; i += lid; }", "a[?] w loop 0"},
    {"what changes later", "int i = 0; while (i < n) { const int c = i + lid; i++; a[c] = 0; }",
     "`(c - lid)`|a[L0 + {(c - lid)}] w loop 0"},
    {"address", "int i = 3; int *q = &i; *q = lid; a[i] = 0;", "a[?] w"},
    {"before the loop", "int i = 7; a[i] = 0; for (int k = 0; k < n; k++) i += 2; a[i] = 1;",
     "a[7] w|a[{i}] w"},

    /* ---- loops */
    {"loops", "for (int i = 0; i < n; i += 4) for (int k = i; k <= i + 3; ++k) a[k] = 0;",
     "i = 0 .. {n} by 4 uniform|loop 1 line 12 in 0 k = i .. i + 4 by 1 uniform|a[k] w loop 1"},
    {"declared before", "int i; for (i = 2; 9 != i; i = i + 1) a[i] = 0; a[i] = 1;",
     "atom i LOOP >= 2 <= 8 uniform `i`|i = 2 .. 9 by 1 uniform|a[i] w loop 0|a[{i}] w"},
    {"by work-items", "for (int i = lid; i < n; i += get_local_size(0)) a[i] = 0;",
     "atom i LOOP >= 0 `i`|i = L0 .. {n} by 64|a[i] w loop 0"},
    {"for each the same number", "for (int i = x; i < x + 3; i++) a[i] = 0;",
     "i = L0 + 64 * G0 + O0 .. L0 + 64 * G0 + O0 + 3 by 1 uniform"},
    {"downwards", "for (int i = 9; i >= 2; i--) a[i] = 0;",
     "atom {i} VALUE >= 2 <= 9 uniform `i`|loop 0 line 12 uniform|a[{i}] w loop 0"},
    {"an end that moves", "int e = n; for (int i = 0; i < e; i++) e -= 1;",
     "loop 0 line 12 uniform"},
    {"a variable that jumps", "for (int i = 0; i < n; i++) if (lid) i++;", "loop 0 line 12\n"},
    {"continue", "for (int i = 0; i < n; i++) { if (a[i] > 3) continue; a[i] = 0; }",
     "i = 0 .. {n} by 1 uniform jumps|not leaves:|a[i] w loop 0 guards 1"},
    {"break", "for (int i = 0; i < n; i++) { if (a[i] > 3) break; }", "i = 0 .. {n} by 1 jumps"},

    /* ---- guards */
    {"left before", "if (x >= n || row == 3) return; a[x] = 0;",
     "not leaves: {n} - L0 - 64 * G0 - O0 - 1|a[L0 + 64 * G0 + O0] w guards 1"},
    {"and", "if (x < n && lid > 2) a[0] = 0; else a[1] = 0;",
     "exact: {n} - L0 - 64 * G0 - O0 - 1, L0 - 3|guard 1 line 12 not:|a[0] w guards 0|"
     "a[1] w guards 1"},
    {"choices", "a[0] = lid < 4 ? b[lid] : b[4];",
     "guard 0 line 12 exact: -L0 + 3|guard 1 line 12 not exact: L0 - 4|b[L0] r guards 0|"
     "b[4] r guards 1"},
    {"behind &&", "if (lid > 0 && b[lid - 1] > 0) a[0] = 1;",
     "b[L0 - 1] r guards 1|a[0] w guards 0"},
    {"unsigned bounds", "if (get_global_id(0) < n) a[x] = 0; if (lid < m) a[1] = 0;",
     "exact: {n} - L0 - 64 * G0 - O0 - 1 assumes {n}|exact: {m} - L0 - 1\n"},
    {"uniform", "if (n > 3) a[0] = 0;", "guard 0 line 12 uniform exact: {n} - 4"},
    {"switch", "switch (lid) { case 0: a[0] = 1; }", "guard 0 line 12:|a[0] w guards 0"},

    /* ---- pointers */
    {"into rows", "__global const float *q = b + row * n; a[0] = q[lid] + *(q + 1) + (&q[2])[lid];",
     "pointers q|b[L1 * {n} + L0] r|b[L1 * {n} + 1] r|b[L1 * {n} + L0 + 2] r"},
    {"swapped",
     "__global float *f = a + n, *t = f + 9; for (int i = 0; i < n; i++) { f[lid] = t[lid];\n"
     "__global float *s = f; f = t; t = s; }",
     "pointers f,t,s|a[{n} + L0] w may loop 0|a[{n} + L0 + 9] w may loop 0|a[{n} + L0 + 9] r may|"
     "a[{n} + L0] r may"},
    {"moving pointers", "__global float *q = a + lid; for (int i = 0; i < n; i++, q += n) *q = 0;",
     "`(q - a - lid)`|a[L0 + {(q - a - lid)}] w loop 0"},
    {"argument", "a += n; a[lid] = 0;", "a[{n} + L0] w"},
    {"chosen", "__global float *q = lid < 3 ? a : a + 4; *q = (float)sizeof(q[3]);",
     "a[0] w may|a[4] w may|!r"},
    {"helpers", "a[0] = sum(b + n, x, n); put(a, lid);",
     "array b: float, 4 bytes const restrict r pointers p|"
     "b[{n} + L0 + 64 * G0 + O0 + k] r helper|b[2 * {n}] r helper guards 0|a[L0] w helper"},
    {"vload", "vstore4(vload4(lid, b + 1), x, a);",
     "a[4 * L0 + 256 * G0 + 4 * O0] x4 w|b[4 * L0 + 1] x4 r"},
    {"members of elements", "p[x].y = p[lid].id[2]; p->x = 3; (*p).y = 4; p[1].id[lid]++;",
     "p[L0 + 64 * G0 + O0] w|p[L0] r|p[0] w|p[0] w|p[1] rw"},
    {"components", "v[lid].x = 1; v[lid + 1].xy += v[2].zw;", "v[L0] w|v[L0 + 1] rw|v[2] r"},

    /* ---- escapes */
    {"atomics", "atomic_inc(&h[lid]);",
     "h: int, 4 bytes rw ESCAPES test.cl:12: h is changed by an atomic"},
    {"another type", "*(__global int *)&v[4] = 3;", "ESCAPES test.cl:12: v is used as elements of"},
    {"part of an element", "__global float *q = &p[1].x; *q = 1;",
     "p has the address of a part of an element taken"},
    {"array in an element", "__global int *q = p->id; *q = 1;", "address of a part"},
    {"compared", "if (a == b) a[0] = 1;", "ESCAPES test.cl:12: a has pointers into it compared"},
    {"stored", "__global float *q[2]; q[0] = a; q[0][1] = 0;", "a has a pointer into it stored"},
    {"copied", "event_t e = async_work_group_copy(l, b, 9, 0);", "not in the source"},
    {"goto", "if (n) goto out; a[0] = 1; out: a[1] = 2;", "goto"},

    /* ---- the rest */
    {"local memory",
     "__local float t[3][7]; t[0][lid] = 0; barrier(CLK_LOCAL_MEM_FENCE); l[0] = 0;",
     "(64, 4, 1) local 84 barriers 1"},
    {"changes", "int i = 0; i++; for (int k = 0; k < 3; k++) i += k;", "changes 3"},
};

static bool find(const char **at, const char *piece, size_t length)
{
    for (const char *here = *at; *here; here++)
        if (strncmp(here, piece, length) == 0) {
            *at = here + length;
            return true;
        }
    return false;
}

static bool check(const char *name, const char *dump, const char *says)
{
    const char *at = dump;
    bool good = true;

    for (const char *piece = says; good && piece; piece = strchr(piece, '|')) {
        bool absent;
        size_t length;

        piece += *piece == '|';
        absent = *piece == '!';
        piece += absent;
        length = strcspn(piece, "|");
        good = find(&at, piece, length) != absent;
        if (!good)
            print_error("%s: %s'%.*s' in\n%s", name, absent ? "there is " : "there is no ",
                        (int)length, piece, dump);
    }
    return good;
}

static const char *const options[] = {"-x",
                                      "cl",
                                      "--target=nvptx64--",
                                      "-Wno-everything",
                                      "-cl-std=CL1.2",
                                      "-DTILE=16",
                                      "-DGROUP=256",
                                      "-DGX=32",
                                      "-DGY=8",
                                      "-DGROUP_WIDTH=32",
                                      "-DSTEPS=255",
                                      "-DROUNDS=10"};

static const size_t no_group[3];

TEST(test_cases)
{
    bool good = true;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_text source = {.memory = own_memory()}, dump = {.memory = source.memory};

        pm_text_add(&source, HEAD "%s\n}\n", cases[i].body);
        if (!index_dump_source(pm_text_get(&source), "test.cl", options, 5, no_group, &dump))
            fail_msg("%s: %s", cases[i].name, pm_text_get(&dump));
        good &= check(cases[i].name, pm_text_get(&dump), cases[i].says);
    }
    assert_true(good);
}

/* ---- the suite ------------------------------------------------------------------------------ */

static const good_case programs[] = {
    {"matmul_tiled", "256",
     "first = 0 .. {n} by 16 uniform|in 0 k = 0 .. 16 by 1 uniform|"
     "a[{n} * L1 + 16 * {n} * G1 + {n} * O1 + first + k] r loop 1|"
     "b[{n} * first + {n} * k + L0 + 16 * G0 + O0] r loop 1"},
    {"matmul_float4", "", "k = first .. first + 256 by 1 uniform|a[4 * {width} * L1 + 1024 * "},
    {"fdtd3d", "",
     "in[L1 * {stride} + L0 + {(at - (get_local_id(1) * stride + get_local_id(0)))} - i] r"},
    {"dct8x8", "",
     "out[i + L1 * {width} + 8 * G1 * {width} + O1 * {width} + 8 * P0(get_local_id(0) >> 3) + 32 * "
     "G0 + O0] r"},
    {"median3x3", "",
     "in[CLAMP(row + L1 + 8 * G1 + O1 - 1, 0..{height} - 1) * {width} + CLAMP(column + L0 + 32 * "
     "G0 + O0 - 1, 0..{width} - 1)] r loop 1"},
    {"sobel3x3", "",
     "in[CLAMP(L1 + 8 * G1 + O1 - 1, 0..) * {width} + CLAMP(L0 + 32 * G0 + O0 - 1, 0..)] r"},
    {"haar1d", "",
     "exact: {count} - L0 - 1|scratch[2 * L0 + 384 * G0] x2 r may loop 0 guards 0|"
     "scratch[2 * L0 + 384 * G0 + 256] x2 r may|out[L0 + {count} * G0 + {(length / 2)}] w loop 0"},
    {"binomial", "", "exact: {level} - L0 - 1|scratch[L0 + 512 * G0 + 257] r may loop 0 guards 0"},
    {"aes128", "",
     "table[ITEM[0..255]] r helper loop 0|keys[round] r loop 0|sbox[ITEM[0..255]] r "
     "helper|keys[10] r"},
    {"nbody", "", "k = 0 .. {n} by 1 uniform|position[k] r loop 0"},
};

static char *read_file(const char *path)
{
    FILE *file = need(fopen(path, "rb"));
    char *text = room(MOST_BYTES, 1);

    assert_true(fread(text, 1, MOST_BYTES - 1, file) > 0);
    fclose(file);
    return text;
}

TEST(test_programs)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const size_t group[3] = {256, 1, 1};
        bool given = strcmp(programs[i].name, "haar1d") == 0;
        char path[512];
        pm_text dump = {.memory = own_memory()};
        char *text;

        snprintf(path, sizeof path, PM_SOURCE_DIR "/kernels/%s/%s_nolocal.cl", programs[i].name,
                 programs[i].name);
        text = read_file(path);
        assert_true(index_dump_source(text, path, options, sizeof options / sizeof *options,
                                      given ? group : no_group, &dump));
        assert_true(check(programs[i].name, pm_text_get(&dump), programs[i].says));
        if (strstr(pm_text_get(&dump), "[?]") || strstr(pm_text_get(&dump), "ESCAPES"))
            fail_msg("%s", pm_text_get(&dump));
    }
}

/* ---- faults --------------------------------------------------------------------------------- */

TEST(test_group)
{
    static const char source[] =
        "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k(__global int *a)\n"
        "{ a[get_global_id(1)] = 0; }\n";
    static const size_t same[3] = {8, 4, 1}, other[3] = {8, 8, 1};
    pm_text dump = {.memory = own_memory()};

    assert_true(index_dump_source(source, "test.cl", options, 5, same, &dump));
    assert_true(check("the same", pm_text_get(&dump), "a[L1 + 4 * G1 + O1] w"));
    assert_false(index_dump_source(source, "test.cl", options, 5, other, &dump));
    assert_true(check("another", pm_text_get(&dump), "test.cl:1: |(8, 4, 1), and not (8, 8, 1)"));
}

TEST(test_no_group)
{
    pm_text dump = {.memory = own_memory()};

    assert_true(index_dump_source("__kernel void k(__global int *a)\n"
                                  "{ a[get_global_id(0)] = a[get_local_id(0)]; }\n",
                                  "test.cl", options, 5, no_group, &dump));
    assert_true(check("no size", pm_text_get(&dump), "a[?] w|a[L0] r"));
}
