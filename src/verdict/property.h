/* The properties that heddle checks: one table for every command and every report.
 *
 * A new property is a row here, and an engine that answers it. What follows from the row:
 * its word in `--property`, in the verdicts and in JSON, the letter of its findings' ids,
 * how a text names an error, and its rule in SARIF. */
#ifndef HEDDLE_VERDICT_PROPERTY_H
#define HEDDLE_VERDICT_PROPERTY_H

/* X(id, word, letter of ids, what an error is, SARIF: name of the rule, brief, full, help,
 * tag). Those that `heddle check` answers; `heddle run` predicts the first two. */
/* clang-format off */
#define CHECKED_PROPERTIES(X)                                                            \
  X(RACE, "race", 'R', "race on", "DataRace", "Data race",                               \
    "Two threads access the same byte, at least one of them writes, not both accesses "  \
    "are atomic, and nothing orders them.",                                              \
    "Hold one common lock at both accesses, make both atomic, or order them by "         \
    "creation or join of threads.",                                                      \
    "external/cwe/cwe-362")                                                              \
  X(DEADLOCK, "deadlock", 'D', "deadlock over", "Deadlock", "Deadlock",                  \
    "Some threads can never go on, because each waits for something that only the "      \
    "others could provide.",                                                             \
    "Take locks in one order everywhere, and make sure that what is waited for is "      \
    "provided by a thread that can still run.",                                          \
    "external/cwe/cwe-833")                                                              \
  X(ASSERT, "assert", 'A', "failing assertion", "FailingAssertion", "Failing assertion", \
    "An assertion of the program does not hold in some execution.",                      \
    "Follow the schedule to see which interleaving breaks the assertion's condition.",   \
    "external/cwe/cwe-617")

/* And those that only `heddle run` answers: what the user says in CSP_M of a run. */
#define RUN_PROPERTIES(X)                                                                \
  X(RULE, "property", 'P', "violation of", "ViolatedProperty", "Violated property",      \
    "A rule of order that the user wrote for this program does not hold in some order "  \
    "of its steps.",                                                                     \
    "Follow the schedule to see which order of events breaks the rule.",                 \
    "external/cwe/cwe-696")
/* clang-format on */

#define PROPERTIES(X) CHECKED_PROPERTIES(X) RUN_PROPERTIES(X)

#define PROPERTY_ENUM(id, ...) PROPERTY_##id,
#define PROPERTY_ONE(...)      +1
typedef enum { PROPERTIES(PROPERTY_ENUM) PROPERTY_COUNT } Property;
enum { CHECKED_PROPERTY_COUNT = 0 CHECKED_PROPERTIES(PROPERTY_ONE) };

/* "race|deadlock|assert|", for the words of an option. */
#define PROPERTY_WORD(id, word, ...) word "|"
#define CHECKED_PROPERTY_WORDS       CHECKED_PROPERTIES(PROPERTY_WORD)

typedef struct {
  const char *word;
  char letter;
  const char *wrong;
  const char *rule, *brief, *full, *help, *tag; /* for SARIF */
} PropertyInfo;

extern const PropertyInfo property_table[PROPERTY_COUNT];

const char *
property_text(Property property); /* "race", "deadlock", "assert", "property" */

#endif
