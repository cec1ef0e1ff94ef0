/* Shell completions from the option tables: bash, zsh and fish.
 *
 * The scripts carry the words themselves and call nothing, so they stay fast and work
 * without the tool. Each completes the command, then the options of that command, then
 * the values of an option (words, files) and the operands (files with a fitting ending,
 * and directories). */
#include "base/opt.h"

#include <string.h>

/* Is the value a path? For compiler flags the name of the argument tells. */
static bool names_file(const Option *o) {
  if (o->kind == OPT_FILE || o->kind == OPT_FILES) return true;
  return o->kind == OPT_CC_EITHER && o->argument &&
         (strstr(o->argument, "DIR") || strstr(o->argument, "FILE"));
}

/* ---- bash ------------------------------------------------------------------------- */

static void bash_option_names(Str *out, const Option *options) {
  bool first = true;
  for (const Option *o = options; o && o->kind; o++) {
    const char *space = first ? "" : " ";
    if (opt_is_compiler_flag(o))
      str_addf(out, "%s%s", space, o->name);
    else if (o->letter)
      str_addf(out, "%s--%s -%c", space, o->name, o->letter);
    else
      str_addf(out, "%s--%s", space, o->name);
    first = false;
  }
}

static void spaced_words(Str *out, const char *words) {
  const char *word;
  size_t length;
  for (bool first = true; opt_next_word(&words, &word, &length); first = false) {
    str_add(out, first ? "" : " ");
    str_add_bytes(out, word, length);
  }
}

/* The branches of `case $previous in` for the options of one command that take a value.
 */
static void bash_values(Str *out, const Option *options, const char *indent) {
  for (const Option *o = options; o && o->kind; o++) {
    if (!opt_takes_value(o) || o->kind == OPT_CC_JOINED || o->kind == OPT_CC_PREFIX)
      continue;
    str_add(out, indent);
    if (opt_is_compiler_flag(o))
      str_add(out, o->name);
    else if (o->letter)
      str_addf(out, "--%s|-%c", o->name, o->letter);
    else
      str_addf(out, "--%s", o->name);
    str_add(out, ") ");
    if (o->kind == OPT_LIST) {
      str_add(out, "_heddle_list '");
      spaced_words(out, o->words);
      str_add(out, "'");
    } else if (o->words) {
      str_add(out, "_heddle_words '");
      spaced_words(out, o->words);
      str_add(out, "'");
    } else if (names_file(o)) {
      str_add(out, "_heddle_files ''");
    } else {
      str_add(out, "COMPREPLY=()");
    }
    str_add(out, "; return ;;\n");
  }
}

static void bash_case(Str *out, const OptCommand *command) {
  str_addf(out, "    %s)\n", command->name);
  if (!command->options) {
    str_add(out, "      _heddle_files ''; return ;;\n");
    return;
  }
  str_add(out, "      case $previous in\n");
  bash_values(out, command->options, "        ");
  str_add(out,
          "      esac\n      if [[ $current == -* ]]; then\n        _heddle_words '");
  bash_option_names(out, command->options);
  str_add(out, "'\n");
  if (command->operand)
    str_addf(out, "      else\n        _heddle_files '%s'\n",
             command->operand_files ? command->operand_files : "");
  str_add(out, "      fi ;;\n");
}

static const char bash_helpers[] =
    "_heddle_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$current\")); }\n"
    "_heddle_list() {\n"
    "  local head=''\n"
    "  [[ $current == *,* ]] && head=${current%,*},\n"
    "  COMPREPLY=($(compgen -P \"$head\" -W \"$1\" -- \"${current##*,}\"))\n"
    "}\n"
    "_heddle_files() {\n"
    "  local file ending\n"
    "  compopt -o filenames 2>/dev/null\n"
    "  while IFS= read -r file; do\n"
    "    if [[ -z $1 || -d $file ]]; then COMPREPLY+=(\"$file\"); continue; fi\n"
    "    for ending in $1; do\n"
    "      [[ $file == *.\"$ending\" || $ending == '*' ]] || continue\n"
    "      COMPREPLY+=(\"$file\"); break\n"
    "    done\n"
    "  done < <(compgen -f -- \"$current\")\n"
    "}\n";

void opt_add_bash(const OptProgram *program, Str *out) {
  str_addf(out, "# bash completion for %s; made by `%s --completion bash`.\n",
           program->name, program->name);
  str_add(out, bash_helpers);
  str_add(
      out,
      "_heddle() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command='' i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} != -* ]] && { command=${COMP_WORDS[i]}; break; }\n"
      "  done\n"
      "  case $command in\n");
  for (const OptCommand *const *c = program->commands; *c; c++) bash_case(out, *c);
  str_add(out, "    *)\n      case $previous in\n");
  bash_values(out, program->self->options, "        ");
  str_add(out, "      esac\n      _heddle_words '");
  for (const OptCommand *const *c = program->commands; *c; c++)
    str_addf(out, "%s ", (*c)->name);
  bash_option_names(out, program->self->options);
  str_add(out, "' ;;\n  esac\n}\n");
  str_addf(out, "complete -F _heddle %s\n", program->name);
}

/* ---- zsh -------------------------------------------------------------------------- */

/* Text inside single quotes and inside [ ] of an _arguments specification. */
static void zsh_text(Str *out, const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      str_add(out, "'\\''");
    else if (strchr("[]:\\", *text)) {
      str_add_char(out, '\\');
      str_add_char(out, *text);
    } else
      str_add_char(out, *text == '\n' ? ' ' : *text);
  }
}

