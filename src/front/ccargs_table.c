/* The tables behind ccargs.h: what clang 19's options look like, as data.
 *
 * The options that take following words were collected by asking clang itself about each
 * of its options; tests/suite_cc.py asks again and compares. The effects are heddle's
 * own. In each table the first row that fits decides, so exceptions stand before what
 * they are exceptions of. */
#include "front/ccargs.h"

#include "base/str.h"

/* Options that take one following word when written exactly so. Sorted by bytes. */
static const char *const separate_one[] = {
    "--CLASSPATH",
    "--analyzer-output",
    "--assert",
    "--bootclasspath",
    "--classpath",
    "--config",
    "--define-macro",
    "--dyld-prefix",
    "--encoding",
    "--extdirs",
    "--for-linker",
    "--force-link",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--mhwdiv",
    "--no-system-header-prefix",
    "--output",
    "--output-class-directory",
    "--param",
    "--prefix",
    "--print-file-name",
    "--print-prog-name",
    "--resource",
    "--rtlib",
    "--serialize-diagnostics",
    "--std",
    "--stdlib",
    "--sysroot",
    "--system-header-prefix",
    "--undefine-macro",
    "--vfsoverlay",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-V",
    "-Xanalyzer",
    "-Xarch_device",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xmicrosoft-visualc-tools-root",
    "-Xmicrosoft-visualc-tools-version",
    "-Xmicrosoft-windows-sdk-root",
    "-Xmicrosoft-windows-sdk-version",
    "-Xmicrosoft-windows-sys-root",
    "-Xoffload-linker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-Zlinker-input",
    "-alias_list",
    "-allowable_client",
    "-arch",
    "-arch_only",
    "-arcmt-migrate-report-output",
    "-b",
    "-bundle_loader",
    "-ccc-arcmt-migrate",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-ccc-objcmt-migrate",
    "-client_name",
    "-compatibility_version",
    "-current_version",
    "-cxx-isystem",
    "-darwin-target-variant",
    "-darwin-target-variant-triple",
    "-dependency-dot",
    "-dependency-file",
    "-dsym-dir",
    "-dumpdir",
    "-dylib_file",
    "-dylinker_install_name",
    "-e",
    "-exported_symbols_list",
    "-fdebug-compilation-dir",
    "-fexperimental-openacc-macro-override",
    "-filelist",
    "-fmodule-implementation-of",
    "-fmodules-user-build-path",
    "-fnew-alignment",
    "-force_load",
    "-framework",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-hlsl-entry",
    "-iapinotes-modules",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-image_base",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-install_name",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-lazy_framework",
    "-lazy_library",
    "-meabi",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-multiply_defined",
    "-multiply_defined_unused",
    "-o",
    "-object-file-name",
    "-pagezero_size",
    "-read_only_relocs",
    "-reexport_framework",
    "-reexport_library",
    "-resource-dir",
    "-rpath",
    "-seg1addr",
    "-seg_addr_table",
    "-seg_addr_table_filename",
    "-segs_read_only_addr",
    "-segs_read_write_addr",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-sub_library",
    "-sub_umbrella",
    "-target",
    "-u",
    "-umbrella",
    "-undefined",
    "-unexported_symbols_list",
    "-validator-version",
    "-vfsoverlay",
    "-weak_framework",
    "-weak_library",
    "-weak_reference_mismatches",
    "-working-directory",
    "-x",
    "-z",
};

static const char *const separate_two[] = {"-sectobjectsymbols", "-segaddr"};

static const char *const separate_three[] = {"-sectalign", "-sectcreate", "-sectorder",
                                             "-segcreate", "-segprot"};

/* Options whose name goes on in the same word and that take a following word as well. */
static const char *const joined_and_separate[] = {"-Xarch_", "-Xopenmp-target="};

typedef enum { EXACT, PREFIX } Match;

typedef struct {
  const char *text;
  Match match;
  uint32_t effects;
} Rule;

