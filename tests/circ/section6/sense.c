/* A sensor that is read when a clock says so, or when somebody asks.
 *
 * truth: tosPort safe, in sense_racy race   whoever made state leave IDLE, until adc_ready, which is on only then, lets go
 *
 * With sense.free.harness the interrupt adc_ready comes at any time, which lets a second
 * request in while the first one writes: tosPort races there in both versions. */
void atomic_start(void), atomic_end(void);
void adc_on(void);
int post(void (*task)(void));
void task_work(int value), interrupt_work(int value);

enum { IDLE, SAMPLING };

static int state; /* in atomic sections only */
static unsigned char tosPort;
static unsigned reading; /* in atomic sections only */

/* Begins to read a port; 0: another reading is under way. */
static int get_data(unsigned char port) {
  int before;
  atomic_start();
  before = state;
  if (before == IDLE) state = SAMPLING;
  atomic_end();
  if (before != IDLE) return 0;
#ifdef RACY
  adc_on();
#endif
  tosPort = port;
#ifndef RACY
  adc_on();
#endif
  return 1;
}

void show(void) {
  unsigned value;
  atomic_start();
  value = reading;
  atomic_end();
  task_work((int)value);
}

void adc_ready(unsigned value) {
  atomic_start();
  reading = value & 0x3ffu;
  state = IDLE;
  atomic_end();
  post(show);
}

void clock_tick(void) {
  interrupt_work(1);
  get_data(1);
}

void asked(void) {
  if (!get_data(2)) task_work(0);
}