static void zsh_value(Str *out, const Option *o) {
  str_add_char(out, ':');
  zsh_text(out, o->argument ? o->argument : o->name);
  str_add_char(out, ':');
  if (o->kind == OPT_LIST) {
    str_addf(out, "_sequence compadd - ");
    spaced_words(out, o->words);
  } else if (o->words) {
    str_add_char(out, '(');
    spaced_words(out, o->words);
    str_add_char(out, ')');
  } else if (names_file(o)) {
    str_add(out, "_files");
  }
}

static void zsh_one(Str *out, const Option *o, const char *dashes, const char *name,
                    const char *joint) {
  str_addf(out, "      '*%s%s%s[", dashes, name, joint);
  zsh_text(out, o->help);
  str_add_char(out, ']');
  if (opt_takes_value(o)) zsh_value(out, o);
  str_add(out, "' \\\n");
}

static void zsh_options(Str *out, const Option *options) {
  for (const Option *o = options; o && o->kind; o++) {
    if (opt_is_compiler_flag(o)) {
      zsh_one(out, o, "", o->name,
              o->kind == OPT_CC_EITHER ? "+"
              : opt_takes_value(o)     ? "-"
                                       : "");
      continue;
    }
    zsh_one(out, o, "--", o->name, opt_takes_value(o) ? "=" : "");
    char letter[2] = {o->letter, 0};
    if (o->letter) zsh_one(out, o, "-", letter, opt_takes_value(o) ? "+" : "");
  }
}

static void zsh_operands(Str *out, const OptCommand *command) {
  if (!command->operand) {
    str_add(out, "      && return\n");
    return;
  }
  str_addf(out, "      '*:%s:_files", command->operand);
  if (command->operand_files && !strchr(command->operand_files, '*')) {
    str_add(out, " -g \"*.(");
    for (const char *c = command->operand_files; *c; c++)
      str_add_char(out, *c == ' ' ? '|' : *c);
    str_add(out, ")(-.)\"");
  }
  str_add(out, "' && return\n");
}

void opt_add_zsh(const OptProgram *program, Str *out) {
  str_addf(out, "#compdef %s\n# zsh completion; made by `%s --completion zsh`.\n\n",
           program->name, program->name);
  str_addf(out,
           "_%s() {\n  local context state state_descr line\n  typeset -A opt_args\n",
           program->name);
  str_add(out, "  _arguments -C \\\n");
  zsh_options(out, program->self->options);
  str_add(out, "      '1:command:->command' '*::argument:->argument' && return\n"
               "  case $state in\n  command)\n    local -a commands=(\n");
  for (const OptCommand *const *c = program->commands; *c; c++) {
    str_addf(out, "      '%s:", (*c)->name);
    zsh_text(out, (*c)->summary);
    str_add(out, "'\n");
  }
  str_add(
      out,
      "    )\n    _describe command commands ;;\n  argument)\n    case $line[1] in\n");
  for (const OptCommand *const *c = program->commands; *c; c++) {
    str_addf(out, "    %s)\n", (*c)->name);
    if (!(*c)->options) {
      str_add(out, "      _files ;;\n");
      continue;
    }
    str_add(out, "      _arguments \\\n");
    zsh_options(out, (*c)->options);
    zsh_operands(out, *c);
    str_add(out, "      ;;\n");
  }
  str_addf(out, "    esac ;;\n  esac\n}\n\n_%s \"$@\"\n", program->name);
}

/* ---- fish ------------------------------------------------------------------------- */

static void fish_quoted(Str *out, const char *text) {
  str_add_char(out, '\'');
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\') str_add_char(out, '\\');
    str_add_char(out, *text == '\n' ? ' ' : *text);
  }
  str_add_char(out, '\'');
}

static void fish_option(Str *out, const OptProgram *program, const char *condition,
                        const Option *o) {
  str_addf(out, "complete -c %s -n '%s'", program->name, condition);
  if (opt_is_compiler_flag(o) && strlen(o->name) == 2)
    str_addf(out, " -s %c", o->name[1]);
  else if (opt_is_compiler_flag(o)) {
    size_t length = strcspn(o->name + 1, "=");
    str_addf(out, " -o %.*s", (int)length, o->name + 1);
  } else
    str_addf(out, " -l %s", o->name);
  if (o->letter) str_addf(out, " -s %c", o->letter);
  if (o->words) {
    str_add(out, " -x -a '");
    spaced_words(out, o->words);
    str_add_char(out, '\'');
  } else if (names_file(o)) {
    str_add(out, " -r -F");
  } else if (opt_takes_value(o)) {
    str_add(out, " -x");
  }
  str_add(out, " -d ");
  fish_quoted(out, o->help);
  str_add_char(out, '\n');
}

void opt_add_fish(const OptProgram *program, Str *out) {
  str_addf(out, "# fish completion for %s; made by `%s --completion fish`.\n",
           program->name, program->name);
  for (const Option *o = program->self->options; o && o->kind; o++)
    fish_option(out, program, "__fish_use_subcommand", o);
  for (const OptCommand *const *c = program->commands; *c; c++) {
    str_addf(out, "complete -c %s -n __fish_use_subcommand -f -a '%s' -d ", program->name,
             (*c)->name);
    fish_quoted(out, (*c)->summary);
    str_add_char(out, '\n');
    char *condition = str_printf("__fish_seen_subcommand_from %s", (*c)->name);
    for (const Option *o = (*c)->options; o && o->kind; o++)
      fish_option(out, program, condition, o);
    if ((*c)->options && !(*c)->operand)
      str_addf(out, "complete -c %s -n '%s' -f\n", program->name, condition);
    mem_free(condition);
  }
}
