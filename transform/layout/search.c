/* Searches for the memory layouts of a struct that are probably fast, by an estimate of their cost.
 * See search.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/search.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_ATOMS = 7, MOST_LAYOUTS = 5000, WIDEST = 16 };

/* State of a search for layouts. An atom is a group of fields that the search always keeps
 * together. A cluster is a set of atoms whose fields form one struct of the layout. cluster[f] and
 * atom[f]: numbers of the cluster and of the atom of field f. */
typedef struct {
    pm_memory *memory;
    /* memory of the layout that is considered at the moment; freed before the next one is
     * considered */
    pm_memory passing;
    const pm_struct *structure;
    const pm_field_use *uses;
    size_t use_count;
    const pm_search_options *options;
    pm_candidates_found found; /* the layouts so far; its arrays have MOST_LAYOUTS entries */
    /* atom[field]: number of the atom (group of fields that stay together) that contains the
     * field */
    size_t *atom;
    size_t atoms;
    size_t *cluster_of_atom, *cluster;
    pm_cluster *clusters; /* clusters of the current layout, with their fields */
    size_t *fields;
    /* places[layout]: hash of the positions of fields in each layout so far (place_of()) */
    uint64_t *places;
    bool full; /* true: the limit of MOST_LAYOUTS layouts is reached */
} search;

/* ---- list of found layouts ------------------------------------------------------------------ */

/* Returns a hash of the positions of fields in a layout. Layouts with equal positions have equal
 * hashes, even if their texts differ, such as soa and one cluster for each field. If fields that
 * are always together (in one atom) exchange their positions, the hash is equal, too. */
static uint64_t place_of(const search *s, const pm_plan *plan)
{
    uint64_t sum = plan->tile;

    for (size_t k = 0; k < plan->part_count; k++) {
        const pm_part *part = &plan->parts[k];
        bool alone = part->member_count == 1 && part->members[0].stride <= part->bytes;
        size_t numbers[] = {part->bytes, alone ? 1 : part->align, part->by_element,
                            !alone && plan->layout.align};
        /* hash function FNV-1a, applied to whole numbers instead of bytes */
        uint64_t hash = 0xcbf29ce484222325;

        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            hash = (hash ^ numbers[i]) * 0x100000001b3;
        for (size_t m = 0; m < part->member_count; m++)
            hash = ((hash ^ s->atom[part->members[m].field]) * 0x100000001b3 ^
                    part->members[m].offset) *
                   0x100000001b3;
        sum += hash ^ hash >> 29;
    }
    return sum;
}

static bool is_known(const search *s, uint64_t place)
{
    for (size_t i = 0; i < s->found.count; i++)
        if (s->places[i] == place)
            return true;
    return false;
}

/* Estimates the cost of a layout, and adds the layout to the list unless a layout of the list
 * stores all fields at the same positions. */
static void consider(search *s, const pm_layout *layout)
{
    pm_candidates_found *found = &s->found;
    pm_text text = {.memory = s->memory};
    const pm_plan *plan = pm_plan_create(&s->passing, s->structure, layout);
    uint64_t place = place_of(s, plan);
    double estimate = pm_layout_estimate(plan, s->uses, s->use_count, s->options);

    pm_memory_free(&s->passing);
    if (s->full || is_known(s, place))
        return;
    pm_layout_text(&text, layout, s->structure);
    s->places[found->count] = place;
    found->estimates[found->count] = estimate;
    found->texts[found->count++] = pm_text_get(&text);
    found->examined = found->count;
    s->full = found->count == MOST_LAYOUTS;
}

/* ---- atoms: groups of fields that stay together --------------------------------------------- */

/* Returns how differently the kernels use two atoms (groups of fields that stay together). A use is
 * a read or write of a field by one loop. The result is the sum of the executions of all uses that
 * only one of the two atoms has. */
static double unlike(const search *s, size_t a, size_t b)
{
    double sum = 0;

    for (size_t i = 0; i < s->use_count; i++) {
        size_t own = s->atom[s->uses[i].field], other = own == a ? b : a;
        bool both = false;

        if (own != a && own != b)
            continue;
        for (size_t k = 0; k < s->use_count && !both; k++)
            both = s->uses[k].kernel == s->uses[i].kernel && s->uses[k].loop == s->uses[i].loop &&
                   s->uses[k].read == s->uses[i].read && s->uses[k].written == s->uses[i].written &&
                   s->atom[s->uses[k].field] == other;
        sum += both ? 0 : s->uses[i].executions;
    }
    return sum;
}

