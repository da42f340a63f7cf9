/* Reads the registers, local memory and spills of kernels from the assembly that LLVM generates for
 * AMD GPUs. See amd_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It reads these lines: LLVM's comments on basic blocks and spills, and the metadata of kernels
 * after the code:
 *
 *     add:                                    ; @add
 *     .LBB0_2:                                ; =>This Inner Loop Header: Depth=1
 *         buffer_store_dword v9, off, s[20:23], 0 offset:168 ; 4-byte Folded Spill
 *         scratch_load_b32 v4, off, off offset:8
 *         s_waitcnt vmcnt(1) lgkmcnt(0)
 *     amdhsa.kernels:
 *       - .args: ...
 *         .name:           add
 *         .vgpr_count:     128
 */
#include "compiler/amd/amd_code.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* capacity of the queue of outstanding instructions; the counter vmcnt has at most 6 bits */
enum { MOST_UNDER_WAY = 64 };

static const size_t NO_LOAD = SIZE_MAX;

typedef struct {
    pm_amd_code *code;
    /* Functions of the assembly that were read so far, each with counts of its instructions; they
     * are found by name. */
    pm_amd_kernel *functions;
    size_t function_count;
    pm_amd_kernel *function; /* the function whose code is being read; NULL: none */
    /* Outstanding memory instructions, oldest first, as the instruction s_waitcnt counts them. The
     * element of a load is the value of `waited` (number of waits so far) when the load was issued.
     * The element of another instruction is NO_LOAD. */
    size_t queue[MOST_UNDER_WAY];
    size_t under_way, waited;
    /* true: stores and loads have separate counters (gfx10 and later) */
    bool stores_apart;
    /* buffer resource operand, such as s[20:23], of the kernel's stores of spilled registers; ""
     * before the first such store */
    char stack[32];
    bool block_starts, in_loop;
    bool metadata; /* true while the metadata of kernels is read */
    /* the kernel whose metadata is being read; its name is NULL until the name is read */
    pm_amd_kernel kernel;
} reading;

static bool starts(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* ---- code ----------------------------------------------------------------------------------- */

/* Reads the first line of a function, "name:  ; @name". Returns false if the line has another
 * form. */
static bool starts_function(reading *r, const char *line)
{
    const char *at = strstr(line, "; @");
    size_t length = strcspn(line, ":");

    if (!at || line[length] != ':' || isspace((unsigned char)*line) || *line == ';')
        return false;
    r->function = pm_add(&r->code->memory, r->functions, r->function_count);
    *r->function =
        (pm_amd_kernel){.kernel = pm_format(&r->code->memory, "%.*s", (int)length, line)};
    *r->stack = '\0';
    r->block_starts = r->in_loop = false;
    r->under_way = r->waited = 0;
    return true;
}

/* Reads the label of a basic block, or a comment below the label that says whether the block is in
 * a loop. Returns false if the line is neither. */
static bool is_of_label(reading *r, const char *line)
{
    const char *text = line + strspn(line, " \t");
    const bool label = starts(line, ".LBB") || starts(line, "; %bb.");

    if (!label && !(r->block_starts && *text == ';'))
        return false;
    if (label)
        r->in_loop = false;
    r->in_loop |= strstr(text, "Depth=") != NULL;
    r->block_starts = true;
    return true;
}

/* Returns the number of 32-bit registers per work-item that a memory instruction accesses, from the
 * end of its name, such as dwordx2 or b64. */
static double words_of(const char *name, size_t length)
{
    static const struct {
        const char *end;
        double words;
    } widths[] = {{"x2", 2}, {"x3", 3}, {"x4", 4}, {"b64", 2}, {"b96", 3}, {"b128", 4}};

    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        size_t end = strlen(widths[w].end);

        if (length > end && memcmp(name + length - end, widths[w].end, end) == 0)
            return widths[w].words;
    }
    return 1;
}

/* Copies the buffer resource operand (here s[20:23]) of an instruction such as "buffer_store_dword
 * v9, off, s[20:23], 0 offset:168". Returns false if the instruction has none. */
static bool resource_of(const char *line, char *resource, size_t size)
{
    const char *at = strstr(line, ", off, ");
    size_t length = at ? strcspn(at + 7, ",") : 0;

    if (length == 0 || length >= size)
        return false;
    memcpy(resource, at + 7, length);
    resource[length] = '\0';
    return true;
}

/* Returns true if the instruction stores a spilled register. LLVM marks all such stores by a
 * comment, but only some of the reloads. Therefore is_reload recognizes reloads by their address,
 * which does not depend on the work-item. */
static bool is_spill(reading *r, const char *name, const char *line)
{
    char resource[sizeof r->stack];

    if (!strstr(line, "Folded Spill"))
        return false;
    if (starts(name, "buffer_store_") && resource_of(line, resource, sizeof resource)) {
        strcpy(r->stack, resource);
        return true;
    }
    return starts(name, "scratch_store_");
}

static bool is_reload(const reading *r, const char *name, const char *line)
{
    char resource[sizeof r->stack];

    if (starts(name, "scratch_load_"))
        return strstr(line, ", off, ") != NULL;
    return starts(name, "buffer_load_dword") && resource_of(line, resource, sizeof resource) &&
           strcmp(resource, r->stack) == 0;
}

/* ---- waits ----------------------------------------------------------------------------------- */

static void start(reading *r, size_t what)
{
    if (r->under_way == MOST_UNDER_WAY) {
        r->under_way--;
        memmove(r->queue, r->queue + 1, r->under_way * sizeof *r->queue);
    }
    r->queue[r->under_way++] = what;
}

