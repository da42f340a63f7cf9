/* Fits one model of kernel times to all GPUs that have measured or published times. See pooled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "model/transfer/pooled_parts.h"

/* Cross-validation: up to ALONE programs, or classes of similar programs, are left out one at a
 * time. More are divided into FOLDS folds, which are left out together. */
enum { ALONE = 40, FOLDS = 10 };

/* ---- the GPUs ------------------------------------------------------------------------------- */

/* Reads the names that identify the rows (program, variant and so on) from the cache. If the cache
 * does not have them, reads the datasets. After a cache hit the datasets are read only if another
 * fit is needed. */
static void open_rows(void *user)
{
    pm_pooled *p = user;
    const pm_profile **profile = pm_take(&p->memory, p->gpu_count + 1, sizeof *profile);

    for (size_t i = 0; i < p->gpu_count; i++)
        profile[i] = &p->gpus[i].profile;
    p->rows.gpus = p->gpu_count;
    p->rows.profile = profile;
    if (!pm_pooled_load_rows(p))
        pm_pooled_fill(p);
}

pm_status pm_pooled_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                           const pm_classes *classes, pm_pooled **out, pm_error *err)
{
    pm_pooled *p = calloc(1, sizeof *p);
    pm_status status;

    *out = NULL;
    if (!p)
        return pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    *p = (pm_pooled){.gpus = gpus,
                     .gpu_count = count,
                     .classes = classes,
                     .memory.cancel = pm_session_cancel(session)};
    p->store = pm_fit_store_of(session, "parameters of each", gpus, count, classes);
    status = pm_attempt(&p->memory, open_rows, p, err);
    pm_memory_free(&p->scratch);
    if (status == PM_OK)
        *out = p;
    else
        pm_pooled_free(p);
    return status;
}

static void clear(pm_pooled *p)
{
    pm_numbered *lists[] = {&p->programs, &p->variants, &p->configs, &p->sources, &p->kinds};

    for (const pm_pooled_fit *l = p->fits; l; l = l->next)
        pm_hierarchy_free(l->h);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        pm_hash_index_clear(&lists[i]->index);
    pm_memory_free(&p->memory);
}

void pm_pooled_free(pm_pooled *p)
{
    if (!p)
        return;
    clear(p);
    free(p);
}

/* ---- leaving programs or classes out -------------------------------------------------------- */

static size_t fold_of(size_t number, size_t count)
{
    return number == PM_NO_NAME ? PM_NO_NAME : count > ALONE ? number % FOLDS : number;
}

/* Returns the number of a program's class, a group of similar programs. If the program is number
 * `renamed`, its class is `class`, whatever classes.csv says. */
static size_t class_of(const pm_pooled *p, size_t program, size_t renamed, size_t class)
{
    return program == renamed ? class : p->class[program];
}

typedef struct {
    pm_pooled *p;
    const char *program;
    pm_withheld without;
    const pm_hierarchy *found;
} finding;

/* Returns a description of the requested fit: which fold of programs or classes it leaves out. Its
 * member `renamed` is set only if the request gives the program another class than classes.csv
 * does. */
static pm_pooled_fit wanted_fit(const finding *f)
{
    const pm_pooled *p = f->p;
    const size_t program = pm_numbered_find(&p->programs, pm_twin_name(&f->p->memory, f->program));
    const char *table = pm_class_of(p->classes, f->program);
    const char *class = f->without.class ? f->without.class : table;
    pm_pooled_fit fit = {.by_class = f->without.unit == PM_LEAVE_CLASS, .renamed = PM_NO_NAME};
    const size_t number = fit.by_class ? pm_numbered_find(&p->kinds, class) : program;
    const size_t count = fit.by_class ? p->kinds.count : p->programs.count;

    fit.fold = f->without.unit == PM_LEAVE_NOTHING ? PM_NO_NAME : fold_of(number, count);
    fit.class = number;
    if (fit.by_class && strcmp(class, table) != 0)
        fit.renamed = program;
    return fit;
}

/* Returns whether two fits leave out the same rows. */
static bool is_same_fit(const pm_pooled_fit *a, const pm_pooled_fit *b)
{
    return a->by_class == b->by_class && a->fold == b->fold &&
           (!a->by_class || (a->class == b->class && a->renamed == b->renamed));
}

static bool *rows_seen(pm_pooled *p, const pm_pooled_fit *fit)
{
    const size_t count = fit->by_class ? p->kinds.count : p->programs.count;
    bool *seen = pm_take(&p->memory, p->rows.n, sizeof *seen);

    for (size_t i = 0; i < p->rows.n; i++) {
        const size_t program = p->rows.of[i].program;
        const size_t name =
            fit->by_class ? class_of(p, program, fit->renamed, fit->class) : program;

        seen[i] = fit->fold == PM_NO_NAME || fold_of(name, count) != fit->fold;
    }
    return seen;
}

