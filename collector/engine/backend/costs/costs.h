/* Reads the file instructions.ini, which says how many machine instructions a GPU executes for each
 * LLVM IR instruction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_COSTS_COSTS_H
#define PM_COLLECTOR_ENGINE_BACKEND_COSTS_COSTS_H

#include "machine/mix.h"
#include "perfmodel.h"

typedef struct pm_costs pm_costs;

/* Keys of the section [instructions] of instructions.ini. The section must have all of these keys.
 * PM_COST_sdiv_i32, for example, is the number of the key sdiv_i32. */
#define PM_COSTS(X)                                                                                \
    X(integer)                                                                                     \
    X(sum)                                                                                         \
    X(multiply)                                                                                    \
    X(address_scaled)                                                                              \
    X(address_shared)                                                                              \
    X(address_again)                                                                               \
    X(address_multiplied)                                                                          \
    X(shift_left)                                                                                  \
    X(uniform)                                                                                     \
    X(move)                                                                                        \
    X(permute)                                                                                     \
    X(select)                                                                                      \
    X(select_float)                                                                                \
    X(compare_int)                                                                                 \
    X(compare_float)                                                                               \
    X(compare_double)                                                                              \
    X(float)                                                                                       \
    X(double)                                                                                      \
    X(half)                                                                                        \
    X(fdiv_float)                                                                                  \
    X(fdiv_again)                                                                                  \
    X(fdiv_ieee)                                                                                   \
    X(frcp_ieee)                                                                                   \
    X(fdiv_fast)                                                                                   \
    X(frcp_float)                                                                                  \
    X(frcp_fast)                                                                                   \
    X(fdiv_double)                                                                                 \
    X(mul_i64)                                                                                     \
    X(sdiv_i32)                                                                                    \
    X(udiv_i32)                                                                                    \
    X(sdiv_again)                                                                                  \
    X(udiv_again)                                                                                  \
    X(srem_i32)                                                                                    \
    X(urem_i32)                                                                                    \
    X(sdiv_i64)                                                                                    \
    X(udiv_i64)                                                                                    \
    X(srem_i64)                                                                                    \
    X(urem_i64)                                                                                    \
    X(sdiv_i64_short)                                                                              \
    X(udiv_i64_short)                                                                              \
    X(srem_i64_short)                                                                              \
    X(urem_i64_short)                                                                              \
    X(sdiv_power)                                                                                  \
    X(srem_power)                                                                                  \
    X(sdiv_constant)                                                                               \
    X(udiv_constant)                                                                               \
    X(srem_constant)                                                                               \
    X(urem_constant)                                                                               \
    X(sdiv_constant_i64)                                                                           \
    X(udiv_constant_i64)                                                                           \
    X(srem_constant_i64)                                                                           \
    X(urem_constant_i64)                                                                           \
    X(convert_int_to_float)                                                                        \
    X(convert_small_to_float)                                                                      \
    X(convert_float_to_int)                                                                        \
    X(convert_wide)                                                                                \
    X(convert_double)                                                                              \
    X(convert_to_half)                                                                             \
    X(round)                                                                                       \
    X(count_zeros)                                                                                 \
    X(bit_count)                                                                                   \
    X(memory)                                                                                      \
    X(constant)                                                                                    \
    X(constant_load)                                                                               \
    X(barrier)                                                                                     \
    X(shuffle)                                                                                     \
    X(vote)                                                                                        \
    X(match)                                                                                       \
    X(redux)                                                                                       \
    X(tensor)                                                                                      \
    X(join)                                                                                        \
    X(join_number)                                                                                 \
    X(join_product)                                                                                \
    X(join_return)                                                                                 \
    X(fence)                                                                                       \
    X(id)                                                                                          \
    X(branch_back)                                                                                 \
    X(branch_forward)                                                                              \
    X(branch_exit)                                                                                 \
    X(jump)                                                                                        \
    X(reconverge)                                                                                  \
    X(exit)                                                                                        \
    X(call)                                                                                        \
    X(entry)

#define PM_COST_ENUM(name) PM_COST_##name,
typedef enum { PM_COSTS(PM_COST_ENUM) PM_COST_COUNT } pm_cost;
#undef PM_COST_ENUM

/* Reads instructions.ini for a compute capability (52: 5.2; 0: no NVIDIA GPU). A section such as
 * [instructions 5-6] replaces rows of [instructions] on 5.x and 6.x. NULL on failure. If the file
 * is malformed, the error is PM_BAD_INPUT and names the file and the line. */
pm_costs *pm_costs_read(const char *path, unsigned capability, pm_error *err);
void pm_costs_free(pm_costs *costs);

const pm_mix *pm_costs_row(const pm_costs *costs, pm_cost cost);

/* Returns the cost of a call of an OpenCL builtin, from its mangled name. _Z3expf, for example, has
 * row exp.float of instructions.ini: the name and the type of the first argument. NULL if the file
 * has no row for the builtin. A builtin with a row must not be inlined, because a GPU's compiler
 * generates other code for it than libclc. fast: true if the row for -cl-fast-relaxed-math is used
 * (exp.fast_float) if there is one. */
const pm_mix *pm_costs_builtin(const pm_costs *costs, const char *mangled, bool fast);

/* Returns the cost of a builtin function, from its name and the type of its first argument ("exp",
 * "float"). */
const pm_mix *pm_costs_named(const pm_costs *costs, const char *name, const char *type);

#endif