static void merge_atoms(search *s, size_t a, size_t b)
{
    for (size_t f = 0; f < s->structure->field_count; f++) {
        if (s->atom[f] == b)
            s->atom[f] = a;
        else if (s->atom[f] > b)
            s->atom[f]--;
    }
    s->atoms--;
}

/* Splits atoms (groups of fields that stay together) of more than 16 bytes, the widest vector
 * access, as long as there are fewer than MOST_ATOMS atoms. */
static void split_atoms(search *s)
{
    size_t atoms = s->atoms;

    for (size_t a = 0; a < atoms; a++) {
        size_t own = a, bytes = 0;

        for (size_t f = 0; f < s->structure->field_count; f++) {
            size_t more =
                s->structure->fields[f].bytes * pm_field_elements(&s->structure->fields[f]);

            if (s->atom[f] != a)
                continue;
            if (bytes > 0 && bytes + more > WIDEST && s->atoms < MOST_ATOMS) {
                own = s->atoms++;
                bytes = 0;
            }
            s->atom[f] = own;
            bytes += more;
        }
    }
}

/* Makes one atom (group of fields that stay together) of fields with equal uses. Then merges the
 * two atoms with the most similar uses, repeatedly, until at most MOST_ATOMS atoms are left. */
static void find_atoms(search *s)
{
    s->atoms = s->structure->field_count;
    for (size_t f = 0; f < s->atoms; f++)
        s->atom[f] = f;
    for (;;) {
        double least = INFINITY;
        size_t a = 0, b = 0;

        for (size_t i = 0; i < s->atoms; i++)
            for (size_t k = i + 1; k < s->atoms; k++) {
                double u = unlike(s, i, k);

                if (u < least) {
                    least = u;
                    a = i;
                    b = k;
                }
            }
        if (!isfinite(least) || (least > 0 && s->atoms <= MOST_ATOMS))
            return;
        merge_atoms(s, a, b);
    }
}

/* ---- partitions of the atoms into clusters --------------------------------------------------- */

static int by_size(const void *a, const void *b, void *structure)
{
    const pm_field *fields = ((const pm_struct *)structure)->fields;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (fields[x].align != fields[y].align)
        return fields[x].align > fields[y].align ? -1 : 1;
    return (x > y) - (x < y);
}

/* Adds the layout with the clusters in s->cluster to the list. The fields of a cluster form one
 * struct. Fields with the largest alignment come first, so that no padding is needed between
 * fields. Clusters are ordered by their first fields. */
static void consider_partition(search *s, unsigned align)
{
    size_t n = s->structure->field_count, placed = 0;
    pm_layout layout = {.kind = PM_LAYOUT_CLUSTER, .align = align, .clusters = s->clusters};

    for (size_t f = 0; f < n; f++) {
        bool first = true;

        for (size_t g = 0; g < f; g++)
            first = first && s->cluster[g] != s->cluster[f];
        if (!first)
            continue;
        pm_cluster *c = &s->clusters[layout.cluster_count++];
        *c = (pm_cluster){.fields = s->fields + placed};
        for (size_t g = f; g < n; g++)
            if (s->cluster[g] == s->cluster[f])
                c->fields[c->count++] = g;
        placed += c->count;
        qsort_r(c->fields, c->count, sizeof *c->fields, by_size, (void *)s->structure);
    }
    consider(s, &layout);
}

static size_t cluster_bytes(const search *s, size_t cluster)
{
    size_t bytes = 0;

    for (size_t f = 0; f < s->structure->field_count; f++)
        if (s->cluster[f] == cluster)
            bytes += s->structure->fields[f].bytes * pm_field_elements(&s->structure->fields[f]);
    return bytes;
}

/* MOST_FILLED: largest number of fields of a struct for which fill_holes() is called. Its time
 * grows exponentially with the number of fields that have equal uses. The layouts that it finds for
 * such fields are already in the list, so the limit MOST_LAYOUTS does not stop it. */
enum { MOST_FILLED = 64 };

/* Moves fields of the clusters, one after another, into the padding of other aligned clusters if
 * they fit. Adds the layout after each move to the list. The first cluster whose padding may be
 * filled has the number `from`. */
