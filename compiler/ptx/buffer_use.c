/* Finds buffers that a kernel does not write, and buffers whose contents affect only the values
 * that the kernel computes. See buffer_use.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This is an information-flow analysis that ignores the order of the instructions. For each
 * register it computes two sets of parameters. `pointers`: parameters from whose values the
 * register is computed, without loads from other memory; by this set, we know to which buffer an
 * address leads. `contents`: parameters whose buffers' contents the register may depend on. One
 * more element of the sets, OTHER, stands for shared memory, local memory and variables. The sets
 * only grow, so repeating the pass over all instructions ends.
 */
#include "compiler/ptx/buffer_use.h"

#include <string.h>

#include "base/strings.h"

enum { WORD = 64, MOST_ROUNDS = 100 };

/* State while it is analysed which parameters of a kernel each register depends on. A set of
 * parameters has `words` words of 64 bits. Bit p is set if the set has parameter p, and bit
 * `other` if it has OTHER. */
typedef struct {
    const pm_ptx_function *function;
    size_t words, other;
    uint64_t *pointers; /* pointers + r * words: the set `pointers` of register r */
    uint64_t *contents; /* contents + r * words: the set `contents` of register r */
    /* stored + p * words: parameters whose contents may have been stored to the buffer of parameter
     * p, or to OTHER */
    uint64_t *stored;
    uint64_t *written;  /* parameters to whose buffers the kernel stores */
    uint64_t *deciding; /* parameters whose contents reach an address or a branch */
    bool changed;       /* true: a set grew in this pass */
    bool lost;          /* true: in this pass, an address led to no parameter and no variable */
    /* true: the kernel has an instruction that this analysis does not know, so it must assume that
     * the contents of all buffers matter */
    bool failed;
} flow;

/* ---- sets ------------------------------------------------------------------------------------ */

static void add_set(const flow *f, uint64_t *to, const uint64_t *from)
{
    for (size_t w = 0; w < f->words; w++)
        to[w] |= from[w];
}

/* Adds a set like add_set. Sets f->changed if the set of a register or a buffer grew, because the
 * instructions must then be visited again. */
static void grow_set(flow *f, uint64_t *to, const uint64_t *from)
{
    for (size_t w = 0; w < f->words; w++)
        f->changed = f->changed || (from[w] & ~to[w]) != 0;
    add_set(f, to, from);
}

static void clear_set(const flow *f, uint64_t *set)
{
    memset(set, 0, f->words * sizeof *set);
}

static void add_member(uint64_t *set, size_t member)
{
    set[member / WORD] |= UINT64_C(1) << member % WORD;
}

static bool has_member(const uint64_t *set, size_t member)
{
    return set[member / WORD] >> member % WORD & 1;
}

static bool is_empty_set(const flow *f, const uint64_t *set)
{
    for (size_t w = 0; w < f->words; w++)
        if (set[w])
            return false;
    return true;
}

static uint64_t *pointers_of(const flow *f, const pm_ptx_register *reg)
{
    return f->pointers + reg->number * f->words;
}

