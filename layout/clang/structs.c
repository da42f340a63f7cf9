/* Which structs the kernels have arrays of, and their fields. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "unit.h"

/* LangAS of clang, as clang_getAddressSpace gives it. */
enum { SPACE_GLOBAL = 1, SPACE_LOCAL = 2, SPACE_CONSTANT = 3 };

enum { MOST_FIELDS = 4096, MOST_EXTENTS = 8, MOST_PATH = 200 };

/* ---- kernels ------------------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');

        if (starts && ends)
            return true;
    }
    return false;
}

/* libclang has no cursor for the attribute, but prints it; both words are keywords. */
bool pm_unit_is_kernel(const pm_node *function)
{
    CXPrintingPolicy policy;
    char *text;
    bool found;

    if (function->kind != CXCursor_FunctionDecl)
        return false;
    policy = clang_getCursorPrintingPolicy(function->cursor);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    text = pm_ast_string(clang_getCursorPrettyPrinted(function->cursor, policy));
    clang_PrintingPolicy_dispose(policy);
    found = text && (has_word(text, "kernel") || has_word(text, "__kernel"));
    free(text);
    return found;
}

/* ---- types --------------------------------------------------------------------------------- */

size_t pm_unit_struct_of(const pm_unit *unit, CXType type)
{
    CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(type));

    for (size_t s = 0; s < unit->info.structs.count; s++)
        if (clang_equalCursors(unit->structs[s].declaration, declaration))
            return s;
    return PM_NO_STRUCT;
}

static bool pointee_of(CXType type, CXType *pointee)
{
    if (type.kind != CXType_Pointer)
        return false;
    *pointee = clang_getCanonicalType(clang_getPointeeType(type));
    return true;
}

/* A parameter that is written as an array is a pointer; its function's type says to what. */
static CXType parameter_type(const pm_node *parameter)
{
    CXType function;
    unsigned index = 0;

    if (pm_ast_type(parameter).kind == CXType_Pointer || !parameter->parent ||
        parameter->parent->kind != CXCursor_FunctionDecl)
        return pm_ast_type(parameter);
    function = pm_ast_type(parameter->parent);
    for (const pm_node *child = parameter->parent->first; child != parameter; child = child->next)
        index += child->kind == CXCursor_ParmDecl;
    return clang_getCanonicalType(clang_getArgType(function, index));
}

static bool is_array_in_memory(CXType pointee)
{
    unsigned space = clang_getAddressSpace(pointee);

    return pointee.kind == CXType_Record && (space == SPACE_GLOBAL || space == SPACE_CONSTANT);
}

static bool describe_pointee(const pm_unit *unit, CXType pointee, pm_pointee *to)
{
    if (!is_array_in_memory(pointee))
        return false;
    *to = (pm_pointee){.structure = pm_unit_struct_of(unit, pointee),
                       .constant = clang_getAddressSpace(pointee) == SPACE_CONSTANT,
                       .is_const = clang_isConstQualifiedType(pointee),
                       .is_volatile = clang_isVolatileQualifiedType(pointee)};
    return to->structure != PM_NO_STRUCT;
}

bool pm_unit_pointee(const pm_unit *unit, CXType type, pm_pointee *to)
{
    CXType pointee;

    return pointee_of(type, &pointee) && describe_pointee(unit, pointee, to);
}

bool pm_unit_parameter_pointee(const pm_unit *unit, const pm_node *parameter, pm_pointee *to)
{
    CXType pointee;

    return pointee_of(parameter_type(parameter), &pointee) && describe_pointee(unit, pointee, to);
}

/* An expression that can be an array. libclang gives the type of a parameter that is written as an
 * array, and of what is computed from it, as that array; but a computed value is none. */
static bool can_be_array(const pm_unit *unit, const pm_node *expression)
{
    const pm_node *declaration;

    while ((expression->kind == CXCursor_ParenExpr || expression->kind == CXCursor_UnexposedExpr) &&
           expression->first && !expression->first->next)
        expression = expression->first;
    switch (expression->kind) {
    case CXCursor_DeclRefExpr:
        declaration = pm_ast_declaration(&unit->ast, expression);
        return !declaration || declaration->kind != CXCursor_ParmDecl;
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(expression->cursor) == CXUnaryOperator_Deref;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ConditionalOperator:
    case CXCursor_CallExpr:
    case CXCursor_CStyleCastExpr:
        return false;
    default:
        return true;
    }
}

