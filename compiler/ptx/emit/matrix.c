/* Emits matrix products of tensor cores: mma, wmma and wgmma. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elements of a matrix are distributed over the work-items of a warp. A product becomes a call
 * of a function that the trace engine knows (machine/matrix_product.h), whose
 * operand and result are vectors of 32-bit words. wmma leaves the distribution to the compiler.
 * Here it is that of mma, as in the code of ptxas.
 */
#include <stdio.h>
#include <string.h>

#include "compiler/ptx/emit/emitter.h"
#include "machine/async_copy.h"
#include "machine/matrix_product.h"

enum { LANES = 32, WORD = 32, TILE = 8, GROUP = 4 };

typedef struct {
    unsigned m, n, k;
    const pm_ptx_type *d, *a, *b, *c;
} product;

/* ---- vectors of words ------------------------------------------------------------------------ */

static LLVMTypeRef word_type(const pm_ptx_emitter *e)
{
    return pm_ptx_integer_type(e, WORD);
}

static LLVMValueRef index_of(const pm_ptx_emitter *e, unsigned index)
{
    return LLVMConstInt(word_type(e), index, 0);
}

/* Returns register k of an operand, which is a list of registers or, for k = 0, a single
 * register. */
static const pm_ptx_operand *part_of(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                     const pm_ptx_operand *operand, unsigned k)
{
    const size_t count = operand->kind == PM_PTX_LIST ? operand->part_count : 1;

    if (k >= count)
        pm_ptx_refuse(e, i, "it needs more registers than the %zu that it has", count);
    return operand->kind == PM_PTX_LIST ? &operand->parts[k] : operand;
}

/* Writes `count` 32-bit words from an operand's registers into the vector `words`, from index `at`
 * on. Returns the new vector. wide: true if the registers have 64 bits, two words each. */
static LLVMValueRef add_words(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                              const pm_ptx_operand *operand, bool wide, LLVMValueRef words,
                              unsigned at, unsigned count)
{
    const pm_ptx_type *type = pm_ptx_type_named(wide ? "b64" : "b32");

    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef value = pm_ptx_value(e, i, part_of(e, i, operand, wide ? k / 2 : k), type);

        if (wide && k % 2 == 1)
            value = LLVMBuildLShr(e->b, value, pm_ptx_constant(LLVMTypeOf(value), WORD), "");
        value = LLVMBuildTruncOrBitCast(e->b, value, word_type(e), "");
        words = LLVMBuildInsertElement(e->b, words, value, index_of(e, at + k), "");
    }
    return words;
}

/* Writes a vector of 32-bit words to an operand's registers. wide: true if the registers have 64
 * bits, two words each. */
static void set_words(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_operand *operand,
                      bool wide, LLVMValueRef words)
{
    const unsigned each = wide ? 2 : 1, count = LLVMGetVectorSize(LLVMTypeOf(words)) / each;
    const pm_ptx_type *type = pm_ptx_type_named(wide ? "b64" : "b32");

    if (wide)
        words =
            LLVMBuildBitCast(e->b, words, LLVMVectorType(pm_ptx_integer_type(e, 64), count), "");
    for (unsigned k = 0; k < count; k++)
        pm_ptx_set(e, i, part_of(e, i, operand, k),
                   LLVMBuildExtractElement(e->b, words, index_of(e, k), ""), type);
}

/* ---- products -------------------------------------------------------------------------------- */

/* Reads the shape m, n, k of a matrix product from a modifier such as m16n8k16. The types of the
 * result stay NULL. */
static product shape_of(const pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    product p = {0};

    for (size_t k = 0; k < i->modifier_count; k++)
        if (sscanf(i->modifiers[k], "m%3un%3uk%3u", &p.m, &p.n, &p.k) == 3)
            return p;
    pm_ptx_refuse(e, i, "it needs a shape such as .m16n8k16");
}

static bool is_wide(const pm_ptx_type *type)
{
    return type->bits == 64;
}

/* Returns the number of 32-bit words per thread of a matrix that is distributed over the threads of
 * a warp. */
static unsigned words_of(unsigned rows, unsigned columns, const pm_ptx_type *type)
{
    return rows * columns * type->bits / (LANES * WORD);
}

/* Returns the last part of the name of a product's function, which says how it computes
 * (pm_product_rule). It is "plain", "satfinite", "and" or "xor". If has_quads, it is the layouts of
 * A and B, such as "row_col". */
