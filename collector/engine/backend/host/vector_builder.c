/* Generates vector code for slices of basic blocks, which compute only addresses and branches. See
 * vector_builder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A slice mostly computes addresses and conditions from integers, without memory accesses. Its
 * instructions then work on vectors of WIDTH work-items. Values that all work-items have in common
 * are copied to all elements. Work-items that do not execute the basic block compute, too, but
 * change neither the frame nor `next`. Their recorded addresses are ignored. Slices with memory
 * accesses, most calls, divisions by variables or floating-point values are left to warp_builder.c.
 */
#include "collector/engine/backend/host/vector_builder.h"

#include <string.h>

#include "collector/engine/backend/host/block_builder.h"
#include "collector/engine/backend/host/bounds.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

enum { WIDTH = 8 };

/* ---- which slices can be written ------------------------------------------------------------ */

/* Returns whether a type can be an element of the generated vectors: an integer that has a whole
 * number of bytes, a boolean, or a pointer. */
static bool is_usual_type(LLVMTypeRef type)
{
    unsigned bits;

    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return true;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    bits = LLVMGetIntTypeWidth(type);
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_computed(const pm_warp_builder *lanes, LLVMValueRef instruction)
{
    const pm_code_value *value = pm_code_value_of(&lanes->values, instruction);

    return value->decides || value->feeds;
}

static bool is_usual_operation(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
        return true;
    default:
        return false;
    }
}

static bool is_division(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

/* Returns whether an instruction divides by a constant, so that it cannot fail on the host. */
static bool is_usual_division(LLVMValueRef instruction)
{
    LLVMValueRef divisor = LLVMGetOperand(instruction, 1);

    return LLVMIsAConstantInt(divisor) && LLVMConstIntGetZExtValue(divisor) != 0 &&
           LLVMConstIntGetSExtValue(divisor) != -1;
}

/* Returns LLVM's identifier of the intrinsic that a call calls, if it is a minimum or maximum of
 * integers; 0: it is not. */
static unsigned extremum_of(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"};
    LLVMValueRef called = LLVMGetCalledValue(call);
    const unsigned id = LLVMIsAFunction(called) ? LLVMGetIntrinsicID(called) : 0;

    for (size_t i = 0; id && i < sizeof names / sizeof *names; i++)
        if (id == LLVMLookupIntrinsicID(names[i], strlen(names[i])))
            return id;
    return 0;
}

/* Returns whether vector_of can generate the vector of an operand. It can, unless the operand is a
 * private variable, whose address differs between work-items, or has an unsuitable type. */
static bool is_usual_operand(LLVMValueRef operand)
{
    return is_usual_type(LLVMTypeOf(operand)) && !LLVMIsAAllocaInst(operand);
}

static bool are_operands_usual(LLVMValueRef instruction)
{
    const unsigned called = LLVMIsACallInst(instruction) ? 1 : 0; /* the last operand */

    for (unsigned i = 0; i + called < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (!is_usual_operand(LLVMGetOperand(instruction, i)))
            return false;
    return true;
}

/* Returns whether the addresses of a memory instruction, which the slice records without executing
 * the access, can be generated as a vector of WIDTH integers with a common base. Returns true for
 * other instructions. */
static bool is_usual_access(const pm_warp_builder *lanes, LLVMValueRef instruction)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);
    const pm_code_value *value = pm_code_value_of(&lanes->values, instruction);
    pm_space space;

    if (!pointer)
        return true;
    space = lanes->sites.sites[value->site].space;
    return is_usual_operand(pointer) && (space == PM_SPACE_GLOBAL || space == PM_SPACE_SHARED);
}

static bool is_usual(const pm_warp_builder *lanes, LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    if (LLVMIsAPHINode(instruction) || pm_value_is_free(instruction))
        return true;
    if (!is_computed(lanes, instruction))
        return is_usual_access(lanes, instruction);
    if (LLVMIsACallInst(instruction) && pm_call_kind(instruction) == PM_CALL_NOTHING)
        return true;
    if (LLVMIsACallInst(instruction) ? !extremum_of(instruction)
        : is_division(opcode)        ? !is_usual_division(instruction)
                                     : !is_usual_operation(opcode))
        return false;
    return is_usual_type(LLVMTypeOf(instruction)) && are_operands_usual(instruction);
}

static bool are_phis_usual(const pm_warp_builder *lanes, const pm_code_segment *s)
{
    for (unsigned k = 0; k < s->successors; k++)
        PM_EACH_PHI(phi, LLVMGetSuccessor(s->last, k))
            if (is_computed(lanes, phi) && !is_usual_operand(pm_phi_incoming(phi, s->block)))
                return false;
    return true;
}

/* Returns whether write_end() can generate the end of the slice (code that computes only addresses
 * and branches) of a segment (basic block, cut at barriers): it must be a return, a barrier, a
 * jump, or a branch with two successors. */
