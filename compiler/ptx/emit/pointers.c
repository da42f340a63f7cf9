/* Replaces integers that are addresses by pointers. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In PTX an address is an integer: a kernel's argument or the address of a variable, plus an index
 * times the size of an element. LLVM derives from pointers, and not from integers, to which memory
 * and to which argument an access leads. For each integer from which a pointer is made, we follow
 * sums, phis and selects back to the pointer or the load from which it comes, and compute the same
 * address by getelementptr.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

enum { MOST_DEPTH = 2000, MOST_ROUNDS = 64 };

/* Probability that an integer is an address. A value that is computed from a pointer is an address.
 * A value that is computed from a loaded number or from an argument may be one. */
typedef enum { IS_NUMBER, MAY_BE_ADDRESS, IS_ADDRESS } likelihood;

/* Facts about an integer of the function. */
typedef struct {
    LLVMValueRef value; /* NULL: free entry of the table */
    likelihood is;
    bool is_listed;       /* true: `is` has been determined, or is being determined */
    LLVMValueRef pointer; /* the value as an LLVM pointer; NULL: not made yet */
} known;

typedef struct {
    pm_memory *memory;
    LLVMContextRef context;
    LLVMBuilderRef b;
    known *table; /* by open addressing */
    size_t capacity, used;
    unsigned depth;
    size_t made_count;
    /* values for which pointers were made, in the order in which the pointers were made */
    known *made;
} finder;

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static known *find_slot(known *table, size_t capacity, LLVMValueRef value)
{
    size_t i = (size_t)((uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);

    while (table[i].value && table[i].value != value)
        i = (i + 1) & (capacity - 1);
    return &table[i];
}

/* Returns the table's entry of a value, and adds the entry if needed. A later call may move the
 * entry. */
static known *known_of(finder *f, LLVMValueRef value)
{
    known *slot;

    if (2 * f->used >= f->capacity) {
        const size_t capacity = f->capacity ? 2 * f->capacity : 256;
        known *table = pm_take(f->memory, capacity, sizeof *table);

        for (size_t i = 0; i < f->capacity; i++)
            if (f->table[i].value)
                *find_slot(table, capacity, f->table[i].value) = f->table[i];
        f->table = table;
        f->capacity = capacity;
    }
    slot = find_slot(f->table, f->capacity, value);
    f->used += !slot->value;
    slot->value = value;
    return slot;
}

/* ---- judging --------------------------------------------------------------------------------- */

static likelihood larger(likelihood a, likelihood b)
{
    return a > b ? a : b;
}

/* Returns whether a value can be an address at all: a variable integer of 32 or 64 bits. */
static bool may_judge(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && !LLVMIsAConstantInt(value) &&
           (LLVMGetIntTypeWidth(type) == 64 || LLVMGetIntTypeWidth(type) == 32);
}

/* Returns whether an operand of `value` is an address, as far as it is known. */
static likelihood judged(finder *f, LLVMValueRef value, unsigned operand)
{
    LLVMValueRef of = LLVMGetOperand(value, operand);

    return may_judge(of) ? known_of(f, of)->is : IS_NUMBER;
}

/* Sets the range of operands through which `value` may get an address: operands *first to *end - 1.
 * These are both operands of a sum, and the two alternatives of a select. */
static void followed_operands(LLVMValueRef value, unsigned *first, unsigned *end)
{
    *first = *end = 0;
    switch (opcode_of(value)) {
    case LLVMAdd:
    case LLVMOr:
    case LLVMSub:
        *end = 2;
        break;
    /* x & mask: an address that is rounded down, if the constant mask has all upper bits */
    case LLVMAnd:
        *end = LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
               LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) < 0;
        break;
    case LLVMPHI:
        *end = (unsigned)LLVMGetNumOperands(value);
        break;
    case LLVMSelect:
        *first = 1;
        *end = 3;
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFreeze:
        *end = 1;
        break;
    default:
        break;
    }
}

/* Determines whether a value is an address from the known facts about its operands. */
static likelihood judge_once(finder *f, LLVMValueRef value)
{
    const LLVMOpcode opcode = opcode_of(value);
    likelihood is = IS_NUMBER;
    unsigned first, end;

    if (opcode == LLVMPtrToInt)
        return IS_ADDRESS;
    if ((opcode == LLVMLoad || LLVMIsAArgument(value)) &&
        LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64)
        return MAY_BE_ADDRESS;
    if (opcode == LLVMSub) /* a difference of two addresses is a number */
        return judged(f, value, 1) == IS_ADDRESS ? IS_NUMBER : judged(f, value, 0);
    followed_operands(value, &first, &end);
    for (unsigned k = first; k < end; k++)
        is = larger(is, judged(f, value, k));
    return is;
}

