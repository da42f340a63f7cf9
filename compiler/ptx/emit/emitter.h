/* The state of the translation from PTX to LLVM IR, and functions that the files of the translation
 * share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_EMIT_EMITTER_H
#define PM_COMPILER_PTX_EMIT_EMITTER_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ptx/tree.h"

typedef struct {
    pm_memory *memory;
    const pm_ptx_module *tree;
    LLVMContextRef context;
    LLVMModuleRef module;
    /* b: builder that appends instructions to the current function. entry: builder in the
     * function's first basic block, where its variables are made. */
    LLVMBuilderRef b, entry;
    LLVMDIBuilderRef lines;
    LLVMMetadataRef file, unit;
    /* variables[i], functions[i]: the LLVM value of variable or function i of the PTX module
     * `tree`; NULL: not made yet */
    LLVMValueRef *variables, *functions;
    /* functions that a kernel calls, and requested kernels, whose code is not emitted yet */
    size_t waiting_count;
    const pm_ptx_function **waiting;
    /* true: each basic block of the PTX begins with a call of PM_PTX_MARK, by which the trace
     * engine counts the block's executions */
    bool marks;

    /* ---- the current function ---- */

    const pm_ptx_function *f;
    LLVMValueRef function;
    LLVMMetadataRef scope; /* its debug information */
    /* addresses where the function's registers, local variables, parameters and result are stored;
     * NULL: the address does not exist yet */
    LLVMValueRef *registers, *locals, *parameters, *result;
    LLVMValueRef carry;         /* address of the carry flag; NULL: not made yet */
    LLVMBasicBlockRef *targets; /* targets[k]: block that begins at instruction k; NULL: no jump
                                  leads there */
    /* true: the last emitted instruction was a jump, so instructions cannot be appended until the
     * next basic block is begun */
    bool ended;
} pm_ptx_emitter;

/* Type of the functions that emit the LLVM code of an instruction. */
typedef void (*pm_ptx_emit)(pm_ptx_emitter *e, const pm_ptx_instruction *i);

/* Set of types (bits of a mask) that the first type of an instruction may be, such as .s32 of
 * add.s32. */
enum {
    PM_PTX_TAKES_ANY = 0, /* any type, or none; the emitter checks it */
    PM_PTX_TAKES_INTEGER = 1,
    PM_PTX_TAKES_FLOAT = 2, /* f16, bf16, f32, f64 and pairs of them */
    PM_PTX_TAKES_BITS = 4,
    PM_PTX_TAKES_PREDICATE = 8
};

/* A row of the table of instructions. */
typedef struct {
    const char *opcode;
    /* function that emits the instruction; NULL: the instruction cannot be traced */
    pm_ptx_emit emit;
    /* Names of the modifiers, besides types, that the instruction may have, separated by blanks. If
     * emit is NULL: the reason why it cannot be traced, and advice for the user. */
    const char *modifiers;
    unsigned least, most; /* number of operands */
    unsigned takes;
} pm_ptx_rule;

/* ---- table.c ---- */

/* Emits an instruction as its row in the table of instructions says. Raises PM_BAD_INPUT with file,
 * line and instruction if the table has no row for it, or if the row does not allow its operands or
 * modifiers. */
void pm_ptx_emit_instruction(pm_ptx_emitter *e, const pm_ptx_instruction *i);

/* ---- refuse.c ---- */

/* Raises PM_BAD_INPUT. The message has file, line and instruction, and then the reason from
 * format. */
