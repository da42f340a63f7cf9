/* Finds the types and values that replace the parameters of a template in one of its instances, as
 * texts. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/instances.h"
#include "transform/source/clang/names.h"

static const char *type_text(pm_instancing *in, CXType type)
{
    CXString spelling = clang_getTypeSpelling(type);
    const char *text = pm_copy(&in->memory, clang_getCString(spelling));

    clang_disposeString(spelling);
    return text;
}

/* Returns whether a typedef is needed to replace the template parameter T by a type, because the
 * type's text cannot be used in all places of T. The type in `T(x)` must be one word. The type in
 * `const T` and `T a, b` must not be a pointer or reference or have qualifiers. */
static bool needs_name(const pm_instancing *in, const pm_node *pattern, const pm_node *parameter,
                       CXType type, const char *text)
{
    const char *source = in->request->text;
    size_t begin, end = pattern->begin, next, behind;

    if (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
        clang_isConstQualifiedType(type) || clang_isVolatileQualifiedType(type))
        return true;
    if (type.kind == CXType_Record || type.kind == CXType_Enum || !strchr(text, ' '))
        return false;
    while (pm_token(source, end, pattern->end, &begin, &end))
        if (pm_token_is(source, begin, end, parameter->name) &&
            pm_token(source, end, pattern->end, &next, &behind) && strchr("({", source[next]))
            return true;
    return false;
}

static const char *value_text(pm_instancing *in, CXType type, long long value)
{
    const unsigned long long bits = (unsigned long long)value;
    const char *sign = value < 0 ? "(" : "", *close = value < 0 ? ")" : "";

    switch (type.kind) {
    case CXType_Bool:
        return value ? "true" : "false";
    case CXType_Int:
        return pm_format(&in->memory, "%s%lld%s", sign, value, close);
    case CXType_Long:
    case CXType_LongLong:
        return pm_format(&in->memory, "%s%lld%s%s", sign, value,
                         type.kind == CXType_Long ? "l" : "ll", close);
    case CXType_UInt:
        return pm_format(&in->memory, "%lluu", bits & 0xffffffffull);
    case CXType_ULong:
    case CXType_ULongLong:
        return pm_format(&in->memory, "%llu%s", bits, type.kind == CXType_ULong ? "ul" : "ull");
    default:
        return pm_format(&in->memory, "(%s)%s%lld%s", type_text(in, type), sign, value, close);
    }
}

static void read_argument(pm_instancing *in, pm_instance *instance, const pm_node *parameter)
{
    const unsigned at = (unsigned)instance->argument_count;
    pm_instance_argument *argument =
        pm_add(&in->memory, instance->arguments, instance->argument_count);
    const enum CXTemplateArgumentKind kind =
        at < (unsigned)clang_Cursor_getNumTemplateArguments(instance->function)
            ? clang_Cursor_getTemplateArgumentKind(instance->function, at)
            : CXTemplateArgumentKind_Invalid;
    CXType type = parameter->type;

    *argument = (pm_instance_argument){.text = ""};
    if (kind == CXTemplateArgumentKind_Type) {
        type = clang_getCanonicalType(clang_Cursor_getTemplateArgumentType(instance->function, at));
        argument->text = type_text(in, type);
        argument->named = needs_name(in, instance->pattern, parameter, type, argument->text);
        if (!strpbrk(argument->text, "(["))
            return;
    } else if (kind == CXTemplateArgumentKind_Integral &&
               ((type.kind >= CXType_Bool && type.kind <= CXType_LongLong) ||
                type.kind == CXType_Enum)) {
        argument->text =
            value_text(in, type, clang_Cursor_getTemplateArgumentValue(instance->function, at));
        return;
    }
    pm_ast_refuse(&in->memory, instance->pattern,
                  "template %s is used with something else than a plain type or an integer for "
                  "%s: write that instance as a function of its own",
                  instance->pattern->name, *parameter->name ? parameter->name : "a parameter");
}

void pm_instance_arguments(pm_instancing *in, pm_instance *instance)
{
    for (const pm_node *child = instance->pattern->first; child; child = child->next)
        if (child->kind == CXCursor_TemplateTypeParameter ||
            child->kind == CXCursor_NonTypeTemplateParameter ||
            child->kind == CXCursor_TemplateTemplateParameter)
            read_argument(in, instance, child);
}