static const char *rule_of(const pm_ptx_emitter *e, const pm_ptx_instruction *i, bool has_quads)
{
    char layout[8] = "";

    if (!has_quads)
        return pm_ptx_has(i, "satfinite") ? "satfinite"
               : pm_ptx_has(i, "and")     ? "and"
               : pm_ptx_has(i, "xor")     ? "xor"
                                          : "plain";
    for (size_t k = 0; k < i->modifier_count; k++)
        if (strcmp(i->modifiers[k], "row") == 0 || strcmp(i->modifiers[k], "col") == 0)
            snprintf(layout + strlen(layout), sizeof layout - strlen(layout), "%s%s",
                     *layout ? "_" : "", i->modifiers[k]);
    return pm_format(e->memory, "%s", layout);
}

static void emit_product(pm_ptx_emitter *e, const pm_ptx_instruction *i, const product *p)
{
    /* m8n8k4 for f16, an instruction of Volta: each group of eight threads (quad pair) of the warp
     * computes a product of its own */
    const bool has_quads = p->m == 8 && p->n == 8 && p->k == 4 && p->a->bits == 16;
    const unsigned a = has_quads ? 2 : words_of(p->m, p->k, p->a);
    const unsigned b = has_quads ? 2 : words_of(p->k, p->n, p->b);
    const unsigned times = has_quads ? 4 : 1;
    const unsigned c = times * words_of(p->m, p->n, p->c), d = times * words_of(p->m, p->n, p->d);
    LLVMValueRef words = LLVMGetPoison(LLVMVectorType(word_type(e), a + b + c));
    const char *name =
        pm_format(e->memory, "pm.warp.mma.m%un%uk%u.%s.%s.%s.%s.%s", p->m, p->n, p->k, p->d->name,
                  p->a->name, p->b->name, p->c->name, rule_of(e, i, has_quads));

    pm_matrix_product read;

    if (a == 0 || b == 0 || c == 0 || d == 0 || !pm_matrix_product_read(name, &read))
        pm_ptx_refuse(e, i, "a product of this shape and these types cannot be traced");
    words = add_words(e, i, &i->operands[3], is_wide(p->c), words, 0, c);
    words = add_words(e, i, &i->operands[2], is_wide(p->b), words, c, b);
    words = add_words(e, i, &i->operands[1], is_wide(p->a), words, c + b, a);
    words = pm_ptx_warp_function(e, name, LLVMVectorType(word_type(e), d), &words, 1);
    set_words(e, i, &i->operands[0], is_wide(p->d), words);
}

void pm_ptx_emit_mma(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    product p = shape_of(e, i);

    if (i->type_count != 4)
        pm_ptx_refuse(e, i, "it needs four types");
    p.d = i->types[0];
    p.a = i->types[1];
    p.b = i->types[2];
    p.c = i->types[3];
    emit_product(e, i, &p);
}

/* ---- products of a warp group --------------------------------------------------------------- */

/* Returns the value of an operand that is a number, or `otherwise` if the instruction has fewer
 * operands. */
static int64_t number_at(const pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                         int64_t otherwise)
{
    if (k >= i->operand_count)
        return otherwise;
    if (i->operands[k].kind != PM_PTX_NUMBER)
        pm_ptx_refuse(e, i, "operand %zu must be a number", k + 1);
    return (int64_t)i->operands[k].bits;
}

/* Returns the name of the function for a product of a warp group, from which the trace engine reads
 * the product's shape, types and options (pm_group_product_read). in_registers: true if A is in
 * registers, false if it is in shared memory. */
static const char *group_name(pm_ptx_emitter *e, const pm_ptx_instruction *i, const product *p,
                              bool in_registers)
{
    /* index of the operand that says whether B is transposed; an instruction with A in registers
     * has no such operand for A */
    const size_t of_b = in_registers ? 6 : 7;

    return pm_format(e->memory, "pm.warp.wgmma.m%un%uk%u.%s.%s.%s.%c%c%c%c%c", p->m, p->n, p->k,
                     p->d->name, p->a->name, p->b->name, in_registers ? 'r' : 's',
                     !in_registers && number_at(e, i, 6, 0) ? '1' : '0',
                     number_at(e, i, of_b, 0) ? '1' : '0', number_at(e, i, 4, 1) < 0 ? '-' : '+',
                     number_at(e, i, 5, 1) < 0 ? '-' : '+');
}

