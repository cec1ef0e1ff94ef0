/* Private to front/llvm: the state of one translation and what its files offer each other.
 *
 *   module.c      bitcode files to one linked LLVM module
 *   translate.c   the way through: globals, functions, start-up lists
 *   types.c       debug information to C types, places and variables
 *   constants.c   constants to expressions and to initial bytes
 *   function.c    one body: blocks, variables, phis, terminators
 *   flow.c        which reads of variables may be used in place
 *   instruction.c instructions without calls
 *   lanes.c       vectors as lanes of one wide integer
 *   params.c      which parameter of C an operand belongs to
 *   call.c        calls, library rules, inline assembly
 *   intrinsic.c   LLVM's own functions
 *   atomic.c      atomic instructions and the libatomic calls
 *   path.c        source names of what a pointer designates */
#ifndef HEDDLE_FRONT_LLVM_INTERNAL_H
#define HEDDLE_FRONT_LLVM_INTERNAL_H

#include "base/map.h"
#include "base/str.h"
#include "front/llvm/translate.h"
#include "model/build.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

typedef VEC(LLVMValueRef) ValueVec;

/* Sort and width of an LLVM type as a value; bits 0 is void. */
typedef struct {
  Sort sort;
  uint32_t bits;
} Shape;

/* The function being translated. */
typedef struct {
  LLVMValueRef llvm;
  FuncId id;
  Map values;     /* instruction or argument to ExprId */
  Map variables;  /* promoted alloca to LocalId */
  Map memory;     /* other alloca to ObjectId */
  Map declared;   /* alloca to its llvm.dbg.declare call */
  Map blocks;     /* block to its first node */
  Map in_place;   /* load of a variable to 1: its value may be read where it is used */
  Map coalesced;  /* the store that moves an argument into its variable, left out */
  Map landings;   /* phi of a block that a computed goto enters to the LocalId that brings
                    its new value */
  NodeId current; /* where the next edge starts; 0 after a terminator */
  LocId loc;
} Body;

/* See relay.c. */
typedef struct {
  LLVMValueRef function;
  FuncId id;
} Relay;

typedef struct {
  Builder *b;
  Program *p;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  const RuleSet *rules;
  const char *start; /* the name of the function to begin with */
  Err *err;
  Map objects;                     /* global variable to ObjectId */
  Map functions;                   /* function to FuncId */
  Map types;                       /* debug metadata to TypeId */
  VEC(LLVMMetadataRef) type_queue; /* types numbered but not yet filled in */
  StrMap type_keys;                /* named aggregates seen in several files */
  StrMap tags;                     /* "struct.conn" to TypeId */
  StrMap named;    /* what assembly inside of functions names, apart from instructions */
  Map scopes;      /* debug scope to file Sym */
  Map subprograms; /* debug subprogram to FuncId */
  Map labels;      /* block whose address is taken to its label */
  StrMap library;  /* library object name to ObjectId */
  Map states; /* names of library state that some function changes, once they were noted */
  uint8_t counting; /* some literal contains %n: 0 not asked yet, 1 no, 2 yes */
  VEC(Relay) relays;
  StrMap results;    /* bytes of a SyncResult to its index */
  char *directory;   /* heddle's own, to shorten file names */
  unsigned dbg_kind; /* metadata kind "dbg" */
  unsigned byval_kind, noreturn_kind, twice_kind;
  Body body;
} Translator;

/* ---- module.c ---- */
LLVMModuleRef module_load(LLVMContextRef context, const TranslateRequest *request,
                          Err *err);

/* ---- translate.c ---- */
void declare_function(Translator *t, LLVMValueRef function);

