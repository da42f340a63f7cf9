/* Tests base/memory.h: memory that is freed all at once, and errors that end a computation by
 * longjmp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/memory.h"
#include "base/text.h"
#include "unit.h"

enum { MANY = 3000 };

typedef struct {
    pm_memory memory, inner;
    size_t count, *items;
    const char *text;
    size_t refused_at;
    bool too_much;
} work;

static void fill(void *user)
{
    work *w = user;
    pm_text text = {.memory = &w->inner};

    w->inner = pm_memory_beside(&w->memory);
    for (size_t i = 0; i < MANY; i++) {
        if (i == w->refused_at)
            pm_leave(&w->inner, PM_BAD_INPUT, "number %zu is refused", i);
        *pm_add(&w->memory, w->items, w->count) = i;
        pm_text_add(&text, "%zu,", i % 10);
    }
    w->text = pm_format(&w->inner, "%s%s", pm_copy(&w->inner, "<"), pm_text_get(&text));
    if (w->too_much)
        pm_take(&w->memory, SIZE_MAX / 2, 4);
}

static void attempt(work *w, pm_status expected, const char *message)
{
    assert_int_equal(pm_attempt(&w->memory, fill, w, told()), expected);
    assert_string_equal(last_error.text, message);
    for (size_t i = 0; i < w->count; i++)
        assert_int_equal(w->items[i], i);
}

TEST(grows)
{
    work w = {.refused_at = MANY};

    attempt(&w, PM_OK, "");
    assert_int_equal(w.count, MANY);
    pm_memory_join(&w.memory, &w.inner);
    pm_memory_free(&w.inner);
    assert_int_equal(strlen(w.text), 1 + 2 * MANY);
    assert_memory_equal(w.text, "<0,1,2,", 7);
    pm_memory_free(&w.memory);
}

TEST(leaves)
{
    work w = {.refused_at = 2000}, large = {.refused_at = MANY, .too_much = true};

    attempt(&w, PM_BAD_INPUT, "number 2000 is refused");
    assert_int_equal(w.count, 2000);
    assert_null(w.text);
    attempt(&large, PM_FAILED, "out of memory");
    pm_memory_free(&w.memory);
    pm_memory_free(&w.inner);
    pm_memory_free(&large.memory);
    pm_memory_free(&large.inner);
}
