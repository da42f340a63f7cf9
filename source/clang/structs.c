/* Which structs the kernels have arrays of, and their fields. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "source/clang/source_unit.h"

enum { MOST_FIELDS = 4096, MOST_EXTENTS = 8, MOST_PATH = 200 };

/* ---- types --------------------------------------------------------------------------------- */

size_t pm_unit_struct_of(const pm_source_unit *unit, CXType type)
{
    const pm_node *declaration =
        pm_ast_find(&unit->ast, clang_getTypeDeclaration(clang_getCanonicalType(type)));

    for (size_t s = 0; s < unit->info.structs.count; s++)
        if (unit->structs[s].declaration == declaration)
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
    const pm_node *function = parameter->parent;

    if (parameter->type.kind == CXType_Pointer || function->kind != CXCursor_FunctionDecl)
        return parameter->type;
    return clang_getCanonicalType(
        clang_getArgType(function->type, (unsigned)pm_ast_parameter_index(parameter)));
}

static bool is_array_in_memory(CXType pointee)
{
    unsigned space = clang_getAddressSpace(pointee);

    return pointee.kind == CXType_Record &&
           (space == PM_SPACE_GLOBAL || space == PM_SPACE_CONSTANT);
}

static bool describe_pointee(const pm_source_unit *unit, CXType pointee, pm_pointee *to)
{
    if (!is_array_in_memory(pointee))
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

    return pointee_of(type, &pointee) && describe_pointee(unit, pointee, to);
}

bool pm_unit_parameter_pointee(const pm_source_unit *unit, const pm_node *parameter, pm_pointee *to)
{
    CXType pointee;

    return pointee_of(parameter_type(parameter), &pointee) && describe_pointee(unit, pointee, to);
}

/* An expression that can be an array. libclang gives the type of a parameter that is written as an
 * array, and of what is computed from it, as that array; but a computed value is none. */
static bool can_be_array(const pm_node *expression)
{
    const pm_node *declaration;

    while ((expression->kind == CXCursor_ParenExpr || expression->kind == CXCursor_UnexposedExpr) &&
           expression->first && !expression->first->next)
        expression = expression->first;
    switch (expression->kind) {
    case CXCursor_DeclRefExpr:
        declaration = expression->declaration;
        return !declaration || declaration->kind != CXCursor_ParmDecl;
    case CXCursor_UnaryOperator:
        return expression->unary == CXUnaryOperator_Deref;
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

bool pm_unit_points(const pm_source_unit *unit, const pm_node *expression, pm_pointee *to)
{
    CXType type, element;

    if (!clang_isExpression(expression->kind))
        return false;
    type = expression->type;
    if (!pm_type_is_array(type) || can_be_array(expression))
        return pm_unit_pointee(unit, type, to);
    /* The array has the element's address space. */
    element = pm_type_pointee(type);
    *to = (pm_pointee){.structure = pm_unit_struct_of(unit, element),
                       .constant = clang_getAddressSpace(type) == PM_SPACE_CONSTANT,
                       .is_const = clang_isConstQualifiedType(element),
                       .is_volatile = clang_isVolatileQualifiedType(element)};
    return element.kind == CXType_Record && to->structure != PM_NO_STRUCT &&
           (to->constant || clang_getAddressSpace(type) == PM_SPACE_GLOBAL);
}

bool pm_unit_is_array(const pm_node *expression)
{
    return pm_type_is_array(expression->type) && can_be_array(expression);
}

/* OpenCL C's word for a scalar; NULL: there is none. */
static const char *scalar_word(enum CXTypeKind kind)
{
    static const char *const words[] = {
        [CXType_Char_S] = "char",   [CXType_Char_U] = "char", [CXType_SChar] = "char",
        [CXType_UChar] = "uchar",   [CXType_Short] = "short", [CXType_UShort] = "ushort",
        [CXType_Int] = "int",       [CXType_UInt] = "uint",   [CXType_Long] = "long",
        [CXType_ULong] = "ulong",   [CXType_Half] = "half",   [CXType_Float] = "float",
        [CXType_Double] = "double",
    };

    return kind < sizeof words / sizeof *words ? words[kind] : NULL;
}

/* The word for a scalar or vector in type[size]; false: it is neither. */
static bool type_word(CXType type, char *word, size_t size)
{
    const char *scalar;

    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    if (pm_type_is_vector(type)) {
        scalar = scalar_word(clang_getCanonicalType(clang_getElementType(type)).kind);
        snprintf(word, size, "%s%lld", scalar ? scalar : "", clang_getNumElements(type));
    } else {
        scalar = scalar_word(type.kind);
        snprintf(word, size, "%s", scalar ? scalar : "");
    }
    return scalar != NULL;
}

/* ---- fields -------------------------------------------------------------------------------- */

/* A struct that is being taken apart; of a nested one what is around it. */
typedef struct {
    pm_source_unit *unit;
    pm_struct *structure;
    const char *path, *access; /* "" or ends in '.' */
    size_t offset, extent_count;
    pm_extent extents[MOST_EXTENTS];
} nest;

/* libclang calls back for each field, from where nothing may leave. */
typedef struct {
    CXCursor items[MOST_FIELDS];
    size_t count;
} fields;

static enum CXVisitorResult take_field(CXCursor cursor, CXClientData data)
{
    fields *list = data;

    if (list->count < MOST_FIELDS)
        list->items[list->count] = cursor;
    return list->count++ < MOST_FIELDS ? CXVisit_Continue : CXVisit_Break;
}

_Noreturn static void refuse(const nest *in, const pm_node *field, const char *why,
                             const char *instead)
{
    pm_ast_refuse(&in->unit->ast.memory, field,
                  "struct %s: %s%s %s; no layout can be made for it%s", in->structure->name,
                  in->path, field->name, why, instead);
}

/* A C identifier out of the path, that no other field has. */
static char *unique_name(pm_memory *memory, const pm_struct *structure, const char *path)
{
    char *plain = pm_copy(memory, path), *name = plain;
    size_t number = 1;

    for (char *c = plain; *c; c++)
        *c = *c == '.' ? '_' : *c;
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].name, name) == 0) {
            name = pm_format(memory, "%s_%zu", plain, ++number);
            f = (size_t)-1; /* once more from the beginning */
        }
    return name;
}

