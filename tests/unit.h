/* Unit tests with cmocka, and the headers that all of them want. TEST(name) { ... } defines a test
 * and puts it into the program's list, in the order of the file; run_all_tests runs the list, which
 * is all that main does unless the file has its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_UNIT_H
#define PM_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "perfmodel.h"

/* Puts a test into the list. */
void unit_test_add(struct CMUnitTest test);
/* How many tests failed. setup and teardown are of the whole list; NULL: none. */
int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Frees an object behind the test that calls this, from any thread, the last first, before the
 * test's tear-down. */
void free_later(void *object, void (*release)(void *object));
/* Zeroed memory that is freed so. */
void *room(size_t n, size_t size);
/* The path of a new folder, which goes so with all that is in it. */
char *scratch_folder(void);
/* Frees what free_later was told of, then calls the tear-down; NULL: none. */
int end_of_test(CMFixtureFunction teardown, void **state);

/* A test with a set-up and a tear-down of its own; NULL: none. Not every test looks at its state.
 */
#define TEST_WITH(name, setup, teardown) TEST_CALLING(name, name, setup, teardown)

#define TEST_CALLING(name, function, setup, teardown)                                              \
    static void function(void **state);                                                            \
    static int end_##name(void **state)                                                            \
    {                                                                                              \
        return end_of_test(teardown, state);                                                       \
    }                                                                                              \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        unit_test_add((struct CMUnitTest){#name, function, setup, end_##name, NULL});              \
    }                                                                                              \
    static void function(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* The same, where the set-up makes a state of that type: the test knows it as f. */
#define TEST_OF(type, name, setup, teardown)                                                       \
    static void name(type *f);                                                                     \
    TEST_CALLING(name, name##_of_state, setup, teardown)                                           \
    {                                                                                              \
        name(*state);                                                                              \
    }                                                                                              \
    static void name(__attribute__((unused)) type *f)

/* A row of a table of cases becomes a test; row: its state. */
void add_case(const char *name, CMUnitTestFunction test, const void *row);

/* The end of a file whose tests share a set-up and a tear-down; without any, unit.c has main. */
#define TEST_MAIN(setup, teardown)                                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_all_tests(setup, teardown);                                                     \
    }

/* Makes the text the file's contents. */
void write_text(const char *path, const char *text);
void write_text_in(const char *folder, const char *name, const char *text);

/* SplitMix64 (Steele, Lea and Flood 2014). */
uint64_t random_bits(uint64_t *state);

/* What a function must have returned: memory, a file. */
static inline void *need(void *pointer)
{
    assert_non_null(pointer);
    return pointer;
}

/* The error of the call that gets it, until the next one does. Each thread has its own. */
static _Thread_local pm_error last_error;

static inline pm_error *told(void)
{
    last_error = (pm_error){.text = ""};
    return &last_error;
}

/* What must hold, or the test fails with the text of the error. */
#define assert_ok_of(condition, err)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s", (err)->text);                                                           \
    } while (0)
#define assert_ok(condition) assert_ok_of(condition, &last_error)

/* Makes owned_NAME: the object, which is freed behind the test, or the test fails as of assert_ok.
 */
#define OWNED(name, type, release)                                                                 \
    static inline void release_##name(void *object)                                                \
    {                                                                                              \
        release(object);                                                                           \
    }                                                                                              \
    static inline type *owned_##name(type *object)                                                 \
    {                                                                                              \
        assert_ok(object);                                                                         \
        free_later(object, release_##name);                                                        \
        return object;                                                                             \
    }

OWNED(memory, void, free)

/* The last error has the status, and all of the words in one line. */
#define assert_error(wanted, ...)                                                                  \
    do {                                                                                           \
        const char *const words_[] = {__VA_ARGS__};                                                \
        assert_int_equal(last_error.status, wanted);                                               \
        for (size_t w_ = 0; w_ < sizeof words_ / sizeof *words_; w_++)                             \
            if (!strstr(last_error.text, words_[w_]) || strchr(last_error.text, '\n'))             \
                fail_msg("no \"%s\" in one line: %s", words_[w_], last_error.text);                \
    } while (0)

#endif
