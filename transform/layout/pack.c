/* Converts arrays of structs on the host from the source's layout to the buffers of a new layout
 * ("packing"), and back. See plan.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing and unpacking use one loop nest: runs of consecutive array elements, then the struct's
 * members, then the scalars of a member. A run has so few elements that its data in both layouts
 * fit into the cache. Packing and unpacking differ only in the direction of the innermost copy.
 */
#include <stdint.h>
#include <string.h>

#include "transform/layout/plan.h"

/* number of elements that are copied at a time: 128 structs of up to 128 bytes each are 16 KiB,
 * which fit into an L1 cache */
enum { RUN = 128 };

/* Parameters of a copy of `count` pieces of `bytes` bytes each. to_stride and from_stride:
 * distances in bytes between consecutive pieces at the target and at the source. */
typedef struct {
    char *to;
    const char *from;
    size_t to_stride, from_stride, bytes, count;
} move;

/* Copies the pieces of a move. If the compiler knows `bytes` as a constant, it makes one load and
 * one store of each copy. */
static inline __attribute__((always_inline)) void copy_sized(move m, size_t bytes)
{
    for (size_t i = 0; i < m.count; i++)
        memcpy(m.to + i * m.to_stride, m.from + i * m.from_stride, bytes);
}

static void copy_pieces(move m)
{
    switch (m.bytes) {
    case 1:
        copy_sized(m, 1);
        break;
    case 2:
        copy_sized(m, 2);
        break;
    case 4:
        copy_sized(m, 4);
        break;
    case 8:
        copy_sized(m, 8);
        break;
    case 16:
        copy_sized(m, 16);
        break;
    default:
        copy_sized(m, m.bytes);
    }
}

/* Elements [first, first + count) of an array of n structs. Their data are converted to the new
 * layout, or back, in one step. If the layout has tiles (ASTA), all of them are in one tile.
 * structs: start of the array. */
typedef struct {
    const pm_plan *plan;
    char *structs;
    size_t n, first, count;
    bool pack;
} run;

/* Copies `bytes` bytes of one field for each element of the run `r`, between the source's structs
 * and buffer `data` of the new layout. The bytes start at the field's scalar with row-major index
 * `flat`. The scalar's byte offset in the source's struct is `from`. */
static void move_scalar(const run *r, const pm_part *part, const pm_member *member, char *data,
                        size_t flat, size_t from, size_t bytes)
{
    const pm_plan *plan = r->plan;
    const size_t item = r->first / plan->tile;
    const size_t stride = plan->tile > 1 ? member->tile_stride : part->bytes;
    char *in_struct = r->structs + r->first * plan->structure->bytes + from;
    char *in_part;

    if (part->by_element)
        in_part = data + (flat * r->n + r->first) * part->bytes;
    else
        in_part = data + item * part->bytes + member->offset + flat * member->stride +
                  r->first % plan->tile * member->tile_stride;
    if (r->pack)
        copy_pieces((move){in_part, in_struct, stride, plan->structure->bytes, bytes, r->count});
    else
        copy_pieces((move){in_struct, in_part, plan->structure->bytes, stride, bytes, r->count});
}

/* Returns true if the scalars of an array field can be copied at once. They must be adjacent in the
 * source's struct and also in the part (buffer of the new layout). */
static bool lies_together(const pm_field *field, const pm_part *part, const pm_member *member)
{
    size_t stride = field->bytes;

    if (part->by_element || member->stride != field->bytes)
        return false;
    for (size_t d = field->extent_count; d-- > 0;) {
        if (field->extents[d].stride != stride)
            return false;
        stride *= field->extents[d].count;
    }
    return true;
}

/* Returns the byte offset, in the source's struct, of one scalar of a field. flat: row-major index
 * of the scalar if the field is an array, else 0. */
static size_t source_offset(const pm_field *field, size_t flat)
{
    size_t offset = field->offset;

    for (size_t d = field->extent_count; d-- > 0;) {
        offset += flat % field->extents[d].count * field->extents[d].stride;
        flat /= field->extents[d].count;
    }
    return offset;
}

static void move_member(const run *r, const pm_part *part, const pm_member *member, char *data)
{
    const pm_field *field = &r->plan->structure->fields[member->field];
    const size_t elements = pm_field_elements(field);

    if (lies_together(field, part, member)) {
        move_scalar(r, part, member, data, 0, field->offset, elements * field->bytes);
        return;
    }
    for (size_t flat = 0; flat < elements; flat++)
        move_scalar(r, part, member, data, flat, source_offset(field, flat), field->bytes);
}

/* Returns true if the struct that is stored in a part (buffer of the new layout) has bytes that
 * belong to no member. */
static bool has_padding(const pm_plan *plan, const pm_part *part)
{
    size_t used = 0;

    for (size_t m = 0; m < part->member_count; m++) {
        const pm_field *field = &plan->structure->fields[part->members[m].field];

        used += pm_field_elements(field) * field->bytes * plan->tile;
    }
    return !part->by_element && used < part->bytes;
}

/* Prepares a buffer of the new layout before packing writes the fields of a run of elements to it.
 * Sets the run's items to 0 if some of their bytes belong to no field, because these bytes are
 * padding or the unused end of the last tile. */
static void clear_gaps(const run *r, const pm_part *part, char *data)
{
    const size_t tile = r->plan->tile > 1 ? r->plan->tile : 1;
    const bool last_is_short = r->n - r->first < tile;

    if (r->first % tile == 0 && (last_is_short || has_padding(r->plan, part)))
        memset(data + r->first / tile * part->bytes, 0, (tile > 1 ? 1 : r->count) * part->bytes);
}

static void move_all(run r, char *const *parts)
{
    const pm_plan *plan = r.plan;
    const size_t longest = plan->tile > 1 && plan->tile < RUN ? plan->tile : RUN;

    for (; r.first < r.n; r.first += longest) {
        r.count = r.n - r.first < longest ? r.n - r.first : longest;
        for (size_t p = 0; p < plan->part_count; p++) {
            const pm_part *part = &plan->parts[p];

            if (r.pack)
                clear_gaps(&r, part, parts[p]);
            for (size_t m = 0; m < part->member_count; m++)
                move_member(&r, part, &part->members[m], parts[p]);
        }
    }
}

void pm_plan_pack(const pm_plan *plan, const void *structs, size_t n, void *const *parts)
{
    /* The cast removes const, which is safe because packing only reads the structs. */
    const run r = {.plan = plan, .structs = (char *)structs, .n = n, .pack = true};

    if (n == 0)
        return;
    if (plan->identity)
        memcpy(parts[0], structs, n * plan->structure->bytes);
    else
        move_all(r, (char *const *)parts);
}

void pm_plan_unpack(const pm_plan *plan, void *structs, size_t n, const void *const *parts)
{
    const run r = {.plan = plan, .structs = structs, .n = n};

    if (n == 0)
        return;
    if (plan->identity)
        memcpy(structs, parts[0], n * plan->structure->bytes);
    /* the cast removes const, which is safe because unpacking only reads the buffers of the new
     * layout */
    else
        move_all(r, (char *const *)parts);
}