_Noreturn void pm_ptx_refuse(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- values.c: types, registers and operands ---- */

LLVMTypeRef pm_ptx_llvm_type(const pm_ptx_emitter *e, const pm_ptx_type *type);
/* Returns LLVM's integer type with `bits` bits. */
LLVMTypeRef pm_ptx_integer_type(const pm_ptx_emitter *e, unsigned bits);
/* Returns an integer constant of an LLVM type. If the type is a vector, all elements are this
 * constant. */
LLVMValueRef pm_ptx_constant(LLVMTypeRef type, unsigned long long value);
/* Returns a floating-point constant of an LLVM type. If the type is a vector, all elements are this
 * constant. */
LLVMValueRef pm_ptx_real(LLVMTypeRef type, double value);
/* Returns an operand's value as a value of the given type. If the operand is a wider register, its
 * upper bits are ignored. */
LLVMValueRef pm_ptx_value(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                          const pm_ptx_operand *operand, const pm_ptx_type *type);
/* Returns the value of operand k as a value of the instruction's first type. */
LLVMValueRef pm_ptx_source(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k);
/* Returns the value of operand k, read as a value of the given type. type: name of the type, such
 * as u32. */
LLVMValueRef pm_ptx_source_as(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                              const char *type);
/* Writes a value of type `type` to an operand, which is a register. If the register is wider than
 * the type, its upper bits become copies of the sign if the type is signed, else zeros. If the
 * operand is _, the value is discarded. */
void pm_ptx_set(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_operand *operand,
                LLVMValueRef value, const pm_ptx_type *type);
/* Writes a value of the instruction's first type to its first operand. */
void pm_ptx_result(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value);
/* Writes a value to the first operand of the instruction. type: name of the value's type, such as
 * u32. */
void pm_ptx_result_as(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value,
                      const char *type);
/* Returns the address at which a register is stored. */
LLVMValueRef pm_ptx_register_address(pm_ptx_emitter *e, const pm_ptx_register *reg);
/* Returns a new variable of the current function. */
LLVMValueRef pm_ptx_variable_of(pm_ptx_emitter *e, LLVMTypeRef type, uint64_t align);
/* Returns the type with a name such as u32. The name must be a type of PTX. */
const pm_ptx_type *pm_ptx_type_named(const char *name);

/* ---- calls.c: functions of LLVM ---- */

/* Emits a call of an LLVM intrinsic such as llvm.fma. overload: its type, if it has versions for
 * several types, else NULL. */
LLVMValueRef pm_ptx_intrinsic(pm_ptx_emitter *e, const char *name, LLVMTypeRef overload,
                              LLVMValueRef *arguments, unsigned count);
/* Emits a call of a function that is declared without a body. The trace engine knows it by its
 * name. */
LLVMValueRef pm_ptx_known_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                   LLVMValueRef *arguments, unsigned count);
/* Emits a call of the function `name`, by which the threads of a warp exchange data. The trace
 * engine handles functions of this name itself. */
LLVMValueRef pm_ptx_warp_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                  LLVMValueRef *arguments, unsigned count);
/* Emits a call of a function that is declared without a body, and that may access memory. The trace
 * engine knows it by its name. */
LLVMValueRef pm_ptx_reading_function(pm_ptx_emitter *e, const char *name, LLVMTypeRef result,
                                     LLVMValueRef *arguments, unsigned count);
/* Emits a value 0 that the trace engine counts as no instruction. It initializes a variable that
 * only some threads of the warp then set. */
LLVMValueRef pm_ptx_free_zero(pm_ptx_emitter *e, LLVMTypeRef type);
/* Type of a function that emits the body of a function with one float parameter. Returns the LLVM
 * value of its result. */
typedef LLVMValueRef (*pm_ptx_body)(pm_ptx_emitter *e, LLVMValueRef argument);
/* Emits a call of a function with one float parameter. The trace engine takes the function's cost
 * from the row `name` of instructions.ini. The function is not inlined. */
LLVMValueRef pm_ptx_counted(pm_ptx_emitter *e, const char *name, pm_ptx_body body,
                            LLVMValueRef argument);

/* ---- special.c ---- */

/* Returns the value of a special register such as %tid.x, as an integer of 32 or 64 bits. */
LLVMValueRef pm_ptx_special(pm_ptx_emitter *e, const pm_ptx_instruction *i, const char *name);

/* ---- variables.c ---- */

/* Returns the address of a variable or parameter. */
LLVMValueRef pm_ptx_symbol(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                           const pm_ptx_variable *variable);
LLVMTypeRef pm_ptx_variable_type(const pm_ptx_emitter *e, const pm_ptx_variable *variable);
/* Returns LLVM's number of the address space for a PTX state space such as .shared. */
unsigned pm_ptx_address_space(pm_ptx_space space);

/* ---- barrier.c ---- */

/* Emits the arrival of data of an asynchronous copy at an mbarrier. bytes: size of the data. k:
 * index of the operand that is the barrier's address. */
void pm_ptx_complete_copy(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                          LLVMValueRef bytes);
/* Emits cp.async.mbarrier.arrive, which makes a barrier count an arrival when the thread's earlier
 * asynchronous copies have ended. Operand 0 is the address of the barrier. */
void pm_ptx_arrive_after_copies(pm_ptx_emitter *e, const pm_ptx_instruction *i);

/* ---- function.c ---- */

/* Returns the LLVM function of a function in the PTX module. Declares it if needed; its code is
 * emitted later. */
