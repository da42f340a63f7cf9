/* The list of tests in a test program, and a main function that runs them. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <ftw.h>

static struct CMUnitTest tests[256];
static size_t count;

static struct {
    void *object;
    void (*release)(void *object);
} to_free[1 << 15];
static size_t to_free_count;

void free_later(void *object, void (*release)(void *object))
{
    size_t at = __atomic_fetch_add(&to_free_count, 1, __ATOMIC_SEQ_CST);

    assert_true(at < sizeof to_free / sizeof *to_free);
    to_free[at].object = object;
    to_free[at].release = release;
}

void *room(size_t n, size_t size)
{
    return owned_memory(calloc(n, size));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
    (void)info, (void)kind, (void)ftw;
    return remove(path);
}

static bool is_left; /* a folder that could not be removed */

static void remove_folder(void *path)
{
    is_left |= nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0;
}

char *scratch_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char *path = room(256, 1);

    assert_true(snprintf(path, 256, "%s/perfmodel-test-XXXXXX", parent ? parent : "/tmp") < 256);
    assert_non_null(mkdtemp(path));
    free_later(path, remove_folder);
    return path;
}

int end_of_test(CMFixtureFunction teardown, void **state)
{
    while (to_free_count > 0) {
        to_free_count--;
        to_free[to_free_count].release(to_free[to_free_count].object);
    }
    return teardown && teardown(state) != 0 ? -1 : is_left;
}

static int end_of_case(void **state)
{
    return end_of_test(NULL, state);
}

/* A full list ends the program before any test runs. */
void unit_test_add(struct CMUnitTest test)
{
    if (count == sizeof tests / sizeof *tests) {
        print_error("unit.c: no room for the test %s\n", test.name);
        abort();
    }
    tests[count++] = test;
}

void add_case(const char *name, CMUnitTestFunction test, const void *row)
{
    unit_test_add((struct CMUnitTest){name, test, NULL, end_of_case, (void *)(uintptr_t)row});
}

/* PERFMODEL_TEST_PART=2/3 runs only every third test, starting with the second. */
static void take_part(void)
{
    const char *part = getenv("PERFMODEL_TEST_PART");
    unsigned number, parts;
    size_t kept = 0;

    if (!part || sscanf(part, "%u/%u", &number, &parts) != 2 || parts == 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (i % parts + 1 == number)
            tests[kept++] = tests[i];
    count = kept;
}

int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    take_part();
    return _cmocka_run_group_tests("tests", tests, count, setup, teardown);
}

uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void write_text(const char *path, const char *text)
{
    FILE *file = need(fopen(path, "w"));

    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void write_text_in(const char *folder, const char *name, const char *text)
{
    char path[256];

    assert_true((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path);
    write_text(path, text);
}

/* A symbol of the test file takes precedence over this one. */
__attribute__((weak)) int main(void)
{
    return run_all_tests(NULL, NULL);
}
