/* Tests the limits on compile time for unrolled loops: basic blocks of thousands of instructions,
 * and the search for nodes of a graph that are in a cycle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <llvm-c/Analysis.h>

#include "collector/engine/backend/control_flow/graph.h"
#include "collector/engine/backend/host/long_blocks.h"
#include "mix_fixture.h"

#define ARGUMENTS "ptr addrspace(1) %p, i32 %n"

static LLVMModuleRef module_of(LLVMValueRef function)
{
    return LLVMGetGlobalParent(function);
}

static void verify(LLVMModuleRef module)
{
    char *message = NULL;

    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        fail_msg("%s", message);
    LLVMDisposeMessage(message);
}

/* ---- long blocks ---------------------------------------------------------------------------- */

/* A loop of one block with many additions, whose counter is computed at the end of the block. */
TEST(test_long_blocks)
{
    static char body[7400];
    size_t at = (size_t)sprintf(body, "br label %%l\nl:\n%%i = phi i32 [ 0, %%0 ], [ %%j, %%l ]\n"
                                      "%%x0 = add i32 %%i, %%n\n");
    LLVMValueRef f;
    unsigned instructions = 0, longest = 0;

    for (unsigned k = 1; k < 300; k++)
        at += (size_t)sprintf(body + at, "%%x%u=add i32 %%x%u,1\n", k, k - 1);
    sprintf(body + at, "%%j = add i32 %%i, 1\n%%c = icmp slt i32 %%x299, 9\n"
                       "br i1 %%c, label %%l, label %%e\ne:\nret void\n");
    f = parse(ARGUMENTS, body);
    pm_long_blocks_cut(module_of(f), 256);
    verify(module_of(f));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        unsigned count = 0;

        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count++;
        instructions += count;
        longest = count > longest ? count : longest;
    }
    assert_true(longest <= 257); /* and a phi */
    assert_int_equal(instructions, 1 + 1 + 300 + 3 + 1 + 1);
    assert_int_equal(LLVMCountBasicBlocks(f), 4);
}

/* ---- graphs --------------------------------------------------------------------------------- */

/* Edges: 0 to 1; 1 to 2 and 4; 2 to 3; 3 to 1 and 3; 4 to 5; 5 to itself. No edge leads to 6. */
TEST(test_cycles)
{
    uint32_t first[] = {0, 1, 3, 4, 6, 7, 8, 9}, to[] = {1, 2, 4, 3, 1, 3, 5, 5, 1};
    const bool want[] = {false, true, true, true, false, true, false};
    const pm_graph graph = {.nodes = 7, .first = first, .to = to};
    pm_memory memory = {.err = told()};
    const pm_graph reverse = pm_graph_reverse(&graph, &memory);
    const bool *cycles = pm_graph_cycles(&graph, &reverse, 0, &memory);

    for (size_t n = 0; n < 7; n++)
        assert_int_equal(cycles[n], want[n]);
    pm_memory_free(&memory);
}
