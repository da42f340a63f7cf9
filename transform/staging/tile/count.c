/* Counts how many elements of a tile (a copy of a part of an array in local memory) a work-group
 * accesses, and how often. See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Method: Kamiya et al. 2013, section 5.2. We count elements one by one, because the range in the
 * paper is one element too short.
 */
#include "transform/staging/tile/tile.h"

enum { MOST_CELLS = 1 << 20, UNKNOWN_ITERATIONS = 16, SECTOR_BYTES = 32 };

/* ---- number of elements --------------------------------------------------------------------- */

/* Returns an array of flags, one for each element of the tile along an axis. Flag i is true if some
 * work-item accesses the position low + i * unit along this axis. */
static bool *find_positions(const pm_index *index, const pm_poly *form, const pm_axis *axis,
                            unsigned width, pm_memory *scratch)
{
    bool *values = pm_take(scratch, axis->extent, sizeof *values);
    bool *more = pm_take(scratch, axis->extent, sizeof *more);
    long long lowest, highest;

    /* The position along the axis is a sum of terms. Compute the set of its values by adding the
     * terms one by one: each term shifts the set by each of the term's own values. The set is
     * stored relative to its lowest value. */
    pm_index_range(index, *form, &lowest, &highest);
    values[(lowest - axis->low) / axis->unit] = true;
    for (size_t t = 0; t < form->count; t++) {
        const pm_atom *atom;
        long long c = form->terms[t].coefficient, steps;

        if (form->terms[t].factor_count == 0)
            continue;
        atom = &index->atoms[form->terms[t].factors[0]];
        steps = atom->high - atom->low;
        c = (c > 0 ? c : -c) / axis->unit;
        for (size_t i = 0; i < axis->extent; i++) {
            more[i] = false;
            for (long long n = 0; n <= steps && !more[i] && n * c <= (long long)i; n++)
                more[i] = values[i - (size_t)(n * c)];
        }
        bool *swap = values;
        values = more;
        more = swap;
    }
    for (size_t i = axis->extent; i-- > 0;)
        for (unsigned w = 1; w < width && !values[i]; w++)
            values[i] = i >= w && values[i - w];
    return values;
}

/* Sets the flags of all elements that an access uses. cells[i]: flag of the tile's element i,
 * counted along the last axis first. */
static void mark_elements(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                          bool *cells, size_t count, pm_memory *scratch)
{
    bool *values[PM_MOST_AXES] = {NULL};

    for (size_t k = 0; k < tile->axis_count; k++)
        values[k] = find_positions(index, &member->forms[k], &tile->axes[k],
                                   pm_member_width(index, tile, member, k), scratch);
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        bool all = true;

        for (size_t k = tile->axis_count; k-- > 0;) {
            all &= values[k][at % tile->axes[k].extent];
            at /= tile->axes[k].extent;
        }
        cells[i] |= all;
    }
}

bool pm_member_is_dense(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                        pm_memory *scratch)
{
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        const bool *values = find_positions(index, &member->forms[k], axis,
                                            pm_member_width(index, tile, member, k), scratch);
        long long low, high;

        if (!pm_index_range(index, member->forms[k], &low, &high))
            return false;
        for (; low <= high; low += axis->unit)
            if (!values[(low - axis->low) / axis->unit])
                return false;
    }
    return true;
}

/* Counts the distinct elements that the tile's accesses use. cells: number of all elements; if
 * there are too many, all count as used. */
static void count_elements(const pm_index *index, pm_tile *tile, size_t cells, pm_memory *scratch)
{
    bool *marked;

    tile->elements = cells;
    if (cells > MOST_CELLS)
        return;
    marked = pm_take(scratch, cells, sizeof *marked);
    for (size_t m = 0; m < tile->member_count; m++)
        mark_elements(index, tile, &tile->members[m], marked, cells, scratch);
    tile->elements = 0;
    for (size_t i = 0; i < cells; i++)
        tile->elements += marked[i];
}

/* ---- number of accesses --------------------------------------------------------------------- */

/* Returns the number of iterations of a loop in the region (the statements that use a tile).
 * Returns 0 if it is unknown. */
