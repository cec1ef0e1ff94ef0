/* Runs one scenario by its name; `--list` prints them all with what is expected. */
#include "scenario.h"

static Scenario *first;

void scenario_add(Scenario *scenario) {
  scenario->next = first;
  first = scenario;
}

int main(int argc, char **argv) {
  for (Scenario *s = first; s; s = s->next) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
      printf("%s %s\n", s->name, s->expected);
    else if (argc == 2 && strcmp(argv[1], s->name) == 0) {
      s->run();
      return 0;
    }
  }
  return argc == 2 && strcmp(argv[1], "--list") == 0 ? 0 : 2;
}
