/* All GPUs of which times are known, as one model. See pooled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/pooled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strings.h"
#include "samples/dataset.h"

/* More programs, or classes, than ALONE are left out in FOLDS folds. */
enum { ALONE = 40, FOLDS = 10 };

/* Texts and their numbers, in the order in which they came. */
typedef struct {
    pm_hash_index index;
    const char **items;
    size_t count;
} numbered;

/* What was learned without a fold of programs or classes. */
typedef struct learned_without {
    struct learned_without *next;
    bool by_class;
    size_t fold;
    char class[64]; /* of the program that is left out, where the table says otherwise */
    pm_hierarchy *h;
} learned_without;

struct pm_pooled {
    pm_memory memory;
    const pm_known_gpu **gpus; /* the target is the last */
    const pm_classes *classes;
    numbered programs, variants, configs, sources, kinds;
    size_t *class; /* a member a program: its number among the kinds */
    pm_hierarchy_rows rows;
    learned_without *learned;
};

/* ---- numbers of names ----------------------------------------------------------------------- */

typedef struct {
    const numbered *list;
    const char *text;
} sought;

static bool is_same(const void *key, size_t value)
{
    const sought *s = key;

    return strcmp(s->list->items[value], s->text) == 0;
}

static size_t find_number(const numbered *list, const char *text)
{
    const sought s = {list, text};
    const size_t found = pm_hash_index_find(&list->index, pm_hash_text(text), is_same, &s);

    return found == PM_NO_ENTRY ? PM_NO_NAME : found;
}

static size_t number_of(pm_memory *memory, numbered *list, const char *text)
{
    size_t number = find_number(list, text);

    if (number != PM_NO_NAME)
        return number;
    number = list->count;
    *pm_add(memory, list->items, list->count) = pm_copy(memory, text);
    if (!pm_hash_index_add(&list->index, pm_hash_text(text), number))
        pm_leave(memory, PM_FAILED, "out of memory for the names of samples");
    return number;
}

/* What rows that have something in common are called: no name has a newline. */
static const char *variant_name(pm_memory *memory, const pm_sample *s)
{
    return pm_format(memory, "%s\n%s\n%s", pm_twin_name(memory, s->program), s->variant, s->kernel);
}

static const char *config_name(pm_memory *memory, const pm_sample *s)
{
    return pm_format(memory, "%s\n%s", variant_name(memory, s), s->size);
}

/* ---- gathering ------------------------------------------------------------------------------ */

typedef struct {
    size_t gpu;
    const pm_sample *timed;
    pm_units_sample traced;
} found;

typedef struct {
    pm_pooled *p;
    size_t gpus;
    pm_memory scratch;
    found *items;
    size_t n;
} gathering;

static void add_samples(gathering *g, size_t gpu, const pm_dataset *timed, const pm_dataset *traced)
{
    for (size_t i = 0; timed && traced && i < pm_dataset_rows(traced); i++) {
        const pm_sample *s = pm_dataset_sample(traced, i), *t = pm_dataset_find(timed, s);

        if (t && t->time_s > 0 && isfinite(t->time_s) && pm_dataset_find(traced, s) == s)
            *pm_add(&g->scratch, g->items, g->n) =
                (found){gpu, t, {traced, s, &g->p->gpus[gpu]->profile}};
    }
}

/* Who measured it: "" is perfmodel. */
static const char *source_of(const pm_sample *s)
{
    return s->origin ? s->origin : "";
}

static void number_rows(gathering *g, const bool *usable)
{
    pm_pooled *p = g->p;
    pm_hierarchy_row *of = pm_take(&p->memory, g->n, sizeof *of);
    size_t *place = pm_take(&p->memory, g->n, sizeof *place);
    double *log_time = pm_take(&p->memory, g->n, sizeof *log_time);
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        const found *item = &g->items[i];
        const pm_sample *s = item->traced.sample;

        if (!usable[i])
            continue;
        of[n] = (pm_hierarchy_row){
            .gpu = item->gpu,
            .program = number_of(&p->memory, &p->programs, pm_twin_name(&g->scratch, s->program)),
            .variant = number_of(&p->memory, &p->variants, variant_name(&g->scratch, s)),
            .config = number_of(&p->memory, &p->configs, config_name(&g->scratch, s)),
            .source = number_of(&p->memory, &p->sources, source_of(item->timed))};
        place[n] = i;
        log_time[n++] = log(item->timed->time_s);
    }
    p->rows.n = n;
    p->rows.of = of;
    p->rows.place = place;
    p->rows.log_time = log_time;
    p->rows.programs = p->programs.count;
    p->rows.sources = p->sources.count;
    p->class = pm_take(&p->memory, p->programs.count, sizeof *p->class);
    for (size_t i = 0; i < p->programs.count; i++)
        p->class[i] =
            number_of(&p->memory, &p->kinds, pm_class_of(p->classes, p->programs.items[i]));
}

static void gather(void *user)
{
    gathering *g = user;
    pm_pooled *p = g->p;
    const pm_profile **profile = pm_take(&p->memory, g->gpus, sizeof *profile);
    pm_units_sample *samples;
    bool *usable;

    g->scratch = pm_memory_beside(&p->memory);
    p->rows.gpus = g->gpus;
    p->rows.profile = profile;
    for (size_t i = 0; i < g->gpus; i++) {
        const pm_known_gpu *gpu = p->gpus[i];

        profile[i] = &gpu->profile;
        add_samples(g, i, gpu->measured, gpu->traced);
        add_samples(g, i, gpu->published, gpu->published_traced);
    }
    usable = pm_take(&g->scratch, g->n, sizeof *usable);
    samples = pm_take(&g->scratch, g->n, sizeof *samples);
    for (size_t i = 0; i < g->n; i++)
        samples[i] = g->items[i].traced;
    p->rows.units = pm_units_of_samples(&p->memory, samples, g->n, usable);
    number_rows(g, usable);
}