static double count_iterations(const pm_index *index, const pm_staging_region *region, size_t loop)
{
    size_t count = region->counts[loop];

    return count == PM_NO_ATOM ? 0 : (double)index->atoms[count].high + 1;
}

/* Returns the fraction of an element's bytes that an access uses. It is below 1 if the access is to
 * a member of a struct. */
static double compute_used_part(const pm_index *index, const pm_index_access *access)
{
    const pm_node *node = access->node, *child;
    long long bytes;

    for (child = node; child->parent && (child->parent->kind == CXCursor_MemberRefExpr ||
                                         child->parent->kind == CXCursor_ParenExpr);
         child = child->parent)
        if (child->parent->kind == CXCursor_MemberRefExpr)
            node = child->parent;
    bytes = access->width > 1 ? 0 : clang_Type_getSizeOf(node->type);
    return bytes > 0 && (size_t)bytes < index->arrays[access->array].element_bytes
               ? (double)bytes / (double)index->arrays[access->array].element_bytes
               : 1;
}

/* form: position of an access along an axis. first_dimension true: returns whether `form` depends
 * on the local id of dimension 0; false: whether it depends on the local id of dimension 1 or 2. */
static bool depends_on_id(const pm_index *index, const pm_poly *form, bool first_dimension)
{
    for (size_t t = 0; t < form->count; t++)
        for (size_t f = 0; f < form->terms[t].factor_count; f++) {
            const pm_atom *atom = &index->atoms[form->terms[t].factors[f]];

            if (atom->kind == PM_ATOM_LOCAL && (atom->dimension == 0) == first_dimension)
                return true;
        }
    return false;
}

/* Returns the number of memory requests of an access, divided by that of a copy of the same
 * elements. It exceeds 1 for a transposed access: work-items that are neighbours in dimension 0
 * access elements in different sectors, and work-items of other dimensions access neighbouring
 * elements. The copy always accesses neighbouring elements. */
static double compare_requests(const pm_index *index, const pm_tile *tile,
                               const pm_tile_member *member)
{
    const double in_sector =
        (double)SECTOR_BYTES / (double)index->arrays[tile->array].element_bytes;
    bool apart = false;
    size_t extent = 0;

    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_poly *form = &member->forms[k];
        long long key;

        if (pm_poly_is_constant(tile->axes[k].key, &key) && (key == 1 || key == -1)) {
            if (!depends_on_id(index, form, true) && depends_on_id(index, form, false))
                extent = tile->axes[k].extent;
        } else {
            apart |= depends_on_id(index, form, true);
        }
    }
    if (!apart || extent <= 1 || in_sector <= 1)
        return 1;
    return (double)extent < in_sector ? (double)extent : in_sector;
}

static void count_accesses(const pm_index *index, pm_tile *tile)
{
    bool known = true;
    double count = 0, ranked = 0;

    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_index_access *access = pm_tile_access(index, tile, m);
        double times = (double)pm_index_group_items(index) * access->width *
                       (access->read + access->written) * compute_used_part(index, access);

        for (size_t l = access->loop; l != PM_NONE; l = index->loops[l].parent) {
            double iterations;

            if (!pm_region_has(&tile->region, index->loops[l].node))
                continue;
            iterations = count_iterations(index, &tile->region, l);
            known &= iterations > 0;
            times *= iterations > 0 ? iterations : UNKNOWN_ITERATIONS;
        }
        count += times;
        ranked += times * compare_requests(index, tile, &tile->members[m]);
    }
    tile->accesses = known ? count : 0;
    tile->rank = ranked / (double)(tile->elements > 0 ? tile->elements : 1);
}

void pm_tile_count(const pm_index *index, pm_tile *tile, pm_memory *scratch)
{
    size_t cells = 1;

    for (size_t k = 0; k < tile->axis_count; k++)
        cells = cells > MOST_CELLS ? cells : cells * tile->axes[k].extent;
    count_elements(index, tile, cells, scratch);
    count_accesses(index, tile);
    tile->bytes = cells * index->arrays[tile->array].element_bytes;
}

void pm_tile_count_whole(const pm_index *index, pm_tile *tile)
{
    tile->elements = tile->axes[0].extent;
    count_accesses(index, tile);
    tile->bytes = tile->elements * index->arrays[tile->array].element_bytes;
}