static void add_field(const nest *place, const char *path, const char *access, const char *type,
                      CXType scalar)
{
    pm_struct *structure = place->structure;
    pm_memory *memory = &place->unit->ast.memory;
    pm_field field = {.path = pm_copy(memory, path),
                      .access = pm_copy(memory, access),
                      .name = unique_name(memory, structure, path),
                      .type = pm_copy(memory, type),
                      .bytes = (size_t)clang_Type_getSizeOf(scalar),
                      .align = (size_t)clang_Type_getAlignOf(scalar),
                      .offset = place->offset,
                      .extent_count = place->extent_count};

    if (structure->field_count >= MOST_FIELDS)
        pm_leave(memory, PM_BAD_INPUT, "struct %s has more than %d fields", structure->name,
                 MOST_FIELDS);
    memcpy(field.extents, place->extents, sizeof place->extents);
    *pm_add(memory, structure->fields, structure->field_count) = field;
}

/* Adds the extents of an array to the place and returns what it is an array of. */
static CXType add_extents(nest *place, const pm_node *field)
{
    CXType type = field->type;

    while (type.kind == CXType_ConstantArray) {
        CXType element = pm_type_pointee(type);
        long long count = clang_getArraySize(type), bytes = clang_Type_getSizeOf(element);

        if (place->extent_count == MOST_EXTENTS || count <= 0 || bytes <= 0)
            refuse(place, field, "is an array of no size, or of more than 8 dimensions", "");
        place->extents[place->extent_count++] =
            (pm_extent){.count = (size_t)count, .stride = (size_t)bytes};
        type = element;
    }
    return type;
}

static bool is_packed(const pm_source_unit *unit, CXCursor declaration)
{
    const pm_node *node = pm_ast_find(&unit->ast, declaration);

    for (const pm_node *child = node ? node->first : NULL; child; child = child->next)
        if (child->kind == CXCursor_PackedAttr)
            return true;
    return false;
}