static bool is_end_usual(const pm_warp_builder *lanes, const pm_code_segment *s)
{
    switch (s->end) {
    case PM_END_RETURN:
    case PM_END_BARRIER:
        return true;
    case PM_END_JUMP:
        return LLVMIsABranchInst(s->last) && s->successors == 1 && are_phis_usual(lanes, s);
    case PM_END_BRANCH:
        return LLVMIsABranchInst(s->last) && s->successors == 2 && are_phis_usual(lanes, s) &&
               is_usual_operand(LLVMGetOperand(s->last, 0));
    }
    return false;
}

bool pm_vector_builder_can(const pm_warp_builder *lanes, uint32_t segment)
{
    const pm_code_segment *s = &lanes->structure.segments[segment];
    const bool is_cut = pm_segment_is_cut(s);

    if (lanes->r.warp_width % WIDTH != 0 || !(is_cut || is_end_usual(lanes, s)))
        return false;
    for (LLVMValueRef i = s->first; i != s->last; i = LLVMGetNextInstruction(i))
        if (!is_usual(lanes, i))
            return false;
    return !is_cut || is_usual(lanes, s->last);
}

/* ---- vectors -------------------------------------------------------------------------------- */

typedef struct {
    pm_block_builder w;
    /* vector of booleans: element i is true if work-item i executes the basic block */
    LLVMValueRef active;
    /* vector of WIDTH zeros, the indices with which a shuffle copies element 0 to all elements */
    LLVMValueRef none;
} vectors;

static LLVMTypeRef vector_type(LLVMTypeRef type)
{
    return LLVMVectorType(type, WIDTH);
}

/* Copies a value to all elements of a vector. */
static LLVMValueRef splat(vectors *v, LLVMBuilderRef builder, LLVMValueRef value)
{
    LLVMTypeRef type = vector_type(LLVMTypeOf(value));
    LLVMValueRef one = LLVMBuildInsertElement(builder, LLVMGetPoison(type), value,
                                              LLVMConstInt(v->w.i32, 0, 0), "");

    return LLVMBuildShuffleVector(builder, one, LLVMGetPoison(type), v->none, "");
}

/* Returns the element type of a vector in the warp's frame. A boolean takes a byte there, because
 * in a vector in memory it would take only a bit. */
static LLVMTypeRef stored_type(const vectors *v, LLVMTypeRef type)
{
    const bool is_bit =
        LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;

    return is_bit ? v->w.i8 : type;
}

static LLVMValueRef load_slot(vectors *v, int64_t slot, LLVMTypeRef type)
{
    LLVMBuilderRef b = v->w.builder;
    LLVMTypeRef stored = stored_type(v, type);
    LLVMValueRef value =
        LLVMBuildLoad2(b, vector_type(stored), pm_block_builder_slot(&v->w, slot, stored), "");

    LLVMSetAlignment(value, (unsigned)LLVMABISizeOfType(v->w.lanes->r.layout, stored));
    return stored == type ? value : LLVMBuildTrunc(b, value, vector_type(type), "");
}

/* Generates code that stores elements of a vector in a slot of the warp's frame. A slot is an array
 * with an element for each work-item, for a value that several basic blocks use. who: vector of
 * booleans; only the elements of work-items for which it is true are stored. */
static void store_slot(vectors *v, int64_t slot, LLVMTypeRef type, LLVMValueRef value,
                       LLVMValueRef who)
{
    LLVMBuilderRef b = v->w.builder;
    LLVMTypeRef stored = stored_type(v, type);
    LLVMValueRef chosen = LLVMBuildSelect(b, who, value, load_slot(v, slot, type), ""), store;

    if (stored != type)
        chosen = LLVMBuildZExt(b, chosen, vector_type(stored), "");
    store = LLVMBuildStore(b, chosen, pm_block_builder_slot(&v->w, slot, stored));
    LLVMSetAlignment(store, (unsigned)LLVMABISizeOfType(v->w.lanes->r.layout, stored));
}

static LLVMValueRef local_id(vectors *v, LLVMValueRef call)
{
    const int64_t slot =
        (int64_t)pm_call_dimension(call) * v->w.lanes->r.warp_width * (int64_t)sizeof(uint32_t);

    return LLVMBuildIntCast2(v->w.builder, load_slot(v, slot, v->w.i32),
                             vector_type(LLVMTypeOf(call)), 0, "");
}

