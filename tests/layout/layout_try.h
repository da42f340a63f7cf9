/* Functions for tests of layouts and plans. They return a status, while the product's functions
 * raise errors. Their results are in one memory that lives until the program ends.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_TRY_H
#define PM_TESTS_LAYOUT_TRY_H

#include <string.h>

#include "transform/layout/plan.h"

typedef struct {
    const char *text, *kernel;
    const pm_struct *structure;
    const pm_structs *structs;
    const char *const *kernels;
    size_t kernel_count;
    pm_layout layout;
    pm_plan *plan;
    char *made;
} trial;

static pm_memory trials;

static inline void run_parse(void *user)
{
    trial *t = user;

    t->layout = pm_layout_parse(&trials, t->text, t->structure);
}

static inline pm_status try_parse(const char *text, const pm_struct *structure, pm_layout *layout,
                                  pm_error *err)
{
    trial t = {.text = text, .structure = structure};
    pm_status status = pm_attempt(&trials, run_parse, &t, err);

    *layout = t.layout;
    return status;
}

static inline void run_find(void *user)
{
    trial *t = user;

    t->layout = pm_layouts_find(&trials, t->text, t->structure, t->kernel);
}

static inline pm_status try_find(const char *text, const pm_struct *structure, const char *kernel,
                                 pm_layout *layout, pm_error *err)
{
    trial t = {.text = text, .structure = structure, .kernel = kernel};
    pm_status status = pm_attempt(&trials, run_find, &t, err);

    *layout = t.layout;
    return status;
}

static inline void run_check(void *user)
{
    const trial *t = user;

    pm_layouts_check(&trials, t->text, t->structs, NULL, t->kernels, t->kernel_count);
}

static inline pm_status try_check(const char *text, const pm_structs *structs,
                                  const char *const *kernels, size_t kernel_count, pm_error *err)
{
    trial t = {.text = text, .structs = structs, .kernels = kernels, .kernel_count = kernel_count};

    return pm_attempt(&trials, run_check, &t, err);
}

static inline void run_plan(void *user)
{
    trial *t = user;

    t->plan = pm_plan_create(&trials, t->structure, &t->layout);
}

/* Returns a plan of the layout; NULL: the layout does not fit the struct. */
static inline pm_plan *try_plan(const pm_struct *structure, const pm_layout *layout, pm_error *err)
{
    trial t = {.structure = structure, .layout = *layout};

    pm_attempt(&trials, run_plan, &t, err);
    return t.plan;
}

static inline void run_c(void *user)
{
    trial *t = user;

    t->made = pm_plan_c(&trials, t->plan);
}

/* Returns the C code of a plan; NULL: C cannot express it. */
static inline const char *try_c(pm_plan *plan, pm_error *err)
{
    trial t = {.plan = plan};

    pm_attempt(&trials, run_c, &t, err);
    return t.made;
}

static inline const char *layout_text(const pm_layout *layout, const pm_struct *structure)
{
    pm_text text = {.memory = &trials};

    pm_layout_text(&text, layout, structure);
    return pm_text_get(&text);
}

#endif
