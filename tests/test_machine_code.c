/* Machine code that counts what it executes: the same results, and counts known by hand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <sys/mman.h>

#include "collector/machine/live.h"
#include "collector/machine/rewrite.h"
#include "unit.h"

enum { PAGES = 1 << 16, COPY = 4096, COUNTER = 1 << 15, SKIPPED = 77 };

/* Pages that hold the code, its copy and the counter. */
static uint8_t *pages;

static int map_pages(void **state)
{
    (void)state;
    pages =
        mmap(NULL, PAGES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED;
}

static int unmap_pages(void **state)
{
    (void)state;
    return munmap(pages, PAGES);
}

#define counter ((uint64_t *)(pages + COUNTER))

typedef struct {
    pm_memory memory;
    const uint8_t *bytes;
    size_t size;
    pm_machine_text text;
} reading;

static void read_and_copy(void *user)
{
    reading *r = user;
    uint32_t *place = pm_take(&r->memory, r->size, sizeof *place);

    pm_machine_text_read(&r->memory, r->bytes, r->size, &r->text);
    assert_true(pm_machine_copy_bytes(&r->text) < COUNTER - COPY);
    pm_machine_copy_write(&r->memory, &r->text, pages, pages + COPY, counter, place);
}

/* Places code of that size at the start of the pages, with bytes of data behind it, and the copy.
 */
static pm_status copy_of(const uint8_t *bytes, size_t size, size_t data, pm_error *err)
{
    reading r = {.bytes = bytes, .size = size};
    pm_status status;

    memcpy(pages, bytes, size + data);
    status = pm_attempt(&r.memory, read_and_copy, &r, err);
    pm_memory_free(&r.memory);
    *counter = 0;
    return status;
}

typedef int (*function)(int, int);

static int call_copy(int a, int b)
{
    function f;

    *(void **)&f = pages + COPY;
    return f(a, b);
}

TEST_WITH(a_loop_counts_its_rounds, map_pages, unmap_pages)
{
    static const uint8_t sum[] = {
        0x31, 0xc0, /* xor %eax, %eax */
        0x85, 0xff, /* test %edi, %edi */
        0x74, 0x06, /* je end */
        0x01, 0xf8, /* add %edi, %eax */
        0xff, 0xcf, /* dec %edi */
        0x75, 0xfa, /* jne to the addition */
        0xc3,       /* end: ret */
    };
    enum { AROUND = 4, ROUND = 3 };
    pm_error err;

    assert_int_equal(copy_of(sum, sizeof sum, 0, &err), PM_OK);
    for (int n = 0; n < 100; n++) {
        *counter = 0;
        assert_int_equal(call_copy(n, 0), n * (n + 1) / 2);
        assert_int_equal(*counter, AROUND + ROUND * n);
    }
}

/* A block in between is counted, and the flags that were set before it are still there. */
TEST_WITH(flags_stay, map_pages, unmap_pages)
{
    static const uint8_t compare[] = {
        0x39, 0xf7,                   /* cmp %esi, %edi */
        0x7f, 0x06,                   /* jg greater */
        0x7c, 0x0a,                   /* jl less */
        0x31, 0xc0,                   /* xor %eax, %eax */
        0xc3,                         /* ret */
        0x90,                         /* nop */
        0xb8, 0x01, 0x00, 0x00, 0x00, /* greater: mov $1, %eax */
        0xc3,                         /* ret */
        0xb8, 0xff, 0xff, 0xff, 0xff, /* less: mov $-1, %eax */
        0xc3,                         /* ret */
    };
    pm_error err;

    assert_int_equal(copy_of(compare, sizeof compare, 0, &err), PM_OK);
    assert_int_equal(call_copy(7, 3), 1);
    assert_int_equal(*counter, 4);
    assert_int_equal(call_copy(3, 7), -1);
    assert_int_equal(*counter, 4 + 5);
    assert_int_equal(call_copy(5, 5), 0);
    assert_int_equal(*counter, 4 + 5 + 5);
    assert_int_equal(call_copy(INT32_MIN, 1), -1);
}

TEST_WITH(data_is_where_it_was, map_pages, unmap_pages)
{
    static const uint8_t load[] = {
        0x8b, 0x05, 0x01, 0x00, 0x00, 0x00, /* mov 1(%rip), %eax */
        0xc3,                               /* ret */
        0x2a, 0x00, 0x00, 0x00,
    };
    pm_error err;

    assert_int_equal(copy_of(load, 7, 4, &err), PM_OK);
    assert_int_equal(call_copy(0, 0), 42);
    pages[7] = 43;
    assert_int_equal(call_copy(0, 0), 43);
    assert_int_equal(*counter, 4);
}

/* An atomic is one instruction, at an address that its own is the base of. */
TEST_WITH(an_atomic_is_one_instruction, map_pages, unmap_pages)
{
    static const uint8_t add[] = {
        0xf0, 0x01, 0x3d, 0x01, 0x00, 0x00, 0x00, /* lock add %edi, 1(%rip) */
        0xc3,                                     /* ret */
        0x28, 0x00, 0x00, 0x00,
    };
    pm_error err;

    assert_int_equal(copy_of(add, 8, 4, &err), PM_OK);
    call_copy(2, 0);
    assert_int_equal(pages[8], 42);
    assert_int_equal(*counter, 2);
}

TEST_WITH(what_is_not_understood_is_refused, map_pages, unmap_pages)
{
    static const uint8_t into_itself[] = {0xeb, 0xff, 0xc3}, no_code[] = {0x06, 0xc3},
                         counts_down[] = {0xe2, 0xfe, 0xc3};
    pm_error err;

    assert_int_equal(copy_of(into_itself, sizeof into_itself, 0, &err), PM_FAILED);
    assert_non_null(strstr(err.text, "into an instruction"));
    assert_int_equal(copy_of(no_code, sizeof no_code, 0, &err), PM_FAILED);
    assert_non_null(strstr(err.text, "LLVM does not know"));
    assert_int_equal(copy_of(counts_down, sizeof counts_down, 0, &err), PM_FAILED);
    assert_non_null(strstr(err.text, "not understood"));
}

/* ---- by traps ------------------------------------------------------------------------------- */

static pm_status run_original(void *user, pm_error *err)
{
    const int *n = user;
    function f;

    (void)err;
    *(void **)&f = pages;
    for (int i = 0; i < 40; i++)
        assert_int_equal(f(*n, 0), *n * (*n + 1) / 2);
    return PM_OK;
}

typedef struct {
    pm_memory memory;
    pm_machine_image image;
    pm_machine_live live;
    int n;
} watching;

static void watch_both(void *user)
{
    watching *w = user;

    pm_machine_live_read(&w->memory, &w->image, 40, &w->live);
    for (pm_machine_watch watch = PM_MACHINE_STEP; watch <= PM_MACHINE_COUNT; watch++)
        pm_require(&w->memory,
                   pm_machine_live_watch(&w->live, 1, watch, run_original, &w->n, w->memory.err));
}

/* Three of forty calls are gone through, all are counted, and the code is as it was. */
TEST_WITH(live_code_is_stepped_through_and_counted, map_pages, unmap_pages)
{
    static const uint8_t sum[] = {0x31, 0xc0, 0x85, 0xff, 0x74, 0x06, 0x01,
                                  0xf8, 0xff, 0xcf, 0x75, 0xfa, 0xc3};
    enum { N = 2100, IN_A_CALL = 4 + 3 * N }; /* more than a window */
    watching w = {.image = {.entry = pages, .code = pages, .bytes = sizeof sum}, .n = N};
    size_t additions = 0;
    pm_error err;

    memcpy(pages, sum, sizeof sum);
    assert_int_equal(pm_attempt(&w.memory, watch_both, &w, &err), PM_OK);
    assert_memory_equal(pages, sum, sizeof sum);
    assert_int_equal(w.live.instructions, 40 * IN_A_CALL);
    assert_int_equal(w.live.step_count, PM_MACHINE_WINDOWS * PM_MACHINE_WINDOW);
    for (size_t i = 0; i < w.live.step_count; i++)
        additions += w.live.text.steps[w.live.steps[i]].at == 6;
    assert_true(additions >= PM_MACHINE_WINDOWS * (PM_MACHINE_WINDOW / 3 - 2));
    pm_memory_free(&w.memory);
}

/* Groups that are shorter than a window share it, and nothing is stepped through behind them. */
TEST_WITH(windows_go_on_in_the_next_group, map_pages, unmap_pages)
{
    static const uint8_t sum[] = {0x31, 0xc0, 0x85, 0xff, 0x74, 0x06, 0x01,
                                  0xf8, 0xff, 0xcf, 0x75, 0xfa, 0xc3};
    enum { N = 10, IN_A_CALL = 4 + 3 * N };
    watching w = {.image = {.entry = pages, .code = pages, .bytes = sizeof sum}, .n = N};
    pm_error err;

    memcpy(pages, sum, sizeof sum);
    assert_int_equal(pm_attempt(&w.memory, watch_both, &w, &err), PM_OK);
    assert_int_equal(w.live.instructions, 40 * IN_A_CALL);
    assert_int_equal(w.live.step_count, (40 - 2) * IN_A_CALL); /* the first window starts late */
    for (size_t i = 0; i < w.live.step_count; i += IN_A_CALL)
        assert_int_equal(w.live.steps[i], 0);
    pm_memory_free(&w.memory);
}

int main(void)
{
#if !defined __x86_64__
    puts("machine code is counted on x86-64 alone");
    return SKIPPED;
#endif
    return run_all_tests(NULL, NULL);
}
