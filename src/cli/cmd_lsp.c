/* heddle lsp: a language server on standard input and output.
 *
 * A document that is opened or saved has the program checked, by a child that runs `heddle check`;
 * meanwhile requests are answered from the last result. What is found becomes diagnostics; hovering
 * tells guard and threads of a variable, its definition is the other access of a race, and an action
 * accepts one. A save while a check runs has the program checked once more. */
#include "cli/cli.h"
#include "cli/lsp.h"

#include "base/mem.h"
#include "base/proc.h"
#include "base/temp.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
  OptStrings inputs;
  OptStrings rest; /* compiler flags after -- */
  long long timeout;
} LspOptions;

#define AT(member) .offset = offsetof(LspOptions, member)

static const Option options[] = {
    {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400, .initial = 20,
     .help = "end each check after S seconds, with what is known by then", AT(timeout)},
    COMMON_OPTIONS(LspOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle lsp", "Serve an editor: each file is checked by itself when it is saved, or "
                   "the project that has a compile_commands.json."},
    {"heddle lsp a.c b.c -- -I include", "Check the program of these two files instead."},
    {0}};

static const OptCommand table = {
    .name = "lsp",
    .summary = "serve an editor by the language server protocol",
    .usage = "[INPUT...] [-- COMPILER-FLAGS...]",
    .description =
        "Speaks the language server protocol on standard input and output. Whenever a C "
        "document is opened or saved, the program is checked: the INPUTs, or else the "
        "compile_commands.json of the folder or of its build/, or else that document. Findings are "
        "diagnostics. Hovering over a variable tells its verdict, its guard and who accesses it; "
        "the definition of a racing access is the other one; an action accepts a race.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = SOURCE_ENDINGS,
    .operands = offsetof(LspOptions, inputs),
    .takes_rest = true,
    .rest = offsetof(LspOptions, rest),
};

typedef struct {
  const LspOptions *options;
  char *folder;        /* of the project */
  char *temp, *json;   /* where children leave their results */
  char *file, *wanted; /* what is being checked, and is to be checked next; or NULL */
  LspResult last;
  json_t *told;    /* the files that have diagnostics, as keys */
  Proc *child;     /* or NULL */
  int end;         /* a pipe that is closed when the child ends */
  bool plain;      /* the child lists no accesses */
  bool shut, gone; /* the client has asked for the end; nobody reads any more */
} Server;

static void send(Server *s, json_t *message) {
  if (!lsp_send(message)) s->gone = true;
}

