/* Checks that memory accesses are inside their buffers and aligned, and reports wrong accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/warp.h"

#include <stdio.h>

#include "base/error.h"
#include "base/wide.h"
#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/used_pages.h"

static const char *const kinds[] = {"a load", "a store", "an atomic"};

/* Returns the index of the buffer that contains the byte at `address`, or region_count if there is
 * none. The buffers are sorted by address. */
static size_t find_region(const pm_launch_rules *rules, uint64_t address)
{
    size_t first = 0, end = rules->region_count;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (rules->regions[middle].base <= address)
            first = middle + 1;
        else
            end = middle;
    }
    if (first > 0 && address - rules->regions[first - 1].base < rules->regions[first - 1].bytes)
        return first - 1;
    return rules->region_count;
}

static bool inside_any(const pm_launch_rules *rules, const pm_site *site, uint64_t address)
{
    size_t region;

    /* An address with the two high bits of PM_TABLE_ADDRESS is in a constant table of the program.
     * The generated code checks these accesses itself: an index outside of the table changes these
     * bits. */
    if (site->space == PM_SPACE_CONSTANT && address >> 62 == PM_TABLE_ADDRESS >> 62)
        return true;
    region = find_region(rules, address);
    return region < rules->region_count &&
           rules->regions[region].bytes - (address - rules->regions[region].base) >= site->bytes;
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

/* Returns the index of the buffer that a wrong access was meant for. If the pointer argument of the
 * access is known, this is the argument's buffer, else the buffer nearest to the address.
 * region_count: there is no buffer. */
static size_t find_buffer(const pm_launch_rules *rules, const pm_site *site,
                          const pm_bounds *bounds, uint64_t address)
{
    size_t nearest = rules->region_count;
    uint64_t least = UINT64_MAX;

    if (site->space == PM_SPACE_SHARED || site->space == PM_SPACE_PRIVATE)
        return nearest;
    for (size_t i = 0; i < rules->region_count; i++) {
        const pm_memory_region *region = &rules->regions[i];
        const uint64_t end = region->base + region->bytes;
        const uint64_t miss = address < region->base ? region->base - address
                              : address < end        ? 0
                                                     : address - end;

        if (bounds->known ? bounds->base - region->base < region->bytes : miss < least) {
            nearest = i;
            least = miss;
        }
    }
    return nearest;
}

/* Raises the error for an access outside of a buffer whose size the user has given. The message
 * names the file and line with the size. */
static pm_status too_small(const pm_launch_rules *rules, const pm_site *site,
                           const pm_bounds *bounds, size_t buffer, uint64_t address, pm_error *err)
{
    const pm_buffer *b = &rules->buffers[buffer];
    const long long at = (long long)(address - rules->regions[buffer].base);
    const long long start =
        bounds->known ? (long long)(bounds->base - rules->regions[buffer].base) : 0;
    char access[160];

    snprintf(access, sizeof access, "%s of %u bytes", kinds[site->kind], site->bytes);
    if (at < 0)
        return pm_fail(
            err, PM_BAD_INPUT,
            "%s: buffer %s: kernel %s makes %s %lld bytes before its start (%s:%u); mend "
            "the index",
            b->origin, b->name, rules->code->name, access, -at, rules->source_path, site->line);
    if (at < start)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: buffer %s: kernel %s makes %s at byte %lld (%s:%u), and the launch "
                       "gives it the buffer from byte %lld on; mend the index",
                       b->origin, b->name, rules->code->name, access, at, rules->source_path,
                       site->line, start);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: buffer %s has %zu bytes, and kernel %s makes %s at byte %lld (%s:%u): it "
                   "needs at least %lld bytes; raise its count, or mend the index",
                   b->origin, b->name, b->bytes, rules->code->name, access, at, rules->source_path,
                   site->line, at + (long long)site->bytes);
}

/* Distance in bytes that separates kinds of errors. An address less than FAR from NULL is reported
 * as a null pointer with an index. An address at least FAR from all buffers is reported as an
 * invalid pointer, not as a wrong index. */
static const uint64_t FAR = UINT64_C(1) << 32;

static bool is_near(uint64_t address, uint64_t to)
{
    return address - to < FAR || to - address < FAR;
}

/* Writes the names of the pointer arguments that an access may go through, such as " (a or b)"; ""
 * if they are not known. */
