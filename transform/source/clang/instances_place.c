/* An instance of a template is written as a plain function. Chooses at which position of the source
 * text each of these functions is inserted. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An instance replaces its template in the text. If one of its types is declared after the
 * template, the instance stands before the first function that uses the instance.
 */
#include "transform/source/clang/instances.h"
#include "transform/source/clang/names.h"

/* Returns whether a type, or a type of which it consists, is declared after the offset in the
 * text. */
static bool is_declared_behind(const pm_instancing *in, CXType type, size_t offset)
{
    const pm_node *declaration;

    while (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
           pm_type_is_array(type))
        type = clang_getCanonicalType(pm_type_is_array(type) ? clang_getArrayElementType(type)
                                                             : clang_getPointeeType(type));
    declaration = pm_ast_find(&in->ast, clang_getTypeDeclaration(type));
    return declaration && declaration->in_main && declaration->begin > offset;
}

static bool is_later(const pm_instancing *in, const pm_instance *instance)
{
    const int count = clang_Cursor_getNumTemplateArguments(instance->function);

    for (int i = 0; i < count; i++)
        if (clang_Cursor_getTemplateArgumentKind(instance->function, (unsigned)i) ==
                CXTemplateArgumentKind_Type &&
            is_declared_behind(in,
                               clang_getCanonicalType(clang_Cursor_getTemplateArgumentType(
                                   instance->function, (unsigned)i)),
                               instance->pattern->begin))
            return true;
    return false;
}

static bool uses(const pm_instance *user, const pm_instance *used)
{
    for (size_t i = 0; i < user->use_count; i++)
        if (user->uses[i].of == used)
            return true;
    return false;
}

/* Returns the declaration at file scope that contains the offset. Returns NULL if there is none. */
static const pm_node *declaration_around(const pm_instancing *in, size_t offset)
{
    for (const pm_node *node = in->ast.root->first; node; node = node->next)
        if (node->in_main && node->begin <= offset && offset < node->end)
            return node;
    return NULL;
}

static void move_before(pm_instance *instance, const pm_node *user)
{
    if (user && (!instance->before || user->begin < instance->before->begin))
        instance->before = user;
}

static void place(pm_instancing *in, pm_instance *instance)
{
    for (size_t i = 0; i < in->use_count; i++)
        if (in->uses[i].of == instance)
            move_before(instance, declaration_around(in, in->uses[i].place.begin));
    for (size_t i = 0; i < in->count; i++)
        if (in->items[i] != instance && uses(in->items[i], instance))
            move_before(instance,
                        in->items[i]->is_later ? in->items[i]->before : in->items[i]->pattern);
}

void pm_instances_place(pm_instancing *in)
{
    for (size_t i = 0; i < in->count; i++)
        in->items[i]->is_later = is_later(in, in->items[i]);
    /* The list in->items has each instance after the instances that it calls. Go backwards, so that
     * the place of the calling function is known when the place of the called one is chosen. */
    for (size_t i = in->count; i-- > 0;)
        if (in->items[i]->is_later)
            place(in, in->items[i]);
}
