/* Runs the interpreter on host code repeatedly: chooses the function to start with, and assumes
 * values for unknown variables. See host.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "transform/source/host/host.h"
#include "transform/source/host/results.h"

enum {
    MOST_STEPS = 2000000,
    MOST_ROUNDS = 8,
    MOST_HALVINGS = 18,
    MOST_ROOTS = 64,
    /* value that is assumed for an unknown number from which sizes of buffers or grids are
     * computed */
    SIZE = 1 << 20,
    BLOCK = 256,
    /* value that is assumed for an unknown kernel argument from which no size is computed */
    SMALL = 16
};
static const double MOST_BYTES_OF_ARGUMENTS = 0x1p31,
                    MOST_BYTES = 1 << 28; /* limit on the sum of all buffer sizes in bytes */

/* Members of cudaDeviceProp that only a GPU knows, and the values that are assumed for them. */
static const struct {
    const char *name;
    long long value;
} of_gpu[] = {{"multiProcessorCount", 108}, {"clockRate", 1410000}, {"memoryClockRate", 1215000}};

typedef struct {
    const pm_host_request *request;
    pm_source_launches *out;
    pm_memory memory; /* memory of the syntax tree, and of the values that the user set */
    pm_host_tree tree;
    size_t root_count;
    pm_host_node *roots[MOST_ROOTS];
    pm_memory run; /* memory of the latest run of the interpreter */
    pm_host_state state;
    size_t setting_count;
    pm_host_setting *settings;
    /* limit for numbers in the program's command-line arguments: a larger number is replaced by
     * this one; 0: no limit */
    long long most_argument;
} reading;

/* ---- values that the user sets ------------------------------------------------------------- */

static void add_setting(reading *r, const char *set)
{
    const char *equal = strchr(set, '=');
    pm_host_setting setting = {.name = ""};
    char *end;

    if (!equal || !equal[1])
        return;
    setting.name = pm_format(&r->memory, "%.*s", (int)(equal - set), set);
    setting.value = pm_host_integer(strtoll(equal + 1, &end, 0));
    if (*end)
        setting.value = pm_host_real(strtod(equal + 1, &end));
    if (!*end) /* skip a value that is not a number, because it can only be the value of a macro */
        *pm_add(&r->memory, r->settings, r->setting_count) = setting;
}