/* Handles a wait of the machine code until at most `left` memory instructions are outstanding.
 * part: counts of the code that contains the wait. Adds 1 to its waits, but only if a load was
 * issued after the last counted wait. Earlier loads had the time of that wait to arrive. */
static void wait_until(reading *r, size_t left, pm_code_part *part)
{
    bool waits = false;
    size_t done;

    if (left >= r->under_way)
        return;
    done = r->under_way - left;
    for (size_t i = 0; i < done; i++)
        waits = waits || (r->queue[i] != NO_LOAD && r->queue[i] >= r->waited);
    memmove(r->queue, r->queue + done, left * sizeof *r->queue);
    r->under_way = left;
    r->waited += waits;
    part->waits += waits;
}

/* Reads a wait instruction: "s_waitcnt vmcnt(1) lgkmcnt(0)", or from gfx12 on "s_wait_loadcnt 0x1".
 * part: counts to which the wait is added. */
static void read_wait(reading *r, const char *name, pm_code_part *part)
{
    const char *count = starts(name, "s_waitcnt") ? strstr(name, "vmcnt(") : NULL;

    if (count)
        wait_until(r, strtoul(count + strlen("vmcnt("), NULL, 10), part);
    else if (starts(name, "s_wait_loadcnt"))
        wait_until(r, strtoul(name + strcspn(name, " \t"), NULL, 0), part);
}

static bool is_vector_memory(const char *name)
{
    return starts(name, "global_") || starts(name, "flat_") || starts(name, "buffer_") ||
           starts(name, "scratch_");
}

/* Reads a memory instruction, counts it in `part`, and appends it to the queue of outstanding
 * memory instructions. own: true if the instruction stores or reloads a spilled register. */
static void read_memory(reading *r, const char *name, size_t length, bool own, pm_code_part *part)
{
    char word[64];
    bool load;

    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             name);
    load = strstr(word, "_load") != NULL;
    if (!is_vector_memory(word) || (!load && r->stores_apart && strstr(word, "_store")) ||
        starts(word, "buffer_wbinv") || starts(word, "buffer_inv") || starts(word, "buffer_gl") ||
        starts(word, "buffer_wbl2"))
        return;
    part->fetches += load && !own;
    start(r, load && !own ? r->waited : NO_LOAD);
}

static void read_instruction(reading *r, const char *line)
{
    const char *name = line + 1;
    size_t length = strcspn(name, " \t\n;");
    bool own = false;
    pm_code_part *part;

    r->block_starts = false;
    if (*line != '\t' || !islower((unsigned char)*name))
        return;
    part = r->in_loop ? &r->function->taken.inside : &r->function->taken.outside;
    part->instructions++;
    r->function->calls |= starts(name, "s_swappc");
    if (is_spill(r, name, line)) {
        part->stores += words_of(name, length);
        own = true;
    } else if (is_reload(r, name, line)) {
        part->loads += words_of(name, length);
        own = true;
    }
    read_wait(r, name, part);
    read_memory(r, name, length, own, part);
}

/* Reads the line with the target GPU of the assembly, such as "amdgcn-amd-amdhsa--gfx1030". */
static void read_target(reading *r, const char *line)
{
    const char *at = strstr(line, ".amdgcn_target");

    at = at ? strstr(at, "gfx") : NULL;
    if (at)
        r->stores_apart = strspn(at + 3, "0123456789") >= 4;
}

static void read_code(reading *r, const char *line)
{
    read_target(r, line);
    if (starts_function(r, line) || !r->function)
        return;
    if (starts(line, ".Lfunc_end"))
        r->function = NULL;
    else if (!is_of_label(r, line))
        read_instruction(r, line);
}

/* ---- metadata ------------------------------------------------------------------------------- */

static void end_kernel(reading *r)
{
    pm_amd_code *code = r->code;

    if (r->kernel.kernel) {
        for (size_t f = 0; f < r->function_count; f++)
            if (strcmp(r->functions[f].kernel, r->kernel.kernel) == 0) {
                r->kernel.taken.outside = r->functions[f].taken.outside;
                r->kernel.taken.inside = r->functions[f].taken.inside;
                r->kernel.calls = r->functions[f].calls;
            }
        *pm_add(&code->memory, code->kernels, code->count) = r->kernel;
    }
    r->kernel = (pm_amd_kernel){.kernel = NULL};
}

/* Reads a line of the kernels' metadata, such as "    .vgpr_count:     128". The first line of a
 * kernel starts with "  - ". */
static void read_metadata(reading *r, const char *line)
{
    const char *text = line + 4, *value;
    size_t length;

    if (*line != ' ') {
        end_kernel(r);
        r->metadata = false;
        return;
    }
    if (starts(line, "  - "))
        end_kernel(r);
    else if (!starts(line, "    ."))
        return;
    length = strcspn(text, ":");
    value = text + length + strspn(text + length, ": ");
    if (starts(text, ".name:"))
        r->kernel.kernel = pm_copy(&r->code->memory, value);
    else if (starts(text, ".vgpr_count:"))
        r->kernel.taken.registers = (unsigned)strtoul(value, NULL, 10);
    else if (starts(text, ".vgpr_spill_count:"))
        r->kernel.taken.spilled = (unsigned)strtoul(value, NULL, 10);
    else if (starts(text, ".group_segment_fixed_size:"))
        r->kernel.taken.shared_bytes = strtoul(value, NULL, 10);
}

void pm_amd_read(char *assembly, pm_amd_code *code)
{
    reading r = {.code = code};

    for (char *line = assembly, *next; *line; line = next) {
        size_t length = strcspn(line, "\n");

        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        if (r.metadata)
            read_metadata(&r, line);
        else if (starts(line, "amdhsa.kernels:"))
            r.metadata = true;
        else
            read_code(&r, line);
    }
    end_kernel(&r);
}