/* Returns a list of `value` and of all values from which it may get an address, directly or through
 * other values. Values that were listed before are left out. */
static LLVMValueRef *list_sources(finder *f, LLVMValueRef value, size_t *count)
{
    LLVMValueRef *list = NULL;

    *count = 0;
    *pm_add(f->memory, list, *count) = value;
    known_of(f, value)->is_listed = true;
    for (size_t k = 0; k < *count; k++) {
        LLVMValueRef user = list[k];
        unsigned first, end;

        followed_operands(user, &first, &end);
        for (; first < end; first++) {
            LLVMValueRef of = LLVMGetOperand(user, first);

            if (!may_judge(of) || known_of(f, of)->is_listed)
                continue;
            known_of(f, of)->is_listed = true;
            *pm_add(f->memory, list, *count) = of;
        }
    }
    return list;
}

/* Returns whether an integer is an address. The values of a loop depend on each other. Therefore
 * all values from which this one comes are determined again and again until nothing changes. */
static likelihood judge(finder *f, LLVMValueRef value)
{
    LLVMValueRef *list;
    size_t count;
    bool changed = true;

    if (!may_judge(value))
        return IS_NUMBER;
    if (known_of(f, value)->is_listed)
        return known_of(f, value)->is;
    list = list_sources(f, value, &count);
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t k = count; k-- > 0;) {
            const likelihood is = judge_once(f, list[k]);

            changed = changed || known_of(f, list[k])->is != is;
            known_of(f, list[k])->is = is;
        }
    }
    return known_of(f, value)->is;
}

/* ---- making pointers ------------------------------------------------------------------------- */

static LLVMValueRef pointer_of(finder *f, LLVMValueRef value);

static LLVMTypeRef generic_type(const finder *f)
{
    return LLVMPointerTypeInContext(f->context, 0);
}

/* Moves the builder directly behind the instruction `value` (behind all phis if it is one), so that
 * the next instruction can use the value. */
static void go_behind(finder *f, LLVMValueRef value)
{
    LLVMValueRef next = LLVMGetNextInstruction(value);

    while (LLVMIsAPHINode(value) && LLVMIsAPHINode(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(f->b, next);
    LLVMSetCurrentDebugLocation2(f->b, LLVMInstructionGetDebugLoc(value));
}

static LLVMValueRef cast(finder *f, LLVMValueRef pointer, LLVMTypeRef type)
{
    return LLVMTypeOf(pointer) == type ? pointer : LLVMBuildAddrSpaceCast(f->b, pointer, type, "");
}

/* Splits an offset in bytes into an index and an element size, if it is a product with a constant.
 * *offset becomes the index, an operand of getelementptr. Returns the element size in bytes; 1 if
 * the offset is no such product. */
static uint64_t split_offset(LLVMValueRef *offset)
{
    enum { LARGEST = 1 << 16 };
    const LLVMOpcode opcode = opcode_of(*offset);
    LLVMValueRef factor;
    uint64_t bytes;

    if (opcode != LLVMShl && opcode != LLVMMul)
        return 1;
    factor = LLVMGetOperand(*offset, 1);
    if (!LLVMIsAConstantInt(factor))
        return 1;
    bytes = LLVMConstIntGetZExtValue(factor);
    if (opcode == LLVMShl)
        bytes = bytes < 16 ? UINT64_C(1) << bytes : 0;
    if (bytes == 0 || bytes > LARGEST)
        return 1;
    *offset = LLVMGetOperand(*offset, 0);
    return bytes;
}

/* Returns a type of `bytes` bytes. */
static LLVMTypeRef element_of(const finder *f, uint64_t bytes)
{
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
        return LLVMIntTypeInContext(f->context, 8 * (unsigned)bytes);
    return LLVMArrayType2(LLVMInt8TypeInContext(f->context), bytes);
}

/* Emits the address `base` plus the integer `offset`. */
static LLVMValueRef add_offset(finder *f, LLVMValueRef base, LLVMValueRef offset)
{
    LLVMTypeRef wide = LLVMInt64TypeInContext(f->context);
    const uint64_t bytes = split_offset(&offset);

    if (LLVMTypeOf(offset) != wide)
        offset = LLVMBuildSExt(f->b, offset, wide, "");
    return LLVMBuildGEP2(f->b, element_of(f, bytes), base, &offset, 1, "");
}

/* Emits the pointer for a sum: the operand that is more likely an address becomes the base, and the
 * other operand the offset. */
static LLVMValueRef make_sum(finder *f, LLVMValueRef value)
{
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1), base;

    if (judge(f, b) > judge(f, a)) {
        LLVMValueRef swap = a;

        a = b;
        b = swap;
    }
    base = pointer_of(f, a);
    if (LLVMIsAInstruction(value))
        go_behind(f, value);
    return add_offset(f, base, b);
}

static LLVMValueRef make_difference(finder *f, LLVMValueRef value)
{
    LLVMValueRef base = pointer_of(f, LLVMGetOperand(value, 0));

    if (LLVMIsAInstruction(value))
        go_behind(f, value);
    return add_offset(f, base, LLVMBuildNeg(f->b, LLVMGetOperand(value, 1), ""));
}

/* Emits the pointer for an address that is rounded down by a mask: a call of llvm.ptrmask. */
static LLVMValueRef make_mask(finder *f, LLVMValueRef value)
{
    static const char name[] = "llvm.ptrmask";
    LLVMValueRef in[2] = {pointer_of(f, LLVMGetOperand(value, 0)), NULL}, function;
    LLVMTypeRef types[2] = {LLVMTypeOf(in[0]), LLVMInt64TypeInContext(f->context)};

    in[1] = LLVMConstInt(types[1],
                         (unsigned long long)LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)), 1);
    function = LLVMGetIntrinsicDeclaration(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))),
        LLVMLookupIntrinsicID(name, sizeof name - 1), types, 2);
    go_behind(f, value);
    return LLVMBuildCall2(f->b, LLVMGlobalGetValueType(function), function, in, 2, "");
}

