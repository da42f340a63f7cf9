/* Emits bulk copies between global and shared memory: cp.async.bulk and cp.reduce.async.bulk. See
 * emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A copy becomes a call of a function that the trace engine knows, and two marked accesses
 * (machine/bulk_copy.h).
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"
#include "machine/async_copy.h"
#include "machine/bulk_copy.h"
#include "machine/tensor_map.h"

enum { PIECE = 16 }; /* bytes of a marked access, the unit of the size of copies */

static LLVMTypeRef word_type(const pm_ptx_emitter *e)
{
    return pm_ptx_integer_type(e, 32);
}

static LLVMValueRef number(const pm_ptx_emitter *e, uint64_t value)
{
    return LLVMConstInt(word_type(e), value, 0);
}

/* Returns the low 32 bits of a pointer, or of a wide integer. */
static LLVMValueRef low_word(pm_ptx_emitter *e, LLVMValueRef value)
{
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(e->b, value, word_type(e), "");
    return LLVMBuildTrunc(e->b, value, word_type(e), "");
}

/* Sets two words to a pointer, or to an integer of 64 bits. */
static void set_wide(pm_ptx_emitter *e, LLVMValueRef *words, LLVMValueRef value)
{
    LLVMTypeRef wide = pm_ptx_integer_type(e, 64);

    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(e->b, value, wide, "");
    words[0] = low_word(e, value);
    words[1] = low_word(e, LLVMBuildLShr(e->b, value, pm_ptx_constant(wide, 32), ""));
}

/* Emits a call of the function `name` with a vector of `count` words. Words that are NULL are 0.
 * Returns its result, a vector of `results` words. */
static LLVMValueRef call(pm_ptx_emitter *e, const char *name, unsigned results, LLVMValueRef *given,
                         unsigned count)
{
    LLVMValueRef words = LLVMGetPoison(LLVMVectorType(word_type(e), count));

    for (unsigned k = 0; k < count; k++)
        words = LLVMBuildInsertElement(e->b, words, given[k] ? given[k] : number(e, 0),
                                       number(e, k), "");
    return pm_ptx_reading_function(e, name, LLVMVectorType(word_type(e), results), &words, 1);
}

/* ---- marked accesses ------------------------------------------------------------------------- */

static void mark(const pm_ptx_emitter *e, LLVMValueRef access, const char *kind)
{
    LLVMMetadataRef bypasses = LLVMValueAsMetadata(LLVMConstInt(pm_ptx_integer_type(e, 1), 1, 0));

    LLVMSetMetadata(
        access, LLVMGetMDKindIDInContext(e->context, kind, (unsigned)strlen(kind)),
        LLVMMetadataAsValue(e->context, LLVMMDNodeInContext2(e->context, &bypasses, 1)));
}

/* Emits the accesses that tell the engine the source and the destination of a copy. reduces: the
 * destination is changed, not overwritten. */
static void emit_sides(pm_ptx_emitter *e, LLVMValueRef from, LLVMValueRef to, bool reduces)
{
    LLVMTypeRef type = LLVMVectorType(word_type(e), PIECE / 4);
    LLVMValueRef load = LLVMBuildLoad2(e->b, type, from, ""), store;

    if (reduces)
        store = LLVMBuildAtomicRMW(e->b, LLVMAtomicRMWBinOpAdd, to, number(e, 0),
                                   LLVMAtomicOrderingMonotonic, 0);
    else
        store = LLVMBuildStore(e->b, LLVMConstNull(type), to);
    LLVMSetAlignment(load, PIECE);
    LLVMSetAlignment(store, reduces ? 4 : PIECE);
    LLVMSetVolatile(load, 1);
    LLVMSetVolatile(store, 1);
    mark(e, load, PM_BULK_MARK);
    mark(e, load, PM_ASYNC_MARK);
    mark(e, store, PM_BULK_MARK);
    mark(e, store, PM_ASYNC_MARK);
    pm_ptx_known_function(e, PM_BULK_END, LLVMVoidTypeInContext(e->context), NULL, 0);
}

