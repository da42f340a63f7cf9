/* Matrix products that the work-items of a warp compute together on tensor cores (PTX: mma, wmma,
 * wgmma), as the trace engine names them in LLVM's IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product D = A B + C of an m x k and a k x n matrix is a call of the function
 *
 *     pm.warp.mma.mMnNkK.D.A.B.C.RULE
 *
 * where D, A, B and C are types of elements such as f16, and RULE is the name of a pm_product_rule.
 * Its operand is a vector of 32-bit words with the work-item's parts of C, B and A, in this order.
 * Its result is a vector with the work-item's part of D.
 *
 * A product of a warp group (PTX: wgmma) is a call of
 *
 *     pm.warp.wgmma.mMnNkK.D.A.B.FLAGS
 *
 * FLAGS are five characters: s or r (A is in shared memory, or in registers); 0 or 1 for A and for
 * B (1: it is transposed in shared memory); + or - for A and for B (their sign). The operand has
 * the words of D, of A or of its descriptor, of B's descriptor, one that is 0 if D = A B, and the
 * number of the warp in its group.
 */
#ifndef PM_MACHINE_MATRIX_PRODUCT_H
#define PM_MACHINE_MATRIX_PRODUCT_H

#include <stdbool.h>

#define PM_PRODUCT_PREFIX "pm.warp.mma."
#define PM_GROUP_PRODUCT_PREFIX "pm.warp.wgmma."

typedef enum {
    PM_ELEMENT_F16,
    PM_ELEMENT_BF16,
    PM_ELEMENT_TF32,
    PM_ELEMENT_F32,
    PM_ELEMENT_F64,
    PM_ELEMENT_E4M3,
    PM_ELEMENT_E5M2,
    PM_ELEMENT_S8,
    PM_ELEMENT_U8,
    PM_ELEMENT_S4,
    PM_ELEMENT_U4,
    PM_ELEMENT_B1,
    PM_ELEMENT_S32,
    PM_ELEMENT_COUNT
} pm_element;

typedef enum {
    PM_PRODUCT_PLAIN,
    PM_PRODUCT_SATURATES, /* a result that does not fit into s32 becomes the nearest s32 */
    PM_PRODUCT_AND,       /* matrices of bits: an element of A B is the number of ones in a & b */
    PM_PRODUCT_XOR,       /* matrices of bits: an element of A B is the number of ones in a ^ b */
    /* Volta's product m8n8k4 of f16. A quad pair (8 work-items) computes one product, so a warp
     * computes four. ROW and COL tell the order of the elements of A and of B in the registers. */
    PM_PRODUCT_QUADS_ROW_ROW,
    PM_PRODUCT_QUADS_ROW_COL,
    PM_PRODUCT_QUADS_COL_ROW,
    PM_PRODUCT_QUADS_COL_COL,
    PM_PRODUCT_RULES
} pm_product_rule;

typedef struct {
    unsigned m, n, k;
    pm_element d, a, b, c;
    pm_product_rule rule;
} pm_matrix_product;

/* A product of a warp group (wgmma), which four warps compute together. of_warp: the part that one
 * of them computes, which is 16 rows of D. negative: A times B is subtracted. */
typedef struct {
    pm_matrix_product of_warp;
    bool a_in_registers, a_transposed, b_transposed, negative;
} pm_group_product;

/* Parses the name of a called function as a product of a warp group (wgmma) in the form
 * pm.warp.wgmma.mMnNkK.D.A.B.FLAGS. Returns false if it is no such product, or the trace engine
 * cannot compute it. */
bool pm_group_product_read(const char *name, pm_group_product *product);
/* Parses the name of a called function as a matrix product of a warp (mma) in the form
 * pm.warp.mma.mMnNkK.D.A.B.C.RULE. Returns false if it is no such product, or the trace engine
 * cannot compute its shape. */
bool pm_matrix_product_read(const char *name, pm_matrix_product *product);
/* Returns the size of a matrix element in bits. */
unsigned pm_element_bits(pm_element element);
/* Returns whether a warp computes four products at once, one in each quad pair (8 work-items) as on
 * Volta. */
bool pm_product_has_quads(const pm_matrix_product *product);
/* The functions return the number of 32-bit words of each matrix that one work-item holds. */
unsigned pm_product_a_words(const pm_matrix_product *product);
unsigned pm_product_b_words(const pm_matrix_product *product);
unsigned pm_product_c_words(const pm_matrix_product *product);
unsigned pm_product_d_words(const pm_matrix_product *product);

#endif
