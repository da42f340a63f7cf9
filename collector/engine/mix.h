/* The instruction mix of a basic block: numbers of machine instructions by class.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MIX_H
#define PM_COLLECTOR_ENGINE_MIX_H

/* Number of machine instructions that a GPU's compiler is expected to generate for a basic block,
 * for one work-item. They are estimates. An IR instruction may become none, one or several machine
 * instructions, so averages need not be whole numbers. `total` is the sum of all instructions. Each
 * class counts a part of `total`. */
typedef struct {
    double total, fp32, fp64, integer, special, conversion, control, memory;
    /* Floating-point operations, not instructions: an addition or multiplication is one, a fused
     * multiply-add two. */
    double flop32, flop64;
    double conversion64; /* conversions from and to double; part of `conversion` */
    /* Branches, exits and reconvergence instructions, taken or not, counted per warp; part of
     * `total`. `control` counts them per work-item. */
    double branches;
    /* Parts of `total`, by the pipe of a warp's instruction from Volta on. alu: integer and logic.
     * fma: multiply-add. fmaheavy: the part of fma that only one half of the multiply-add lanes
     * executes, with integers. either: instructions that the compiler assigns to one of the two
     * pipes. */
    double alu, fma, fmaheavy, either;
    double tensor; /* matrix instructions of tensor cores; part of `total` */
    /* Multiply-adds of these instructions for the whole warp, by the elements of the factors: 64:
     * f64; 32: tf32; 16: f16 and bf16; 8: numbers with 8 bits; integer: integers and bits. */
    double tensor64, tensor32, tensor16, tensor8, tensor_integer;
    double depth; /* number of instructions on the longest dependency chain */
    double
        /* Part of `total`: instructions that execute in parallel with other machine instructions of
         * the same IR instruction. They do not lengthen the dependency chain. */
        beside;
    /* part of `total` that a CPU does not execute, because one instruction computes all elements of
     * a vector of the source */
    double packed;
} pm_mix;

#endif