static const Rule rules[] = {
    /* The driver answers by itself or stops before there is an object. */
    {"-###", EXACT, CC_FX_STOP},
    {"--version", EXACT, CC_FX_STOP},
    {"-E", EXACT, CC_FX_STOP},
    {"--preprocess", EXACT, CC_FX_STOP},
    {"-S", EXACT, CC_FX_STOP},
    {"--assemble", EXACT, CC_FX_STOP},
    {"-M", EXACT, CC_FX_STOP},
    {"-MM", EXACT, CC_FX_STOP},
    {"--dependencies", EXACT, CC_FX_STOP},
    {"--user-dependencies", EXACT, CC_FX_STOP},
    {"-fsyntax-only", EXACT, CC_FX_STOP},
    {"--analyze", EXACT, CC_FX_STOP},
    {"--analyzer-output", PREFIX, CC_FX_DROP},
    {"-emit-llvm", EXACT, CC_FX_STOP},
    {"-emit-ast", EXACT, CC_FX_STOP},
    {"-emit-interface-stubs", EXACT, CC_FX_STOP},
    {"-emit-merged-ifs", EXACT, CC_FX_STOP},
    {"-extract-api", EXACT, CC_FX_STOP},
    {"-module-file-info", EXACT, CC_FX_STOP},
    {"-verify-pch", EXACT, CC_FX_STOP},
    {"--precompile", EXACT, CC_FX_STOP},
    {"-fmodule-header", PREFIX, CC_FX_STOP},
    {"-rewrite-objc", EXACT, CC_FX_STOP},
    {"-rewrite-legacy-objc", EXACT, CC_FX_STOP},
    {"--migrate", EXACT, CC_FX_STOP},
    {"-ccc-print-phases", EXACT, CC_FX_STOP},
    {"-ccc-print-bindings", EXACT, CC_FX_STOP},
    {"-cc1", PREFIX, CC_FX_STOP},
    {"--autocomplete=", PREFIX, CC_FX_STOP},
    {"--driver-mode=cl", EXACT, CC_FX_STOP},
    {"--driver-mode=flang", EXACT, CC_FX_STOP},
    {"--driver-mode=cpp", EXACT, CC_FX_STOP},
    {"-fdriver-only", EXACT, CC_FX_STOP},
    {"-help", EXACT, CC_FX_STOP},
    {"--help", PREFIX, CC_FX_STOP},
    {"-dumpversion", EXACT, CC_FX_STOP},
    {"-dumpmachine", EXACT, CC_FX_STOP},
    {"-print-", PREFIX, CC_FX_STOP},
    {"--print-missing-file-dependencies", EXACT, CC_FX_DROP},
    {"--print-", PREFIX, CC_FX_STOP},
    {"-mcpu=help", EXACT, CC_FX_STOP},
    {"-mtune=help", EXACT, CC_FX_STOP},

    {"-c", EXACT, CC_FX_COMPILE | CC_FX_DROP},
    {"--compile", EXACT, CC_FX_COMPILE | CC_FX_DROP},

    /* Words that start with -o and are not outputs. */
    {"-object", PREFIX, 0},
    {"-objcmt-", PREFIX, 0},
    {"-omptargets=", PREFIX, 0},
    {"-o", PREFIX, CC_FX_OUTPUT | CC_FX_DROP},
    {"--output-class-directory", PREFIX, 0},
    {"--output=", PREFIX, CC_FX_OUTPUT | CC_FX_DROP},
    {"--output", EXACT, CC_FX_OUTPUT | CC_FX_DROP},

    {"-x", PREFIX, CC_FX_LANGUAGE},
    {"--language=", PREFIX, CC_FX_LANGUAGE},
    {"--language", EXACT, CC_FX_LANGUAGE},
    {"-ObjC", PREFIX, 0},
    {"-working-directory=", PREFIX, CC_FX_WORKDIR},
    {"-working-directory", PREFIX, CC_FX_WORKDIR},

    {"-L", PREFIX, CC_FX_LIBDIR},
    {"--library-directory=", PREFIX, CC_FX_LIBDIR},
    {"--library-directory", EXACT, CC_FX_LIBDIR},

    /* Without link-time optimisation these are errors, warnings or nothing. */
    {"-flto", PREFIX, CC_FX_LTO | CC_FX_DROP},
    {"-ffat-lto-objects", EXACT, CC_FX_LTO | CC_FX_DROP},
    {"-fsplit-lto-unit", EXACT, CC_FX_LTO | CC_FX_DROP},
    {"-funified-lto", EXACT, CC_FX_LTO | CC_FX_DROP},
    {"-fwhole-program-vtables", EXACT, CC_FX_LTO | CC_FX_DROP},
    {"-fvirtual-function-elimination", EXACT, CC_FX_LTO | CC_FX_DROP},
    {"-fthin-link-bitcode=", PREFIX, CC_FX_LTO | CC_FX_DROP},
    {"-fthinlto-index=", PREFIX, CC_FX_LTO | CC_FX_DROP},
    {"-fsanitize-cfi", PREFIX, CC_FX_LTO | CC_FX_DROP},
    {"-fno-lto", EXACT, CC_FX_DROP},

    /* Optimisation and debug information are the model's own choice. */
    {"-O", PREFIX, CC_FX_DROP},
    {"--optimize", PREFIX, CC_FX_DROP},
    {"-gsplit-dwarf", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-g", PREFIX, CC_FX_DROP},
    {"--debug", EXACT, CC_FX_DROP},
    {"-fdebug-", PREFIX, CC_FX_DROP},
    {"-fsplit-dwarf", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-fdiscard-value-names", EXACT, CC_FX_DROP},
    {"-ffile-prefix-map=", PREFIX, CC_FX_FILE_MAP},
    {"-ffile-reproducible", EXACT, 0},
    {"-mllvm", PREFIX, CC_FX_DROP},
    {"-fpass-plugin=", PREFIX, CC_FX_DROP},

    /* Code for other machines and without a C library has nothing that could watch it. */
    {"--target", PREFIX, CC_FX_PLAIN},
    {"-target", PREFIX, CC_FX_PLAIN},
    {"-m16", EXACT, CC_FX_PLAIN},
    {"-m32", EXACT, CC_FX_PLAIN},
    {"-mx32", EXACT, CC_FX_PLAIN},
    {"-mkernel", EXACT, CC_FX_PLAIN},
    {"-mcmodel=kernel", EXACT, CC_FX_PLAIN},
    {"-fapple-kext", EXACT, CC_FX_PLAIN},
    {"-ffreestanding", EXACT, CC_FX_PLAIN},
    {"-fopenmp-targets", PREFIX, CC_FX_PLAIN},
    {"-fmodules", PREFIX, CC_FX_PLAIN},

    /* Instrumentation adds loads, stores and calls that the source does not have. */
    {"-fsanitize=", PREFIX, CC_FX_SANITIZE | CC_FX_DROP},
    {"-fsanitize", PREFIX, CC_FX_DROP},
    {"-fno-sanitize", PREFIX, CC_FX_DROP},
    {"-fprofile", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-fcs-profile", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-fauto-profile", PREFIX, CC_FX_DROP},
    {"-fmemory-profile", PREFIX, CC_FX_DROP},
    {"-fcoverage-", PREFIX, CC_FX_DROP},
    {"-ftest-coverage", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"-fcreate-profile", EXACT, CC_FX_DROP},
    {"-fpseudo-probe-for-profiling", EXACT, CC_FX_DROP},
    {"-coverage", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"--coverage", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"-pg", EXACT, CC_FX_DROP},
    {"-p", EXACT, CC_FX_DROP},
    {"--profile", EXACT, CC_FX_DROP},
    {"-mfentry", EXACT, CC_FX_DROP},
    {"-finstrument-", PREFIX, CC_FX_DROP},
    {"-fxray-", PREFIX, CC_FX_DROP},
    {"-ftrivial-auto-var-init", PREFIX, CC_FX_DROP},
    {"-fembed-bitcode", PREFIX, CC_FX_DROP | CC_FX_PLAIN},

    /* Files that only the real compile may write, and talk that only it may make. */
    {"-M", PREFIX, CC_FX_DROP},
    {"--write-dependencies", EXACT, CC_FX_DROP},
    {"--write-user-dependencies", EXACT, CC_FX_DROP},
    {"-dependency-", PREFIX, CC_FX_DROP},
    {"-module-dependency-dir", PREFIX, CC_FX_DROP},
    {"-save-temps", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"--save-temps", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-save-stats", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"--save-stats", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-serialize-diagnostics", PREFIX, CC_FX_DROP},
    {"--serialize-diagnostics", PREFIX, CC_FX_DROP},
    {"-fstack-usage", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"-ftime-trace", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-ftime-report", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-fproc-stat-report", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-fsave-optimization-record", PREFIX, CC_FX_DROP | CC_FX_PLAIN},
    {"-foptimization-record-", PREFIX, CC_FX_DROP},
    {"-R", PREFIX, CC_FX_DROP},
    {"-H", EXACT, CC_FX_DROP},
    {"-v", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"--verbose", EXACT, CC_FX_DROP | CC_FX_PLAIN},
    {"-Q", EXACT, CC_FX_PLAIN},
    {"-fdiagnostics-", PREFIX, CC_FX_DROP},
    {"-fcolor-diagnostics", EXACT, CC_FX_DROP},
    {"-fansi-escape-codes", EXACT, CC_FX_DROP},
    {"-ferror-limit=", PREFIX, CC_FX_DROP},
    {"-fmessage-length=", PREFIX, CC_FX_DROP},
    {"-fcrash-diagnostics", PREFIX, CC_FX_DROP},

    /* Warnings are shown by the real compile, and must not stop the other one. */
    {"-Wp,", PREFIX, CC_FX_PASS_LIST},
    {"-Xpreprocessor", EXACT, CC_FX_PASS},
    {"-Xclang", EXACT, CC_FX_PASS},
    {"-Wl,", PREFIX, CC_FX_LINK_LIST},
    {"-Wa,", PREFIX, CC_FX_DROP},
    {"-Xassembler", EXACT, CC_FX_DROP},
    {"-Werror", PREFIX, CC_FX_DROP},
    {"-pedantic-errors", EXACT, CC_FX_DROP},
    {"--pedantic-errors", EXACT, CC_FX_DROP},
};

/* Words for the preprocessor or cc1 that write files, or that the model cannot use. */
static const struct {
  const char *text;
  Match match;
  unsigned following;
} passed[] = {
    {"-MD", EXACT, 1},
    {"-MMD", EXACT, 1},
    {"-MF", EXACT, 1},
    {"-MT", EXACT, 1},
    {"-MQ", EXACT, 1},
    {"-M", PREFIX, 0},
    {"-D_FORTIFY_SOURCE", PREFIX, 0},
    {"-dependency-file", EXACT, 1},
    {"-dependency-dot", EXACT, 1},
    {"-sys-header-deps", EXACT, 0},
    {"-header-include-file", EXACT, 1},
    {"-serialize-diagnostic-file", EXACT, 1},
    {"-diagnostic-log-file", EXACT, 1},
    {"-split-dwarf-file", EXACT, 1},
    {"-split-dwarf-output", EXACT, 1},
    {"-stats-file", PREFIX, 0},
    {"-stack-usage-file", EXACT, 1},
    {"-opt-record-file", EXACT, 1},
    {"-coverage-", PREFIX, 0},
    {"-fprofile", PREFIX, 0},
    {"-fsanitize", PREFIX, 0},
    {"-verify", PREFIX, 0},
    {"-emit-", PREFIX, 0},
    {"-O", PREFIX, 0},
};

static const char *const linker_lto[] = {
    "-plugin-opt", "--plugin-opt", "-lto", "--lto", "-thinlto", "--thinlto",
};

static const struct {
  const char *extension;
  CcLanguage language;
  bool cxx;
} extensions[] = {
    {"c", CC_LANG_SOURCE, false},   {"i", CC_LANG_SOURCE, false},
    {"C", CC_LANG_SOURCE, true},    {"cc", CC_LANG_SOURCE, true},
    {"CC", CC_LANG_SOURCE, true},   {"cp", CC_LANG_SOURCE, true},
    {"cpp", CC_LANG_SOURCE, true},  {"CPP", CC_LANG_SOURCE, true},
    {"cxx", CC_LANG_SOURCE, true},  {"CXX", CC_LANG_SOURCE, true},
    {"c++", CC_LANG_SOURCE, true},  {"C++", CC_LANG_SOURCE, true},
    {"ii", CC_LANG_SOURCE, true},   {"m", CC_LANG_SOURCE, false},
    {"mi", CC_LANG_SOURCE, false},  {"mm", CC_LANG_SOURCE, true},
    {"mii", CC_LANG_SOURCE, true},  {"M", CC_LANG_SOURCE, true},
    {"ccm", CC_LANG_SOURCE, true},  {"cppm", CC_LANG_SOURCE, true},
    {"cxxm", CC_LANG_SOURCE, true}, {"c++m", CC_LANG_SOURCE, true},
    {"ll", CC_LANG_IR, false},      {"bc", CC_LANG_IR, false},
    {"s", CC_LANG_ASM, false},      {"S", CC_LANG_ASM, false},
    {"asm", CC_LANG_ASM, false},    {"h", CC_LANG_HEADER, false},
    {"H", CC_LANG_HEADER, true},    {"hh", CC_LANG_HEADER, true},
    {"hpp", CC_LANG_HEADER, true},  {"hxx", CC_LANG_HEADER, true},
    {"h++", CC_LANG_HEADER, true},  {"iih", CC_LANG_HEADER, true},
    {"ast", CC_LANG_OTHER, false},  {"pcm", CC_LANG_OTHER, true},
    {"cl", CC_LANG_OTHER, false},   {"clcpp", CC_LANG_OTHER, false},
    {"cu", CC_LANG_OTHER, true},    {"cui", CC_LANG_OTHER, true},
    {"hip", CC_LANG_OTHER, true},   {"hipi", CC_LANG_OTHER, true},
    {"hlsl", CC_LANG_OTHER, false}, {"adb", CC_LANG_OTHER, false},
    {"ads", CC_LANG_OTHER, false},  {"f", CC_LANG_OTHER, false},
    {"F", CC_LANG_OTHER, false},    {"for", CC_LANG_OTHER, false},
    {"FOR", CC_LANG_OTHER, false},  {"fpp", CC_LANG_OTHER, false},
    {"FPP", CC_LANG_OTHER, false},  {"f90", CC_LANG_OTHER, false},
    {"F90", CC_LANG_OTHER, false},  {"f95", CC_LANG_OTHER, false},
    {"F95", CC_LANG_OTHER, false},  {"f03", CC_LANG_OTHER, false},
    {"F03", CC_LANG_OTHER, false},  {"f08", CC_LANG_OTHER, false},
    {"F08", CC_LANG_OTHER, false},
};

static const struct {
  const char *name;
  CcLanguage language;
} x_languages[] = {
    {"c", CC_LANG_SOURCE},
    {"c++", CC_LANG_SOURCE},
    {"cpp-output", CC_LANG_SOURCE},
    {"c++-cpp-output", CC_LANG_SOURCE},
    {"objective-c", CC_LANG_SOURCE},
    {"objective-c++", CC_LANG_SOURCE},
    {"objective-c-cpp-output", CC_LANG_SOURCE},
    {"objective-c++-cpp-output", CC_LANG_SOURCE},
    {"objc-cpp-output", CC_LANG_SOURCE},
    {"objc++-cpp-output", CC_LANG_SOURCE},
    {"c++-module", CC_LANG_SOURCE},
    {"c++-module-cpp-output", CC_LANG_SOURCE},
    {"ir", CC_LANG_IR},
    {"assembler", CC_LANG_ASM},
    {"assembler-with-cpp", CC_LANG_ASM},
    {"c-header", CC_LANG_HEADER},
    {"c++-header", CC_LANG_HEADER},
    {"c++-user-header", CC_LANG_HEADER},
    {"c++-system-header", CC_LANG_HEADER},
    {"c++-header-unit-header", CC_LANG_HEADER},
    {"c-header-cpp-output", CC_LANG_HEADER},
    {"c++-header-cpp-output", CC_LANG_HEADER},
    {"objective-c-header", CC_LANG_HEADER},
    {"objective-c++-header", CC_LANG_HEADER},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static bool listed(const char *const *list, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (str_eq(list[i], word)) return true;
  return false;
}

static bool starts_with_one(const char *const *list, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (str_starts(word, list[i])) return true;
  return false;
}

unsigned ccargs_table_separate(const char *word) {
  size_t low = 0, high = LENGTH(separate_one);
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(word, separate_one[middle]);
    if (order == 0) return 1;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  if (listed(separate_two, LENGTH(separate_two), word)) return 2;
  if (listed(separate_three, LENGTH(separate_three), word)) return 3;
  return starts_with_one(joined_and_separate, LENGTH(joined_and_separate), word) ? 1 : 0;
}

uint32_t ccargs_table_effects(const char *word, const char **ret_joined) {
  for (size_t i = 0; i < LENGTH(rules); i++) {
    const Rule *rule = &rules[i];
    if (rule->match == EXACT ? !str_eq(word, rule->text) : !str_starts(word, rule->text))
      continue;
    *ret_joined = word + strlen(rule->text);
    return rule->effects;
  }
  *ret_joined = NULL;
  return 0;
}

bool ccargs_table_passed_drop(const char *word, unsigned *ret_following) {
  for (size_t i = 0; i < LENGTH(passed); i++) {
    bool fits = passed[i].match == EXACT ? str_eq(word, passed[i].text)
                                         : str_starts(word, passed[i].text);
    if (fits) {
      *ret_following = passed[i].following;
      return true;
    }
  }
  *ret_following = 0;
  return false;
}

bool ccargs_table_linker_lto(const char *word) {
  return starts_with_one(linker_lto, LENGTH(linker_lto), word);
}

CcLanguage ccargs_table_extension(const char *extension) {
  for (size_t i = 0; i < LENGTH(extensions); i++)
    if (str_eq(extensions[i].extension, extension)) return extensions[i].language;
  return CC_LANG_LINK;
}

bool ccargs_table_extension_cxx(const char *extension) {
  for (size_t i = 0; i < LENGTH(extensions); i++)
    if (str_eq(extensions[i].extension, extension)) return extensions[i].cxx;
  return false;
}

bool ccargs_table_x(const char *name, CcLanguage *ret_language) {
  if (str_eq(name, "none")) return false;
  *ret_language = CC_LANG_OTHER;
  for (size_t i = 0; i < LENGTH(x_languages); i++)
    if (str_eq(x_languages[i].name, name)) *ret_language = x_languages[i].language;
  return true;
}
