/* Classifies types of host code, and names types and kernels in the syntax of workload files. See
 * tree.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/cursors.h"
#include "transform/source/host/tree.h"

bool pm_host_is_integer(CXType type)
{
    return (type.kind >= CXType_Bool && type.kind <= CXType_Int128) || type.kind == CXType_Enum;
}

bool pm_host_is_real(CXType type)
{
    return type.kind == CXType_Float || type.kind == CXType_Double ||
           type.kind == CXType_LongDouble || type.kind == CXType_Half ||
           type.kind == CXType_Float16;
}

bool pm_host_is_pointer(CXType type)
{
    return type.kind == CXType_Pointer;
}

bool pm_host_is_record(CXType type)
{
    return type.kind == CXType_Record;
}

bool pm_host_is_array(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray;
}

bool pm_host_is_reference(CXType type)
{
    return type.kind == CXType_LValueReference || type.kind == CXType_RValueReference;
}

bool pm_host_is_container(CXType type)
{
    const CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(type));
    bool is_vector;
    CXString name;

    if (!pm_host_is_record(clang_getCanonicalType(type)) ||
        !clang_Location_isInSystemHeader(clang_getCursorLocation(declaration)))
        return false;
    name = clang_getCursorSpelling(declaration);
    is_vector = strstr(clang_getCString(name), "vector") != NULL;
    clang_disposeString(name);
    return is_vector;
}

CXType pm_host_element(CXType type)
{
    type = clang_getCanonicalType(type);
    while (pm_host_is_array(type))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

uint64_t pm_host_bytes(CXType type)
{
    const long long bytes =
        type.kind == CXType_Void ? 1 : clang_Type_getSizeOf(clang_getCanonicalType(type));

    return bytes > 0 ? (uint64_t)bytes : 0;
}

static char *spelling_of(CXType type, pm_memory *memory)
{
    CXString spelling = clang_getTypeSpelling(clang_getUnqualifiedType(type));
    char *text = pm_copy(memory, clang_getCString(spelling));

    clang_disposeString(spelling);
    return text;
}

char *pm_host_type_text(CXType type, pm_memory *memory)
{
    static const char *const names[] = {
        [CXType_Bool] = "uchar",      [CXType_Char_U] = "char", [CXType_UChar] = "uchar",
        [CXType_UShort] = "ushort",   [CXType_UInt] = "uint",   [CXType_ULong] = "ulong",
        [CXType_ULongLong] = "ulong", [CXType_Char_S] = "char", [CXType_SChar] = "char",
        [CXType_Short] = "short",     [CXType_Int] = "int",     [CXType_Long] = "long",
        [CXType_LongLong] = "long",   [CXType_Float] = "float", [CXType_Double] = "double",
        [CXType_Half] = "half",       [CXType_Float16] = "half"};
    const char *name = NULL;
    char *text;

    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    if (type.kind > 0 && (size_t)type.kind < sizeof names / sizeof *names)
        name = names[type.kind];
    if (name)
        return pm_copy(memory, name);
    text = spelling_of(type, memory);
    for (const char *const *tag = (const char *const[]){"struct ", "class ", NULL}; *tag; tag++)
        if (strncmp(text, *tag, strlen(*tag)) == 0)
            text += strlen(*tag);
    return text;
}

/* ---- kernels ------------------------------------------------------------------------------- */

/* Returns the namespaces of a declaration as text that stands before its name, such as "a::b::". */
static const char *qualifier_of(CXCursor cursor, pm_memory *memory)
{
    const CXCursor parent = clang_getCursorSemanticParent(cursor);
    const enum CXCursorKind kind = clang_getCursorKind(parent);
    CXString name;
    const char *text, *outer;

    if (kind != CXCursor_Namespace && kind != CXCursor_StructDecl && kind != CXCursor_ClassDecl)
        return "";
    outer = qualifier_of(parent, memory);
    if (clang_Cursor_isAnonymous(parent))
        return outer;
    name = clang_getCursorSpelling(parent);
    text = pm_format(memory, "%s%s::", outer, clang_getCString(name));
    clang_disposeString(name);
    return text;
}