pm_status pm_pooled_create(const pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                           const pm_classes *classes, pm_pooled **out, pm_error *err)
{
    pm_pooled *p = calloc(1, sizeof *p);
    gathering g = {.p = p, .gpus = count + 1};
    pm_status status;

    *out = NULL;
    if (p)
        p->gpus = pm_try_take(&p->memory, count + 1, sizeof *p->gpus);
    if (!p || !p->gpus) {
        free(p);
        return pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    }
    p->classes = classes;
    for (size_t i = 0; i < count; i++)
        p->gpus[i] = &gpus[i];
    p->gpus[count] = target;
    status = pm_attempt(&p->memory, gather, &g, err);
    pm_memory_free(&g.scratch);
    if (status == PM_OK)
        *out = p;
    else
        pm_pooled_free(p);
    return status;
}

static void clear(pm_pooled *p)
{
    numbered *lists[] = {&p->programs, &p->variants, &p->configs, &p->sources, &p->kinds};

    for (const learned_without *l = p->learned; l; l = l->next)
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

/* ---- leaving out ---------------------------------------------------------------------------- */

static size_t fold_of(size_t number, size_t count)
{
    return number == PM_NO_NAME ? PM_NO_NAME : count > ALONE ? number % FOLDS : number;
}

/* The number of the class that a program has here: renamed, where it is the one that is left out
 * and of another than the table says. */
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

static void learn(void *user)
{
    finding *f = user;
    pm_pooled *p = f->p;
    const size_t program = find_number(&p->programs, pm_twin_name(&p->memory, f->program));
    const bool by_class = f->without.unit == PM_LEAVE_CLASS;
    const char *class = f->without.class ? f->without.class : pm_class_of(p->classes, f->program);
    const size_t number = by_class ? find_number(&p->kinds, class) : program;
    const size_t count = by_class ? p->kinds.count : p->programs.count;
    const size_t fold = f->without.unit == PM_LEAVE_NOTHING ? PM_NO_NAME : fold_of(number, count);
    learned_without *l = p->learned;
    bool *seen;

    while (l && (l->by_class != by_class || l->fold != fold ||
                 (by_class && strcmp(l->class, class) != 0)))
        l = l->next;
    if (l) {
        f->found = l->h;
        return;
    }
    l = pm_take(&p->memory, 1, sizeof *l);
    *l = (learned_without){.next = p->learned, .by_class = by_class, .fold = fold};
    if (by_class)
        strncpy(l->class, class, sizeof l->class - 1);
    seen = pm_take(&p->memory, p->rows.n, sizeof *seen);
    for (size_t i = 0; i < p->rows.n; i++) {
        const size_t of = p->rows.of[i].program;
        const size_t name = by_class ? class_of(p, of, program, number) : of;

        seen[i] = fold == PM_NO_NAME || fold_of(name, count) != fold;
    }
    pm_require(&p->memory, pm_hierarchy_fit(&p->rows, seen, &l->h, p->memory.err));
    p->learned = l;
    f->found = l->h;
}

pm_status pm_pooled_find(pm_pooled *p, const char *program, pm_withheld without,
                         const pm_hierarchy **out, pm_error *err)
{
    finding f = {.p = p, .program = program, .without = without};
    pm_status status = pm_attempt(&p->memory, learn, &f, err);

    *out = f.found;
    return status;
}

size_t pm_pooled_gpu(const pm_pooled *p, const char *name)
{
    for (size_t i = 0; i < p->rows.gpus; i++)
        if (strcmp(p->gpus[i]->name, name) == 0)
            return i;
    return PM_NO_NAME;
}

/* ---- what the model gets wrong -------------------------------------------------------------- */

typedef struct {
    pm_pooled *p;
    const pm_hierarchy *h;
    size_t gpu;
    const pm_dataset *samples;
    const bool *wanted;
    const double *shape;
    pm_hierarchy_effect *out;
    pm_memory memory;
} correcting;

/* Those of one program at a time. */
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

        for (size_t i = first; i < n; i++) {
            const pm_sample *s = pm_dataset_sample(c->samples, i);

            if (done[i] || !c->wanted[i] || strcmp(s->program, program) != 0)
                continue;
            done[i] = true;
            place[count] = i;
            memcpy(shape + count * PM_UNITS_SHAPE, c->shape + i * PM_UNITS_SHAPE,
                   PM_UNITS_SHAPE * sizeof *shape);
            row[count++] = (pm_hierarchy_row){
                .gpu = c->gpu,
                .program = find_number(&c->p->programs, pm_twin_name(&c->memory, program)),
                .variant = find_number(&c->p->variants, variant_name(&c->memory, s)),
                .config = find_number(&c->p->configs, config_name(&c->memory, s)),
                .source = PM_NO_NAME};
        }
        pm_require(&c->memory, pm_hierarchy_effects(c->h, row, shape, count, out, c->memory.err));
        for (size_t k = 0; k < count; k++)
            c->out[place[k]] = out[k];
    }
}

pm_status pm_pooled_effects(pm_pooled *p, const pm_hierarchy *h, size_t gpu,
                            const pm_dataset *samples, const bool *wanted, const double *shape,
                            pm_hierarchy_effect *out, pm_error *err)
{
    correcting c = {.p = p,
                    .h = h,
                    .gpu = gpu,
                    .samples = samples,
                    .wanted = wanted,
                    .shape = shape,
                    .out = out};
    pm_status status = pm_attempt(&c.memory, correct, &c, err);

    pm_memory_free(&c.memory);
    return status;
}