static void emit_group_product(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    product p = shape_of(e, i);
    const bool in_registers = i->operand_count > 1 && i->operands[1].kind == PM_PTX_LIST;
    unsigned d, a;
    LLVMValueRef words;
    pm_group_product read;
    const char *name;

    if (i->operand_count < 4 || i->type_count != 3)
        pm_ptx_refuse(e, i, "it needs D, A, B, the predicate scale-d and three types");
    p.d = i->types[0];
    p.a = i->types[1];
    p.b = i->types[2];
    name = group_name(e, i, &p, in_registers);
    if (!pm_group_product_read(name, &read))
        pm_ptx_refuse(e, i, "a product of this shape and these types cannot be traced");
    d = pm_product_d_words(&read.of_warp);
    a = in_registers ? pm_product_a_words(&read.of_warp) : 2;
    words = LLVMGetPoison(LLVMVectorType(word_type(e), d + a + 4));
    words = add_words(e, i, &i->operands[0], false, words, 0, d);
    words = add_words(e, i, &i->operands[1], !in_registers, words, d, a);
    words = add_words(e, i, &i->operands[2], true, words, d + a, 2);
    words = LLVMBuildInsertElement(
        e->b, words, LLVMBuildZExt(e->b, pm_ptx_source_as(e, i, 3, "pred"), word_type(e), ""),
        index_of(e, d + a + 2), "");
    words = LLVMBuildInsertElement(
        e->b, words,
        LLVMBuildAnd(e->b, pm_ptx_special(e, i, "%warpid"), pm_ptx_constant(word_type(e), 3), ""),
        index_of(e, d + a + 3), "");
    words = pm_ptx_reading_function(e, name, LLVMVectorType(word_type(e), d), &words, 1);
    set_words(e, i, &i->operands[0], false, words);
}

/* Emits wgmma. Products are computed at once, so wgmma.fence, commit_group and wait_group, which
 * order products, become calls that the trace engine only counts. */
void pm_ptx_emit_wgmma(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (pm_ptx_has(i, "mma_async"))
        emit_group_product(e, i);
    else
        pm_ptx_known_function(e, PM_ASYNC_COMMIT, LLVMVoidTypeInContext(e->context), NULL, 0);
}

/* ---- wmma: products -------------------------------------------------------------------------- */

static void emit_wmma_product(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    product p = shape_of(e, i);

    if (i->operand_count != 4 || (i->type_count != 4 && i->type_count != 2))
        pm_ptx_refuse(e, i, "it needs four operands, and two or four types");
    p.d = i->types[0];
    p.c = i->types[i->type_count - 1];
    /* PTX does not state the types of the matrices A and B if they are f16 */
    p.a = i->type_count == 4 ? i->types[1] : pm_ptx_type_named("f16");
    p.b = i->type_count == 4 ? i->types[2] : pm_ptx_type_named("f16");
    emit_product(e, i, &p);
}

/* ---- wmma: loads and stores ------------------------------------------------------------------ */

/* A matrix that wmma loads or stores, and the elements that one thread accesses. Lines are the rows
 * of A and C, or the columns of B. The matrix consists of tiles of 8 lines; the four threads with
 * the same first line have `each` adjacent elements of a line of the tile. The thread's registers
 * (its fragment) have the elements of one tile after the other. lines, length: number of lines, and
 * of elements in a line. */
typedef struct {
    /* lines, length: extents of the matrix; each: elements of one line per tile and thread; words:
     * 32-bit words of `each` elements */
    unsigned lines, length, each, words;
    /* order of the tiles in a thread's registers; true: the next tile is 8 lines further, false: it
     * is further along the same lines */
    bool lines_first;
    /* true: the elements of a line are adjacent in memory; false: adjacent elements belong to
     * different lines */
    bool is_contiguous;
    const pm_ptx_type *type;
    /* base: address of the matrix; line: the thread's first line; along: index of the thread's
     * first element in this line */
    LLVMValueRef base, line, along;
    /* stride in elements: between lines if is_contiguous, else between the elements of a line */
    LLVMValueRef pitch;
} fragment;

static unsigned tiles_of(const fragment *f)
{
    return f->lines / TILE * (f->length / (GROUP * f->each));
}