static bool is_array_type(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

bool pm_unit_points(const pm_unit *unit, const pm_node *expression, pm_pointee *to)
{
    CXType type, element;

    if (!clang_isExpression(expression->kind))
        return false;
    type = pm_ast_type(expression);
    if (!is_array_type(type) || can_be_array(unit, expression))
        return pm_unit_pointee(unit, type, to);
    /* The array has the element's address space. */
    element = clang_getCanonicalType(clang_getArrayElementType(type));
    *to = (pm_pointee){.structure = pm_unit_struct_of(unit, element),
                       .constant = clang_getAddressSpace(type) == SPACE_CONSTANT,
                       .is_const = clang_isConstQualifiedType(element),
                       .is_volatile = clang_isVolatileQualifiedType(element)};
    return element.kind == CXType_Record && to->structure != PM_NO_STRUCT &&
           (to->constant || clang_getAddressSpace(type) == SPACE_GLOBAL);
}

bool pm_unit_is_array(const pm_unit *unit, const pm_node *expression)
{
    return is_array_type(pm_ast_type(expression)) && can_be_array(unit, expression);
}

/* OpenCL C's word for a scalar; NULL: there is none. */
static const char *scalar_word(enum CXTypeKind kind)
{
    switch (kind) {
    case CXType_Char_S:
    case CXType_Char_U:
    case CXType_SChar:
        return "char";
    case CXType_UChar:
        return "uchar";
    case CXType_Short:
        return "short";
    case CXType_UShort:
        return "ushort";
    case CXType_Int:
        return "int";
    case CXType_UInt:
        return "uint";
    case CXType_Long:
        return "long";
    case CXType_ULong:
        return "ulong";
    case CXType_Half:
        return "half";
    case CXType_Float:
        return "float";
    case CXType_Double:
        return "double";
    default:
        return NULL;
    }
}

/* The word for a scalar or vector in type[size]; false: it is neither. */
static bool type_word(CXType type, char *word, size_t size)
{
    const char *scalar;

    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    if (type.kind == CXType_ExtVector || type.kind == CXType_Vector) {
        scalar = scalar_word(clang_getCanonicalType(clang_getElementType(type)).kind);
        snprintf(word, size, "%s%lld", scalar ? scalar : "", clang_getNumElements(type));
    } else {
        scalar = scalar_word(type.kind);
        snprintf(word, size, "%s", scalar ? scalar : "");
    }
    return scalar != NULL;
}

void pm_unit_parameter_kind(const pm_node *parameter, pm_source_param *param)
{
    CXType type = parameter_type(parameter), pointee;

    param->takes = PM_TAKES_VALUE;
    if (pointee_of(type, &pointee)) {
        param->takes =
            clang_getAddressSpace(pointee) == SPACE_LOCAL ? PM_TAKES_LOCAL : PM_TAKES_BUFFER;
        type = pointee;
    }
    if (!type_word(type, param->type, sizeof param->type))
        param->type[0] = '\0';
}

/* ---- fields -------------------------------------------------------------------------------- */

/* A struct that is being taken apart; of a nested one what is around it. */
typedef struct {
    const pm_unit *unit;
    pm_struct *structure;
    const char *path, *access; /* "" or ends in '.' */
    size_t offset, extent_count;
    pm_extent extents[MOST_EXTENTS];
    pm_status status;
    pm_error *err;
} nest;

static pm_status refuse(nest *in, CXCursor field, const char *why, const char *instead)
{
    pm_node node = {.cursor = field};
    char *name = pm_ast_string(clang_getCursorSpelling(field));

    in->status = pm_ast_refuse(&node, in->err, "struct %s: %s%s %s; no layout can be made for it%s",
                               in->structure->name, in->path, name ? name : "", why, instead);
    free(name);
    return in->status;
}

/* A C identifier out of the path, that no other field has. */
static char *unique_name(const pm_struct *structure, const char *path)
{
    char *name = malloc(strlen(path) + 24);
    size_t length = strlen(path), number = 1;
    bool taken = true;

    if (!name)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        name[i] = path[i] == '.' ? '_' : path[i];
    while (taken) {
        taken = false;
        for (size_t f = 0; f < structure->field_count; f++)
            taken |= strcmp(structure->fields[f].name, name) == 0;
        if (taken)
            snprintf(name + length, 24, "_%zu", ++number);
    }
    return name;
}

static pm_status add_field(nest *in, const char *path, const char *access, const char *type,
                           const nest *place, CXType scalar)
{
    pm_struct *structure = in->structure;
    pm_field *grown, *field;

    if (structure->field_count >= MOST_FIELDS)
        return in->status = pm_fail(in->err, PM_BAD_INPUT, "struct %s has more than %d fields",
                                    structure->name, MOST_FIELDS);
    grown = realloc(structure->fields, (structure->field_count + 1) * sizeof *grown);
    if (!grown)
        return in->status = pm_fail(in->err, PM_FAILED, "out of memory for a struct's fields");
    structure->fields = grown;
    field = &grown[structure->field_count];
    *field = (pm_field){.path = strdup(path),
                        .access = strdup(access),
                        .name = unique_name(structure, path),
                        .type = strdup(type),
                        .bytes = (size_t)clang_Type_getSizeOf(scalar),
                        .align = (size_t)clang_Type_getAlignOf(scalar),
                        .offset = place->offset,
                        .extent_count = place->extent_count};
    memcpy(field->extents, place->extents, sizeof place->extents);
    structure->field_count++;
    if (!field->path || !field->access || !field->name || !field->type)
        in->status = pm_fail(in->err, PM_FAILED, "out of memory for a struct's fields");
    return in->status;
}

/* Adds the extents of an array to the place and returns what it is an array of. */
static CXType add_extents(nest *in, nest *place, CXCursor field, CXType type)
{
    while (type.kind == CXType_ConstantArray && in->status == PM_OK) {
        CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
        long long count = clang_getArraySize(type), bytes = clang_Type_getSizeOf(element);

        if (place->extent_count == MOST_EXTENTS || count <= 0 || bytes <= 0)
            refuse(in, field, "is an array of no size, or of more than 8 dimensions", "");
        else
            place->extents[place->extent_count++] =
                (pm_extent){.count = (size_t)count, .stride = (size_t)bytes};
        type = element;
    }
    return type;
}

static bool is_packed(const pm_unit *unit, CXCursor declaration)
{
    const pm_node *node = pm_ast_find(&unit->ast, declaration);

    for (const pm_node *child = node ? node->first : NULL; child; child = child->next)
        if (child->kind == CXCursor_PackedAttr)
            return true;
    return false;
}

/* What is wrong with a field's type, or NULL. */
static const char *fault_of(const pm_unit *unit, CXCursor cursor, CXType type, const char **instead)
{
    *instead = "";
    if (clang_Cursor_isBitField(cursor)) {
        *instead = ": give it a type of its own";
        return "is a bit-field";
    }
    if (type.kind == CXType_Pointer) {
        *instead = ": keep an index instead";
        return "is a pointer";
    }
    if (clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl) {
        *instead = ": make it a struct of its members";
        return "is a union";
    }
    if (type.kind == CXType_Record && is_packed(unit, clang_getTypeDeclaration(type))) {
        *instead = ": leave the attribute out";
        return "is packed";
    }
    if (type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray)
        return "is an array of unknown size";
    return NULL;
}

static enum CXVisitorResult visit_field(CXCursor cursor, CXClientData data)
{
    nest *in = data, place = *in;
    char *name = pm_ast_string(clang_getCursorSpelling(cursor));
    pm_text path = {0}, access = {0};
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    const char *instead, *fault;
    char word[40];
    bool anonymous = !name || !*name || strchr(name, '('); /* libclang gives it a description */

    place.offset += (size_t)(clang_Cursor_getOffsetOfField(cursor) / 8);
    type = add_extents(in, &place, cursor, type);
    fault = fault_of(in->unit, cursor, type, &instead);
    pm_text_add(&path, "%s%s", in->path, anonymous ? "" : name);
    pm_text_add(&access, "%s%s", in->access, anonymous ? "" : name);
    for (size_t d = in->extent_count; d < place.extent_count; d++)
        pm_text_add(&access, "[]");
    if (in->status == PM_OK && path.length > MOST_PATH)
        refuse(in, cursor, "is nested too deep", "");
    else if (in->status == PM_OK && fault)
        refuse(in, cursor, fault, instead);
    else if (in->status == PM_OK && type.kind == CXType_Record) {
        pm_text_add(&path, anonymous ? "" : ".");
        pm_text_add(&access, anonymous ? "" : ".");
        place.path = pm_text_get(&path);
        place.access = pm_text_get(&access);
        place.status = PM_OK;
        clang_Type_visitFields(type, visit_field, &place);
        in->status = place.status;
    } else if (in->status == PM_OK && type_word(type, word, sizeof word))
        add_field(in, pm_text_get(&path), pm_text_get(&access), word, &place, type);
    else if (in->status == PM_OK)
        refuse(in, cursor, "is neither a number nor a vector of numbers", "");
    if (path.failed || access.failed || !name)
        in->status = pm_fail(in->err, PM_FAILED, "out of memory for a struct's fields");
    pm_text_free(&path);
    pm_text_free(&access);
    free(name);
    return in->status == PM_OK ? CXVisit_Continue : CXVisit_Break;
}

static pm_status check_struct(const pm_unit *unit, CXCursor declaration, const char *name,
                              pm_error *err)
{
    pm_node node = {.cursor = declaration};

    if (clang_getCursorKind(declaration) == CXCursor_UnionDecl)
        return pm_ast_refuse(&node, err,
                             "%s is a union; no layout can be made for it: make it a struct", name);
    if (clang_Type_getSizeOf(clang_getCursorType(declaration)) <= 0)
        return pm_ast_refuse(&node, err, "struct %s has no members here", name);
    if (is_packed(unit, declaration))
        return pm_ast_refuse(&node, err,
                             "struct %s is packed; no layout can be made for it: leave the "
                             "attribute out",
                             name);
    return PM_OK;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The typedef's name, else the tag; and the node behind which both can be used. */
static char *name_of(const pm_unit *unit, CXCursor declaration, pm_node **behind)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(declaration));

    *behind = pm_ast_find(&unit->ast, declaration);
    while (*behind && (*behind)->parent && (*behind)->parent->parent)
        *behind = (*behind)->parent;
    for (pm_node *node = unit->ast.root->first; node; node = node->next)
        if (node->kind == CXCursor_TypedefDecl &&
            clang_equalTypes(
                clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(node->cursor)), type)) {
            *behind = node;
            return pm_ast_name(node);
        }
    return pm_ast_string(clang_getCursorSpelling(declaration));
}

