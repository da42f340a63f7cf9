/* The table of machine instructions. See opcodes.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names are those of NVIDIA's manual "CUDA Binary Utilities", which lists the instructions of each
 * architecture. Classes are those of CUPTI's counters (sass_thread_inst_executed_op_*), and pipes
 * those of its smsp__inst_executed_pipe_*, as H200's counters show them for the kernels of
 * perfmodel's CUDA suite (docs/results/sass.md).
 */
#include "collector/engine/sass/opcodes.h"

#include <string.h>

#define MIX(...)                                                                                   \
    {                                                                                              \
        .total = 1, __VA_ARGS__                                                                    \
    }
#define FMA32(operations) MIX(.fp32 = 1, .flop32 = (operations), .fma = 1)
#define ALU32 MIX(.fp32 = 1, .alu = 1)
#define DOUBLE(operations) MIX(.fp64 = 1, .flop64 = (operations))
#define HALF MIX(.fma = 1)
#define INTEGER MIX(.integer = 1, .alu = 1)
#define PRODUCT MIX(.integer = 1, .fma = 1, .fmaheavy = 1)
#define BITS MIX(.integer = 1, .special = 1)
#define MOVE MIX(.alu = 1)
#define CONVERT MIX(.special = 1, .conversion = 1)
#define MEMORY MIX(.memory = 1)
#define CONTROL MIX(.control = 1)
#define BRANCH MIX(.control = 1, .branches = 1)
#define TENSOR MIX(.tensor = 1)
#define NONE MIX(.depth = 0)

/* Sorted by opcode, because it is searched by bisection. A name with modifiers, such as IMAD.MOV,
 * is preferred to the opcode alone. */
