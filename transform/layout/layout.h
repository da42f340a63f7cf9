/* Layout: how an array of structs is stored in memory. A layout is written as a string: in the
 * argument of --layout, and in the `variant` column of a dataset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   aos                         as in the source
 *   aos-align[8]                each struct aligned to 16 bytes; with 8: to 8
 *   soa                         one array per field
 *   asta:T                      tiles of T structs; in each tile, one array per field
 *                               (Sung et al. 2012); T is a power of two, 2 to 65536
 *   cluster:a+b/c               one struct per group of fields: {a, b} and {c}
 *   cluster-align[8]:a+b/c      the same, each struct aligned to 16 bytes; with 8: to 8
 *   cluster...:3-3-3-2          groups of 3, 3, 3 and 2 fields, in source order
 *
 * An aligned struct of at most 8 bytes is aligned to 8, and one of at most 4 bytes to 4. A string
 * may hold several layouts, separated by ';': `Particle=soa;Cell=aos` by struct,
 * `aos;soa@force+density` by kernel. The last one that matches a struct and a kernel applies. If
 * none matches, the layout is aos.
 */
#ifndef PM_TRANSFORM_LAYOUT_LAYOUT_H
#define PM_TRANSFORM_LAYOUT_LAYOUT_H

#include "base/text.h"
#include "transform/source/fields.h"

enum { PM_LAYOUT_MOST_TILE = 65536 };

typedef enum { PM_LAYOUT_AOS, PM_LAYOUT_SOA, PM_LAYOUT_ASTA, PM_LAYOUT_CLUSTER } pm_layout_kind;

/* A cluster: fields that form one struct of the new layout. They are given as indices into
 * pm_struct.fields. */
typedef struct {
    size_t count;
    size_t *fields;
} pm_cluster;

typedef struct {
    pm_layout_kind kind;
    unsigned align; /* alignment in bytes for AOS and CLUSTER: 8 or 16; 0: none */
    unsigned tile;  /* number of structs in a tile, for ASTA */
    size_t cluster_count;
    /* lists of the fields that form one struct each, if the kind is CLUSTER; every field of the
     * struct is in exactly one of them */
    pm_cluster *clusters;
} pm_layout;

/* Parses the text of one layout, such as soa or asta:32, for a struct. Raises PM_BAD_INPUT if the
 * text is malformed; the message gives the error, and lists the kinds of layouts or the struct's
 * fields. */
pm_layout pm_layout_parse(pm_memory *memory, const char *text, const pm_struct *structure);
/* Appends a layout as text, such as cluster:a+b/c, in the syntax that pm_layout_parse reads. A
 * cluster (fields that form one struct) is written as the names of its fields. */
void pm_layout_text(pm_text *out, const pm_layout *layout, const pm_struct *structure);
/* Returns true if two layouts of a struct have the same kind, alignment, tile size and clusters. */
bool pm_layout_is_same(const pm_layout *a, const pm_layout *b);

/* Returns true if `text` begins with a kind of layout, such as soa. The rest of the text is not
 * checked. */
bool pm_layouts_is_text(const char *text);
/* Checks a text that may contain several layouts, separated by ';'. Raises PM_BAD_INPUT if a layout
 * is malformed, or if `text` names an unknown struct or kernel; the message lists the known names.
 * left: NULL, or a reason why the layout of some struct cannot change, so that this struct is not
 * in `structs`; the reason is added to the message. */
void pm_layouts_check(pm_memory *memory, const char *text, const pm_structs *structs,
                      const char *left, const char *const *kernels, size_t kernel_count);
/* Returns the layout that the text `text` gives to a struct in a kernel. The text may contain
 * several layouts for different structs and kernels, separated by ';'. */
pm_layout pm_layouts_find(pm_memory *memory, const char *text, const pm_struct *structure,
                          const char *kernel);

#endif
