/* The parts of the language server: messages, and what a result of a check says about places.
 * Internal to cmd_lsp.c and lsp_*.c. */
#ifndef HEDDLE_CLI_LSP_H
#define HEDDLE_CLI_LSP_H

#include "base/str.h"

#include <jansson.h>
#include <stdbool.h>

/* ---- messages (lsp_wire.c) ---- */

/* Takes the first complete message out of `in`. NULL: there is none yet; *ret_broken: what is there
 * is no message, and nothing behind it can be found. */
json_t *lsp_take(Str *in, bool *ret_broken);
/* Writes the message, and releases it. False: nobody reads any more. */
bool lsp_send(json_t *message);

char *lsp_path_of_uri(const char *uri); /* NULL: it is no file */
char *lsp_uri_of_path(const char *path);

/* ---- answers (lsp_result.c) ---- */

/* A result as `heddle check --json` writes it, and the folder that its names are relative to. */
typedef struct {
  json_t *result; /* or NULL: nothing is known yet */
  const char *folder;
} LspResult;

/* { uri: [diagnostic, …] } for every file with a finding. */
json_t *lsp_diagnostics(const LspResult *r);
/* Each answers a request about line and character, from 0, in the file; null if there is nothing. */
json_t *lsp_hover(const LspResult *r, const char *path, long line, long character);
json_t *lsp_definition(const LspResult *r, const char *path, long line, long character);
json_t *lsp_actions(const LspResult *r, const char *path, long first, long last);

#endif