/* ---- types.c ---- */
TypeId type_of_metadata(Translator *t, LLVMMetadataRef type);
/* Fills in all types that were only numbered so far. */
void types_settle(Translator *t);
LocId loc_of_instruction(Translator *t, LLVMValueRef instruction);
Sym file_of_scope(Translator *t, LLVMMetadataRef scope);
typedef struct {
  Sym name;
  TypeId type;
  LocId loc;
  LLVMMetadataRef scope;
} Variable;
/* Of a DILocalVariable or DIGlobalVariable. */
Variable variable_of_metadata(Translator *t, LLVMMetadataRef variable);
/* Operand `i` of a metadata node, or NULL. */
LLVMMetadataRef metadata_operand(Translator *t, LLVMMetadataRef node, unsigned i);
/* The type behind typedefs. */
const Type *type_at(Translator *t, TypeId id);
TypeId type_strip(Translator *t, TypeId id);
/* The aggregate for an LLVM struct type's name, 0 if unknown. */
TypeId type_of_struct(Translator *t, LLVMTypeRef type);

/* ---- constants.c ---- */
Shape shape_of(Translator *t, LLVMTypeRef type);
uint64_t type_bytes(Translator *t, LLVMTypeRef type); /* with padding */
ExprId constant_expr(Translator *t, LLVMValueRef constant);
void object_initialise(Translator *t, ObjectId object, LLVMValueRef initializer);
/* The label of a block whose address is taken. */
uint32_t label_of_block(Translator *t, LLVMBasicBlockRef block);
FuncId function_of(Translator *t, LLVMValueRef function);
/* The function behind casts and aliases, or NULL. */
LLVMValueRef function_behind(LLVMValueRef value);

/* ---- function.c ---- */
void function_translate(Translator *t, LLVMValueRef function);
/* A stack object of the body that is being translated. */
ObjectId stack_object(Translator *t, Variable variable, const char *llvm_name,
                      uint64_t size, uint32_t align, uint16_t flags);
ExprId value_of(Translator *t, LLVMValueRef value);
void set_value(Translator *t, LLVMValueRef instruction, ExprId value);
/* Appends an edge from the current node to a new one, which becomes current; fills in from,
 * to and loc. With `ends`, there is no successor and no current node. */
Edge *emit(Translator *t, Edge edge);
void emit_end(Translator *t, Edge edge);
/* A new temporary for the result of `instruction`, noted as its value. */
LocalId result_local(Translator *t, LLVMValueRef instruction);
LocalId temporary(Translator *t, Sort sort, uint32_t bits);
/* Copies `value` to a temporary now, so that it cannot change any more. */
ExprId pinned(Translator *t, ExprId value);

/* ---- flow.c ---- */
void flow_find_in_place(Translator *t, LLVMBasicBlockRef block);
bool is_pure_instruction(LLVMValueRef instruction);
bool is_promotable(Translator *t, LLVMValueRef alloca_instruction);

/* ---- instruction.c ---- */
/* Translates a pure instruction; 0 if it is not one. */
ExprId pure_expr(Translator *t, LLVMValueRef instruction);
void instruction_translate(Translator *t, LLVMValueRef instruction);
ExprId gep_expr(Translator *t, LLVMValueRef gep);
/* True for a getelementptr instruction or constant. */
bool is_gep(LLVMValueRef value);

/* ---- lanes.c ---- */
bool is_vector(LLVMTypeRef type);
ExprId lane_get(Translator *t, ExprId vector, LLVMTypeRef type, unsigned lane);
ExprId lane_set(Translator *t, ExprId vector, LLVMTypeRef type, unsigned lane, ExprId e);
typedef ExprId LaneFunction(Translator *t, LLVMValueRef instruction, ExprId *operands,
                            LLVMTypeRef result);
/* Applies a scalar translation to each lane of up to 3 operands. */
ExprId lanes_map(Translator *t, LLVMValueRef instruction, unsigned operand_count,
                 LaneFunction *function);
ExprId lanes_shuffle(Translator *t, LLVMValueRef instruction);
ExprId lanes_extract(Translator *t, LLVMValueRef instruction);
ExprId lanes_insert(Translator *t, LLVMValueRef instruction);

/* ---- format.c ---- */
/* Right after its effects were declared: a printing function may also write, by %n. */
void format_declare(Translator *t, LLVMValueRef function, FuncId id);
/* What a direct call of the function really calls: a twin that does not write where the format
 * has no %n. */
FuncId format_callee(Translator *t, LLVMValueRef call, FuncId id);