/* Returns the incoming value that a phi already has for a basic block; NULL: it has none. Needed
 * because a phi must have the same value for all edges that come from the same block. */
static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == block)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

/* Emits a phi of pointers for a phi of integers. Records the new phi before its incoming values are
 * made, because these may depend on it. */
static LLVMValueRef make_phi(finder *f, LLVMValueRef phi)
{
    LLVMValueRef made, incoming;
    LLVMBasicBlockRef from;

    LLVMPositionBuilderBefore(f->b, phi);
    LLVMSetCurrentDebugLocation2(f->b, LLVMInstructionGetDebugLoc(phi));
    made = LLVMBuildPhi(f->b, generic_type(f), "");
    known_of(f, phi)->pointer = made;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        from = LLVMGetIncomingBlock(phi, k);
        incoming = incoming_from(made, from);
        if (!incoming) {
            incoming = pointer_of(f, LLVMGetIncomingValue(phi, k));
            LLVMPositionBuilderBefore(f->b, LLVMGetBasicBlockTerminator(from));
            incoming = cast(f, incoming, generic_type(f));
        }
        LLVMAddIncoming(made, &incoming, &from, 1);
    }
    return made;
}

static LLVMValueRef make_select(finder *f, LLVMValueRef value)
{
    LLVMValueRef a = pointer_of(f, LLVMGetOperand(value, 1));
    LLVMValueRef b = pointer_of(f, LLVMGetOperand(value, 2));

    go_behind(f, value);
    if (LLVMTypeOf(a) != LLVMTypeOf(b)) {
        a = cast(f, a, generic_type(f));
        b = cast(f, b, generic_type(f));
    }
    return LLVMBuildSelect(f->b, LLVMGetOperand(value, 0), a, b, "");
}

/* Emits a load of a pointer, which replaces the load of an integer. */
static LLVMValueRef make_load(finder *f, LLVMValueRef load)
{
    LLVMValueRef made;

    go_behind(f, load);
    made = LLVMBuildLoad2(f->b, generic_type(f), LLVMGetOperand(load, 0), "");
    LLVMSetAlignment(made, LLVMGetAlignment(load));
    LLVMSetVolatile(made, LLVMGetVolatile(load));
    return made;
}