static const pm_sass_rule rules[] = {
    {"ATOM", PM_SASS_ANCHOR, MEMORY, 0},
    {"ATOMG", PM_SASS_ANCHOR, MEMORY, 0},
    {"ATOMS", PM_SASS_ANCHOR, MEMORY, 0},
    {"BAR", PM_SASS_ANCHOR, NONE, 0},
    {"BFE", PM_SASS_PLAIN, INTEGER, 0},
    {"BFI", PM_SASS_PLAIN, INTEGER, 0},
    {"BMMA", PM_SASS_PLAIN, TENSOR, 0},
    {"BMSK", PM_SASS_PLAIN, INTEGER, 0},
    {"BPT", PM_SASS_END, CONTROL, 0},
    {"BRA", PM_SASS_JUMP, BRANCH, 0},
    {"BREAK", PM_SASS_PLAIN, CONTROL, 0},
    {"BREV", PM_SASS_PLAIN, BITS, 0},
    {"BRX", PM_SASS_JUMP, BRANCH, 0},
    {"BRXU", PM_SASS_JUMP, BRANCH, 0},
    {"BSSY", PM_SASS_MEET, CONTROL, 0},
    {"BSYNC", PM_SASS_SYNC, BRANCH, 0},
    {"CALL", PM_SASS_CALL, BRANCH, 0},
    {"CS2R", PM_SASS_PLAIN, MOVE, 0},
    {"DADD", PM_SASS_PLAIN, DOUBLE(1), 0},
    {"DFMA", PM_SASS_PLAIN, DOUBLE(2), 0},
    {"DMMA", PM_SASS_PLAIN, TENSOR, 0},
    {"DMNMX", PM_SASS_PLAIN, DOUBLE(0), 0},
    {"DMUL", PM_SASS_PLAIN, DOUBLE(1), 0},
    {"DSET", PM_SASS_PLAIN, DOUBLE(0), 0},
    {"DSETP", PM_SASS_PLAIN, DOUBLE(0), 0},
    {"EXIT", PM_SASS_END, BRANCH, 0},
    {"F2F", PM_SASS_PLAIN, CONVERT, 0},
    {"F2FP", PM_SASS_PLAIN, MIX(.conversion = 1, .alu = 1), 0},
    {"F2I", PM_SASS_PLAIN, CONVERT, 0},
    {"FADD", PM_SASS_PLAIN, FMA32(1), 0},
    {"FADD2", PM_SASS_PLAIN, FMA32(2), 0},
    {"FADD32I", PM_SASS_PLAIN, FMA32(1), 0},
    {"FCHK", PM_SASS_PLAIN, MIX(.fp32 = 1, .special = 1), 0},
    {"FCMP", PM_SASS_PLAIN, ALU32, 0},
    {"FFMA", PM_SASS_PLAIN, FMA32(2), 0},
    {"FFMA2", PM_SASS_PLAIN, FMA32(4), 0},
    {"FFMA32I", PM_SASS_PLAIN, FMA32(2), 0},
    {"FLO", PM_SASS_PLAIN, BITS, 0},
    {"FMNMX", PM_SASS_PLAIN, ALU32, 0},
    {"FMNMX3", PM_SASS_PLAIN, ALU32, 0},
    {"FMUL", PM_SASS_PLAIN, FMA32(1), 0},
    {"FMUL2", PM_SASS_PLAIN, FMA32(2), 0},
    {"FMUL32I", PM_SASS_PLAIN, FMA32(1), 0},
    {"FRND", PM_SASS_PLAIN, CONVERT, 0},
    {"FSEL", PM_SASS_PLAIN, ALU32, 0},
    {"FSET", PM_SASS_PLAIN, ALU32, 0},
    {"FSETP", PM_SASS_PLAIN, ALU32, 0},
    {"FSWZADD", PM_SASS_PLAIN, FMA32(1), 0},
    {"HADD2", PM_SASS_PLAIN, HALF, 0},
    {"HADD2.F32", PM_SASS_PLAIN, MIX(.conversion = 1, .fma = 1), 0},
    {"HFMA2", PM_SASS_PLAIN, HALF, 0},
    {"HFMA2.MMA", PM_SASS_PLAIN, NONE, 0},
    {"HGMMA", PM_SASS_ANCHOR, TENSOR, 0},
    {"HMMA", PM_SASS_PLAIN, TENSOR, 0},
    {"HMNMX2", PM_SASS_PLAIN, MOVE, 0},
    {"HMUL2", PM_SASS_PLAIN, HALF, 0},
    {"HSET2", PM_SASS_PLAIN, MOVE, 0},
    {"HSETP2", PM_SASS_PLAIN, MOVE, 0},
    {"I2F", PM_SASS_PLAIN, CONVERT, 0},
    {"I2FP", PM_SASS_PLAIN, MIX(.conversion = 1, .alu = 1), 0},
    {"I2I", PM_SASS_PLAIN, CONVERT, 0},
    {"I2IP", PM_SASS_PLAIN, MIX(.conversion = 1, .alu = 1), 0},
    {"IABS", PM_SASS_PLAIN, INTEGER, 0},
    {"IADD", PM_SASS_PLAIN, INTEGER, 0},
    {"IADD3", PM_SASS_PLAIN, INTEGER, 0},
    {"IADD32I", PM_SASS_PLAIN, INTEGER, 0},
    {"ICMP", PM_SASS_PLAIN, INTEGER, 0},
    {"IDP", PM_SASS_PLAIN, PRODUCT, 0},
    {"IDP4A", PM_SASS_PLAIN, PRODUCT, 0},
    {"IGMMA", PM_SASS_ANCHOR, TENSOR, 0},
    {"IMAD", PM_SASS_PLAIN, PRODUCT, 0},
    {"IMMA", PM_SASS_PLAIN, TENSOR, 0},
    {"IMNMX", PM_SASS_PLAIN, INTEGER, 0},
    {"IMUL", PM_SASS_PLAIN, PRODUCT, 0},
    {"ISAD", PM_SASS_PLAIN, INTEGER, 0},
    {"ISCADD", PM_SASS_PLAIN, INTEGER, 0},
    {"ISET", PM_SASS_PLAIN, INTEGER, 0},
    {"ISETP", PM_SASS_PLAIN, INTEGER, 0},
    {"JMP", PM_SASS_JUMP, BRANCH, 0},
    {"JMX", PM_SASS_JUMP, BRANCH, 0},
    {"KILL", PM_SASS_END, CONTROL, 0},
    {"LD", PM_SASS_ANCHOR, MEMORY, 0},
    {"LDC", PM_SASS_PLAIN, MEMORY, 0},
    {"LDG", PM_SASS_ANCHOR, MEMORY, 0},
    {"LDGSTS", PM_SASS_ANCHOR, MEMORY, 0},
    {"LDL", PM_SASS_ANCHOR, MEMORY, 1},
    {"LDS", PM_SASS_ANCHOR, MEMORY, 0},
    {"LDSM", PM_SASS_ANCHOR, MEMORY, 0},
    {"LEA", PM_SASS_PLAIN, INTEGER, 0},
    {"LOP", PM_SASS_PLAIN, INTEGER, 0},
    {"LOP3", PM_SASS_PLAIN, INTEGER, 0},
    {"LOP32I", PM_SASS_PLAIN, INTEGER, 0},
    {"MOV", PM_SASS_PLAIN, MOVE, 0},
    {"MOV32I", PM_SASS_PLAIN, MOVE, 0},
    {"MUFU", PM_SASS_PLAIN, MIX(.fp32 = 1, .special = 1), 0},
    {"NOP", PM_SASS_PADDING, NONE, 0},
    {"P2R", PM_SASS_PLAIN, MOVE, 0},
    {"PLOP3", PM_SASS_PLAIN, MOVE, 0},
    {"POPC", PM_SASS_PLAIN, BITS, 0},
    {"PRMT", PM_SASS_PLAIN, MOVE, 0},
    {"PSETP", PM_SASS_PLAIN, MOVE, 0},
    {"QGMMA", PM_SASS_ANCHOR, TENSOR, 0},
    {"QMMA", PM_SASS_PLAIN, TENSOR, 0},
    {"R2P", PM_SASS_PLAIN, MOVE, 0},
    {"RED", PM_SASS_ANCHOR, MEMORY, 0},
    {"REDG", PM_SASS_ANCHOR, MEMORY, 0},
    {"RET", PM_SASS_END, BRANCH, 0},
    {"SEL", PM_SASS_PLAIN, MOVE, 0},
    {"SGXT", PM_SASS_PLAIN, INTEGER, 0},
    {"SHF", PM_SASS_PLAIN, INTEGER, 0},
    {"SHFL", PM_SASS_ANCHOR, NONE, 0},
    {"SHL", PM_SASS_PLAIN, INTEGER, 0},
    {"SHR", PM_SASS_PLAIN, INTEGER, 0},
    {"ST", PM_SASS_ANCHOR, MEMORY, 0},
    {"STG", PM_SASS_ANCHOR, MEMORY, 0},
    {"STL", PM_SASS_ANCHOR, MEMORY, 2},
    {"STS", PM_SASS_ANCHOR, MEMORY, 0},
    {"STSM", PM_SASS_ANCHOR, MEMORY, 0},
    {"TEX", PM_SASS_ANCHOR, MEMORY, 0},
    {"TLD", PM_SASS_ANCHOR, MEMORY, 0},
    {"TLD4", PM_SASS_ANCHOR, MEMORY, 0},
    {"VABSDIFF", PM_SASS_PLAIN, INTEGER, 0},
    {"VABSDIFF4", PM_SASS_PLAIN, INTEGER, 0},
    {"VIADD", PM_SASS_PLAIN, PRODUCT, 0},
    {"VIADDMNMX", PM_SASS_PLAIN, INTEGER, 0},
    {"VIMNMX", PM_SASS_PLAIN, INTEGER, 0},
    {"VIMNMX3", PM_SASS_PLAIN, INTEGER, 0},
    {"VOTE", PM_SASS_ANCHOR, NONE, 0},
    {"WARPSYNC", PM_SASS_PLAIN, CONTROL, 0},
    {"XMAD", PM_SASS_PLAIN, PRODUCT, 0},
    {"YIELD", PM_SASS_PLAIN, CONTROL, 0},
};

static const pm_sass_rule other = {"", PM_SASS_PLAIN, NONE, 0};

/* Returns the rule whose name is the first `length` characters of an opcode; NULL: there is none.
 */
static const pm_sass_rule *find(const char *opcode, size_t length)
{
    size_t low = 0, high = sizeof rules / sizeof *rules;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const char *name = rules[middle].opcode;
        int order = strncmp(opcode, name, length);

        order = order == 0 && name[length] != '\0' ? -1 : order;
        if (order == 0)
            return &rules[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const pm_sass_rule *pm_sass_rule_of(const char *opcode, size_t length)
{
    const pm_sass_rule *found = NULL;

    /* try the opcode with all modifiers, then without the last one, and so on */
    while (length > 0 && !found) {
        found = find(opcode, length);
        do
            length--;
        while (length > 0 && opcode[length] != '.');
    }
    return found ? found : &other;
}