/* ---- params.c ---- */
enum { PARAM_RESULT = 255 }; /* the operand is where the result goes */
/* The parameter of C that each operand (255 at most) belongs to, and how many there are. False
 * when it cannot be told. */
bool params_of_call(LLVMValueRef call, uint8_t *ret_param, unsigned *ret_count);
/* Operands and parameters of the function are perhaps not the same, so that calls through
 * pointers do not tell which is which. */
bool params_are_doubtful(LLVMValueRef function);

/* ---- call.c, intrinsic.c, atomic.c ---- */
void call_translate(Translator *t, LLVMValueRef call);
void declare_effects(Translator *t, FuncId id, const Rule *rule);

/* ---- variables.c: variables of the library that the program declares ---- */

/* The variable that the library table calls this; NULL if the program does not declare it. */
LLVMValueRef variable_find(Translator *t, const char *name);
typedef VEC(Startup) StartupVec;
/* Adds what stands in sections for the loader, to be called before main, or after it. */
void startups_in_sections(Translator *t, bool constructors, StartupVec *found);
/* The linker or assembly at file level does with the variable what C does not say (placed.c). */
/* Reads the assembly of the module; what is asked below rests on it. */
void note_assembly(Translator *t);
bool is_named_by_assembly(Translator *t, LLVMValueRef global);
bool variable_is_placed(Translator *t, LLVMValueRef variable);

/* The one that stands for all names of an external variable: itself, or another one. */
LLVMValueRef variable_same(Translator *t, LLVMValueRef global);
/* Tells the effects on variables which object they mean, once all are declared. */
void variables_link(Translator *t);
/* Gives a function that is synchronisation a body of its own, so that calls through pointers
 * mean the same as direct ones. */
void thunk_translate(Translator *t, LLVMValueRef function, const Rule *rule);
/* The function that stands for an ifunc, and its body; 0 if there is none. */
FuncId chooser_of(Translator *t, LLVMValueRef ifunc);
void chooser_translate(Translator *t, LLVMValueRef ifunc);
/* A function with a body that calls the library's function, for who is to call it back; 0 if
 * there is none. */
FuncId relay_of(Translator *t, LLVMValueRef function);
void relays_translate(Translator *t);
bool rule_calls_back(Translator *t, const Rule *rule);
const Rule *rule_of(Translator *t, LLVMValueRef function);
/* A call that stands for something not modelled: a function called `what` without a body. */
void call_unmodelled(Translator *t, LLVMValueRef call, const char *what);
/* True when the intrinsic was translated. */
bool intrinsic_translate(Translator *t, LLVMValueRef call, const char *name);
/* The expression of an intrinsic without side effects, 0 if it is none of them. */
ExprId intrinsic_expr(Translator *t, LLVMValueRef call, const char *name);
bool intrinsic_is_pure(const char *name);
bool atomic_instruction(Translator *t, LLVMValueRef instruction);
bool atomic_library_call(Translator *t, LLVMValueRef call, const char *name);
MemoryOrder order_of(LLVMAtomicOrdering ordering);

/* ---- memory.c ---- */
/* llvm.memcpy and its like; true when it was translated. */
bool memory_intrinsic(Translator *t, LLVMValueRef call, const char *name);
/* memcpy and its like, of which no input has a body. */
bool memory_library_call(Translator *t, LLVMValueRef call, const char *name);

/* ---- path.c ---- */
/* The name of the bytes that `pointer` designates, accessed as `access` (a load or store,
 * for bit-fields, or NULL). 0 when there is nothing to say. */
Sym path_of(Translator *t, LLVMValueRef pointer, LLVMValueRef access);
/* The same with the C type of what it names (0 if unknown). */
Sym path_and_type(Translator *t, LLVMValueRef pointer, LLVMValueRef access,
                  TypeId *ret_type);
/* The C type of what `pointer` designates, 0 if unknown. */
TypeId pointee_type(Translator *t, LLVMValueRef pointer);
Sym literal_name(Translator *t, LLVMValueRef initializer);

/* The name of an LLVM value without the mark that keeps it from being mangled. */
const char *plain_name(LLVMValueRef value);

#endif
