/* The table of NVIDIA's machine instructions (SASS): for each opcode its class (such as fp32 or
 * memory), and the pipe that executes it. See opcodes.h.
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

/* The table of instructions, sorted by name, because it is searched by bisection. A name with
 * modifiers, such as HADD2.F32, is preferred to the opcode alone. */
static const pm_sass_rule rules[] = {
    {"ATOM", PM_SASS_ANCHOR, 0, MEMORY},
    {"ATOMG", PM_SASS_ANCHOR, 0, MEMORY},
    {"ATOMS", PM_SASS_ANCHOR, 0, MEMORY},
    {"BAR", PM_SASS_ANCHOR, 0, NONE},
    {"BFE", PM_SASS_PLAIN, 0, INTEGER},
    {"BFI", PM_SASS_PLAIN, 0, INTEGER},
    {"BMMA", PM_SASS_PLAIN, 0, TENSOR},
    {"BMSK", PM_SASS_PLAIN, 0, INTEGER},
    {"BPT", PM_SASS_END, 0, CONTROL},
    {"BRA", PM_SASS_JUMP, 0, BRANCH},
    {"BREAK", PM_SASS_PLAIN, 0, CONTROL},
    {"BREV", PM_SASS_PLAIN, 0, BITS},
    {"BRX", PM_SASS_JUMP, 0, BRANCH},
    {"BRXU", PM_SASS_JUMP, 0, BRANCH},
    {"BSSY", PM_SASS_MEET, 0, CONTROL},
    {"BSYNC", PM_SASS_SYNC, 0, BRANCH},
    {"CALL", PM_SASS_CALL, 0, BRANCH},
    {"CS2R", PM_SASS_PLAIN, 0, MOVE},
    {"DADD", PM_SASS_PLAIN, 0, DOUBLE(1)},
    {"DFMA", PM_SASS_PLAIN, 0, DOUBLE(2)},
    {"DMMA", PM_SASS_PLAIN, 0, TENSOR},
    {"DMNMX", PM_SASS_PLAIN, 0, DOUBLE(0)},
    {"DMUL", PM_SASS_PLAIN, 0, DOUBLE(1)},
    {"DSET", PM_SASS_PLAIN, 0, DOUBLE(0)},
    {"DSETP", PM_SASS_PLAIN, 0, DOUBLE(0)},
    {"EXIT", PM_SASS_END, 0, BRANCH},
    {"F2F", PM_SASS_PLAIN, 0, CONVERT},
    {"F2FP", PM_SASS_PLAIN, 0, MIX(.conversion = 1, .alu = 1)},
    {"F2I", PM_SASS_PLAIN, 0, CONVERT},
    {"FADD", PM_SASS_PLAIN, 0, FMA32(1)},
    {"FADD2", PM_SASS_PLAIN, 0, FMA32(2)},
    {"FADD32I", PM_SASS_PLAIN, 0, FMA32(1)},
    {"FCHK", PM_SASS_PLAIN, 0, MIX(.fp32 = 1, .special = 1)},
    {"FCMP", PM_SASS_PLAIN, 0, ALU32},
    {"FFMA", PM_SASS_PLAIN, 0, FMA32(2)},
    {"FFMA2", PM_SASS_PLAIN, 0, FMA32(4)},
    {"FFMA32I", PM_SASS_PLAIN, 0, FMA32(2)},
    {"FLO", PM_SASS_PLAIN, 0, BITS},
    {"FMNMX", PM_SASS_PLAIN, 0, ALU32},
    {"FMNMX3", PM_SASS_PLAIN, 0, ALU32},
    {"FMUL", PM_SASS_PLAIN, 0, FMA32(1)},
    {"FMUL2", PM_SASS_PLAIN, 0, FMA32(2)},
    {"FMUL32I", PM_SASS_PLAIN, 0, FMA32(1)},
    {"FRND", PM_SASS_PLAIN, 0, CONVERT},
    {"FSEL", PM_SASS_PLAIN, 0, ALU32},
    {"FSET", PM_SASS_PLAIN, 0, ALU32},
    {"FSETP", PM_SASS_PLAIN, 0, ALU32},
    {"FSWZADD", PM_SASS_PLAIN, 0, FMA32(1)},
    {"HADD2", PM_SASS_PLAIN, 0, HALF},
    {"HADD2.F32", PM_SASS_PLAIN, 0, MIX(.conversion = 1, .fma = 1)},
    {"HFMA2", PM_SASS_PLAIN, 0, HALF},
    {"HFMA2.MMA", PM_SASS_PLAIN, 0, NONE},
    {"HGMMA", PM_SASS_ANCHOR, 0, TENSOR},
    {"HMMA", PM_SASS_PLAIN, 0, TENSOR},
    {"HMNMX2", PM_SASS_PLAIN, 0, MOVE},
    {"HMUL2", PM_SASS_PLAIN, 0, HALF},
    {"HSET2", PM_SASS_PLAIN, 0, MOVE},
    {"HSETP2", PM_SASS_PLAIN, 0, MOVE},
    {"I2F", PM_SASS_PLAIN, 0, CONVERT},
    {"I2FP", PM_SASS_PLAIN, 0, MIX(.conversion = 1, .alu = 1)},
    {"I2I", PM_SASS_PLAIN, 0, CONVERT},
    {"I2IP", PM_SASS_PLAIN, 0, MIX(.conversion = 1, .alu = 1)},
    {"IABS", PM_SASS_PLAIN, 0, INTEGER},
    {"IADD", PM_SASS_PLAIN, 0, INTEGER},
    {"IADD3", PM_SASS_PLAIN, 0, INTEGER},
    {"IADD32I", PM_SASS_PLAIN, 0, INTEGER},
    {"ICMP", PM_SASS_PLAIN, 0, INTEGER},
    {"IDP", PM_SASS_PLAIN, 0, PRODUCT},
    {"IDP4A", PM_SASS_PLAIN, 0, PRODUCT},
    {"IGMMA", PM_SASS_ANCHOR, 0, TENSOR},
    {"IMAD", PM_SASS_PLAIN, 0, PRODUCT},
    {"IMMA", PM_SASS_PLAIN, 0, TENSOR},
    {"IMNMX", PM_SASS_PLAIN, 0, INTEGER},
    {"IMUL", PM_SASS_PLAIN, 0, PRODUCT},
    {"ISAD", PM_SASS_PLAIN, 0, INTEGER},
    {"ISCADD", PM_SASS_PLAIN, 0, INTEGER},
    {"ISET", PM_SASS_PLAIN, 0, INTEGER},
    {"ISETP", PM_SASS_PLAIN, 0, INTEGER},
    {"JMP", PM_SASS_JUMP, 0, BRANCH},
    {"JMX", PM_SASS_JUMP, 0, BRANCH},
    {"KILL", PM_SASS_END, 0, CONTROL},
    {"LD", PM_SASS_ANCHOR, 0, MEMORY},
    {"LDC", PM_SASS_PLAIN, 0, MEMORY},
    {"LDG", PM_SASS_ANCHOR, 0, MEMORY},
    {"LDGSTS", PM_SASS_ANCHOR, 0, MEMORY},
    {"LDL", PM_SASS_ANCHOR, 1, MEMORY},
    {"LDS", PM_SASS_ANCHOR, 0, MEMORY},
    {"LDSM", PM_SASS_ANCHOR, 0, MEMORY},
    {"LEA", PM_SASS_PLAIN, 0, INTEGER},
    {"LOP", PM_SASS_PLAIN, 0, INTEGER},
    {"LOP3", PM_SASS_PLAIN, 0, INTEGER},
    {"LOP32I", PM_SASS_PLAIN, 0, INTEGER},
    {"MOV", PM_SASS_PLAIN, 0, MOVE},
    {"MOV32I", PM_SASS_PLAIN, 0, MOVE},
    {"MUFU", PM_SASS_PLAIN, 0, MIX(.fp32 = 1, .special = 1)},
    {"NOP", PM_SASS_PADDING, 0, NONE},
    {"P2R", PM_SASS_PLAIN, 0, MOVE},
    {"PLOP3", PM_SASS_PLAIN, 0, MOVE},
    {"POPC", PM_SASS_PLAIN, 0, BITS},
    {"PRMT", PM_SASS_PLAIN, 0, MOVE},
    {"PSETP", PM_SASS_PLAIN, 0, MOVE},
    {"QGMMA", PM_SASS_ANCHOR, 0, TENSOR},
    {"QMMA", PM_SASS_PLAIN, 0, TENSOR},
    {"R2P", PM_SASS_PLAIN, 0, MOVE},
    {"RED", PM_SASS_ANCHOR, 0, MEMORY},
    {"REDG", PM_SASS_ANCHOR, 0, MEMORY},
    {"RET", PM_SASS_END, 0, BRANCH},
    {"SEL", PM_SASS_PLAIN, 0, MOVE},
    {"SGXT", PM_SASS_PLAIN, 0, INTEGER},
    {"SHF", PM_SASS_PLAIN, 0, INTEGER},
    {"SHFL", PM_SASS_ANCHOR, 0, NONE},
    {"SHL", PM_SASS_PLAIN, 0, INTEGER},
    {"SHR", PM_SASS_PLAIN, 0, INTEGER},
    {"ST", PM_SASS_ANCHOR, 0, MEMORY},
    {"STG", PM_SASS_ANCHOR, 0, MEMORY},
    {"STL", PM_SASS_ANCHOR, 2, MEMORY},
    {"STS", PM_SASS_ANCHOR, 0, MEMORY},
    {"STSM", PM_SASS_ANCHOR, 0, MEMORY},
    {"TEX", PM_SASS_ANCHOR, 0, MEMORY},
    {"TLD", PM_SASS_ANCHOR, 0, MEMORY},
    {"TLD4", PM_SASS_ANCHOR, 0, MEMORY},
    {"VABSDIFF", PM_SASS_PLAIN, 0, INTEGER},
    {"VABSDIFF4", PM_SASS_PLAIN, 0, INTEGER},
    {"VIADD", PM_SASS_PLAIN, 0, PRODUCT},
    {"VIADDMNMX", PM_SASS_PLAIN, 0, INTEGER},
    {"VIMNMX", PM_SASS_PLAIN, 0, INTEGER},
    {"VIMNMX3", PM_SASS_PLAIN, 0, INTEGER},
    {"VOTE", PM_SASS_ANCHOR, 0, NONE},
    {"WARPSYNC", PM_SASS_PLAIN, 0, CONTROL},
    {"XMAD", PM_SASS_PLAIN, 0, PRODUCT},
    {"YIELD", PM_SASS_PLAIN, 0, CONTROL},
};

static const pm_sass_rule other = {"", PM_SASS_PLAIN, 0, NONE};

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

    /* Looks up the opcode with all modifiers, then without the last one, and so on. */
    while (length > 0 && !found) {
        found = find(opcode, length);
        do
            length--;
        while (length > 0 && opcode[length] != '.');
    }
    return found ? found : &other;
}
