/* Collects the facts about a kernel from which its arrays are copied to local memory (staging): its
 * accesses, loops, conditions and launches. See kernel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/kernel.h"

#include <string.h>

/* Returns an earlier declaration of the kernel with the attribute reqd_work_group_size. Returns
 * NULL if there is none. */
static const pm_node *sized_before(const pm_source_unit *unit, const pm_node *kernel)
{
    for (const pm_node *node = unit->ast.root->first; node; node = node->next) {
        size_t begin, end = node->begin, limit = node->next ? node->next->begin : unit->ast.length;

        if (node->kind != CXCursor_FunctionDecl || node == kernel ||
            strcmp(node->name, kernel->name) != 0)
            continue;
        while (pm_token(unit->ast.text, end, limit, &begin, &end))
            if (pm_token_is(unit->ast.text, begin, end, "reqd_work_group_size"))
                return node;
    }
    return NULL;
}

/* Returns the name of a function that the new source calls, if a variable of the kernel has the
 * same name and hides it. Returns NULL if none is hidden. */
static const char *hidden_function(const pm_index *index)
{
    static const char *const opencl[] = {"min",          "max",           "clamp", "barrier",
                                         "get_local_id", "get_global_id", NULL};
    static const char *const cuda[] = {"min",       "max",      "__syncthreads",
                                       "threadIdx", "blockIdx", NULL};

    for (const char *const *used = index->ast->is_cuda ? cuda : opencl; *used; used++)
        if (pm_index_count_declarations(index, *used, strlen(*used)) > 0)
            return *used;
    return NULL;
}

void pm_kernel_read(const pm_source_unit *unit, pm_node *kernel, const pm_stage_request *request,
                    pm_names *names, pm_memory *memory, pm_index *index,
                    pm_kernel_launches *launches)
{
    const pm_node *sized = sized_before(unit, kernel);
    const char *hidden;

    if (sized)
        pm_ast_refuse(memory, sized, "say the size of kernel %s's work-group where it is defined",
                      kernel->name);
    pm_launches_find(request, kernel->name, memory, launches);
    pm_index_read(&unit->ast, kernel, launches->work_group, index, memory);
    hidden = hidden_function(index);
    if (hidden)
        pm_ast_refuse(memory, kernel,
                      "a variable is called %s, as the function is that staging needs", hidden);
    pm_launches_describe(request, index, memory, launches);
    if (index->sized)
        pm_index_name_first_ids(index, names);
}