/* ---- forms of instructions ------------------------------------------------------------------- */

/* Raises an error for the forms of a copy that cannot be traced. */
static void refuse_forms(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const char *const multicast[] = {"multicast::cluster", NULL};
    static const char *const gathers[] = {
        "im2col",        "im2col_no_offs", "im2col::w", "im2col::w::128", "im2col::w::128_no_offs",
        "tile::gather4", "tile::scatter4", NULL};
    static const char *const pairs[] = {"cta_group::1", "cta_group::2", "cp_mask", NULL};
    const bool to_shared = pm_ptx_has(i, "mbarrier::complete_tx::bytes");

    if (pm_ptx_choice(i, multicast))
        pm_ptx_refuse(e, i,
                      "copies to several blocks of a cluster cannot be traced; compile the "
                      "kernel for clusters of one block");
    if (to_shared && !pm_ptx_has(i, "global"))
        pm_ptx_refuse(e, i,
                      "copies between the blocks of a cluster cannot be traced; compile the "
                      "kernel for clusters of one block");
    if (pm_ptx_choice(i, gathers))
        pm_ptx_refuse(e, i, "only boxes in tile mode can be traced, no im2col, gather or scatter");
    if (pm_ptx_choice(i, pairs))
        pm_ptx_refuse(e, i, "this form of a bulk copy cannot be traced yet; use one of sm_90");
}

/* Returns the name of the function for a copy. type: also name the type of the elements of a
 * reduction. */
static const char *name_of(pm_ptx_emitter *e, const pm_ptx_instruction *i, bool loads,
                           const char *load, const char *store, const char *reduce, bool type)
{
    static const char *const operations[] = {"add", "min", "max", "inc", "dec",
                                             "and", "or",  "xor", NULL};
    const char *operation = pm_ptx_choice(i, operations);

    if (!pm_ptx_has(i, "reduce"))
        return loads ? load : store;
    if (!operation || (type && i->type_count != 1))
        pm_ptx_refuse(e, i, "it needs an operation such as .add%s", type ? " and a type" : "");
    return type ? pm_format(e->memory, "%s%s.%s", reduce, operation, i->types[0]->name)
                : pm_format(e->memory, "%s%s", reduce, operation);
}

/* cp.async.bulk without a tensor map. Operands: destination, source, size, and for copies to shared
 * memory a barrier. */
static void emit_bytes(pm_ptx_emitter *e, const pm_ptx_instruction *i, bool loads)
{
    LLVMValueRef words[PM_BULK_WORDS] = {NULL}, shared, global;
    const char *name = name_of(e, i, loads, PM_BULK_LOAD, PM_BULK_STORE, PM_BULK_REDUCE, true);

    if (i->operand_count < (loads ? 4U : 3U))
        pm_ptx_refuse(e, i, "it needs two addresses, a size%s", loads ? " and a barrier" : "");
    shared = pm_ptx_pointer_in(e, i, loads ? 0 : 1, PM_PTX_SHARED);
    global = pm_ptx_pointer_in(e, i, loads ? 1 : 0, PM_PTX_GLOBAL);
    words[PM_BULK_SHARED] = low_word(e, shared);
    if (loads)
        words[PM_BULK_BARRIER] = low_word(e, pm_ptx_pointer_in(e, i, 3, PM_PTX_SHARED));
    set_wide(e, &words[PM_BULK_GLOBAL], global);
    words[PM_BULK_BYTES] = pm_ptx_source_as(e, i, 2, "u32");
    call(e, name, 1, words, PM_BULK_WORDS);
    emit_sides(e, loads ? global : shared, loads ? shared : global, pm_ptx_has(i, "reduce"));
}