static LLVMValueRef times(pm_ptx_emitter *e, LLVMValueRef value, uint64_t factor)
{
    return LLVMBuildMul(e->b, value, pm_ptx_constant(LLVMTypeOf(value), factor), "");
}

static LLVMValueRef plus(pm_ptx_emitter *e, LLVMValueRef value, uint64_t more)
{
    return LLVMBuildAdd(e->b, value, pm_ptx_constant(LLVMTypeOf(value), more), "");
}

/* Returns the address of the thread's element `of` (0 to each - 1) of tile `tile`. */
static LLVMValueRef element_address(pm_ptx_emitter *e, const fragment *f, unsigned tile,
                                    unsigned of)
{
    const unsigned rows = f->lines / TILE, along = f->length / (GROUP * f->each);
    const unsigned line = f->lines_first ? tile % rows : tile / along;
    const unsigned part = f->lines_first ? tile / rows : tile % along;
    LLVMTypeRef wide = pm_ptx_integer_type(e, 64);
    LLVMValueRef at = plus(e, f->line, (uint64_t)line * TILE);
    LLVMValueRef on = plus(e, f->along, (uint64_t)part * GROUP * f->each + of);
    LLVMValueRef offset = f->is_contiguous
                              ? LLVMBuildAdd(e->b, LLVMBuildMul(e->b, at, f->pitch, ""), on, "")
                              : LLVMBuildAdd(e->b, LLVMBuildMul(e->b, on, f->pitch, ""), at, "");

    offset = LLVMBuildZExt(e->b, offset, wide, "");
    offset =
        f->type->bits < 8
            ? LLVMBuildLShr(e->b, offset, pm_ptx_constant(wide, f->type->bits == 4 ? 1 : 3), "")
            : times(e, offset, f->type->bits / 8);
    return LLVMBuildGEP2(e->b, pm_ptx_integer_type(e, 8), f->base, &offset, 1, "");
}

/* Returns the type of an access to `words` words. */
static LLVMTypeRef access_type(const pm_ptx_emitter *e, unsigned words)
{
    return words > 1 ? LLVMVectorType(word_type(e), words) : word_type(e);
}

/* Loads the elements of a tile that belong to the thread. Returns them as a vector of 32-bit
 * words. */
static LLVMValueRef load_tile(pm_ptx_emitter *e, const fragment *f, unsigned tile)
{
    LLVMTypeRef all = pm_ptx_integer_type(e, WORD * f->words), vector;
    LLVMTypeRef one = pm_ptx_integer_type(e, f->type->bits);
    LLVMValueRef value, element;

    vector = LLVMVectorType(word_type(e), f->words);
    if (f->is_contiguous) {
        value = LLVMBuildLoad2(e->b, access_type(e, f->words), element_address(e, f, tile, 0), "");
        LLVMSetAlignment(value, f->words * WORD / 8);
        return LLVMBuildBitCast(e->b, value, vector, "");
    }
    value = LLVMConstNull(all);
    for (unsigned of = 0; of < f->each; of++) {
        element = LLVMBuildLoad2(e->b, one, element_address(e, f, tile, of), "");
        LLVMSetAlignment(element, f->type->bits / 8);
        element = LLVMBuildZExtOrBitCast(e->b, element, all, "");
        element = LLVMBuildShl(e->b, element, pm_ptx_constant(all, of * f->type->bits), "");
        value = of == 0 ? element : LLVMBuildOr(e->b, value, element, "");
    }
    return LLVMBuildBitCast(e->b, value, vector, "");
}

static void store_tile(pm_ptx_emitter *e, const fragment *f, unsigned tile, LLVMValueRef words)
{
    LLVMTypeRef all = pm_ptx_integer_type(e, WORD * f->words);
    LLVMValueRef value;

    if (f->is_contiguous) {
        value = LLVMBuildBitCast(e->b, words, access_type(e, f->words), "");
        LLVMSetAlignment(LLVMBuildStore(e->b, value, element_address(e, f, tile, 0)),
                         f->words * WORD / 8);
        return;
    }
    words = LLVMBuildBitCast(e->b, words, all, "");
    for (unsigned of = 0; of < f->each; of++) {
        value = LLVMBuildLShr(e->b, words, pm_ptx_constant(all, of * f->type->bits), "");
        value = LLVMBuildTruncOrBitCast(e->b, value, pm_ptx_integer_type(e, f->type->bits), "");
        LLVMSetAlignment(LLVMBuildStore(e->b, value, element_address(e, f, tile, of)),
                         f->type->bits / 8);
    }
}

