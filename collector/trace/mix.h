/* What instructions a block is made of, by class.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MIX_H
#define PM_COLLECTOR_TRACE_MIX_H

/* Machine instructions that a GPU's compiler is expected to make of a block, for one work-item.
 * They are estimates: one instruction of the IR can be none, one or many of the machine's, and an
 * average need not be whole. total is the sum of all, the classes are part of it. */
typedef struct {
    double total, fp32, fp64, integer, special, conversion, control, memory;
    /* No instructions: operations of FP32 and FP64, a sum or a product one, a fused multiply-add
     * two. */
    double flop32, flop64;
    double conversion64; /* of conversion: from and to double */
    double branches; /* of total: branches, exits and reconvergence, taken or not, as a warp issues
                        them; control has what work-items do of it */
    /* Of total, by the pipe of a warp's instruction from Volta on: integer and logic; multiply-add;
     * of these, those that one half of the multiply-add lanes alone does, with integers; and what
     * the compiler gives to the one or the other. */
    double alu, fma, fmaheavy, either;
    double depth; /* of total: the most that have to be done one after the other */
    double
        beside; /* of total: those of one instruction of the IR that others of it are done beside */
    double packed; /* of total: what would not be there if a vector took one instruction */
} pm_mix;

#endif