static void name_arguments(const pm_kernel_code *code, const pm_site *site, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; site->arguments != UINT64_MAX && i < code->parameter_count && i < 64; i++)
        if (site->arguments >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.60s", used > 0 ? " or " : " (",
                                     code->parameters[i].name);
    if (used > 0 && used + 1 < size)
        snprintf(text + used, size - used, ")");
}

/* Raises the error for an access through a null pointer, or through a pointer far from all buffers.
 * The message does not contain the address, because it differs from run to run. Returns PM_OK if
 * the address is near a buffer. */
static pm_status wild_pointer(const pm_launch_rules *rules, const pm_site *site, uint64_t address,
                              pm_error *err)
{
    const bool null = is_near(address, rules->null_address);
    char names[256];

    for (size_t i = 0; i < rules->region_count && !null; i++)
        if (is_near(address, rules->regions[i].base) ||
            is_near(address, rules->regions[i].base + rules->regions[i].bytes))
            return PM_OK;
    name_arguments(rules->code, site, names, sizeof names);
    return pm_fail(err, PM_BAD_INPUT, "%s:%u: kernel %s: %s of %u bytes through a %s pointer%s; %s",
                   rules->source_path, site->line, rules->code->name, kinds[site->kind],
                   site->bytes, null ? "null" : "wild", names,
                   null ? "give the launch a buffer there, or do not follow it"
                        : "it points to no buffer of the launch: set it before it is used");
}

static pm_status unknown_texture(const pm_launch_rules *rules, const pm_site *site, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%u: kernel %s reads the texture %s, of which nothing is known; describe it "
                   "in a workload file by [texture NAME], and pass it as the argument texture NAME",
                   rules->source_path, site->line, rules->code->name, site->object);
}

