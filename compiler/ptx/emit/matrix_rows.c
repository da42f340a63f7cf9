/* Emits ldmatrix, stmatrix and movmatrix, which move 8 x 8 matrices between shared memory and the
 * registers of a warp. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each of 8, 16 or 32 threads accesses a row of 16 bytes, by an ordinary load or store. A function
 * that the trace engine knows exchanges the rows between the threads. The engine counts one
 * instruction, and for each matrix the wavefronts of its 8 rows.
 */
#include "compiler/ptx/emit/emitter.h"

enum { ROWS = 8, ROW_WORDS = 4, ROW_BYTES = 16 };

static LLVMTypeRef row_type(const pm_ptx_emitter *e)
{
    return LLVMVectorType(pm_ptx_integer_type(e, 32), ROW_WORDS);
}

static LLVMValueRef index_of(const pm_ptx_emitter *e, unsigned index)
{
    return LLVMConstInt(pm_ptx_integer_type(e, 32), index, 0);
}

/* Returns the number of 8 x 8 matrices that an instruction moves (.x1, .x2, .x4). The operand
 * `list` must have a register for each. */
static unsigned count_matrices(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                               const pm_ptx_operand *list)
{
    const unsigned count = pm_ptx_has(i, "x4") ? 4 : pm_ptx_has(i, "x2") ? 2 : 1;
    const size_t parts = list->kind == PM_PTX_LIST ? list->part_count : 1;

    if (!pm_ptx_has(i, "m8n8") || parts != count || i->type_count != 1 || i->types[0]->bits != 16)
        pm_ptx_refuse(e, i, "it needs .m8n8, .b16 and a register for each matrix");
    return count;
}

static const pm_ptx_operand *part_of(const pm_ptx_operand *list, unsigned k)
{
    return list->kind == PM_PTX_LIST ? &list->parts[k] : list;
}

/* Begins code for the first 8 * `matrices` threads, each of which accesses a row. Returns the basic
 * block behind this code; NULL if all 32 threads access a row, so that there is no condition. */
static LLVMBasicBlockRef begin_rows(pm_ptx_emitter *e, unsigned matrices)
{
    LLVMTypeRef truth = pm_ptx_integer_type(e, 1);
    const char *name = pm_format(e->memory, "pm.warp.first.%u", matrices * ROWS);

    return matrices == 4 ? NULL : pm_ptx_begin_if(e, pm_ptx_warp_function(e, name, truth, NULL, 0));
}

static void end_rows(pm_ptx_emitter *e, LLVMBasicBlockRef next)
{
    if (next)
        pm_ptx_end_if(e, next);
}

void pm_ptx_emit_ldmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_operand *to = &i->operands[0];
    const unsigned count = count_matrices(e, i, to);
    LLVMValueRef place = pm_ptx_variable_of(e, row_type(e), ROW_BYTES), row;
    LLVMBasicBlockRef next;

    LLVMBuildStore(e->b, pm_ptx_free_zero(e, row_type(e)), place);
    next = begin_rows(e, count);
    row = LLVMBuildLoad2(e->b, row_type(e), pm_ptx_pointer(e, i, 1), "");
    LLVMSetAlignment(row, ROW_BYTES);
    LLVMBuildStore(e->b, row, place);
    end_rows(e, next);
    row = LLVMBuildLoad2(e->b, row_type(e), place, "");
    row = pm_ptx_warp_function(
        e, pm_ptx_has(i, "trans") ? "pm.warp.ldmatrix.trans" : "pm.warp.ldmatrix", row_type(e),
        &row, 1);
    for (unsigned k = 0; k < count; k++)
        pm_ptx_set(e, i, part_of(to, k), LLVMBuildExtractElement(e->b, row, index_of(e, k), ""),
                   pm_ptx_type_named("b32"));
}

void pm_ptx_emit_stmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_operand *from = &i->operands[1];
    const unsigned count = count_matrices(e, i, from);
    LLVMValueRef row = LLVMConstNull(row_type(e));
    LLVMBasicBlockRef next;

    for (unsigned k = 0; k < count; k++)
        row = LLVMBuildInsertElement(e->b, row,
                                     pm_ptx_value(e, i, part_of(from, k), pm_ptx_type_named("b32")),
                                     index_of(e, k), "");
    row = pm_ptx_warp_function(
        e, pm_ptx_has(i, "trans") ? "pm.warp.stmatrix.trans" : "pm.warp.stmatrix", row_type(e),
        &row, 1);
    next = begin_rows(e, count);
    LLVMSetAlignment(LLVMBuildStore(e->b, row, pm_ptx_pointer(e, i, 0)), ROW_BYTES);
    end_rows(e, next);
}

void pm_ptx_emit_movmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMTypeRef one = LLVMVectorType(pm_ptx_integer_type(e, 32), 1);
    LLVMValueRef word = LLVMBuildBitCast(e->b, pm_ptx_source_as(e, i, 1, "b32"), one, "");

    word = pm_ptx_warp_function(e, "pm.warp.movmatrix", one, &word, 1);
    pm_ptx_result_as(e, i, LLVMBuildExtractElement(e->b, word, index_of(e, 0), ""), "b32");
}