static void fill_holes(search *s, size_t from)
{
    size_t n = s->structure->field_count;

    for (size_t f = 0; f < n && !s->full; f++) {
        size_t own = s->cluster[f];
        size_t bytes = s->structure->fields[f].bytes * pm_field_elements(&s->structure->fields[f]);

        for (size_t c = from; c < n && !s->full; c++) {
            size_t there = cluster_bytes(s, c), hole = (16 - there % 16) % 16;

            if (c == own || there <= 8 || bytes > hole)
                continue;
            s->cluster[f] = c;
            consider_partition(s, 16);
            fill_holes(s, c + 1);
            s->cluster[f] = own;
        }
    }
}

/* Enumerates all partitions of the atoms (groups of fields that stay together) into clusters, and
 * adds the layouts in which each cluster is a struct. Each call chooses the cluster of the atom
 * number `atom`, and calls itself for the next atom. The numbers of the clusters form restricted
 * growth strings (Knuth, The Art of Computer Programming, 7.2.1.5). used: number of clusters to
 * which the atoms before `atom` belong. */
static void partitions(search *s, size_t atom, size_t used)
{
    if (atom == s->atoms) {
        /* skip the single cluster with all fields, because it equals the layout aos */
        if (used == 1)
            return;
        for (size_t f = 0; f < s->structure->field_count; f++)
            s->cluster[f] = s->cluster_of_atom[s->atom[f]];
        consider_partition(s, 0);
        consider_partition(s, 8);
        consider_partition(s, 16);
        if (s->structure->field_count <= MOST_FILLED)
            fill_holes(s, 0);
        return;
    }
    for (size_t c = 0; c <= used && !s->full; c++) {
        s->cluster_of_atom[atom] = c;
        partitions(s, atom + 1, c == used ? used + 1 : used);
    }
}

/* ---- the whole search ----------------------------------------------------------------------- */

/* Keeps the first `fixed` layouts of the list and, of the others, the `most` layouts with the
 * lowest estimates. */
static void keep_best(pm_candidates_found *found, size_t fixed, size_t most)
{
    for (size_t i = fixed; i < found->count; i++) {
        const char *text = found->texts[i];
        double estimate = found->estimates[i];
        size_t at = i;

        for (; at > fixed && found->estimates[at - 1] > estimate; at--) {
            found->texts[at] = found->texts[at - 1];
            found->estimates[at] = found->estimates[at - 1];
        }
        found->texts[at] = text;
        found->estimates[at] = estimate;
    }
    if (found->count > fixed + most)
        found->count = fixed + most;
}

static void find_layouts(void *user)
{
    static const char *const plain[] = {"aos", "aos-align", "aos-align8", "soa", "asta:32"};
    search *s = user;
    size_t fixed;

    find_atoms(s);
    split_atoms(s);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        const pm_layout layout = pm_layout_parse(s->memory, plain[i], s->structure);

        consider(s, &layout);
    }
    fixed = s->found.count;
    partitions(s, 0, 0);
    keep_best(&s->found, fixed, s->options->clusters);
}

pm_candidates_found pm_layout_search(pm_memory *memory, const pm_struct *structure,
                                     const pm_field_use *uses, size_t use_count,
                                     const pm_search_options *options)
{
    const size_t n = structure->field_count;
    search s = {.memory = memory,
                .structure = structure,
                .uses = uses,
                .use_count = use_count,
                .options = options,
                .found = {.texts = pm_take(memory, MOST_LAYOUTS, sizeof *s.found.texts),
                          .estimates = pm_take(memory, MOST_LAYOUTS, sizeof *s.found.estimates)},
                .atom = pm_take(memory, n, sizeof *s.atom),
                .cluster_of_atom = pm_take(memory, n, sizeof *s.cluster_of_atom),
                .cluster = pm_take(memory, n, sizeof *s.cluster),
                .clusters = pm_take(memory, n, sizeof *s.clusters),
                .fields = pm_take(memory, n, sizeof *s.fields),
                .places = pm_take(memory, MOST_LAYOUTS, sizeof *s.places)};
    pm_status status = pm_attempt(&s.passing, find_layouts, &s, memory->err);

    pm_memory_free(&s.passing);
    pm_require(memory, status);
    return s.found;
}
