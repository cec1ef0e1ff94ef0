/* `heddle check` of a .sml program: its net is the model, and coverability the engine. */
#ifndef HEDDLE_CLI_CHECK_SML_H
#define HEDDLE_CLI_CHECK_SML_H

#include "cli/cli.h"

#include "base/outfile.h"
#include "model/program.h"
#include "verdict/result.h"

typedef struct {
  const char *file;
  bool properties[PROPERTY_COUNT];
  bool all; /* the properties that such programs have */
  double seconds;
  size_t memory;        /* bytes */
  Outfile *certificate; /* or NULL */
  Screen *screen;
} SmlRequest;

/* The only input, or one of several, is a .sml program. */
bool check_sml_wanted(const SourceOptions *source);
/* What concerns C, and engines other than petri, do not go with it. */
bool check_sml_alone(const SourceOptions *source, bool petri, const char *explain,
                     Err *err);
/* `program` is empty: it stands for what reports ask of a model. *ret_certified: evidence was
 * written. The result is to be freed in any case. */
bool check_sml(const SmlRequest *request, const Program *program, CheckResult *result,
               bool *ret_certified, Err *err);

#endif
