/* Answers queries about the types of expressions and declarations in the syntax tree. See ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/ast.h"

bool pm_type_is_array(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

/* Returns whether a type is a CUDA vector type such as float4. These are declared in CUDA's
 * prelude, which is a system header. A struct of the source with such a name does not count. */
bool pm_type_is_cuda_vector(CXType type)
{
    static const char *const scalars[] = {"char",     "uchar",     "short", "ushort",
                                          "int",      "uint",      "long",  "ulong",
                                          "longlong", "ulonglong", "float", "double"};
    const CXCursor declaration = clang_getTypeDeclaration(type);
    const char *name;
    CXString spelling;
    bool found = false;

    if (type.kind != CXType_Record ||
        !clang_Location_isInSystemHeader(clang_getCursorLocation(declaration)))
        return false;
    spelling = clang_getCursorSpelling(declaration);
    name = clang_getCString(spelling);
    for (size_t i = 0; !found && i < sizeof scalars / sizeof *scalars; i++) {
        const size_t length = strlen(scalars[i]);

        found = strncmp(name, scalars[i], length) == 0 && name[length] >= '1' &&
                name[length] <= '4' && !name[length + 1];
    }
    clang_disposeString(spelling);
    return found;
}

bool pm_type_is_vector(CXType type)
{
    return type.kind == CXType_ExtVector || type.kind == CXType_Vector ||
           pm_type_is_cuda_vector(type);
}

bool pm_is_integer(const pm_node *expression)
{
    CXType type = expression->type;

    return (type.kind >= CXType_Bool && type.kind <= CXType_LongLong) || type.kind == CXType_Enum;
}

bool pm_is_unsigned(const pm_node *expression)
{
    CXType type = expression->type;

    if (type.kind == CXType_Enum)
        type = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type));
    return type.kind >= CXType_Bool && type.kind <= CXType_ULongLong;
}

CXType pm_type_pointee(CXType type)
{
    return clang_getCanonicalType(type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                                              : clang_getArrayElementType(type));
}

char *pm_type_text(CXType type, pm_memory *memory)
{
    CXString spelling = clang_getTypeSpelling(clang_getUnqualifiedType(type));
    char *text = pm_copy(memory, clang_getCString(spelling));

    clang_disposeString(spelling);
    return text;
}

char *pm_declared_type_text(const pm_node *declaration, pm_memory *memory)
{
    return pm_type_text(clang_getCursorType(declaration->cursor), memory);
}
