/* Starts to build a workload (launches and data of a program's variant in one size) from a
 * workload file: finds the parameters of the size, and parses the variant's source. See
 * from_file.h. */
#include <string.h>

#include "base/error.h"
#include "program/file/from_file.h"

void pm_file_start_build(pm_file_build *b, const pm_from_file *from, const pm_file_variant *variant,
                         const pm_file_size *size)
{
    const pm_workload_file *f = from->file;
    const size_t count = f->parameter_count + f->tuned_count;

    *b = (pm_file_build){.from = from, .file = f, .variant = variant, .size = size};
    for (size_t p = 0; p < f->parameter_count; p++)
        b->parameters[p] = (pm_named_number){f->parameters[p], size->values[p]};
    for (size_t p = 0; p < f->tuned_count; p++)
        b->parameters[f->parameter_count + p] =
            (pm_named_number){f->tuned[p].name, f->tuned[p].values[0]};
    b->parameters[count] = (pm_named_number){"i", 0};
    b->numbers = (pm_numbers){count, b->parameters};
    b->counting = (pm_numbers){count + 1, b->parameters};
}

const pm_file_size *pm_file_find_size(const pm_workload_file *f, const char *name, pm_error *err)
{
    for (size_t s = 0; s < f->size_count; s++)
        if (strcmp(f->sizes[s].name, name) == 0)
            return &f->sizes[s];
    pm_fail(err, PM_BAD_INPUT, "%s: no size %s", f->path, name);
    return NULL;
}

static pm_source *open_source(const pm_file_build *b)
{
    pm_error ignored;

    return pm_source_open(b->workload->source, b->workload->source_path, b->workload->build_options,
                          b->from->worker, NULL, &ignored);
}

/* Returns the variant's parsed source for a build that only checks the file for faults. The check
 * builds each variant in each size. All sizes of a variant use the source as it was parsed for the
 * first size, because there may be hundreds of sizes, and a kernel's parameters seldom depend on
 * the size. */
static pm_source *tried_source(const pm_file_build *b)
{
    pm_tried_source *tried = &b->from->tried[b->variant - b->file->variants];

    if (!tried->asked)
        tried->source = open_source(b);
    tried->asked = true;
    return tried->source;
}

/* Returns whether this build only checks a variant of the file for faults. The reference is not a
 * variant. */
static bool is_tried(const pm_file_build *b)
{
    const size_t count = b->file->variant_count;
    bool listed = false;

    for (size_t v = 0; v < count; v++)
        listed = listed || b->variant == &b->file->variants[v];
    return listed && b->from->tried && b->dry && !b->exact;
}

bool pm_file_is_reference(const pm_file_build *b)
{
    return b->file->reference && b->variant == &b->file->reference->version;
}

bool pm_file_is_contents(const pm_file_build *b)
{
    return b->file->contents && b->variant == b->file->contents;
}

bool pm_file_has_own_source(const pm_file_variant *variant)
{
    return variant && (variant->source.text || variant->options.text);
}

const pm_source_info *pm_file_info(pm_file_build *b)
{
    const pm_source *source;

    if (b->from->shipped && !b->from->source)
        /* Arguments in workload files of the suite are not checked here, because tests of perfmodel
         * have checked them. */
        return NULL;
    if (!pm_file_has_own_source(b->variant)) {
        source = b->from->source;
    } else if (is_tried(b)) {
        source = tried_source(b);
    } else {
        if (!b->asked)
            b->own = open_source(b);
        b->asked = true;
        source = b->own;
    }
    return source ? pm_source_describe(source) : NULL;
}