static void check_field(const nest *in, const pm_node *field, CXType type)
{
    if (clang_Cursor_isBitField(field->cursor))
        refuse(in, field, "is a bit-field", ": give it a type of its own");
    if (type.kind == CXType_Pointer)
        refuse(in, field, "is a pointer", ": keep an index instead");
    if (clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl)
        refuse(in, field, "is a union", ": make it a struct of its members");
    if (type.kind == CXType_Record && is_packed(in->unit, clang_getTypeDeclaration(type)))
        refuse(in, field, "is packed", ": leave the attribute out");
    if (type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray)
        refuse(in, field, "is an array of unknown size", "");
}

static void read_fields(const nest *in, CXType type);

static void read_field(const nest *in, const pm_node *field)
{
    pm_memory *memory = &in->unit->ast.memory;
    bool anonymous = !*field->name || strchr(field->name, '('); /* libclang describes it */
    nest place = *in;
    CXType type = add_extents(&place, field);
    char *path = pm_format(memory, "%s%s", in->path, anonymous ? "" : field->name);
    char *access = pm_format(memory, "%s%s", in->access, anonymous ? "" : field->name);
    char word[40];

    place.offset += (size_t)(clang_Cursor_getOffsetOfField(field->cursor) / 8);
    for (size_t d = in->extent_count; d < place.extent_count; d++)
        access = pm_format(memory, "%s[]", access);
    if (strlen(path) > MOST_PATH)
        refuse(in, field, "is nested too deep", "");
    check_field(in, field, type);
    if (type.kind == CXType_Record) {
        place.path = anonymous ? path : pm_format(memory, "%s.", path);
        place.access = anonymous ? access : pm_format(memory, "%s.", access);
        read_fields(&place, type);
    } else if (type_word(type, word, sizeof word))
        add_field(&place, path, access, word, type);
    else
        refuse(in, field, "is neither a number nor a vector of numbers", "");
}

/* A struct without a name is a field that no node declares. */
static const pm_node *field_of(const nest *in, CXCursor cursor)
{
    pm_node *node = pm_ast_find(&in->unit->ast, cursor);
    CXString name;

    if (node)
        return node;
    node = pm_take(&in->unit->ast.memory, 1, sizeof *node);
    name = clang_getCursorSpelling(cursor);
    *node = (pm_node){.cursor = cursor,
                      .type = clang_getCanonicalType(clang_getCursorType(cursor)),
                      .name = pm_copy(&in->unit->ast.memory, clang_getCString(name))};
    clang_disposeString(name);
    return node;
}

static void read_fields(const nest *in, CXType type)
{
    fields *list = pm_take(&in->unit->ast.memory, 1, sizeof *list);

    clang_Type_visitFields(type, take_field, list);
    for (size_t i = 0; i < list->count && i < MOST_FIELDS; i++)
        read_field(in, field_of(in, list->items[i]));
    if (list->count > MOST_FIELDS)
        pm_leave(&in->unit->ast.memory, PM_BAD_INPUT, "struct %s has more than %d fields",
                 in->structure->name, MOST_FIELDS);
}

static void check_struct(pm_source_unit *unit, const pm_node *node, const char *name)
{
    pm_memory *memory = &unit->ast.memory;

    if (node->kind == CXCursor_UnionDecl)
        pm_ast_refuse(memory, node, "%s is a union; no layout can be made for it: make it a struct",
                      name);
    if (clang_Type_getSizeOf(node->type) <= 0)
        pm_ast_refuse(memory, node, "struct %s has no members here", name);
    if (is_packed(unit, node->cursor))
        pm_ast_refuse(memory, node,
                      "struct %s is packed; no layout can be made for it: leave the attribute out",
                      name);
}

/* ---- names --------------------------------------------------------------------------------- */

/* The typedef's name, else the tag; and the node behind which both can be used. */
static const char *name_of(const pm_source_unit *unit, pm_node *declaration, pm_node **behind)
{
    *behind = declaration;
    while ((*behind)->parent->parent)
        *behind = (*behind)->parent;
    for (pm_node *node = unit->ast.root->first; node; node = node->next)
        if (node->kind == CXCursor_TypedefDecl &&
            clang_equalTypes(
                clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(node->cursor)),
                declaration->type)) {
            *behind = node;
            return node->name;
        }
    return declaration->name;
}

