/* Layout: how an array of structs lies in memory. Its text is what --layout takes and what stands
 * in the `variant` column of a dataset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   aos                         as the source has it
 *   aos-align[8]                each struct aligned to 16 (8) bytes
 *   soa                         an array for each field
 *   asta:T                      tiles of T structs, in each tile an array for each field
 *                               (Sung et al. 2012); T is a power of two, 2 to 65536
 *   cluster:a+b/c               structs of some fields each: {a, b} and {c}
 *   cluster-align[8]:a+b/c      the same, each struct aligned to 16 (8) bytes
 *   cluster...:3-3-3-2          fields in the order of the source, so many in each struct
 *
 * An aligned struct of at most 8 bytes is aligned to 8, of at most 4 bytes to 4. Several layouts
 * stand in one text with ';' between them: `Particle=soa;Cell=aos` by struct,
 * `aos;soa@force+density` by kernel. The last one that fits a struct and a kernel holds; without
 * any it is aos.
 */
#ifndef PM_LAYOUT_LAYOUT_H
#define PM_LAYOUT_LAYOUT_H

#include "base/text.h"
#include "source/fields.h"

enum { PM_LAYOUT_MOST_TILE = 65536 };

typedef enum { PM_LAYOUT_AOS, PM_LAYOUT_SOA, PM_LAYOUT_ASTA, PM_LAYOUT_CLUSTER } pm_layout_kind;

/* Fields of one cluster, by index into pm_struct's. */
typedef struct {
    size_t count;
    size_t *fields;
} pm_cluster;

typedef struct {
    pm_layout_kind kind;
    unsigned align; /* 0, 8 or 16; AOS and CLUSTER */
    unsigned tile;  /* ASTA */
    size_t cluster_count;
    pm_cluster *clusters; /* CLUSTER: each field of the struct is in exactly one */
} pm_layout;

/* Parses the text of one layout for a struct. A wrong text ends the attempt with PM_BAD_INPUT: it
 * names what is wrong and lists kinds, or the struct's fields. */
pm_layout pm_layout_parse(pm_memory *memory, const char *text, const pm_struct *structure);
/* Adds its text, with fields by name. */
void pm_layout_text(pm_text *out, const pm_layout *layout, const pm_struct *structure);
/* Whether two layouts of a struct put its fields in the same places by the same text. */
bool pm_layout_is_same(const pm_layout *a, const pm_layout *b);

/* Whether a text starts like one of layouts; it may still be wrong. */
bool pm_layouts_is_text(const char *text);
/* Which layout holds for a struct in a kernel, out of a text of several. Structs and kernels that
 * the text names and that are not among those given end the attempt with PM_BAD_INPUT, with a list
 * of the right ones; and with left, why others have to stay as they are (NULL: there are none). */
void pm_layouts_check(pm_memory *memory, const char *text, const pm_structs *structs,
                      const char *left, const char *const *kernels, size_t kernel_count);
pm_layout pm_layouts_find(pm_memory *memory, const char *text, const pm_struct *structure,
                          const char *kernel);

#endif