char *pm_host_variable_name(const pm_host_node *variable, pm_memory *memory)
{
    return pm_format(memory, "%s%s", qualifier_of(variable->cursor, memory), variable->name);
}

/* ---- template arguments -------------------------------------------------------------------- */

typedef struct {
    unsigned left; /* number of template parameters before the one that is searched */
    CXType type;   /* type of the template parameter that is searched */
} parameter_search;

static enum CXChildVisitResult find_parameter(CXCursor cursor, CXCursor parent, CXClientData data)
{
    parameter_search *search = data;
    const enum CXCursorKind kind = clang_getCursorKind(cursor);

    (void)parent;
    if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter &&
        kind != CXCursor_TemplateTemplateParameter)
        return CXChildVisit_Continue;
    if (search->left-- > 0)
        return CXChildVisit_Continue;
    search->type = clang_getCanonicalType(clang_getCursorType(cursor));
    return CXChildVisit_Break;
}

static const char *integer_argument(CXCursor pattern, unsigned at, long long value,
                                    pm_memory *memory)
{
    parameter_search search = {.left = at};

    clang_visitChildren(pattern, find_parameter, &search);
    if (search.type.kind == CXType_Bool)
        return value ? "true" : "false";
    if (search.type.kind == CXType_Enum)
        return pm_format(memory, "(%s)%lld", spelling_of(search.type, memory), value);
    return pm_format(memory, "%lld", value);
}

/* Returns a template argument as text, such as float or 256. Returns NULL if it cannot be written
 * as text. */
static const char *template_argument(CXCursor function, CXCursor pattern, unsigned at,
                                     pm_memory *memory)
{
    switch (clang_Cursor_getTemplateArgumentKind(function, at)) {
    case CXTemplateArgumentKind_Type:
        return spelling_of(
            clang_getCanonicalType(clang_Cursor_getTemplateArgumentType(function, at)), memory);
    case CXTemplateArgumentKind_Integral:
        return integer_argument(pattern, at, clang_Cursor_getTemplateArgumentValue(function, at),
                                memory);
    default:
        return NULL;
    }
}

/* Returns the end of a list of template arguments, such as <int, 4>, that starts at `at`. Returns
 * NULL if the text has no closing >. */
static const char *end_of_arguments(const char *at)
{
    int depth = 0;

    for (; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Returns the template arguments of a function as clang prints them in its declaration, such as
 * <Larger, int>. This also works for arguments that libclang does not give one by one: templates
 * and parameter packs. Returns "" if clang prints none. */
static const char *printed_arguments(const pm_host_node *function, pm_memory *memory)
{
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(function->cursor);
    const char *wanted = pm_format(memory, " %s<", function->name), *at, *end;
    const char *text;

    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    text = pm_take_string(memory, clang_getCursorPrettyPrinted(function->cursor, policy));
    clang_PrintingPolicy_dispose(policy);
    at = strstr(text, wanted);
    at = at ? at + strlen(wanted) - 1 : NULL;
    end = at ? end_of_arguments(at) : NULL;
    return end ? pm_format(memory, "%.*s", (int)(end - at), at) : "";
}

char *pm_host_kernel_name(const pm_host_node *kernel, pm_memory *memory)
{
    const CXCursor pattern = clang_getSpecializedCursorTemplate(kernel->cursor);
    const int count = clang_Cursor_getNumTemplateArguments(kernel->cursor);
    char *plain = pm_format(memory, "%s%s", qualifier_of(kernel->cursor, memory), kernel->name);
    char *name = plain;

    if (clang_Cursor_isNull(pattern) || count <= 0)
        return plain;
    for (int i = 0; i < count; i++) {
        const char *argument = template_argument(kernel->cursor, pattern, (unsigned)i, memory);

        if (!argument)
            return pm_format(memory, "%s%s", plain, printed_arguments(kernel, memory));
        name = pm_format(memory, "%s%s%s", name, i == 0 ? "<" : ", ", argument);
    }
    return pm_format(memory, "%s>", name);
}