static pm_status add_struct(pm_unit *unit, CXCursor declaration, pm_error *err)
{
    size_t count = unit->info.structs.count;
    pm_struct *items = realloc(unit->info.structs.items, (count + 1) * sizeof *items);
    pm_unit_struct *structs;
    nest in = {.unit = unit, .path = "", .access = "", .err = err};
    CXType type = clang_getCanonicalType(clang_getCursorType(declaration));

    if (items)
        unit->info.structs.items = items;
    structs = items ? realloc(unit->structs, (count + 1) * sizeof *structs) : NULL;
    if (!structs)
        return pm_fail(err, PM_FAILED, "out of memory for the source's structs");
    unit->structs = structs;
    items[count] = (pm_struct){.bytes = (size_t)clang_Type_getSizeOf(type),
                               .align = (size_t)clang_Type_getAlignOf(type)};
    structs[count] = (pm_unit_struct){.declaration = declaration};
    unit->info.structs.count++;
    items[count].name = name_of(unit, declaration, &structs[count].node);
    structs[count].spelling = pm_ast_string(clang_getTypeSpelling(type));
    if (!items[count].name || !structs[count].spelling || !structs[count].node)
        return pm_fail(err, PM_FAILED, "out of memory for the source's structs");
    if (check_struct(unit, declaration, items[count].name, err) != PM_OK)
        return err ? err->status : PM_BAD_INPUT;
    in.structure = &items[count];
    clang_Type_visitFields(type, visit_field, &in);
    return in.status;
}

/* The struct that a kernel's parameter points to, if it is new. */
static pm_status add_parameter(pm_unit *unit, const pm_node *parameter, pm_error *err)
{
    CXType pointee;

    if (!pointee_of(parameter_type(parameter), &pointee) || !is_array_in_memory(pointee) ||
        pm_unit_struct_of(unit, pointee) != PM_NO_STRUCT)
        return PM_OK;
    return add_struct(unit, clang_getTypeDeclaration(pointee), err);
}

pm_status pm_unit_find_structs(pm_unit *unit, pm_error *err)
{
    pm_status status = PM_OK;

    for (pm_node *node = unit->ast.root->first; status == PM_OK && node; node = node->next)
        if (pm_unit_is_kernel(node))
            for (pm_node *child = node->first; status == PM_OK && child; child = child->next)
                if (child->kind == CXCursor_ParmDecl)
                    status = add_parameter(unit, child, err);
    return status;
}