/* Returns whether a variable's name suggests that it is a number of elements. */
static bool is_size(const char *name)
{
    static const char *const words[] = {"size", "num",  "count", "len",   "width", "height", "rows",
                                        "cols", "elem", "dim",   "total", "nnz",   "points", NULL};
    char lower[64];
    size_t length = 0;

    for (; name[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (size_t i = 0; words[i]; i++)
        if (strstr(lower, words[i]))
            return true;
    return lower[0] == 'n' && (length <= 2 || lower[1] == '_');
}

static bool is_of_gpu(const char *name, long long *value)
{
    for (size_t i = 0; i < sizeof of_gpu / sizeof *of_gpu; i++)
        if (strcmp(of_gpu[i].name, name) == 0) {
            *value = of_gpu[i].value;
            return true;
        }
    return false;
}

/* Returns whether the host code assigns a plausible value to a variable before it assigns an
 * unknown one, for example a default before it parses the command line (pm_host_default). */
static bool has_default(const reading *r, const pm_host_wanted *wanted)
{
    const long long value = pm_host_default_of(&r->state, wanted->name);

    return value > 1 || (value == 1 && !is_size(wanted->name));
}

static long long assumption(const reading *r, const pm_host_wanted *wanted)
{
    const long long most =
        r->request->most && r->request->most < SIZE ? (long long)r->request->most : SIZE;
    long long value;

    if (is_of_gpu(wanted->name, &value))
        return value;
    if (has_default(r, wanted))
        return pm_host_default_of(&r->state, wanted->name);
    switch (wanted->purpose) {
    case PM_HOST_FOR_SIZE:
        return most;
    case PM_HOST_FOR_BLOCK:
        return BLOCK;
    default:
        return is_size(wanted->name) ? most : SMALL;
    }
}

static bool is_open(const reading *r, const pm_host_wanted *wanted)
{
    for (size_t i = 0; i < r->setting_count; i++)
        if (strcmp(r->settings[i].name, wanted->name) == 0)
            return false;
    return wanted->purpose != PM_HOST_FOR_COUNT;
}

/* Assumes values for unknown variables that the latest run of the interpreter needed. If some of
 * them are sizes, assumes only these, because the next run may show that others are sizes, too.
 * Returns false if no value can be assumed. */
static bool assume(reading *r)
{
    bool more = false, sizes = false;

    for (size_t i = 0; i < r->state.wanted_count; i++)
        sizes |= is_open(r, &r->state.wanted[i]) && r->state.wanted[i].purpose > PM_HOST_FOR_VALUE;

    for (size_t i = 0; i < r->state.wanted_count; i++) {
        const pm_host_wanted *wanted = &r->state.wanted[i];

        if (!is_open(r, wanted) || (sizes && wanted->purpose == PM_HOST_FOR_VALUE))
            continue;
        *pm_add(&r->memory, r->settings, r->setting_count) =
            (pm_host_setting){.name = pm_copy(&r->memory, wanted->name),
                              .value = pm_host_integer(assumption(r, wanted)),
                              .assumed = true,
                              .is_default = has_default(r, wanted),
                              .purpose = wanted->purpose,
                              .line = wanted->line};
        more = true;
    }
    return more;
}

/* Halves the sizes that were assumed, because the buffers are too large. defaults: true if the
 * sizes of variables with a default in the code are halved; otherwise those of variables without a
 * default. Returns false if all are at their minimum. */
static bool halve_some(reading *r, bool defaults)
{
    bool less = false;
    long long unused;

    for (size_t i = 0; i < r->setting_count; i++) {
        pm_host_setting *setting = &r->settings[i];

        if (setting->assumed && setting->is_default == defaults && setting->value.integer > SMALL &&
            !is_of_gpu(setting->name, &unused)) {
            setting->value.integer /= 2;
            less = true;
        }
    }
    return less;
}

/* Halves the limit for numbers in the program's command-line arguments. Returns false if it is at
 * its minimum. */
static bool halve_argument(reading *r)
{
    if (r->state.largest_argument <= SMALL)
        return false;
    r->most_argument = r->state.largest_argument / 2;
    return true;
}

/* Makes buffers smaller. Halves the first of these that is not at its minimum: assumed sizes, the
 * limit for numbers in the program's arguments, and sizes with a default in the code. Returns false
 * if nothing can become smaller. */
static bool halve(reading *r)
{
    const bool less = halve_some(r, false) || halve_argument(r);

    return less || halve_some(r, true);
}

/* ---- functions to execute ------------------------------------------------------------------ */

static bool is_of_user(const pm_host_node *node)
{
    return !clang_Location_isInSystemHeader(clang_getCursorLocation(node->cursor));
}

static void add_root(reading *r, pm_host_node *function)
{
    if (r->root_count < MOST_ROOTS)
        r->roots[r->root_count++] = function;
}

static bool calls(reading *r, pm_host_node *node, const pm_host_node *function, unsigned depth)
{
    pm_host_open(&r->tree, node);
    if (node->named && pm_host_definition(&r->tree, node->named) == function)
        return true;
    for (size_t i = 0; i < node->count && depth > 0; i++)
        if (calls(r, node->children[i], function, depth - 1))
            return true;
    return false;
}

/* Lists the functions of the source that launch kernels, except main. Functions in namespaces and
 * classes are included. */
static void list_launching(reading *r, pm_host_node *around, unsigned depth)
{
    pm_host_open(&r->tree, around);
    for (size_t i = 0; i < around->count && depth > 0; i++) {
        pm_host_node *node = around->children[i];

        if (!is_of_user(node))
            continue;
        if (node->kind == CXCursor_Namespace || node->kind == CXCursor_LinkageSpec ||
            node->kind == CXCursor_ClassDecl || node->kind == CXCursor_StructDecl)
            list_launching(r, node, depth - 1);
        else if ((node->kind == CXCursor_FunctionDecl || node->kind == CXCursor_CXXMethod) &&
                 strcmp(node->name, "main") != 0 && pm_host_body(&r->tree, node) &&
                 !pm_host_is_kernel(&r->tree, node) && pm_host_matters(&r->tree, node))
            add_root(r, node);
    }
}

/* Removes the functions from the list r->roots that another function of the list calls, because the
 * interpreter starts at the outermost functions. */
static void keep_outermost(reading *r)
{
    pm_host_node *all[MOST_ROOTS];
    const size_t count = r->root_count;

    memcpy(all, r->roots, count * sizeof *all);
    r->root_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool called = false;

        for (size_t k = 0; k < count && !called; k++)
            called = k != i && calls(r, pm_host_body(&r->tree, all[k]), all[i], 100);
        if (!called)
            r->roots[r->root_count++] = all[i];
    }
}

static pm_host_node *find_main(reading *r, pm_host_node *unit)
{
    for (size_t i = 0; i < unit->count; i++) {
        pm_host_node *node = unit->children[i];

        if (node->kind == CXCursor_FunctionDecl && strcmp(node->name, "main") == 0 &&
            pm_host_body(&r->tree, node))
            return node;
    }
    return NULL;
}

/* ---- executing the host code --------------------------------------------------------------- */

static void run_once(reading *r)
{
    pm_memory_free(&r->run);
    r->run = pm_memory_beside(&r->memory);
    r->state = (pm_host_state){.tree = &r->tree,
                               .memory = &r->run,
                               .heap = {.memory = &r->run},
                               .limit = MOST_STEPS,
                               .setting_count = r->setting_count,
                               .settings = r->settings,
                               .has_arguments = r->request->has_arguments,
                               .program_arguments = r->request->arguments,
                               .program_argument_count = r->request->argument_count,
                               .most_argument = r->most_argument,
                               .option_index = 1,
                               .follow_call = pm_host_follow_call};
    for (size_t i = 0; i < r->setting_count; i++)
        r->settings[i].used = false;
    for (size_t i = 0; i < r->root_count; i++)
        pm_host_run_root(&r->state, r->roots[i]);
}

static void run_all(reading *r)
{
    run_once(r);
    for (size_t round = 0; round < MOST_ROUNDS && assume(r); round++)
        run_once(r);
    for (size_t i = 0;
         i < MOST_HALVINGS &&
         pm_host_is_too_large(&r->state,
                              r->state.largest_argument > 0 ? MOST_BYTES_OF_ARGUMENTS : MOST_BYTES);
         i++) {
        if (!halve(r))
            break;
        run_once(r);
    }
}

static void read_all(void *user)
{
    reading *r = user;
    pm_host_node unit = {.name = ""};
    pm_host_node *main_function;

    r->tree.memory = &r->memory;
    pm_host_tree_parse(&r->tree, &r->request->parse);
    unit.cursor = clang_getTranslationUnitCursor(r->tree.unit);
    unit.kind = clang_getCursorKind(unit.cursor);
    for (size_t i = 0; i < r->request->set_count; i++)
        add_setting(r, r->request->sets[i]);
    pm_host_open(&r->tree, &unit);
    main_function = find_main(r, &unit);
    if (main_function) {
        add_root(r, main_function);
        run_all(r);
    }
    if (r->state.launch_count == 0) {
        r->root_count = 0;
        list_launching(r, &unit, 4);
        keep_outermost(r);
        if (r->root_count > 0)
            run_all(r);
    }
}

static void write_all(void *user)
{
    reading *r = user;

    pm_host_write(&r->state, r->out);
}

pm_status pm_host_read(const pm_host_request *request, pm_source_launches *out, pm_error *err)
{
    reading *r = calloc(1, sizeof *r);
    pm_status status;

    *out = (pm_source_launches){.buffer_count = 0};
    if (!r)
        return pm_fail(err, PM_FAILED, "out of memory for host code");
    r->request = request;
    r->out = out;
    status = pm_attempt(&r->memory, read_all, r, err);
    if (status == PM_OK)
        status = pm_attempt(&out->memory, write_all, r, err);
    pm_memory_free(&r->run);
    pm_host_tree_free(&r->tree);
    pm_memory_free(&r->memory);
    free(r);
    return status;
}
