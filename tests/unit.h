/* Unit tests with cmocka, and headers that all tests use. TEST(name) { ... } defines a test and
 * adds it to the program's list, in the order of the file. run_all_tests runs the list. Unless the
 * file has its own main, main only calls it.
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
/* Runs the list and returns the number of failed tests. setup and teardown are for the whole list;
 * NULL: none. */
int run_all_tests(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Registers an object that is freed after the current test and before its tear-down, from any
 * thread. The last registered object is freed first. */
void free_later(void *object, void (*release)(void *object));
/* Returns zeroed memory that is freed after the test. */
void *room(size_t n, size_t size);
/* Returns the path of a new folder that is deleted with its contents after the test. */
char *scratch_folder(void);
/* Frees the objects registered by free_later, then calls the tear-down; NULL: none. */
int end_of_test(CMFixtureFunction teardown, void **state);

/* Defines a test with a set-up and a tear-down of its own; NULL: none. A test need not use its
 * state. */
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

/* Defines a test whose set-up creates a state of the given type. The test's parameter f points to
 * it. */
#define TEST_OF(type, name, setup, teardown)                                                       \
    static void name(type *f);                                                                     \
    TEST_CALLING(name, name##_of_state, setup, teardown)                                           \
    {                                                                                              \
        name(*state);                                                                              \
    }                                                                                              \
    static void name(__attribute__((unused)) type *f)

/* Adds a test for a row of a table of cases. row: state that the test gets. */
void add_case(const char *name, CMUnitTestFunction test, const void *row);

/* Ends a file whose tests share a set-up and a tear-down. If no file of a test program uses this
 * macro, unit.c has main. */
#define TEST_MAIN(setup, teardown)                                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_all_tests(setup, teardown);                                                     \
    }

/* Writes a file with the text as its contents. */
void write_text(const char *path, const char *text);
void write_text_in(const char *folder, const char *name, const char *text);

/* Returns the next random number of SplitMix64 (Steele, Lea and Flood 2014). */
uint64_t random_bits(uint64_t *state);

/* Returns a result (memory, a file) that must not be NULL; else the test fails. */
static inline void *need(void *pointer)
{
    assert_non_null(pointer);
    return pointer;
}

/* Returns the error object for a call. It is valid until the next use. Each thread has its own. */
static _Thread_local pm_error last_error;

static inline pm_error *told(void)
{
    last_error = (pm_error){.text = ""};
    return &last_error;
}

/* Fails the test with the error's text unless the condition holds. */
#define assert_ok_of(condition, err)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s", (err)->text);                                                           \
    } while (0)
#define assert_ok(condition) assert_ok_of(condition, &last_error)

/* Defines owned_NAME, which returns an object that is freed after the test. The test fails as by
 * assert_ok if there is none. */
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

/* Fails unless the last error has the status and its single line contains all words. */
#define assert_error(wanted, ...)                                                                  \
    do {                                                                                           \
        const char *const words_[] = {__VA_ARGS__};                                                \
        assert_int_equal(last_error.status, wanted);                                               \
        for (size_t w_ = 0; w_ < sizeof words_ / sizeof *words_; w_++)                             \
            if (!strstr(last_error.text, words_[w_]) || strchr(last_error.text, '\n'))             \
                fail_msg("no \"%s\" in one line: %s", words_[w_], last_error.text);                \
    } while (0)

#endif
