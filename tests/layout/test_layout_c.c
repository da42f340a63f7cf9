/* Tests the C code that is generated for the user's host program. It compiles as C99 without
 * warnings, and its functions pack and unpack arrays to the same bytes as the library does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>

#include "layout_fixture.h"
#include "unit.h"

enum { CASES = 96, MOST_PARTS = 256 };

typedef struct {
    pm_struct structure;
    pm_plan *plan;
} test_case;

typedef struct {
    test_case cases[CASES];
    void *library;
} fixture;

/* A struct with adjacent arrays that have the same extents as an array of structs. */
static pm_struct arrays_inside(void)
{
    const size_t n[] = {3, 32, 4, 4, 0}, o[] = {2, 2, 0};
    pm_struct s = {.name = NULL, .bytes = 104, .align = 4};

    add_field(&s, "n[].x[]", "float", 4, 0, n);
    add_field(&s, "n[].y[]", "float", 4, 16, n);
    add_field(&s, "o.a[]", "short", 2, 96, o);
    add_field(&s, "o.b[]", "short", 2, 100, o);
    return s;
}

/* Each case has names of its own, so that one compilation can contain all cases. */
static void make_case(size_t i, uint64_t *state, test_case *c)
{
    char name[32], text[8192];

    snprintf(name, sizeof name, "S%zu", i);
    if (i < 16) {
        c->structure = i < 8 ? particle() : arrays_inside();
        c->structure.name = pm_copy(&trials, name);
    } else {
        c->structure = random_struct(state, name);
    }
    random_layout(state, &c->structure, i, text, sizeof text);
    c->plan = plan_of(&c->structure, text);
}

static void write_cases(const fixture *f, const char *path)
{
    FILE *out = need(fopen(path, "w"));

    for (size_t i = 0; i < CASES; i++) {
        const char *text = try_c(f->cases[i].plan, told());

        if (!text)
            fail_msg("case %zu: %s", i, last_error.text);
        fputs(text, out);
        fprintf(
            out,
            "void pack%zu(const void *s, size_t n, void *p);\n"
            "void pack%zu(const void *s, size_t n, void *p)\n{\n    S%zu_pack(s, n, p);\n}\n"
            "void unpack%zu(void *s, size_t n, const void *p);\n"
            "void unpack%zu(void *s, size_t n, const void *p)\n{\n    S%zu_unpack(s, n, p);\n}\n",
            i, i, i, i, i, i);
        for (size_t p = 0; p < f->cases[i].plan->part_count; p++)
            fprintf(out,
                    "size_t bytes%zu_%zu(size_t n);\n"
                    "size_t bytes%zu_%zu(size_t n)\n{\n    return S%zu_bytes_%s(n);\n}\n",
                    i, p, i, p, i, f->cases[i].plan->parts[p].name);
    }
    assert_int_equal(fclose(out), 0);
}

static int compile(void **state)
{
    fixture *f = need(calloc(1, sizeof *f));
    char source[320], library[320], command[1024];
    const char *folder = scratch_folder();
    uint64_t seed = 23;

    for (size_t i = 0; i < CASES; i++)
        make_case(i, &seed, &f->cases[i]);
    snprintf(source, sizeof source, "%s/all.c", folder);
    snprintf(library, sizeof library, "%s/all.so", folder);
    write_cases(f, source);
    snprintf(command, sizeof command,
             "${CC:-cc} -std=c99 -O1 -Wall -Wextra -Werror -pedantic -shared -fPIC -o %s %s",
             library, source);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): the compiler of the test */
    f->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!f->library)
        fail_msg("%s", dlerror());
    *state = f;
    return 0;
}

static int forget(void **state)
{
    fixture *f = *state;

    dlclose(f->library);
    free(f);
    return 0;
}

static void *symbol(const fixture *f, const char *format, size_t i, size_t p)
{
    char name[64];
    void *found;

    snprintf(name, sizeof name, format, i, p);
    found = dlsym(f->library, name);
    assert_non_null(found);
    return found;
}

static void *filled(size_t bytes, unsigned char value)
{
    return memset(need(aligned_alloc(128, align_up(bytes + 1, 128))), value, bytes + 1);
}

