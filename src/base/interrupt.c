/* See interrupt.h. The handler only forwards and takes note; whoever waits for a child
 * (proc.c) sees that heddle has to die, and ends the child first. While nobody waits there is
 * no child, and the handler can die itself. */
#include "base/interrupt.h"

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
enum { REQUESTS = sizeof requests / sizeof *requests };
static const double SAME_REQUEST = 0.25; /* seconds */

static struct sigaction before[REQUESTS];
static volatile sig_atomic_t taken, asked, cuts, waiting, over;
static volatile pid_t leader;
static double first; /* when; only the handler uses it, and it is blocked in itself */

static void die(void) {
  for (int i = 0; i < REQUESTS; i++)
    if (before[i].sa_handler != SIG_IGN) sigaction(requests[i], &before[i], NULL);
  raise(over);
}

/* What the terminal sends goes to the whole group, the program included. */
static void on_request(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  if (!asked) {
    asked = number;
    first = clock_now();
    cuts = !leader;
    if (leader && info->si_code <= 0) kill(leader, number);
  } else if (clock_now() - first >= SAME_REQUEST) {
    over = number;
    if (!waiting) die();
  }
  errno = saved;
}

void interrupt_take(void) {
  struct sigaction action = {.sa_sigaction = on_request, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < REQUESTS; i++) sigaddset(&action.sa_mask, requests[i]);
  for (int i = 0; i < REQUESTS; i++)
    if (sigaction(requests[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
      sigaction(requests[i], &action, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  taken = 1;
}

void interrupt_lead(int process) {
  leader = process;
  if (!process || !cuts) return;
  cuts = 0;
  kill(process, asked);
}
bool interrupt_asked(void) {
  return asked;
}
bool interrupt_cuts(void) {
  return cuts;
}
bool interrupt_taken(void) {
  return taken;
}
void interrupt_waits(bool waits) {
  waiting = waits;
}
bool interrupt_over(void) {
  return over;
}

void interrupt_die(void) {
  interrupt_end_descendants();
  die();
}

/* ---- descendants ------------------------------------------------------------------ */

typedef struct {
  pid_t process, parent;
  bool dead, mine;
} Relative;

typedef VEC(Relative) Relatives;

/* "12 (name) S 1 …": the name may hold anything, also brackets. */
static bool read_relative(const char *number, Relative *ret) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", number);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (length <= 0) return false;
  text[length] = 0;
  const char *end = strrchr(text, ')');
  char state;
  int parent;
  if (!end || sscanf(end + 1, " %c %d", &state, &parent) != 2) return false;
  *ret = (Relative){atoi(number), parent, state == 'Z' || state == 'X', false};
  return true;
}

static void list_processes(Relatives *all) {
  DIR *folder = opendir("/proc");
  if (!folder) return;
  for (struct dirent *e; (e = readdir(folder));) {
    Relative one;
    if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && read_relative(e->d_name, &one))
      vec_push(all, one);
  }
  closedir(folder);
}

static bool is_mine(const Relatives *all, pid_t parent) {
  if (parent == getpid()) return true;
  for (uint32_t i = 0; i < all->len; i++)
    if (all->data[i].process == parent) return all->data[i].mine;
  return false;
}

/* Kills those of the list that descend from this process; false: there is none. */
static bool kill_listed(Relatives *all) {
  bool any = false, changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < all->len; i++) {
      Relative *one = &all->data[i];
      if (one->mine || !is_mine(all, one->parent)) continue;
      one->mine = changed = true;
      if (!one->dead) any |= kill(one->process, SIGKILL) == 0;
    }
  }
  return any;
}

/* Who was killed may have made another one a moment before. */
void interrupt_end_descendants(void) {
  enum { MOST_ROUNDS = 100, PAUSE = 2000 };
  for (int i = 0; i < MOST_ROUNDS; i++) {
    Relatives all = {0};
    list_processes(&all);
    bool any = kill_listed(&all);
    vec_free(&all);
    if (!any) return;
    usleep(PAUSE);
  }
}