/* Returns the description of the matrix that wmma.load or wmma.store accesses. address, pitch:
 * indices of the operands with the matrix's address and stride. */
static fragment fragment_of(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t address,
                            size_t pitch)
{
    const product p = shape_of(e, i);
    const bool is_a = pm_ptx_has(i, "a"), is_b = pm_ptx_has(i, "b"), by_row = pm_ptx_has(i, "row");
    LLVMValueRef lane = pm_ptx_special(e, i, "%laneid"), four;
    fragment f = {.lines = is_b ? p.n : p.m,
                  .length = is_a || is_b ? p.k : p.n,
                  .lines_first = !is_b,
                  .is_contiguous = is_b != by_row};
    unsigned bits;

    if (i->type_count != 1)
        pm_ptx_refuse(e, i, "it needs one type");
    f.type = i->types[0];
    bits = f.type->bits;
    f.each = !is_a && !is_b ? 2 : bits < WORD ? WORD / bits : 1;
    f.words = f.each * bits / WORD;
    if (f.words == 0 || f.lines % TILE != 0 || f.length % (GROUP * f.each) != 0 || f.lines == 0 ||
        f.length == 0 || f.length > 256 || f.lines > 64 || (bits < 8 && !f.is_contiguous))
        pm_ptx_refuse(e, i, "a matrix of this shape and type cannot be traced");
    f.base = pm_ptx_pointer(e, i, address);
    four = pm_ptx_constant(LLVMTypeOf(lane), GROUP);
    f.line = LLVMBuildUDiv(e->b, lane, four, "");
    f.along = times(e, LLVMBuildURem(e->b, lane, four, ""), f.each);
    f.pitch = i->operand_count > pitch
                  ? pm_ptx_source_as(e, i, pitch, "u32")
                  : pm_ptx_constant(word_type(e), f.is_contiguous ? f.length : f.lines);
    return f;
}

static void load_fragment(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const fragment f = fragment_of(e, i, 1, 2);
    const bool wide = is_wide(f.type);
    const pm_ptx_operand *to = &i->operands[0];
    const pm_ptx_type *word = pm_ptx_type_named("b32");
    const unsigned each = wide ? f.words / 2 : f.words;
    unsigned at = 0;

    for (unsigned tile = 0; tile < tiles_of(&f); tile++) {
        LLVMValueRef words = load_tile(e, &f, tile);

        if (wide)
            words =
                LLVMBuildBitCast(e->b, words, LLVMVectorType(pm_ptx_integer_type(e, 64), each), "");
        for (unsigned k = 0; k < each; k++)
            pm_ptx_set(e, i, part_of(e, i, to, at++),
                       LLVMBuildExtractElement(e->b, words, index_of(e, k), ""),
                       wide ? pm_ptx_type_named("b64") : word);
    }
    /* A list for f16 has eight registers for every shape. Shapes that need fewer leave the others
     * 0. */
    for (; to->kind == PM_PTX_LIST && at < to->part_count; at++)
        pm_ptx_set(e, i, &to->parts[at], LLVMConstNull(word_type(e)), word);
}

static void store_fragment(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const fragment f = fragment_of(e, i, 0, 2);
    const unsigned count = tiles_of(&f) * f.words;
    LLVMTypeRef vector = LLVMVectorType(word_type(e), f.words);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(word_type(e), count));

    all = add_words(e, i, &i->operands[1], is_wide(f.type), all, 0, count);
    for (unsigned tile = 0; tile < tiles_of(&f); tile++) {
        LLVMValueRef words = LLVMGetPoison(vector);

        for (unsigned k = 0; k < f.words; k++)
            words = LLVMBuildInsertElement(
                e->b, words,
                LLVMBuildExtractElement(e->b, all, index_of(e, tile * f.words + k), ""),
                index_of(e, k), "");
        store_tile(e, &f, tile, words);
    }
}

void pm_ptx_emit_wmma(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (pm_ptx_has(i, "mma"))
        emit_wmma_product(e, i);
    else if (pm_ptx_has(i, "load"))
        load_fragment(e, i);
    else if (pm_ptx_has(i, "store"))
        store_fragment(e, i);
    else
        pm_ptx_refuse(e, i, "it is no wmma.load, wmma.mma or wmma.store");
}
