/* Finds the limit on the registers of a kernel's work-item, from its attributes and build options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/limit.h"

#include <limits.h>
#include <string.h>

/* Lowest limit on registers per work-item that ptxas accepts, because the calling convention needs
 * these registers: LEAST from Volta on, before it LEAST_BEFORE_VOLTA. VOLTA: compute capability of
 * Volta in tenths. */
enum { LEAST = 24, LEAST_BEFORE_VOLTA = 16, VOLTA = 70 };

/* Returns an integer from a metadata annotation of a kernel such as !{ptr @kernel, !"name", i32
 * value, ...}. 0: `node` has no value of this name for the kernel. */
static uint64_t annotation(LLVMValueRef node, LLVMValueRef kernel, const char *name)
{
    LLVMValueRef operands[32];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);

    if (count < 3 || count > sizeof operands / sizeof *operands)
        return 0;
    LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 1; operands[0] == kernel && i + 1 < count; i += 2) {
        unsigned length = 0;
        const char *found = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;

        if (found && length == strlen(name) && memcmp(found, name, length) == 0 &&
            LLVMIsAConstantInt(operands[i + 1]))
            return LLVMConstIntGetZExtValue(operands[i + 1]);
    }
    return 0;
}

/* Returns the product of the kernel's metadata annotations with the given names, such as maxntidx,
 * maxntidy and maxntidz; 0: there are none. */
static uint64_t annotated(LLVMModuleRef module, LLVMValueRef kernel, const char *const *names,
                          size_t name_count)
{
    static const char list[] = "nvvm.annotations";
    LLVMValueRef nodes[4096];
    unsigned count = LLVMGetNamedMetadataNumOperands(module, list);
    uint64_t product = 0;

    if (count > sizeof nodes / sizeof *nodes)
        return 0;
    LLVMGetNamedMetadataOperands(module, list, nodes);
    for (unsigned n = 0; n < count; n++)
        for (size_t i = 0; nodes[n] && i < name_count; i++) {
            const uint64_t value = annotation(nodes[n], kernel, names[i]);

            if (value > 0 && value <= UINT16_MAX)
                product = product > 0 ? product * value : value;
        }
    return product;
}

/* Returns the number of work-items per work-group that the kernel's attribute
 * reqd_work_group_size(x, y, z) gives; 0: it has no such attribute. */
static uint64_t required_items(LLVMModuleRef module, LLVMValueRef kernel)
{
    static const char name[] = "reqd_work_group_size";
    LLVMContextRef context = LLVMGetModuleContext(module);
    const unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
    LLVMValueRef node = LLVMGetMetadata(kernel, kind), sizes[3];
    uint64_t items = 1;

    if (!node || LLVMGetMDNodeNumOperands(node) != 3)
        return 0;
    LLVMGetMDNodeOperands(node, sizes);
    for (unsigned d = 0; d < 3; d++)
        items *= LLVMIsAConstantInt(sizes[d]) ? LLVMConstIntGetZExtValue(sizes[d]) & UINT16_MAX : 0;
    return items;
}

/* Returns the largest number of registers per work-item with which `groups` work-groups of `items`
 * work-items each fit on a compute unit at the same time. */
static unsigned fitting(const pm_register_rules *rules, unsigned warp_width, uint64_t items,
                        uint64_t groups)
{
    const uint64_t warps = (items + warp_width - 1) / warp_width * (groups > 0 ? groups : 1);
    const uint64_t of_warp = rules->registers / warps / rules->unit * rules->unit;

    return (unsigned)(of_warp / warp_width);
}

unsigned pm_register_limit(LLVMModuleRef module, LLVMValueRef kernel, unsigned warp_width,
                           const pm_register_rules *rules)
{
    static const char *const threads[] = {"maxntidx", "maxntidy", "maxntidz"};
    static const char *const groups[] = {"minctasm"};
    const unsigned least = rules->capability >= VOLTA ? LEAST : LEAST_BEFORE_VOLTA;
    uint64_t items;
    unsigned limit = rules->option > 0 ? rules->option : UINT_MAX;

    if (rules->registers == 0 || rules->unit == 0)
        return UINT_MAX;
    items = annotated(module, kernel, threads, 3);
    if (items == 0)
        items = required_items(module, kernel);
    if (items > 0)
        limit = fitting(rules, warp_width, items, annotated(module, kernel, groups, 1));
    if (limit == UINT_MAX)
        return limit;
    limit = limit < rules->most ? limit : rules->most;
    return limit > least ? limit : least;
}