static void notify(Server *s, const char *method, json_t *params) {
  send(s,
       json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* ---- checks ----------------------------------------------------------------------- */

/* The project's own list of files, if it has one. */
static char *find_commands(const Server *s) {
  static const char *const places[] = {"compile_commands.json",
                                       "build/compile_commands.json"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char *path = str_printf("%s/%s", s->folder, places[i]);
    if (access(path, R_OK) == 0) return path;
    mem_free(path);
  }
  return NULL;
}

static void start(Server *s, bool plain) {
  const LspOptions *o = s->options;
  int ends[2];
  if (pipe(ends)) return;
  char *timeout = str_printf("%lld", o->timeout), *commands = find_commands(s);
  OptStrings words = {0};
  const char *const begin[] = {"heddle", "check", "--quiet",   "--no-replay",
                               "--json", s->json, "--timeout", timeout};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) vec_push(&words, begin[i]);
  if (!plain) {
    vec_push(&words, "--explain");
    vec_push(&words, "*");
  }
  for (uint32_t i = 0; i < o->inputs.len; i++) vec_push(&words, o->inputs.data[i]);
  if (!o->inputs.len) vec_push(&words, commands ? commands : s->file);
  vec_push(&words, "--");
  for (uint32_t i = 0; i < o->rest.len; i++) vec_push(&words, o->rest.data[i]);
  vec_push(&words, NULL);
  ProcRequest request = {.argv = words.data,
                         .program = "/proc/self/exe",
                         .cwd = s->folder,
                         .out = {.kind = PROC_FD, .fd = ends[1]},
                         .err = {.kind = PROC_CAPTURE}};
  unlink(s->json);
  s->plain = plain;
  s->end = ends[0];
  s->child = proc_start(&request);
  close(ends[1]);
  vec_free(&words);
  mem_free(timeout);
  mem_free(commands);
}

/* Diagnostics of all files that have some now, and none for those that had some. */
static void publish(Server *s) {
  json_t *now = lsp_diagnostics(&s->last), *list;
  const char *uri;
  json_object_foreach(s->told, uri, list) if (!json_object_get(now, uri)) {
    notify(s, "textDocument/publishDiagnostics",
           json_pack("{s:s,s:[]}", "uri", uri, "diagnostics"));
  }
  json_object_foreach(now, uri, list)
      notify(s, "textDocument/publishDiagnostics",
             json_pack("{s:s,s:O}", "uri", uri, "diagnostics", list));
  /* an editor wants to hear of the file it has saved, also that there is nothing */
  char *own = lsp_uri_of_path(s->file);
  if (!json_object_get(now, own) && !json_object_get(s->told, own))
    notify(s, "textDocument/publishDiagnostics",
           json_pack("{s:s,s:[]}", "uri", own, "diagnostics"));
  mem_free(own);
  json_decref(s->told);
  s->told = now;
}

static void begin_next(Server *s) {
  if (s->child || !s->wanted) return;
  mem_free(s->file);
  s->file = s->wanted;
  s->wanted = NULL;
  start(s, false);
}

/* The child has ended. Where no variable is shared there is nothing to explain. */
static void finish(Server *s) {
  ProcResult result;
  char rest[256];
  while (read(s->end, rest, sizeof rest) > 0) {
  }
  close(s->end);
  proc_wait(s->child, &result);
  s->child = NULL;
  json_t *new = json_load_file(s->json, 0, NULL);
  bool again =
      !new && !s->plain &&result.end == PROC_EXITED &&result.code == EXIT_BAD_INPUT;
  if (new) {
    json_decref(s->last.result);
    s->last = (LspResult){new, s->folder};
    publish(s);
  } else if (!again) {
    notify(s, "window/showMessage",
           json_pack("{s:i,s:s}", "type", 2, "message", str_text(&result.err)));
  }
  proc_result_free(&result);
  if (again)
    start(s, true);
  else
    begin_next(s);
}

static void want(Server *s, const char *uri) {
  char *path = lsp_path_of_uri(uri);
  if (!path) return;
  mem_free(s->wanted);
  s->wanted = path;
  begin_next(s);
}

/* ---- messages --------------------------------------------------------------------- */

static json_t *get(const json_t *from, const char *first, const char *second) {
  json_t *object = json_object_get(from, first);
  return second ? json_object_get(object, second) : object;
}

static json_t *initialize(Server *s, const json_t *params) {
  char *folder = lsp_path_of_uri(json_string_value(get(params, "rootUri", NULL)));
  const char *plain = json_string_value(get(params, "rootPath", NULL));
  if (!folder && plain) folder = str_dup(plain);
  char *real = folder ? realpath(folder, NULL) : NULL;
  if (real) {
    mem_free(s->folder);
    s->folder = str_dup(real);
  }
  free(real);
  mem_free(folder);
  return json_pack("{s:{s:{s:b,s:i,s:b},s:b,s:b,s:{s:[s]}},s:{s:s,s:s}}", "capabilities",
                   "textDocumentSync", "openClose", 1, "change", 0, "save", 1,
                   "hoverProvider", 1, "definitionProvider", 1, "codeActionProvider",
                   "codeActionKinds", "quickfix", "serverInfo", "name", "heddle",
                   "version", cli_program.version);
}

/* NULL: no such request. */
static json_t *answer(Server *s, const char *method, const json_t *params) {
  if (str_eq(method, "initialize")) return initialize(s, params);
  if (str_eq(method, "shutdown")) {
    s->shut = true;
    return json_null();
  }
  const char *const known[] = {"textDocument/hover", "textDocument/definition",
                               "textDocument/codeAction"};
  int which = 0;
  while (which < 3 && !str_eq(method, known[which])) which++;
  char *path = lsp_path_of_uri(json_string_value(get(params, "textDocument", "uri")));
  const json_t *at = get(params, "position", NULL), *range = get(params, "range", NULL);
  long line = (long)json_integer_value(get(at, "line", NULL)),
       character = (long)json_integer_value(get(at, "character", NULL));
  json_t *result = NULL;
  if (which < 3 && !path) result = json_null();
  if (which == 0 && path) result = lsp_hover(&s->last, path, line, character);
  if (which == 1 && path) result = lsp_definition(&s->last, path, line, character);
  if (which == 2 && path)
    result = lsp_actions(
        &s->last, path,
        (long)json_integer_value(get(get(range, "start", NULL), "line", NULL)),
        (long)json_integer_value(get(get(range, "end", NULL), "line", NULL)));
  mem_free(path);
  return result;
}

/* False: the client has said exit. */
static bool handle(Server *s, const json_t *message) {
  const char *method = json_string_value(get(message, "method", NULL));
  json_t *id = get(message, "id", NULL);
  const json_t *params = get(message, "params", NULL);
  if (!method && json_is_object(message)) return true; /* an answer: nothing was asked */
  if (method && str_eq(method, "exit")) return false;
  if (method &&
      (str_eq(method, "textDocument/didOpen") || str_eq(method, "textDocument/didSave")))
    want(s, json_string_value(get(params, "textDocument", "uri")));
  if (method && !id) return true;
  json_t *result = method ? answer(s, method, params) : NULL;
  json_t *reply = json_pack("{s:s,s:O?}", "jsonrpc", "2.0", "id", id ? id : json_null());
  if (result)
    json_object_set_new(reply, "result", result);
  else
    json_object_set_new(reply, "error",
                        json_pack("{s:i,s:s}", "code", method ? -32601 : -32700,
                                  "message",
                                  method ? "no such request" : "this is no message"));
  send(s, reply);
  return true;
}

/* Reads what there is; false at the end of it, or of the protocol. */
static bool receive(Server *s, Str *in) {
  char bytes[4096];
  ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
  if (n < 0 && errno == EINTR) return true;
  if (n <= 0) return false;
  str_add_bytes(in, bytes, (size_t)n);
  bool broken = false, goes_on = true;
  json_t *message;
  while (goes_on && (message = lsp_take(in, &broken))) {
    goes_on = handle(s, message);
    json_decref(message);
  }
  return goes_on && !broken;
}

static void serve(Server *s) {
  Str in = {0};
  for (bool goes_on = true; goes_on && !s->gone;) {
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = s->child ? s->end : -1, .events = POLLIN}};
    if (poll(fds, 2, -1) < 0 && errno != EINTR) break;
    if (fds[1].revents) finish(s);
    if (fds[0].revents) goes_on = receive(s, &in);
  }
  str_free(&in);
}

static int run_server(const LspOptions *o) {
  Err err = {0};
  char *here = realpath(".", NULL);
  Server s = {.options = o, .folder = str_dup(here ? here : "."), .told = json_object()};
  free(here);
  s.temp = temp_dir_new(&err);
  if (!s.temp) return cli_fail(&err);
  s.json = str_printf("%s/result.json", s.temp);
  temp_register(s.json);
  serve(&s);
  if (s.child) {
    proc_signal(s.child, SIGKILL);
    proc_wait(s.child, NULL);
    close(s.end);
  }
  temp_remove(s.json);
  temp_remove(s.temp);
  json_decref(s.last.result);
  json_decref(s.told);
  mem_free(s.temp);
  mem_free(s.json);
  mem_free(s.file);
  mem_free(s.wanted);
  mem_free(s.folder);
  return s.shut ? EXIT_HOLDS : EXIT_VIOLATED; /* as the protocol has it */
}

static int run(int argc, char **argv) {
  LspOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = run_server(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_lsp = {&table, run};