LLVMValueRef pm_ptx_function_of(pm_ptx_emitter *e, const pm_ptx_function *f);
/* Emits the code of a function. The LLVM function of a kernel must have been declared before. */
void pm_ptx_emit_function(pm_ptx_emitter *e, const pm_ptx_function *f);

/* ---- basic_blocks.c ---- */

/* Returns a new basic block, the last one of the current function. */
LLVMBasicBlockRef pm_ptx_add_block(pm_ptx_emitter *e);
/* Starts emitting into the basic block `next`, and moves it to the end of the function. If the code
 * before does not end in a jump, adds a jump to `next`. */
void pm_ptx_continue_in(pm_ptx_emitter *e, LLVMBasicBlockRef next);
/* Begins code that is executed only if a condition holds. Returns the basic block that follows this
 * code, for pm_ptx_end_if. */
LLVMBasicBlockRef pm_ptx_begin_if(pm_ptx_emitter *e, LLVMValueRef condition);
/* Ends the code that pm_ptx_begin_if began. next: the block that pm_ptx_begin_if returned; emitting
 * continues there. */
void pm_ptx_end_if(pm_ptx_emitter *e, LLVMBasicBlockRef next);

/* ---- pointers.c ---- */

/* Replaces the integer computation of each address in a function by computation with pointers
 * (getelementptr). The pointers tell LLVM which variable or argument an access leads to.
 * Precondition: all calls are inlined, and registers are LLVM values instead of variables. */
void pm_ptx_find_pointers(pm_memory *memory, LLVMValueRef function);

/* ---- loops.c ---- */

/* Forbids LLVM to unroll the loops of a function, because nvcc has already unrolled loops in the
 * PTX, and ptxas unrolls few of the others. */
void pm_ptx_keep_loops(pm_memory *memory, LLVMValueRef function);

/* ---- emitters by class of instructions; each file lists its own below ---- */

/* integer.c */
void pm_ptx_emit_sum(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_product(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_quotient(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_sign(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_limit(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_carry(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_sad(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_dot(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* bits.c */
void pm_ptx_emit_logic(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_not(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_shift(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_funnel(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_lop3(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_prmt(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_field(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_mask(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_bit_count(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_find_bit(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* float.c */
void pm_ptx_emit_float_sum(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_float_limit(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_float_sign(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_fma(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_division(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_copysign(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_testp(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* special_functions.c */
void pm_ptx_emit_function_of_one(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* compare.c */
void pm_ptx_emit_setp(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_set(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_selp(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_slct(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* convert.c */
void pm_ptx_emit_cvt(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* Returns the value limited to [0, 1], and 0 for NaN: the modifier .sat. */
LLVMValueRef pm_ptx_saturate(pm_ptx_emitter *e, LLVMValueRef value);
/* narrow.c: conversions that pm_ptx_emit_cvt leaves to it */
/* Returns whether the type is a pair of 8-bit floating-point numbers, such as e4m3x2. */
bool pm_ptx_is_narrow_pair(const pm_ptx_type *type);
void pm_ptx_emit_narrow(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* move.c */
void pm_ptx_emit_mov(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_mapa(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_getctarank(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_cvta(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_isspacep(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* memory.c */
void pm_ptx_emit_ld(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_st(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_policy(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_nothing(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* Returns the address that operand k names, as a pointer to the state space of the instruction. */
LLVMValueRef pm_ptx_pointer(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k);
/* Returns the address that operand k names, as a pointer to the state space `space`, whatever state
 * space the instruction names. */
LLVMValueRef pm_ptx_pointer_in(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                               pm_ptx_space space);
/* atomic.c */
void pm_ptx_emit_atom(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* control.c */
void pm_ptx_emit_bra(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* Emits a jump to the label of an instruction bra. condition: the value of its predicate; NULL: it
 * has none. next: basic block behind the instruction, if there is a condition. */
void pm_ptx_emit_jump(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef condition,
                      LLVMBasicBlockRef next);
void pm_ptx_emit_brx(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_call(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_ret(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_exit(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_barrier(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_fence(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* warp.c */
void pm_ptx_emit_shfl(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_vote(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_match(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_redux(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_activemask(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_elect(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_mbarrier(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_cp(pm_ptx_emitter *e, const pm_ptx_instruction *i);
/* bulk.c */
void pm_ptx_emit_bulk(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_tensormap(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_mma(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_wgmma(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_wmma(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_ldmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_stmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i);
void pm_ptx_emit_movmatrix(pm_ptx_emitter *e, const pm_ptx_instruction *i);

#endif