/* Returns the vector that corresponds to a value of the kernel. */
static LLVMValueRef vector_of(vectors *v, LLVMValueRef value)
{
    LLVMValueRef here = LLVMIsAInstruction(value) ? pm_block_builder_find(&v->w, value) : NULL;

    if (here)
        return here;
    if (!LLVMIsAInstruction(value))
        return splat(v, v->w.uniform, pm_block_builder_value(&v->w, value));
    if (!pm_value_is_free(value)) {
        here = load_slot(v, pm_code_value_of(&v->w.lanes->values, value)->slot, LLVMTypeOf(value));
    } else if (pm_call_kind(value) == PM_CALL_LOCAL_ID) {
        here = local_id(v, value);
    } else {
        here = splat(v, v->w.builder, pm_block_builder_call(&v->w, value));
    }
    pm_block_builder_define(&v->w, value, here);
    return here;
}

/* ---- instructions --------------------------------------------------------------------------- */

static LLVMValueRef operand_of(vectors *v, LLVMValueRef instruction, unsigned i)
{
    return vector_of(v, LLVMGetOperand(instruction, i));
}

/* Generates the vector of addresses of a getelementptr. Constant indices are not expanded to
 * vectors, because indices of struct members must be scalars. */
static LLVMValueRef element_pointer(vectors *v, LLVMValueRef instruction)
{
    const unsigned count = (unsigned)LLVMGetNumOperands(instruction) - 1;
    LLVMValueRef *indices = pm_take(v->w.lanes->r.memory, count, sizeof(LLVMValueRef));

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(instruction, i + 1);

        indices[i] = LLVMIsAConstantInt(index) ? index : vector_of(v, index);
    }
    return LLVMBuildGEP2(v->w.builder, LLVMGetGEPSourceElementType(instruction),
                         operand_of(v, instruction, 0), indices, count, "");
}

static LLVMValueRef extremum(vectors *v, LLVMValueRef call)
{
    LLVMModuleRef module = v->w.lanes->r.module;
    LLVMTypeRef type = vector_type(LLVMTypeOf(call));
    const unsigned id = extremum_of(call);
    LLVMValueRef operands[] = {operand_of(v, call, 0), operand_of(v, call, 1)};

    return LLVMBuildCall2(v->w.builder,
                          LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, &type, 1),
                          LLVMGetIntrinsicDeclaration(module, id, &type, 1), operands, 2, "");
}

/* Generates the vector form of an instruction. Flags that promise properties of the result, for
 * example that it does not overflow, are left out. */
static LLVMValueRef operation(vectors *v, LLVMValueRef instruction)
{
    LLVMBuilderRef b = v->w.builder;
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    if (opcode == LLVMCall)
        return extremum(v, instruction);
    if (opcode == LLVMGetElementPtr)
        return element_pointer(v, instruction);
    if (opcode == LLVMICmp)
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(instruction), operand_of(v, instruction, 0),
                             operand_of(v, instruction, 1), "");
    if (opcode == LLVMSelect)
        return LLVMBuildSelect(b, operand_of(v, instruction, 0), operand_of(v, instruction, 1),
                               operand_of(v, instruction, 2), "");
    if (opcode == LLVMFreeze)
        return LLVMBuildFreeze(b, operand_of(v, instruction, 0), "");
    if (LLVMGetNumOperands(instruction) == 1)
        return LLVMBuildCast(b, opcode, operand_of(v, instruction, 0),
                             vector_type(LLVMTypeOf(instruction)), "");
    return LLVMBuildBinOp(b, opcode, operand_of(v, instruction, 0), operand_of(v, instruction, 1),
                          "");
}

/* Generates code that records the addresses of a memory instruction, without the access. */
static void record_addresses(vectors *v, LLVMValueRef instruction)
{
    pm_block_builder *w = &v->w;
    LLVMBuilderRef b = w->builder;
    LLVMValueRef pointer = pm_site_pointer(instruction);
    const pm_code_value *value = pm_code_value_of(&w->lanes->values, instruction);
    const pm_site *site = &w->lanes->sites.sites[value->site];
    LLVMValueRef host = LLVMBuildPtrToInt(b, LLVMBuildFreeze(b, vector_of(v, pointer), ""),
                                          vector_type(w->i64), "");
    const pm_host_bounds in = pm_host_bounds_of(w, site, pm_site_object(pointer), host);
    LLVMValueRef moved = LLVMBuildSub(b, in.address, in.base, "");
    const uint32_t row = value->site - w->first_site;

    for (uint32_t i = 0; i < value->sites; i++) {
        LLVMValueRef piece = LLVMBuildAdd(b, moved, pm_number(w, (uint64_t)i * site->bytes), "");
        LLVMValueRef index = LLVMBuildAdd(
            b, w->lane, pm_number(w, (uint64_t)(row + i) * w->lanes->r.warp_width), "");
        LLVMValueRef store = LLVMBuildStore(b, LLVMBuildAdd(b, host, splat(v, b, piece), ""),
                                            pm_member(b, w->i64, w->addresses, index));

        LLVMSetAlignment(store, sizeof(uint64_t));
    }
}