typedef void (*pack_fn)(const void *structs, size_t n, void *parts);
typedef void (*unpack_fn)(void *structs, size_t n, const void *parts);
typedef size_t (*bytes_fn)(size_t n);

/* The user's parts are the members of a struct of pointers, in the plan's order. */
static void compare(const fixture *f, size_t i, size_t n, uint64_t *state)
{
    const pm_plan *plan = f->cases[i].plan;
    const size_t bytes = n * plan->structure->bytes;
    pack_fn pack = (pack_fn)symbol(f, "pack%zu", i, 0);
    unpack_fn unpack = (unpack_fn)symbol(f, "unpack%zu", i, 0);
    unsigned char *structs = filled(bytes, 0), *back = filled(bytes, 7), *want = filled(bytes, 7);
    void *parts[MOST_PARTS], *expected[MOST_PARTS];

    assert_true(plan->part_count <= MOST_PARTS);
    for (size_t b = 0; b < bytes; b++)
        structs[b] = (unsigned char)random_bits(state);
    for (size_t p = 0; p < plan->part_count; p++) {
        const size_t size = pm_plan_part_bytes(plan, p, n);

        assert_int_equal(((bytes_fn)symbol(f, "bytes%zu_%zu", i, p))(n), size);
        parts[p] = filled(size, 9);
        expected[p] = filled(size, 9);
    }
    pm_plan_pack(plan, structs, n, expected);
    pack(structs, n, parts);
    for (size_t p = 0; p < plan->part_count; p++)
        assert_memory_equal(parts[p], expected[p], pm_plan_part_bytes(plan, p, n) + 1);
    pm_plan_unpack(plan, want, n, (const void *const *)expected);
    unpack(back, n, parts);
    assert_memory_equal(back, want, bytes + 1);
    for (size_t p = 0; p < plan->part_count; p++) {
        free(parts[p]);
        free(expected[p]);
    }
    free(structs);
    free(back);
    free(want);
}

/* Floats of random bits may be signalling NaNs. An assignment keeps them on every machine with
 * separate registers for floats. */
TEST(packs_as_the_library)
{
    const fixture *f = *state;
    uint64_t seed = 5;

    for (size_t i = 0; i < CASES; i++) {
        const size_t tile = f->cases[i].plan->tile;

        for (size_t k = 0; k < 4; k++)
            compare(f, i, (const size_t[]){0, 1, tile + 1, 70}[k], &seed);
    }
}

/* A program's own struct, with its names for vectors, replaces the generated one. */
TEST(takes_the_users_struct)
{
    pm_struct s = {.name = "Cell", .bytes = 32, .align = 16};
    pm_layout layout = {.kind = PM_LAYOUT_SOA};
    pm_plan *plan;
    char path[320], command[512];
    const char *text;
    FILE *out;

    add_field(&s, "v", "float4", 16, 0, NULL);
    add_field(&s, "id", "int", 4, 16, NULL);
    plan = try_plan(&s, &layout, NULL);
    text = try_c(plan, NULL);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/cell.c", scratch_folder());
    out = need(fopen(path, "w"));
    fprintf(out,
            "typedef struct { float x, y, z, w; } mine;\n"
            "typedef struct { mine v; int id; char pad[12]; } Cell;\n"
            "#define Cell_IS_DECLARED\n%s",
            text);
    assert_int_equal(fclose(out), 0);
    snprintf(command, sizeof command,
             "${CC:-cc} -x c -std=c99 -Wall -Wextra -Werror -pedantic -fsyntax-only %s", path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): the compiler of the test */
}

/* An array whose elements are further apart than C would place them. */
TEST(refuses_what_c_cannot_say)
{
    const size_t apart[] = {4, 12, 0};
    pm_struct s = {.name = "Odd", .bytes = 48, .align = 4};
    pm_layout layout = {.kind = PM_LAYOUT_SOA};

    add_field(&s, "x[]", "float", 4, 0, apart);
    assert_null(try_c(need(try_plan(&s, &layout, told())), told()));
    assert_error(PM_BAD_INPUT, "Odd");
}

TEST_MAIN(compile, forget)