static void learn(void *user)
{
    finding *f = user;
    pm_pooled *p = f->p;
    const pm_pooled_fit wanted = wanted_fit(f);
    pm_pooled_fit *fit = p->fits;
    bool *seen;

    while (fit && !is_same_fit(fit, &wanted))
        fit = fit->next;
    if (!fit) {
        fit = pm_take(&p->memory, 1, sizeof *fit);
        *fit = wanted;
        seen = rows_seen(p, fit);
        if (!pm_pooled_load_fit(p, seen, &fit->h)) {
            pm_pooled_fill(p);
            pm_require(&p->memory, pm_hierarchy_fit(&p->rows, seen, &fit->h, p->memory.err));
            pm_pooled_save_fit(p, seen, fit->h);
        }
        fit->next = p->fits;
        p->fits = fit;
    }
    f->found = fit->h;
}

pm_status pm_pooled_find(pm_pooled *p, const char *program, pm_withheld without,
                         const pm_hierarchy **out, pm_error *err)
{
    finding f = {.p = p, .program = program, .without = without};
    pm_status status = pm_attempt(&p->memory, learn, &f, err);

    pm_memory_free(&p->scratch);
    *out = f.found;
    return status;
}

size_t pm_pooled_gpu(const pm_pooled *p, const char *name)
{
    for (size_t i = 0; i < p->rows.gpus; i++)
        if (strcmp(p->gpus[i].name, name) == 0)
            return i;
    return PM_NO_NAME;
}

/* ---- residuals ------------------------------------------------------------------------------ */

typedef struct {
    pm_pooled *p;
    const pm_hierarchy *h;
    const pm_known_gpu *gpu;
    const pm_dataset *samples;
    const bool *wanted;
    const double *shape;
    pm_hierarchy_effect *out;
    pm_memory memory;
} correcting;

/* Returns the profile of the GPU c->gpu. If it is one of the model's GPUs, returns the model's own
 * pointer, which pm_hierarchy_effects needs to recognize it. */
static const pm_profile *profile_of(const correcting *c)
{
    const size_t gpu = pm_pooled_gpu(c->p, c->gpu->name);

    return gpu == PM_NO_NAME ? &c->gpu->profile : c->p->rows.profile[gpu];
}

/* Predicts the random effects of the rows with c->wanted[row], one program at a time. */
static void correct(void *user)
{
    correcting *c = user;
    const size_t n = pm_dataset_rows(c->samples);
    bool *done = pm_take(&c->memory, n, sizeof *done);
    size_t *place = pm_take(&c->memory, n, sizeof *place);
    pm_hierarchy_row *row = pm_take(&c->memory, n, sizeof *row);
    pm_hierarchy_effect *out = pm_take(&c->memory, n, sizeof *out);
    double *shape = pm_take(&c->memory, n, PM_UNITS_SHAPE * sizeof *shape);

    for (size_t first = 0; first < n; first++) {
        const char *program = pm_dataset_sample(c->samples, first)->program;
        size_t count = 0;

        pm_go_on(&c->memory);
        for (size_t i = first; i < n; i++) {
            const pm_sample *s = pm_dataset_sample(c->samples, i);

            if (done[i] || !c->wanted[i] || strcmp(s->program, program) != 0)
                continue;
            done[i] = true;
            place[count] = i;
            memcpy(shape + count * PM_UNITS_SHAPE, c->shape + i * PM_UNITS_SHAPE,
                   PM_UNITS_SHAPE * sizeof *shape);
            row[count++] = (pm_hierarchy_row){
                .gpu = PM_NO_NAME,
                .program = pm_numbered_find(&c->p->programs, pm_twin_name(&c->memory, program)),
                .variant = pm_numbered_find(&c->p->variants, pm_variant_name(&c->memory, s)),
                .config = pm_numbered_find(&c->p->configs, pm_config_name(&c->memory, s)),
                .source = PM_NO_NAME};
        }
        pm_require(&c->memory, pm_hierarchy_effects(c->h, profile_of(c), row, shape, count, out,
                                                    c->memory.err));
        for (size_t k = 0; k < count; k++)
            c->out[place[k]] = out[k];
    }
}

pm_status pm_pooled_effects(pm_pooled *p, const pm_hierarchy *h, const pm_known_gpu *gpu,
                            const pm_dataset *samples, const bool *wanted, const double *shape,
                            pm_hierarchy_effect *out, pm_error *err)
{
    correcting c = {.p = p,
                    .h = h,
                    .gpu = gpu,
                    .samples = samples,
                    .wanted = wanted,
                    .shape = shape,
                    .out = out,
                    .memory.cancel = p->memory.cancel};
    pm_status status = pm_attempt(&c.memory, correct, &c, err);

    pm_memory_free(&c.memory);
    return status;
}