static void write_instruction(vectors *v, LLVMValueRef instruction)
{
    const pm_code_value *value = pm_code_value_of(&v->w.lanes->values, instruction);
    LLVMValueRef result;

    if (LLVMIsAPHINode(instruction) || pm_value_is_free(instruction))
        return;
    if (!is_computed(v->w.lanes, instruction)) {
        if (pm_site_pointer(instruction))
            record_addresses(v, instruction);
        return;
    }
    if (LLVMIsACallInst(instruction) && pm_call_kind(instruction) == PM_CALL_NOTHING)
        return;
    result = operation(v, instruction);
    pm_block_builder_define(&v->w, instruction, result);
    if (value->slot != PM_NO_SLOT)
        store_slot(v, value->slot, LLVMTypeOf(instruction), result, v->active);
}

/* ---- the end of a block --------------------------------------------------------------------- */

/* Generates code that sets in next[k] the bits of the work-items in `who` (vector of booleans), so
 * that they continue at successor k. */
static void go_to(vectors *v, unsigned k, LLVMValueRef who)
{
    const pm_block_builder *w = &v->w;
    LLVMBuilderRef b = w->builder;
    LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetModuleContext(w->lanes->r.module), WIDTH);
    LLVMValueRef cell = pm_member(b, w->i64, w->next, pm_number(w, k));
    LLVMValueRef mask = LLVMBuildZExt(b, LLVMBuildBitCast(b, who, bits, ""), w->i64, "");

    mask = LLVMBuildShl(b, mask, w->lane, "");
    LLVMBuildStore(b, LLVMBuildOr(b, LLVMBuildLoad2(b, w->i64, cell, ""), mask, ""), cell);
}

/* Generates code that stores the values of the phis of successor k, for the work-items in `who`
 * (vector of booleans). */
static void write_phis(vectors *v, const pm_code_segment *s, unsigned k, LLVMValueRef who)
{
    PM_EACH_PHI(phi, LLVMGetSuccessor(s->last, k))
        if (is_computed(v->w.lanes, phi))
            store_slot(v, pm_code_value_of(&v->w.lanes->values, phi)->slot, LLVMTypeOf(phi),
                       vector_of(v, pm_phi_incoming(phi, s->block)), who);
}

/* Generates the loads of all values that the phis of the successors receive. All loads come before
 * any phi is stored, because the value for a phi may be another phi. */
static void read_phis(vectors *v, const pm_code_segment *s)
{
    for (unsigned k = 0; k < s->successors; k++)
        PM_EACH_PHI(phi, LLVMGetSuccessor(s->last, k))
            if (is_computed(v->w.lanes, phi))
                vector_of(v, pm_phi_incoming(phi, s->block));
}

static void write_end(vectors *v, const pm_code_segment *s)
{
    LLVMBuilderRef b = v->w.builder;

    if (s->end == PM_END_JUMP) {
        read_phis(v, s);
        write_phis(v, s, 0, v->active);
    } else if (s->end == PM_END_BRANCH) {
        LLVMValueRef condition = LLVMBuildFreeze(b, operand_of(v, s->last, 0), "");
        LLVMValueRef to[2];

        to[0] = LLVMBuildAnd(b, condition, v->active, "");
        to[1] = LLVMBuildXor(b, to[0], v->active, "");
        read_phis(v, s);
        for (unsigned k = 0; k < 2; k++) {
            write_phis(v, s, k, to[k]);
            go_to(v, k, to[k]);
        }
    }
}

/* Returns the vector of booleans whose elements are true for the work-items that execute the basic
 * block. */
static LLVMValueRef active_of(const pm_block_builder *w)
{
    LLVMContextRef context = LLVMGetModuleContext(w->lanes->r.module);
    LLVMValueRef bits = LLVMBuildLShr(w->builder, w->mask, w->lane, "");

    bits = LLVMBuildTrunc(w->builder, bits, LLVMIntTypeInContext(context, WIDTH), "");
    return LLVMBuildBitCast(w->builder, bits, vector_type(LLVMInt1TypeInContext(context)), "");
}

void pm_vector_builder_write(const pm_warp_builder *lanes, uint32_t segment, const char *name)
{
    const pm_code_segment *s = &lanes->structure.segments[segment];
    vectors v = {.w = pm_block_builder_start(lanes, segment, WIDTH, name)};

    v.w.is_slice = true;
    v.active = active_of(&v.w);
    v.none = LLVMConstNull(vector_type(v.w.i32));
    for (LLVMValueRef i = s->first; i != s->last; i = LLVMGetNextInstruction(i))
        write_instruction(&v, i);
    if (pm_segment_is_cut(s))
        write_instruction(&v, s->last);
    else
        write_end(&v, s);
    LLVMBuildBr(v.w.builder, v.w.skip);
    pm_block_builder_finish(&v.w);
}