/* Returns the address of the tensor map in operand k, which is [map, {coordinates}]. */
static LLVMValueRef map_address(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k)
{
    pm_ptx_instruction alone = *i;
    pm_ptx_operand map = i->operands[k];

    map.part_count = 1;
    alone.operands = &map;
    alone.operand_count = 1;
    return pm_ptx_pointer_in(e, &alone, 0, PM_PTX_GENERIC);
}

/* Returns whether an operand is [map, {coordinates}] with as many coordinates as `rank`, such as
 * 2d, says. rank NULL: the instruction has none. */
static bool has_coordinates(const pm_ptx_operand *map, const char *rank)
{
    return rank && map->kind == PM_PTX_ADDRESS && map->part_count == 2 &&
           map->parts[1].kind == PM_PTX_LIST && map->parts[1].part_count == (size_t)(rank[0] - '0');
}

/* cp.async.bulk.tensor. Operands: to shared memory the destination, [map, {coordinates}] and a
 * barrier; from it [map, {coordinates}] and the source. */
static void emit_tensor(pm_ptx_emitter *e, const pm_ptx_instruction *i, bool loads)
{
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d", NULL};
    const char *rank = pm_ptx_choice(i, ranks);
    const size_t at = loads ? 1 : 0;
    const pm_ptx_operand *list;
    const char *name =
        name_of(e, i, loads, PM_TENSOR_LOAD, PM_TENSOR_STORE, PM_TENSOR_REDUCE, false);
    LLVMValueRef words[PM_TENSOR_WORDS] = {NULL}, shared, global;

    if (i->operand_count < (loads ? 3U : 2U) || !has_coordinates(&i->operands[at], rank))
        pm_ptx_refuse(e, i,
                      "it needs [map, {coordinates}] with as many coordinates as dimensions, an "
                      "address%s",
                      loads ? " and a barrier" : "");
    list = &i->operands[at].parts[1];
    shared = pm_ptx_pointer_in(e, i, loads ? 0 : 1, PM_PTX_SHARED);
    words[PM_BULK_SHARED] = low_word(e, shared);
    if (loads)
        words[PM_BULK_BARRIER] = low_word(e, pm_ptx_pointer_in(e, i, 2, PM_PTX_SHARED));
    set_wide(e, &words[PM_BULK_GLOBAL], map_address(e, i, at));
    for (size_t d = 0; d < list->part_count; d++)
        words[PM_BULK_COORDINATES + d] =
            pm_ptx_value(e, i, &list->parts[d], pm_ptx_type_named("b32"));
    words[PM_BULK_RANK] = number(e, list->part_count);
    /* the result is the tensor's address, whose buffer LLVM cannot know */
    global = LLVMBuildBitCast(e->b, call(e, name, 2, words, PM_TENSOR_WORDS),
                              pm_ptx_integer_type(e, 64), "");
    global = LLVMBuildIntToPtr(
        e->b, global, LLVMPointerTypeInContext(e->context, pm_ptx_address_space(PM_PTX_GLOBAL)),
        "");
    emit_sides(e, loads ? global : shared, loads ? shared : global, pm_ptx_has(i, "reduce"));
}

void pm_ptx_emit_bulk(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool loads = pm_ptx_has(i, "mbarrier::complete_tx::bytes");

    refuse_forms(e, i);
    /* Data that are prefetched to L2 are counted when they are read. */
    if (pm_ptx_has(i, "prefetch"))
        return;
    if (!loads && !pm_ptx_has(i, "bulk_group"))
        pm_ptx_refuse(e, i, "it needs .mbarrier::complete_tx::bytes or .bulk_group");
    if (pm_ptx_has(i, "tensor"))
        emit_tensor(e, i, loads);
    else
        emit_bytes(e, i, loads);
}

/* ---- tensor maps ----------------------------------------------------------------------------- */

/* A field that tensormap.replace changes. is_ordinal: its second operand is a dimension. */
typedef struct {
    const char *name;
    pm_map_field field;
    bool is_ordinal;
} map_field;

