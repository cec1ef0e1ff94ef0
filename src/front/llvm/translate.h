/* LLVM bitcode to the program model. This is the public face of front/llvm; the only folder
 * that includes llvm-c. It runs inside a child process (front/load.c): LLVM may abort on bad
 * bitcode, and that must cost one error line and nothing else. */
#ifndef HEDDLE_FRONT_LLVM_TRANSLATE_H
#define HEDDLE_FRONT_LLVM_TRANSLATE_H

#include "base/err.h"
#include "model/program.h"
#include "rules/rules.h"

/* One translation unit: bitcode, or LLVM's text, followed by a NUL. */
typedef struct {
  const char *name; /* as the user knows it, for messages */
  const void *bytes;
  size_t size;
  unsigned
      rank; /* definitions of a lower rank hide those of a higher (shared libraries) */
  uint32_t instead; /* not 0: taken for unit instead - 1 if only this one has main */
} BitcodeInput;

/* Something about the inputs that becomes an assumption of the model. */
typedef struct {
  const char *what;
  const char *file; /* or NULL */
  int line;
} BitcodeNote;

/* How far a translation has come, kept in memory that outlives a crash of it. */
typedef struct {
  bool reading;       /* LLVM is at work on a unit; otherwise it is our own code */
  uint32_t unit;      /* the unit that is read */
  char function[128]; /* the function that is translated, "" before the first */
  char file[256];     /* its place, "" if unknown */
  int line;
} TranslateMark;

typedef struct {
  const BitcodeInput *units;
  uint32_t unit_count;
  const BitcodeNote *notes;
  uint32_t note_count;
  const RuleSet *rules;
  const char *start; /* the function to begin with instead of main, in the last unit; or
                        NULL */
  bool start_open;   /* code that nobody knows starts it, and knows what is exported */
  const char *const
      *exported; /* static functions and variables that other units may use */
  uint32_t exported_count;
  TranslateMark *mark; /* or NULL */
} TranslateRequest;

/* Reads, links and translates. False with `err` set; the program is then untouched. */
bool translate_bitcode(const TranslateRequest *request, Program *ret_program, Err *err);

#endif
