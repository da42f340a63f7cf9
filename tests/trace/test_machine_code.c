/* Machine code that counts what it executes: the same results, and counts known by hand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <sys/mman.h>

#include "collector/machine/cores.h"
#include "collector/machine/live.h"
#include "collector/machine/paths.h"
#include "unit.h"

enum { PAGES = 1 << 16, COPY = 4096, COUNTS = 1 << 15, MOST = 64, SKIPPED = 77 };

/* Pages that hold the code, its copy and the counts. */
static uint8_t *pages;
/* Of the code that was copied last: whether an instruction leads a block. */
static bool leads[MOST];
static size_t instructions;

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

#define counted ((pm_machine_counts *)(pages + COUNTS))

/* Instructions since the counts were cleared, which they are. */
static uint64_t executed(void)
{
    uint64_t sum = 0, times = 0;

    for (size_t k = 0; k < instructions; k++) {
        times = leads[k] ? counted[k].begun : times;
        sum += times;
    }
    memset(counted, 0, instructions * sizeof *counted);
    return sum;
}

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
    assert_true(pm_machine_copy_bytes(&r->text) < COUNTS - COPY);
    assert_true(r->text.count <= MOST);
    pm_machine_copy_write(&r->memory, &r->text, pages, pages + COPY, counted, place);
    instructions = r->text.count;
    for (size_t k = 0; k < instructions; k++)
        leads[k] = r->text.steps[k].leads;
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
    executed();
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
        assert_int_equal(call_copy(n, 0), n * (n + 1) / 2);
        assert_int_equal(counted[2].passed, n > 0); /* je */
        assert_int_equal(counted[5].passed, n > 0); /* jne: once, at the end */
        assert_int_equal(executed(), AROUND + ROUND * n);
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
    assert_int_equal(executed(), 4);
    assert_int_equal(call_copy(3, 7), -1);
    assert_int_equal(executed(), 5);
    assert_int_equal(call_copy(5, 5), 0);
    assert_int_equal(executed(), 5);
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
    assert_int_equal(executed(), 4);
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
    assert_int_equal(executed(), 2);
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
    pm_machine_paths paths;
    int n;
} watching;

static void count_and_follow(void *user)
{
    watching *w = user;

    pm_machine_live_read(&w->memory, &w->image, &w->live);
    pm_require(&w->memory, pm_machine_live_count(&w->live, 1, run_original, &w->n, w->memory.err));
    w->paths = pm_machine_paths_of(&w->memory, &w->live.text, w->live.counts, 0);
}

/* Forty calls are counted, the code is as it was, and the sequences go through the loop as often as
 * calls did. */
static void assert_followed(int n)
{
    static const uint8_t sum[] = {0x31, 0xc0, 0x85, 0xff, 0x74, 0x06, 0x01,
                                  0xf8, 0xff, 0xcf, 0x75, 0xfa, 0xc3};
    enum { STEPS = PM_MACHINE_PATHS * PM_MACHINE_PATH };
    const int in_a_call = 4 + 3 * n;
    watching w = {.image = {.entry = pages, .code = pages, .bytes = sizeof sum}, .n = n};
    size_t additions = 0, returns = 0;
    pm_error err;

    memcpy(pages, sum, sizeof sum);
    assert_int_equal(pm_attempt(&w.memory, count_and_follow, &w, &err), PM_OK);
    assert_memory_equal(pages, sum, sizeof sum);
    assert_int_equal(w.paths.instructions, 40 * in_a_call);
    assert_float_equal(w.paths.wrong, n > 1 ? 20 : 0, 0); /* half of the loops' ends */
    for (size_t i = 0; i < STEPS; i++) {
        additions += w.live.text.steps[w.paths.steps[i]].at == 6;
        returns += w.live.text.steps[w.paths.steps[i]].flow == PM_FLOW_AWAY;
    }
    assert_in_range(additions, STEPS * n / in_a_call - 3 * PM_MACHINE_PATHS,
                    STEPS * n / in_a_call + 3 * PM_MACHINE_PATHS);
    assert_in_range(returns,
                    STEPS / in_a_call > PM_MACHINE_PATHS ? STEPS / in_a_call - PM_MACHINE_PATHS : 0,
                    STEPS / in_a_call + PM_MACHINE_PATHS);
    pm_memory_free(&w.memory);
}

