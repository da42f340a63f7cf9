/* Accesses outside of what they may touch. See bounds.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bounds.h"

#include <stdio.h>

#include "collector/error.h"

static const char *const kinds[] = {"a load", "a store", "an atomic"};

static bool inside_any(const pm_launch_rules *rules, const pm_site *site, uint64_t address)
{
    /* The block's code saw that it is in a table; elsewhere it is an index that is far too large.
     */
    if (site->space == PM_SPACE_CONSTANT && address >> 62 == PM_TABLE_ADDRESS >> 62)
        return true;
    for (size_t i = 0; i < rules->region_count; i++)
        if (address - rules->regions[i].base < rules->regions[i].bytes &&
            rules->regions[i].bytes - (address - rules->regions[i].base) >= site->bytes)
            return true;
    return false;
}

static pm_status misaligned(const pm_launch_rules *rules, const pm_site *site, uint64_t address,
                            pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%u: kernel %s: %s of %u bytes at an address that is no multiple of %u "
                   "(...%llx, %s): a GPU faults on it",
                   rules->source_path, site->line, rules->code->name, kinds[site->kind],
                   site->bytes, site->bytes, (unsigned long long)(address & 0xfff),
                   *site->object ? site->object : "unknown buffer");
}

static pm_status outside(const pm_launch_rules *rules, const pm_site *site, const pm_bounds *bounds,
                         uint64_t address, pm_error *err)
{
    if (!bounds->known)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: %s of %u bytes at 0x%llx, outside of every buffer; mend "
                       "the index",
                       rules->source_path, site->line, rules->code->name, kinds[site->kind],
                       site->bytes, (unsigned long long)address);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%u: kernel %s: %s of %u bytes at byte %lld of %s, which has %llu; mend the "
                   "index",
                   rules->source_path, site->line, rules->code->name, kinds[site->kind],
                   site->bytes, (long long)(address - bounds->base),
                   *site->object                     ? site->object
                   : site->space == PM_SPACE_SHARED  ? "local memory"
                   : site->space == PM_SPACE_PRIVATE ? "private memory"
                                                     : "its buffer",
                   (unsigned long long)bounds->bytes);
}

/* Says which work-item's access is wrong; PM_OK if none is. */
static pm_status find_wrong(const pm_launch_rules *rules, uint32_t number, uint64_t mask,
                            const uint64_t *addresses, pm_error *err)
{
    const pm_site *site = &rules->code->sites[number];
    const pm_bounds *bounds = &rules->bounds[number];

    for (unsigned lane = 0; lane < rules->warp_width; lane++) {
        uint64_t address = addresses[lane], offset = address - bounds->base;

        if (!(mask >> lane & 1))
            continue;
        if (bounds->known ? offset >= bounds->bytes || bounds->bytes - offset < site->bytes
                          : !inside_any(rules, site, address))
            return outside(rules, site, bounds, address, err);
        if (address % site->bytes != 0)
            return misaligned(rules, site, address, err);
    }
    return PM_OK;
}

pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number, uint64_t mask,
                          const uint64_t *addresses, pm_error *err)
{
    const pm_bounds *bounds = &rules->bounds[number];
    uint64_t size = rules->code->sites[number].bytes, last = bounds->bytes - size;
    uint64_t base = bounds->base, wrong = 0, low = 0;

    if (!bounds->known || bounds->bytes < size)
        return find_wrong(rules, number, mask, addresses, err);
    /* The top bit of offset | (last - offset) is set where an offset is negative or too large:
     * buffers are smaller than 2^63 bytes. Full warps are the common case, and need no mask. */
    if (mask == rules->full_mask)
        for (unsigned lane = 0; lane < rules->warp_width; lane++) {
            uint64_t offset = addresses[lane] - base;

            wrong |= offset | (last - offset);
            low |= addresses[lane];
        }
    else
        for (unsigned lane = 0; lane < rules->warp_width; lane++) {
            uint64_t offset = addresses[lane] - base, on = 0 - (mask >> lane & 1);

            wrong |= (offset | (last - offset)) & on;
            low |= addresses[lane] & on;
        }
    if (wrong >> 63 == 0 && (low & (size - 1)) == 0)
        return PM_OK;
    return find_wrong(rules, number, mask, addresses, err);
}