static uint64_t *contents_of(const flow *f, const pm_ptx_register *reg)
{
    return f->contents + reg->number * f->words;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Adds the sets of each register and variable in an operand to `pointers` and `contents`. Each of
 * the two may be NULL if it is not needed. */
static void gather_sets(const flow *f, const pm_ptx_operand *operand, uint64_t *pointers,
                        uint64_t *contents)
{
    if (operand->kind == PM_PTX_REGISTER) {
        if (pointers)
            add_set(f, pointers, pointers_of(f, operand->reg));
        if (contents)
            add_set(f, contents, contents_of(f, operand->reg));
    }
    if (operand->kind == PM_PTX_SYMBOL && pointers) {
        const pm_ptx_variable *variable = operand->variable;
        const bool is_parameter = variable->number < f->function->parameter_count &&
                                  f->function->parameters[variable->number] == variable;

        add_member(pointers, is_parameter ? variable->number : f->other);
    }
    for (size_t i = 0; i < operand->part_count; i++)
        gather_sets(f, &operand->parts[i], pointers, contents);
}

/* Adds sets to all registers of an operand that gets an instruction's result. */
static void assign_sets(flow *f, const pm_ptx_operand *operand, const uint64_t *pointers,
                        const uint64_t *contents)
{
    if (operand->kind == PM_PTX_REGISTER) {
        grow_set(f, pointers_of(f, operand->reg), pointers);
        grow_set(f, contents_of(f, operand->reg), contents);
    }
    for (size_t i = 0; i < operand->part_count; i++)
        assign_sets(f, &operand->parts[i], pointers, contents);
}

/* ---- accesses to memory ---------------------------------------------------------------------- */

/* An instruction, and the sets of parameters from which its result is computed (`pointers`) and on
 * whose contents its result depends (`contents`). */
typedef struct {
    const pm_ptx_instruction *i;
    uint64_t *pointers, *contents; /* of its result */
} step;

/* Sets *space to the buffers to which an access leads. Marks the contents from which its address is
 * computed as deciding, because they determine which memory the kernel accesses. */
static void find_space(flow *f, const pm_ptx_instruction *i, const pm_ptx_operand *address,
                       uint64_t *space)
{
    static const char *const spaces[] = {"shared",      "local",           "const",
                                         "shared::cta", "shared::cluster", NULL};
    const bool is_async = strcmp(i->opcode, "cp") == 0;

    gather_sets(f, address, space, f->deciding);
    if (pm_ptx_choice(i, spaces) && !is_async) {
        clear_set(f, space);
        add_member(space, f->other);
    }
    /* an empty set: the address was itself loaded from memory, or is a plain number, and may lead
     * anywhere */
    f->lost = f->lost || is_empty_set(f, space);
}

/* Adds the parameters on which a value may depend that is loaded from the buffers in `space`. */
static void add_loaded(const flow *f, const uint64_t *space, uint64_t *contents)
{
    for (size_t p = 0; p <= f->other; p++) {
        if (!has_member(space, p))
            continue;
        if (p < f->other)
            add_member(contents, p);
        add_set(f, contents, f->stored + p * f->words);
    }
}

/* Adds the parameters on which the buffers in `space` may depend after a store, and marks the
 * buffers as written. */
static void add_stored(flow *f, const uint64_t *space, const uint64_t *contents)
{
    add_set(f, f->written, space);
    for (size_t p = 0; p <= f->other; p++)
        if (has_member(space, p))
            grow_set(f, f->stored + p * f->words, contents);
}

/* Handles an asynchronous copy (cp.async) from operand 1 to shared memory. Its further operands are
 * sizes, which decide the addresses. */
static void follow_copy(flow *f, const step *s, uint64_t *space)
{
    const pm_ptx_instruction *i = s->i;

    if (i->operand_count < 2 || !pm_ptx_has(i, "async") || pm_ptx_has(i, "bulk")) {
        f->failed = f->failed || i->operand_count > 1;
        return;
    }
    find_space(f, i, &i->operands[1], space);
    add_loaded(f, space, s->contents);
    clear_set(f, space);
    add_member(space, f->other);
    gather_sets(f, &i->operands[0], NULL, f->deciding);
    add_stored(f, space, s->contents);
    for (size_t k = 2; k < i->operand_count; k++)
        gather_sets(f, &i->operands[k], NULL, f->deciding);
}

/* Handles an instruction with an address. `address` is its index among the operands. */
static void follow_access(flow *f, const step *s, size_t address, uint64_t *space)
{
    static const char *const known[] = {"ld",       "ldu",       "st",       "atom",
                                        "red",      "wmma",      "ldmatrix", "stmatrix",
                                        "prefetch", "prefetchu", "mbarrier", NULL};
    static const char *const loads[] = {"ld", "ldu", "ldmatrix", "prefetch", "prefetchu", NULL};
    const pm_ptx_instruction *i = s->i;
    const bool has_result = address > 0 && strcmp(i->opcode, "red") != 0;
    const bool only_loads =
        pm_listed(loads, i->opcode) || (strcmp(i->opcode, "wmma") == 0 && pm_ptx_has(i, "load"));

    if (!pm_listed(known, i->opcode)) {
        f->failed = true;
        return;
    }
    find_space(f, i, &i->operands[address], space);
    for (size_t k = address + 1; k < i->operand_count; k++)
        gather_sets(f, &i->operands[k], NULL, s->contents);
    if (strcmp(i->opcode, "wmma") == 0) /* the last operand, the stride, decides addresses */
        gather_sets(f, &i->operands[i->operand_count - 1], NULL, f->deciding);
    if (!only_loads)
        add_stored(f, space, s->contents);
    if (!has_result)
        return;
    add_loaded(f, space, s->contents);
    assign_sets(f, &i->operands[0], s->pointers, s->contents);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Returns whether an instruction loads a parameter of the kernel, or, by an address in a register,
 * a part of a parameter. */
static bool loads_parameter(const pm_ptx_instruction *i)
{
    return strcmp(i->opcode, "ld") == 0 && pm_ptx_has(i, "param") && i->operand_count == 2;
}

static size_t find_address(const pm_ptx_instruction *i)
{
    size_t k = 0;

    while (k < i->operand_count && i->operands[k].kind != PM_PTX_ADDRESS)
        k++;
    return k;
}

/* Returns whether an instruction calls a function that may access memory. */
static bool calls_function(const pm_ptx_instruction *i)
{
    static const char *const messages[] = {"vprintf", "__assertfail", NULL};

    if (strcmp(i->opcode, "call") != 0)
        return false;
    for (size_t k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == PM_PTX_CALLEE &&
            pm_listed(messages, i->operands[k].function->name))
            return false;
    return true;
}

/* Returns whether an instruction does nothing but compute its result: it does not jump, access
 * memory or synchronize. */
static bool only_computes(const pm_ptx_instruction *i)
{
    static const char *const others[] = {"bra", "brx",     "call",      "ret",     "exit", "trap",
                                         "bar", "barrier", "nanosleep", "pmevent", NULL};

    return !pm_listed(others, i->opcode) && find_address(i) == i->operand_count;
}

static void add_deciding(const flow *f, const pm_ptx_instruction *i)
{
    for (size_t k = 0; k < i->operand_count; k++)
        gather_sets(f, &i->operands[k], NULL, f->deciding);
}

static void follow_instruction(flow *f, const step *s, uint64_t *space)
{
    static const char *const refused[] = {"tex",   "tld4",  "txq",     "suld", "sust",
                                          "sured", "wgmma", "tcgen05", NULL};
    const pm_ptx_instruction *i = s->i;
    const size_t address = find_address(i);

    f->failed = f->failed || pm_listed(refused, i->opcode) || calls_function(i);
    if (i->guard) {
        add_set(f, s->contents, contents_of(f, i->guard));
        if (!only_computes(i))
            add_set(f, f->deciding, contents_of(f, i->guard));
    }
    if (loads_parameter(i)) {
        gather_sets(f, &i->operands[1], s->pointers, s->contents);
        assign_sets(f, &i->operands[0], s->pointers, s->contents);
    } else if (strcmp(i->opcode, "cp") == 0) {
        follow_copy(f, s, space);
    } else if (address < i->operand_count) {
        follow_access(f, s, address, space);
    } else if (!only_computes(i)) {
        add_deciding(f, i);
    } else if (i->operand_count > 0) {
        for (size_t k = 1; k < i->operand_count; k++)
            gather_sets(f, &i->operands[k], s->pointers, s->contents);
        assign_sets(f, &i->operands[0], s->pointers, s->contents);
    }
}

static void follow_all(flow *f, uint64_t *sets)
{
    const pm_ptx_function *function = f->function;

    f->changed = f->lost = false;
    for (size_t k = 0; k < function->instruction_count && !f->failed; k++) {
        const step s = {&function->instructions[k], sets, sets + f->words};

        memset(sets, 0, 3 * f->words * sizeof *sets);
        follow_instruction(f, &s, sets + 2 * f->words);
    }
}

pm_ptx_buffer_use *pm_ptx_find_buffer_use(pm_memory *memory, const pm_ptx_function *kernel)
{
    const size_t count = kernel->parameter_count, words = count / WORD + 1;
    pm_ptx_buffer_use *use = pm_take(memory, count + 1, sizeof *use);
    flow f = {.function = kernel, .words = words, .other = count, .changed = true};
    uint64_t *sets = pm_take(memory, 3 * words, sizeof *sets);
    unsigned rounds = 0;

    f.pointers = pm_take(memory, (kernel->register_count + 1) * words, sizeof *f.pointers);
    f.contents = pm_take(memory, (kernel->register_count + 1) * words, sizeof *f.contents);
    f.stored = pm_take(memory, (count + 1) * words, sizeof *f.stored);
    f.written = pm_take(memory, words, sizeof *f.written);
    f.deciding = pm_take(memory, words, sizeof *f.deciding);
    while (f.changed && !f.failed && rounds++ < MOST_ROUNDS)
        follow_all(&f, sets);
    for (size_t p = 0; p < count && !f.failed && !f.lost && !f.changed; p++) {
        use[p].has_spare_contents = !has_member(f.deciding, p);
        use[p].is_read_only = !has_member(f.written, p);
    }
    return use;
}
