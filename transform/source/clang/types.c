/* Finds out whether types are pointers to structs of the source, and names scalar and vector types.
 * See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "transform/source/clang/source_unit.h"

size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type)
{
    const pm_node *declaration =
        pm_ast_find(&unit->ast, clang_getTypeDeclaration(clang_getCanonicalType(type)));

    for (size_t s = 0; s < unit->info.structs.count; s++)
        if (unit->structs[s].declaration == declaration)
            return s;
    return PM_NO_STRUCT;
}

bool pm_type_points_to(CXType type, CXType *pointee)
{
    if (type.kind != CXType_Pointer)
        return false;
    *pointee = clang_getCanonicalType(clang_getPointeeType(type));
    return true;
}

/* If a parameter is written as an array, libclang reports an array type for it. The type of the
 * function has the correct pointer type. */
CXType pm_parameter_type(const pm_node *parameter)
{
    const pm_node *function = parameter->parent;

    if (parameter->type.kind == CXType_Pointer || function->kind != CXCursor_FunctionDecl)
        return parameter->type;
    return clang_getCanonicalType(
        clang_getArgType(function->type, (unsigned)pm_ast_parameter_index(parameter)));
}

bool pm_unit_is_array_in_memory(const pm_source_unit *unit, CXType pointee)
{
    unsigned space = clang_getAddressSpace(pointee);

    return pointee.kind == CXType_Record &&
           (unit->ast.is_cuda ? !pm_type_is_cuda_vector(pointee)
                              : space == PM_SPACE_GLOBAL || space == PM_SPACE_CONSTANT);
}

static bool describe_pointee(const pm_source_unit *unit, CXType pointee, pm_pointee *to)
{
    if (!pm_unit_is_array_in_memory(unit, pointee))
        return false;
    *to = (pm_pointee){.structure = pm_unit_struct_of(unit, pointee),
                       .constant = clang_getAddressSpace(pointee) == PM_SPACE_CONSTANT,
                       .is_const = clang_isConstQualifiedType(pointee),
                       .is_volatile = clang_isVolatileQualifiedType(pointee)};
    return to->structure != PM_NO_STRUCT;
}

bool pm_unit_pointee(const pm_source_unit *unit, CXType type, pm_pointee *to)
{
    CXType pointee;

    return pm_type_points_to(type, &pointee) && describe_pointee(unit, pointee, to);
}

bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter, pm_pointee *to)
{
    CXType pointee;

    return pm_type_points_to(pm_parameter_type(parameter), &pointee) &&
           describe_pointee(unit, pointee, to);
}

/* Sets *to to the type to which a reference variable refers. Returns false if the node is no
 * reference variable. */
static bool refers_to(const pm_node *node, CXType *to)
{
    if (node->kind != CXCursor_VarDecl || node->type.kind != CXType_LValueReference)
        return false;
    *to = clang_getCanonicalType(clang_getPointeeType(node->type));
    return true;
}

bool pm_unit_is_reference(const pm_source_unit *unit, const pm_node *node)
{
    const pm_node *declaration = node->kind == CXCursor_DeclRefExpr ? node->declaration : node;
    CXType to;

    return unit->ast.is_cuda && declaration && refers_to(declaration, &to) &&
           pm_unit_struct_of(unit, to) != PM_NO_STRUCT;
}

bool pm_unit_referred_pointee(const pm_source_unit *unit, const pm_node *declaration,
                              pm_pointee *to)
{
    CXType type;

    return refers_to(declaration, &type) && describe_pointee(unit, type, to);
}

bool pm_unit_declared_pointee(const pm_source_unit *unit, const pm_node *node, pm_pointee *to,
                              bool *is_array)
{
    CXType type = node->kind == CXCursor_FunctionDecl
                      ? clang_getCanonicalType(clang_getCursorResultType(node->cursor))
                      : node->type;
    CXType pointee;

    *is_array = false;
    if (node->kind == CXCursor_ParmDecl)
        return pm_unit_parameter_pointee(unit, node, to);
    if (unit->ast.is_cuda && refers_to(node, &pointee))
        return describe_pointee(unit, pointee, to);
    *is_array = type.kind == CXType_ConstantArray;
    while (type.kind == CXType_ConstantArray)
        type = pm_type_pointee(type);
    return pm_unit_pointee(unit, type, to);
}

/* Returns OpenCL C's name of a scalar type. Returns NULL if OpenCL C does not have the type. */
static const char *scalar_word(enum CXTypeKind kind)
{
    static const char *const words[] = {
        [CXType_Char_S] = "char",
        [CXType_Char_U] = "char",
        [CXType_SChar] = "char",
        [CXType_UChar] = "uchar",
        [CXType_Short] = "short",
        [CXType_UShort] = "ushort",
        [CXType_Int] = "int",
        [CXType_UInt] = "uint",
        [CXType_Long] = "long",
        [CXType_ULong] = "ulong",
        [CXType_Half] = "half",
        [CXType_Float] = "float",
        [CXType_Double] = "double",
        [CXType_LongLong] = "longlong",
        [CXType_ULongLong] = "ulonglong",
    };

    return kind < sizeof words / sizeof *words ? words[kind] : NULL;
}

static void copy_name(CXCursor declaration, char *word, size_t size)
{
    CXString name = clang_getCursorSpelling(declaration);

    snprintf(word, size, "%s", clang_getCString(name));
    clang_disposeString(name);
}

/* Writes OpenCL C's name of a scalar or vector type to word[size]. Returns false if the type is of
 * another kind. */
bool pm_type_word(CXType type, char *word, size_t size)
{
    const char *scalar;

    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    if (pm_type_is_cuda_vector(type)) {
        copy_name(clang_getTypeDeclaration(type), word, size);
        return true;
    }
    if (pm_type_is_vector(type)) {
        scalar = scalar_word(clang_getCanonicalType(clang_getElementType(type)).kind);
        snprintf(word, size, "%s%lld", scalar ? scalar : "", clang_getNumElements(type));
    } else {
        scalar = scalar_word(type.kind);
        snprintf(word, size, "%s", scalar ? scalar : "");
    }
    return scalar != NULL;
}