static const map_field *field_of(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const map_field fields[PM_MAP_FIELDS] = {{"global_address", PM_MAP_ADDRESS, false},
                                                    {"rank", PM_MAP_RANK, false},
                                                    {"box_dim", PM_MAP_BOX, true},
                                                    {"global_dim", PM_MAP_SIZE, true},
                                                    {"global_stride", PM_MAP_STRIDE, true},
                                                    {"element_stride", PM_MAP_STEP, true},
                                                    {"elemtype", PM_MAP_TYPE, false},
                                                    {"interleave_layout", PM_MAP_INTERLEAVE, false},
                                                    {"swizzle_mode", PM_MAP_SWIZZLE, false},
                                                    {"fill_mode", PM_MAP_FILL, false}};

    for (size_t k = 0; k < PM_MAP_FIELDS; k++)
        if (pm_ptx_has(i, fields[k].name) && i->operand_count == (fields[k].is_ordinal ? 3 : 2))
            return &fields[k];
    pm_ptx_refuse(e, i, "it needs a field of a tensor map, and the field's operands");
}

static void emit_replace(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const map_field *field = field_of(e, i);
    const bool in_shared = pm_ptx_has(i, "shared::cta");
    const bool is_wide = field->field == PM_MAP_ADDRESS || field->field == PM_MAP_STRIDE;
    LLVMValueRef words[PM_REPLACE_WORDS] = {NULL}, value, map;

    map = pm_ptx_pointer_in(e, i, 0, in_shared ? PM_PTX_SHARED : PM_PTX_GENERIC);
    if (in_shared)
        words[PM_BULK_SHARED] = low_word(e, map);
    else
        set_wide(e, &words[PM_BULK_GLOBAL], map);
    words[PM_REPLACE_IN_SHARED] = number(e, in_shared);
    words[PM_REPLACE_FIELD] = number(e, field->field);
    if (field->is_ordinal)
        words[PM_REPLACE_DIMENSION] = pm_ptx_source_as(e, i, 1, "u32");
    value = pm_ptx_source_as(e, i, i->operand_count - 1, is_wide ? "u64" : "u32");
    if (is_wide)
        set_wide(e, &words[PM_REPLACE_VALUE], value);
    else
        words[PM_REPLACE_VALUE] = value;
    call(e, PM_MAP_REPLACE, 1, words, PM_REPLACE_WORDS);
}

/* Emits tensormap.cp_fenceproxy, which copies a map from shared to global memory. A marked load
 * from shared memory precedes it, whose value the call gets: the engine then knows that the
 * contents of shared memory decide addresses. */
static void emit_map_copy(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef words[PM_BULK_WORDS] = {NULL}, from, load;

    if (i->operand_count != 3 || i->operands[2].kind != PM_PTX_NUMBER ||
        i->operands[2].bits != PM_TENSOR_MAP_BYTES)
        pm_ptx_refuse(e, i, "it needs two addresses and the number 128");
    from = pm_ptx_pointer_in(e, i, 1, PM_PTX_SHARED);
    load = LLVMBuildLoad2(e->b, word_type(e), from, "");
    LLVMSetVolatile(load, 1);
    mark(e, load, PM_BULK_MARK);
    words[PM_BULK_SHARED] = low_word(e, from);
    words[PM_BULK_BARRIER] = load;
    set_wide(e, &words[PM_BULK_GLOBAL], pm_ptx_pointer_in(e, i, 0, PM_PTX_GENERIC));
    call(e, PM_MAP_COPY, 1, words, PM_BULK_WORDS);
}

void pm_ptx_emit_tensormap(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (pm_ptx_has(i, "replace"))
        emit_replace(e, i);
    else if (pm_ptx_has(i, "cp_fenceproxy"))
        emit_map_copy(e, i);
    else
        pm_ptx_refuse(e, i, "it needs .replace or .cp_fenceproxy");
}
