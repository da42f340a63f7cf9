/* The instruction mix of a basic block: numbers of machine instructions by class.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_MIX_H
#define PM_MACHINE_MIX_H

/* Numbers of machine instructions that a GPU's compiler is expected to generate for a basic block,
 * for one work-item. They are estimates. An IR instruction may become none, one or several machine
 * instructions, and averages need not be whole numbers. `total` is the number of all instructions.
 * Each other member counts the instructions of one class, which are included in `total`. */
typedef struct {
    double total, fp32, fp64, integer, special, conversion, control, memory;
    /* Floating-point operations, not instructions: an addition or multiplication is one, a fused
     * multiply-add two. */
    double flop32, flop64;
    double conversion64; /* conversions from and to double precision; included in `conversion` */
    /* Branches, exits and reconvergence instructions, taken or not, counted once per warp and
     * included in `total`. `control` counts them per work-item. */
    double branches;
    /* Instructions by the pipe that executes them from Volta on; included in `total`. alu: integer
     * and logic. fma: multiply-add. fmaheavy: those of fma that only one half of the multiply-add
     * lanes can execute, such as integer multiply-adds. either: instructions that the compiler
     * assigns to alu or to fma. */
    double alu, fma, fmaheavy, either;
    double tensor; /* matrix instructions of tensor cores (mma, wgmma); included in `total` */
    /* Multiply-adds of the tensor instructions, for the whole warp, by the type of the factors.
     * tensor64: f64. tensor32: tf32. tensor16: f16 and bf16. tensor8: floating-point numbers of 8
     * bits. tensor_integer: integers and bits. */
    double tensor64, tensor32, tensor16, tensor8, tensor_integer;
    double depth; /* number of instructions on the longest dependency chain */
    /* Instructions, included in `total`, that execute in parallel with other machine instructions
     * of the same IR instruction. They do not lengthen the dependency chain. */
    double beside;
    /* Instructions, included in `total`, that a GPU needs but a CPU does not, because one vector
     * instruction of the CPU computes all elements of a vector in the source. */
    double packed;
} pm_mix;

/* Adds the numbers of instructions in `row`, multiplied by `times`, to *mix, except `depth` and
 * `packed`. */
void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix);

#endif
