/* Loaded machine code that tells what it executes. See live.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stepping: a breakpoint stands where a work-group begins; in those that are chosen, the trap flag
 * stops the thread after each instruction. Counting: the code is filled with breakpoints, and a
 * thread that comes upon one goes on at the same instruction of a copy that counts; where there is
 * room, a jump to the copy takes the breakpoint's place.
 */
#include "collector/machine/live.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/machine/rewrite.h"

enum { BREAKPOINT = 0xcc, JUMP = 0xe9, JUMP_BYTES = 5, TRAP_FLAG = 0x100 };
/* Where a copy may lie: within 2 GiB of the code, looked for in steps of 1 MiB. */
enum { TRIES = 1024, TRY_BYTES = 1 << 20 };

/* What the handler of a signal can reach is the process's. */
static struct {
    pm_machine_live *live;
    size_t count;
    pm_machine_watch watch;
    pm_machine_live *window; /* whose code is stepped through; NULL: none yet */
    size_t left;             /* instructions of its window; 0: only past its breakpoint */
} now;

/* ---- stepping ------------------------------------------------------------------------------- */

static bool begins_window(const pm_machine_live *live)
{
    const uint64_t apart = live->groups / PM_MACHINE_WINDOWS, first = live->groups / 20;

    return live->windows < PM_MACHINE_WINDOWS && live->begun >= first &&
           (apart == 0 || live->begun % apart == first % apart);
}

/* Where the thread is in the window's code; false: it has left it. */
static bool add_step(const uint8_t *at)
{
    pm_machine_live *live = now.window;
    const uint8_t *code = live->image->code;
    const bool inside = at >= code && at < code + live->text.size;
    const uint32_t k = inside ? live->text.step_at[at - code] : PM_NO_INSTRUCTION;

    if (k == PM_NO_INSTRUCTION)
        return false;
    live->steps[live->step_count++] = k;
    now.left--;
    return true;
}

/* At the breakpoint of a work-group's function, which is taken away for its first instruction, and
 * for good where all windows are done. A window that the last group was too short for goes on. */
static void begin_group(pm_machine_live *live, greg_t *registers)
{
    if (now.window != live)
        now.left = 0;
    live->image->entry[0] = live->text.bytes[live->image->entry - live->image->code];
    registers[REG_RIP] = (greg_t)live->image->entry;
    if (now.left == 0 && live->windows == PM_MACHINE_WINDOWS)
        return;
    if (now.left == 0 && begins_window(live)) {
        live->windows++;
        now.left = PM_MACHINE_WINDOW;
    }
    live->begun++;
    now.window = live;
    registers[REG_EFL] |= TRAP_FLAG;
    if (now.left > 0)
        add_step(live->image->entry);
}

/* The thread is let go where the group ends, so that none is left with the flag. */
static void after_step(greg_t *registers)
{
    const uint8_t *at = (const uint8_t *)registers[REG_RIP];

    if (now.window && now.count > 0) {
        now.window->image->entry[0] = BREAKPOINT;
        if (now.left > 0 && at != now.window->image->entry && add_step(at) && now.left > 0)
            return;
    }
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

/* ---- counting ------------------------------------------------------------------------------- */

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

/* ---- traps ---------------------------------------------------------------------------------- */

static void on_breakpoint(uint8_t *at, greg_t *registers)
{
    for (size_t i = 0; i < now.count; i++) {
        pm_machine_live *live = &now.live[i];
        const uint8_t *code = live->image->code;

        if (at < code || at >= code + live->text.size)
            continue;
        if (now.watch == PM_MACHINE_STEP && at == live->image->entry) {
            begin_group(live, registers);
            return;
        }
        if (now.watch == PM_MACHINE_COUNT && live->text.step_at[at - code] != PM_NO_INSTRUCTION) {
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
    if (info->si_code == TRAP_TRACE)
        after_step(registers);
    else
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

static void write_copy(pm_memory *memory, pm_machine_live *live)
{
    const size_t bytes = sizeof *live->counter + pm_machine_copy_bytes(&live->text);
    uint8_t *pages = map_near(live->image->code, bytes);

    if (!pages)
        pm_leave(memory, PM_FAILED, "no room for a copy of machine code near it");
    live->counter = (uint64_t *)pages;
    live->copy = pages + sizeof *live->counter;
    live->copy_bytes = bytes;
    live->place = pm_take(memory, live->text.count, sizeof *live->place);
    pm_machine_copy_write(memory, &live->text, live->image->code, live->copy, live->counter,
                          live->place);
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
    if (!live->copy)
        return;
    live->instructions += *live->counter;
    munmap(live->counter, live->copy_bytes);
    live->copy = NULL;
}

/* ---- watching ------------------------------------------------------------------------------- */

static pm_status arm(pm_machine_watch watch, pm_error *err)
{
    for (size_t i = 0; i < now.count; i++) {
        pm_machine_live *live = &now.live[i];

        live->written = set_writable(live->image, true);
        if (!live->written)
            return pm_fail(err, PM_FAILED, "this system does not let machine code be changed");
        if (watch == PM_MACHINE_COUNT)
            memset(live->image->code, BREAKPOINT, live->text.size);
        else
            live->image->entry[0] = BREAKPOINT;
    }
    return PM_OK;
}

pm_status pm_machine_live_watch(pm_machine_live *live, size_t count, pm_machine_watch watch,
                                pm_status (*pass)(void *user, pm_error *err), void *user,
                                pm_error *err)
{
    copying c = {.live = live, .count = watch == PM_MACHINE_COUNT ? count : 0};
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
    pm_status status = pm_attempt(&c.memory, write_copies, &c, err);

    now.live = live;
    now.count = count;
    now.watch = watch;
    now.window = NULL;
    now.left = 0;
    sigaction(SIGTRAP, &trap, &before);
    if (status == PM_OK)
        status = arm(watch, err);
    if (status == PM_OK)
        status = pass(user, err);
    for (size_t i = 0; i < count; i++)
        restore(&live[i]);
    sigaction(SIGTRAP, &before, NULL);
    now.count = 0;
    pm_memory_free(&c.memory);
    return status;
}

void pm_machine_live_read(pm_memory *memory, const pm_machine_image *image, uint64_t groups,
                          pm_machine_live *live)
{
    uint8_t *bytes = pm_take(memory, image->bytes, 1);

    memcpy(bytes, image->code, image->bytes);
    *live = (pm_machine_live){.image = image,
                              .groups = groups,
                              .steps = pm_take(memory,
                                               (size_t)PM_MACHINE_WINDOWS * PM_MACHINE_WINDOW + 1,
                                               sizeof *live->steps)};
    pm_machine_text_read(memory, bytes, image->bytes, &live->text);
}
