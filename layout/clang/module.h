/* The half of the layouts that needs libclang, as a module of its own (lib/perfmodel/layout.so).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_MODULE_H
#define PM_LAYOUT_CLANG_MODULE_H

#include "layout/source.h"

typedef struct pm_module_source pm_module_source;

typedef struct {
    const char *text, *path;
    const char *const *arguments; /* of clang, without the source's path */
    size_t argument_count;
    /* The source after clang's preprocessor, with line markers, to free. */
    pm_status (*preprocess)(void *user, char **text, pm_error *err);
    void *user;
} pm_module_request;

/* The module's one symbol, PM_MODULE_SYMBOL; each function as the one of source.h. */
typedef struct {
    unsigned version; /* PM_MODULE_VERSION */
    pm_module_source *(*open)(const pm_module_request *request, pm_error *err);
    void (*close)(pm_module_source *source);
    const pm_source_info *(*describe)(const pm_module_source *source);
    pm_status (*rewrite)(pm_module_source *source, const pm_plan *const *plans, pm_rewritten *out,
                         pm_error *err);
    pm_status (*share)(pm_module_source *source, const pm_share_request *request, pm_shared *out,
                       pm_error *err);
} pm_module;

#define PM_MODULE_SYMBOL "pm_layout_module"
enum { PM_MODULE_VERSION = 2 };

#endif