static pm_status outside(const pm_launch_rules *rules, const pm_site *site, const pm_bounds *bounds,
                         uint64_t address, pm_error *err)
{
    const size_t buffer = find_buffer(rules, site, bounds, address);

    if (!bounds->known && site->space != PM_SPACE_SHARED && site->space != PM_SPACE_PRIVATE &&
        wild_pointer(rules, site, address, err) != PM_OK)
        return err ? err->status : PM_BAD_INPUT;

    if (buffer < rules->region_count && rules->buffers && rules->buffers[buffer].origin)
        return too_small(rules, site, bounds, buffer, address, err);
    if (site->fetch != PM_FETCH_NONE && bounds->known && bounds->bytes == 0)
        return unknown_texture(rules, site, err);
    if (bounds->known && bounds->bytes == 0 && site->argument >= 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: %s through the null pointer %s; give the launch a buffer "
                       "there, or do not follow it",
                       rules->source_path, site->line, rules->code->name, kinds[site->kind],
                       site->object);
    if (site->space == PM_SPACE_SHARED && bounds->known && bounds->bytes == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s: %s to the shared array %s, whose size the launch gives "
                       "in CUDA: add shared = BYTES of a block to the launch",
                       rules->source_path, site->line, rules->code->name, kinds[site->kind],
                       *site->object ? site->object : "of unknown size");
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

/* Finds the first work-item in `mask` whose address is outside of its bounds or not aligned, and
 * raises the error. Returns PM_OK if there is none. */
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

static inline bool find_inside(const pm_warp_access *access, const pm_bounds *bounds,
                               unsigned width)
{
    const uint64_t base = bounds->base, last = bounds->bytes - access->bytes, mask = access->mask;
    const uint64_t *address = access->address;
    uint64_t bits = 0, ends = 0;

    for (uint64_t lane = 0; lane < width; lane++) {
        const uint64_t on = 0 - (mask >> lane & 1), offset = address[lane] - base;

        bits |= address[lane] & on;
        /* Offsets and differences are unsigned. The top bit of `ends` becomes set if `offset` or
         * `last - offset` is negative, which means that the access is out of bounds. */
        ends |= (offset | (last - offset)) & on;
    }
    return ends >> 63 == 0 && (bits & (access->bytes - 1)) == 0;
}

/* Returns whether all addresses of a warp's access are inside the bounds. The usual warp width, 32,
 * is passed as a constant, so that the compiler unrolls the loop. */
PM_WIDE static bool are_inside(const pm_warp_access *access, const pm_bounds *bounds,
                               unsigned width)
{
    return width == 32 ? find_inside(access, bounds, 32) : find_inside(access, bounds, width);
}

static void raise_reach(const pm_launch_rules *rules, uint64_t address, unsigned bytes)
{
    const size_t region = find_region(rules, address);

    if (region < rules->region_count) {
        const uint64_t end = address - rules->regions[region].base + bytes;

        if (end > rules->reach[region])
            rules->reach[region] = end;
    }
}

/* If a checked access ends behind the recorded extent of accesses in its buffer, extends the record
 * to the end of the access. one_buffer: true if all work-items access the same buffer, so that only
 * the largest address matters. */
static void note_reach(const pm_launch_rules *rules, const pm_warp_access *access, bool one_buffer)
{
    uint64_t most = 0;

    for (unsigned lane = 0; lane < rules->warp_width; lane++) {
        const uint64_t address = access->address[lane];

        if (!(access->mask >> lane & 1))
            continue;
        if (!one_buffer)
            raise_reach(rules, address, access->bytes);
        else if (address > most)
            most = address;
    }
    if (one_buffer && access->mask)
        raise_reach(rules, most, access->bytes);
}

/* Records the bytes that a checked access reads or writes. */
static void note_use(const pm_launch_rules *rules, const pm_warp_access *access)
{
    for (unsigned lane = 0; lane < rules->warp_width; lane++) {
        const uint64_t address = access->address[lane];
        const size_t region =
            access->mask >> lane & 1 ? find_region(rules, address) : rules->region_count;

        if (region < rules->region_count)
            pm_used_pages_note(rules->used, region, address - rules->regions[region].base,
                               access->bytes, access->kind);
    }
}

/* Returns true if all addresses of an access through an unknown pointer are in the buffer of the
 * first work-item's address. */
static bool in_one_buffer(const pm_launch_rules *rules, const pm_warp_access *access)
{
    pm_bounds bounds = {.known = true};
    size_t region;

    if (!access->mask || access->space == PM_SPACE_SHARED || access->space == PM_SPACE_PRIVATE)
        return false;
    region = find_region(rules, access->address[__builtin_ctzll(access->mask)]);
    if (region == rules->region_count || rules->regions[region].bytes < access->bytes)
        return false;
    bounds.base = rules->regions[region].base;
    bounds.bytes = rules->regions[region].bytes;
    return access->pattern ? pm_span_is_inside(&access->pattern->span, &bounds, access->bytes)
                           : are_inside(access, &bounds, rules->warp_width);
}

pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number,
                          const pm_warp_access *access, pm_error *err)
{
    const pm_bounds *bounds = &rules->bounds[number];
    const bool inside =
        bounds->known ? bounds->bytes >= access->bytes &&
                            (access->pattern
                                 ? pm_span_is_inside(&access->pattern->span, bounds, access->bytes)
                                 : are_inside(access, bounds, rules->warp_width))
                      : in_one_buffer(rules, access);

    if (!inside && find_wrong(rules, number, access->mask, access->address, err) != PM_OK)
        return err->status;
    if (rules->reach && access->space != PM_SPACE_SHARED && access->space != PM_SPACE_PRIVATE)
        note_reach(rules, access, bounds->known);
    if (rules->used && access->space != PM_SPACE_SHARED && access->space != PM_SPACE_PRIVATE)
        note_use(rules, access);
    return PM_OK;
}

pm_status pm_bounds_check_span(const pm_launch_rules *rules, uint32_t number, uint64_t address,
                               uint64_t bytes, pm_error *err)
{
    const pm_site *site = &rules->code->sites[number];
    const pm_bounds *bounds = &rules->bounds[number];
    const bool is_global = site->space != PM_SPACE_SHARED && site->space != PM_SPACE_PRIVATE;
    const size_t region = is_global ? find_region(rules, address) : rules->region_count;
    const pm_memory_region *of = region < rules->region_count ? &rules->regions[region] : NULL;
    const pm_bounds in = bounds->known ? *bounds
                         : of          ? (pm_bounds){.base = of->base, .bytes = of->bytes}
                                       : (pm_bounds){0};
    const uint64_t offset = address - in.base;

    /* An error names the first part of the piece if that is outside, else its last part. */
    if (offset >= in.bytes)
        return outside(rules, site, bounds, address, err);
    if (in.bytes - offset < bytes)
        return outside(rules, site, bounds,
                       bytes > site->bytes ? address + bytes - site->bytes : address, err);
    if (rules->reach && of)
        raise_reach(rules, address, (unsigned)bytes);
    if (rules->used && of)
        pm_used_pages_note(rules->used, region, address - of->base, (unsigned)bytes, site->kind);
    return PM_OK;
}