TEST_WITH(short_loops_are_followed, map_pages, unmap_pages)
{
    assert_followed(1);
}

TEST_WITH(loops_are_followed, map_pages, unmap_pages)
{
    assert_followed(10);
}

TEST_WITH(loops_longer_than_a_sequence_are_followed, map_pages, unmap_pages)
{
    assert_followed(2100);
}

/* Half of the branches ahead that go both ways alike, and half of a loop's ends, by this rule. */
TEST_WITH(branches_ahead_are_foretold_wrongly, map_pages, unmap_pages)
{
    static const uint8_t even[] = {
        0x31, 0xc0,             /* xor %eax, %eax */
        0x40, 0xf6, 0xc7, 0x01, /* next: test $1, %dil */
        0x74, 0x02,             /* je even */
        0x01, 0xf8,             /* add %edi, %eax */
        0xff, 0xcf,             /* even: dec %edi */
        0x75, 0xf4,             /* jne next */
        0xc3,                   /* ret */
    };
    reading r = {.bytes = even, .size = sizeof even};
    pm_machine_counts kept[MOST];
    pm_machine_paths paths;
    pm_error err;

    memcpy(pages, even, sizeof even);
    assert_int_equal(pm_attempt(&r.memory, read_and_copy, &r, &err), PM_OK);
    executed();
    assert_int_equal(call_copy(1000, 0), 250000);
    memcpy(kept, counted, instructions * sizeof *kept);
    paths = pm_machine_paths_of(&r.memory, &r.text, kept, 0);
    assert_float_equal(paths.wrong, 500 + 0.5, 0);
    assert_int_equal(paths.instructions, executed());
    pm_memory_free(&r.memory);
}

/* ---- cores ---------------------------------------------------------------------------------- */

static void assert_written(const char *cpu, const char *text, const char *written)
{
    const pm_machine_core core = pm_machine_core_of(cpu);
    char *got = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&got, &bytes);

    assert_non_null(file);
    pm_machine_write_step(file, &core, text);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(got, written);
    free(got);
}

TEST(what_llvm_has_otherwise_is_written_otherwise)
{
    assert_written("znver3", "\tidivl\t%ecx", "\tidivl\t%ecx\n");
    assert_written("cascadelake", "\taddl\t%ecx, %eax", "\taddl\t%ecx, %eax\n");
    assert_written("cascadelake", "\tvdivps\t%ymm0, %ymm1, %ymm2",
                   "\tvdivps\t%ymm0, %ymm1, %ymm2\n");
    /* nine products of three cycles */
    assert_written("cascadelake", "\tidivl\t4(%rsi)",
                   "\timull\t%edx, %eax\n\timull\t4(%rsi), %eax\n"
                   "\timull\t%eax, %eax\n\timull\t%eax, %eax\n\timull\t%eax, %eax\n"
                   "\timull\t%eax, %eax\n\timull\t%eax, %eax\n\timull\t%eax, %eax\n"
                   "\timull\t%eax, %eax\n\tmovl\t%eax, %edx\n");
    assert_written("cascadelake", "\tvgatherdps\t(%rax,%ymm1,4), %ymm0 {%k1}",
                   "\tvgatherdps\t(%rax,%ymm1,4), %ymm0 {%k1}\n"
                   "\tpmullw\t%mm7, %mm7\n\tpmullw\t%mm7, %mm7\n\tpmullw\t%mm7, %mm7\n"
                   "\tpmullw\t%mm7, %mm7\n\tpmullw\t%mm7, %mm7\n\tpmullw\t%mm7, %mm7\n");
}

int main(void)
{
#if !defined __x86_64__
    puts("machine code is counted on x86-64 alone");
    return SKIPPED;
#endif
    return run_all_tests(NULL, NULL);
}
