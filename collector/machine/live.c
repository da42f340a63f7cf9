/* Loaded machine code that tells what it executes. See live.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code is filled with breakpoints, and a thread that comes upon one goes on at the same
 * instruction of a copy that counts; where there is room, a jump to the copy takes the breakpoint's
 * place.
 */
#include "collector/machine/live.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/machine/rewrite.h"

enum { BREAKPOINT = 0xcc, JUMP = 0xe9, JUMP_BYTES = 5 };
/* Where a copy may lie: within 2 GiB of the code, looked for in steps of 1 MiB. */
enum { TRIES = 1024, TRY_BYTES = 1 << 20 };

/* What the handler of a signal can reach is the process's. */
static struct {
    pm_machine_live *live;
    size_t count;
} now;

/* ---- traps ---------------------------------------------------------------------------------- */

static void go_to_copy(const pm_machine_live *live, uint8_t *at, greg_t *registers)
{
    const pm_machine_text *text = &live->text;
    const size_t byte = (size_t)(at - live->image->code);
    const uint8_t *to = live->copy + live->place[text->step_at[byte]];
    const int32_t distance = (int32_t)(to - (at + JUMP_BYTES));
    bool room = byte + JUMP_BYTES <= text->size;

    for (size_t k = byte + 1; room && k < byte + JUMP_BYTES; k++)
        room = text->step_at[k] == PM_NO_INSTRUCTION || !text->steps[text->step_at[k]].leads;
    if (room) {
        memcpy(at + 1, &distance, sizeof distance);
        at[0] = JUMP;
    }
    registers[REG_RIP] = (greg_t)to;
}

static void on_breakpoint(uint8_t *at, greg_t *registers)
{
    for (size_t i = 0; i < now.count; i++) {
        pm_machine_live *live = &now.live[i];
        const uint8_t *code = live->image->code;

        if (at < code || at >= code + live->text.size)
            continue;
        if (live->text.step_at[at - code] != PM_NO_INSTRUCTION) {
            go_to_copy(live, at, registers);
            return;
        }
    }
    signal(SIGTRAP, SIG_DFL); /* not one of ours */
    raise(SIGTRAP);
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)number;
    (void)info;
    on_breakpoint((uint8_t *)registers[REG_RIP] - 1, registers);
}

/* ---- code that is written over -------------------------------------------------------------- */

static bool set_writable(const pm_machine_image *image, bool writable)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)image->code / page * page;
    const uintptr_t end = ((uintptr_t)image->code + image->bytes + page - 1) / page * page;

    return mprotect((void *)start, end - start,
                    PROT_READ | PROT_EXEC | (writable ? PROT_WRITE : 0)) == 0;
}

/* Pages near the code, or NULL. */
static uint8_t *map_near(const uint8_t *code, size_t bytes)
{
    for (size_t k = 1; k < TRIES; k++) {
        uint8_t *wish = (uint8_t *)((uintptr_t)code / TRY_BYTES * TRY_BYTES) + k * TRY_BYTES;
        uint8_t *got = mmap(wish, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (got == MAP_FAILED)
            return NULL;
        if (got > code && (size_t)(got - code) < (size_t)TRIES * TRY_BYTES)
            return got;
        munmap(got, bytes);
    }
    return NULL;
}

/* The counts come first in the pages. */
static void write_copy(pm_memory *memory, pm_machine_live *live)
{
    const size_t counts = live->text.count * sizeof *live->counts;
    const size_t bytes = counts + pm_machine_copy_bytes(&live->text);

    live->pages = map_near(live->image->code, bytes);
    if (!live->pages)
        pm_leave(memory, PM_FAILED, "no room for a copy of machine code near it");
    live->page_bytes = bytes;
    live->copy = live->pages + counts;
    live->place = pm_take(memory, live->text.count, sizeof *live->place);
    pm_machine_copy_write(memory, &live->text, live->image->code, live->copy,
                          (const pm_machine_counts *)live->pages, live->place);
}

typedef struct {
    pm_memory memory;
    pm_machine_live *live;
    size_t count;
} copying;

static void write_copies(void *user)
{
    copying *c = user;

    for (size_t i = 0; i < c->count; i++)
        write_copy(&c->memory, &c->live[i]);
}

static void restore(pm_machine_live *live)
{
    if (live->written)
        memcpy(live->image->code, live->text.bytes, live->text.size);
    if (live->written)
        set_writable(live->image, false);
    live->written = false;
    if (!live->pages)
        return;
    memcpy(live->counts, live->pages, live->text.count * sizeof *live->counts);
    munmap(live->pages, live->page_bytes);
    live->pages = NULL;
}

/* ---- counting ------------------------------------------------------------------------------- */

static pm_status arm(pm_error *err)
{
    for (size_t i = 0; i < now.count; i++) {
        pm_machine_live *live = &now.live[i];

        live->written = set_writable(live->image, true);
        if (!live->written)
            return pm_fail(err, PM_FAILED, "this system does not let machine code be changed");
        memset(live->image->code, BREAKPOINT, live->text.size);
    }
    return PM_OK;
}

pm_status pm_machine_live_count(pm_machine_live *live, size_t count,
                                pm_status (*pass)(void *user, pm_error *err), void *user,
                                pm_error *err)
{
    copying c = {.live = live, .count = count};
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
    pm_status status = pm_attempt(&c.memory, write_copies, &c, err);

    now.live = live;
    now.count = count;
    sigaction(SIGTRAP, &trap, &before);
    if (status == PM_OK)
        status = arm(err);
    if (status == PM_OK)
        status = pass(user, err);
    for (size_t i = 0; i < count; i++)
        restore(&live[i]);
    sigaction(SIGTRAP, &before, NULL);
    now.count = 0;
    pm_memory_free(&c.memory);
    return status;
}

void pm_machine_live_read(pm_memory *memory, const pm_machine_image *image, pm_machine_live *live)
{
    uint8_t *bytes = pm_take(memory, image->bytes, 1);

    memcpy(bytes, image->code, image->bytes);
    *live = (pm_machine_live){.image = image};
    pm_machine_text_read(memory, bytes, image->bytes, &live->text);
    live->counts = pm_take(memory, live->text.count, sizeof *live->counts);
}