static void read_struct(pm_source_unit *unit, pm_node *declaration, pm_struct *structure,
                        pm_node **behind)
{
    const nest in = {.unit = unit, .structure = structure, .path = "", .access = ""};

    *structure = (pm_struct){.bytes = (size_t)clang_Type_getSizeOf(declaration->type),
                             .align = (size_t)clang_Type_getAlignOf(declaration->type)};
    structure->name = pm_copy(&unit->ast.memory, name_of(unit, declaration, behind));
    check_struct(unit, declaration, structure->name);
    read_fields(&in, declaration->type);
}

static void add_struct(pm_source_unit *unit, pm_node *declaration)
{
    pm_memory *memory = &unit->ast.memory;
    size_t number = unit->info.structs.count;
    pm_unit_struct own = {.declaration = declaration,
                          .spelling = pm_type_text(declaration->type, memory)};
    pm_struct structure;

    read_struct(unit, declaration, &structure, &own.node);
    unit->structs = pm_more(memory, unit->structs, number, sizeof own);
    unit->structs[number] = own;
    *pm_add(memory, unit->info.structs.items, unit->info.structs.count) = structure;
}

/* The struct that a kernel's parameter points to, if it is new. */
static void add_parameter(pm_source_unit *unit, const pm_node *parameter)
{
    CXType pointee;
    pm_node *declaration;

    if (!pointee_of(parameter_type(parameter), &pointee) || !is_array_in_memory(pointee) ||
        pm_unit_struct_of(unit, pointee) != PM_NO_STRUCT)
        return;
    declaration = pm_ast_find(&unit->ast, clang_getTypeDeclaration(pointee));
    if (!declaration)
        pm_leave(&unit->ast.memory, PM_FAILED, "out of memory for the source's structs");
    add_struct(unit, declaration);
}

void pm_unit_find_structs(pm_source_unit *unit)
{
    for (pm_node *node = unit->ast.root->first; node; node = node->next)
        for (pm_node *child = node->is_kernel ? node->first : NULL; child; child = child->next)
            if (child->kind == CXCursor_ParmDecl)
                add_parameter(unit, child);
}

/* ---- what parameters take ------------------------------------------------------------------ */

typedef struct {
    pm_source_unit *unit;
    pm_node *declaration;
    pm_struct structure;
} passing;

static void read_passed(void *user)
{
    passing *p = user;
    pm_node *behind;

    read_struct(p->unit, p->declaration, &p->structure, &behind);
}

/* The struct among those that are passed. One that cannot be taken apart (a union, a bit-field) is
 * no fault of the source: no layout is to be made of it. */
static size_t find_passed(pm_source_unit *unit, CXType type)
{
    pm_memory *memory = &unit->ast.memory;
    pm_structs *passed = &unit->info.passed;
    jmp_buf *way_out = memory->way_out;
    pm_error *err = memory->err, ignored;
    passing p = {.unit = unit};
    pm_status status;

    p.declaration = pm_ast_find(&unit->ast, clang_getTypeDeclaration(type));
    if (!p.declaration)
        return PM_NO_STRUCT;
    status = pm_attempt(memory, read_passed, &p, &ignored);
    memory->way_out = way_out;
    memory->err = err;
    if (status != PM_OK)
        return PM_NO_STRUCT;
    for (size_t s = 0; s < passed->count; s++)
        if (strcmp(passed->items[s].name, p.structure.name) == 0)
            return s;
    *pm_add(memory, passed->items, passed->count) = p.structure;
    return passed->count - 1;
}

void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param)
{
    CXType type = parameter_type(parameter), pointee;
    long long bytes = clang_Type_getSizeOf(type);

    param->takes = PM_TAKES_VALUE;
    param->bytes = bytes > 0 ? (size_t)bytes : 0;
    if (pointee_of(type, &pointee)) {
        param->takes =
            clang_getAddressSpace(pointee) == PM_SPACE_LOCAL ? PM_TAKES_LOCAL : PM_TAKES_BUFFER;
        type = pointee;
    } else if (type.kind == CXType_Record) {
        param->passed = find_passed(unit, type);
    }
    if (!type_word(type, param->type, sizeof param->type))
        param->type[0] = '\0';
}