/* Emits inttoptr for an integer whose origin is not known. */
static LLVMValueRef make_plain(finder *f, LLVMValueRef value)
{
    LLVMTypeRef wide = LLVMInt64TypeInContext(f->context);
    LLVMBasicBlockRef entry;

    if (LLVMIsAInstruction(value)) {
        go_behind(f, value);
    } else if (LLVMIsAArgument(value)) {
        entry = LLVMGetEntryBasicBlock(LLVMGetParamParent(value));
        LLVMPositionBuilderBefore(f->b, LLVMGetFirstInstruction(entry));
        LLVMSetCurrentDebugLocation2(f->b,
                                     LLVMInstructionGetDebugLoc(LLVMGetFirstInstruction(entry)));
    }
    if (LLVMTypeOf(value) != wide)
        value = LLVMBuildZExt(f->b, value, wide, "");
    return LLVMBuildIntToPtr(f->b, value, generic_type(f), "");
}

static LLVMValueRef make(finder *f, LLVMValueRef value)
{
    switch (judge(f, value) == IS_NUMBER ? (LLVMOpcode)0 : opcode_of(value)) {
    case LLVMPtrToInt:
        return LLVMGetOperand(value, 0);
    case LLVMAdd:
    case LLVMOr:
        return make_sum(f, value);
    case LLVMSub:
        return make_difference(f, value);
    case LLVMAnd:
        return make_mask(f, value);
    case LLVMPHI:
        return make_phi(f, value);
    case LLVMSelect:
        return make_select(f, value);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFreeze:
        return pointer_of(f, LLVMGetOperand(value, 0));
    case LLVMLoad:
        return make_load(f, value);
    default:
        return make_plain(f, value);
    }
}

/* Returns the pointer for an integer that is an address, and emits it if needed. */
static LLVMValueRef pointer_of(finder *f, LLVMValueRef value)
{
    LLVMValueRef pointer = known_of(f, value)->pointer, known_before;

    if (pointer)
        return pointer;
    if (f->depth >= MOST_DEPTH)
        return make_plain(f, value);
    f->depth++;
    pointer = make(f, value);
    f->depth--;
    /* This value may have got its pointer while the pointer for the phi of its loop was made. Use
     * that pointer. */
    known_before = known_of(f, value)->pointer;
    if (known_before && known_before != pointer)
        return known_before;
    known_of(f, value)->pointer = pointer;
    if (LLVMIsAInstruction(value))
        *pm_add(f->memory, f->made, f->made_count) = (known){.value = value, .pointer = pointer};
    return pointer;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Replaces the integers for which pointers were made by ptrtoint of these pointers, so that no
 * address is computed twice. */
static void replace_integers(finder *f)
{
    for (size_t k = 0; k < f->made_count; k++) {
        LLVMValueRef value = f->made[k].value, pointer = f->made[k].pointer, number;

        if (!(LLVMIsAPHINode(value) || LLVMIsALoadInst(value) || opcode_of(value) == LLVMAdd ||
              opcode_of(value) == LLVMSub || opcode_of(value) == LLVMSelect) ||
            !LLVMIsAInstruction(pointer) || opcode_of(pointer) == LLVMIntToPtr)
            continue;
        go_behind(f, LLVMIsAPHINode(value) ? value : pointer);
        number = LLVMBuildPtrToInt(f->b, pointer, LLVMTypeOf(value), "");
        LLVMReplaceAllUsesWith(value, number);
        LLVMInstructionEraseFromParent(value);
    }
}

void pm_ptx_find_pointers(pm_memory *memory, LLVMValueRef function)
{
    finder f = {.memory = memory, .context = LLVMGetModuleContext(LLVMGetGlobalParent(function))};
    LLVMValueRef *casts = NULL;
    size_t count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAIntToPtrInst(i))
                *pm_add(memory, casts, count) = i;
    if (count == 0)
        return;
    f.b = LLVMCreateBuilderInContext(f.context);
    for (size_t k = 0; k < count; k++) {
        LLVMValueRef from = LLVMGetOperand(casts[k], 0), pointer;

        if (judge(&f, from) == IS_NUMBER)
            continue;
        pointer = pointer_of(&f, from);
        LLVMPositionBuilderBefore(f.b, casts[k]);
        LLVMSetCurrentDebugLocation2(f.b, LLVMInstructionGetDebugLoc(casts[k]));
        LLVMReplaceAllUsesWith(casts[k], cast(&f, pointer, LLVMTypeOf(casts[k])));
        LLVMInstructionEraseFromParent(casts[k]);
    }
    replace_integers(&f);
    LLVMDisposeBuilder(f.b);
}
