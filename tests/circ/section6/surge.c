/* A node of a network of sensors: it measures, hands on what others send, and announces
 * itself now and then. The radio is fed byte by byte.
 *
 * truth: rec_ptr safe, in surge_racy race   split phase: the handler that writes it stays off until the task has written it
 * truth: gTxByteCnt safe                    belongs to whoever made radio_state leave RADIO_IDLE, then to spi_ready
 * truth: gTxRunningCRC safe                 the same
 * truth: gTxState safe                      the same, with two kinds of transmissions */
void atomic_start(void), atomic_end(void);
void spi_on(void), receive_on(void), receive_off(void);
int post(void (*task)(void));
void task_work(int value), interrupt_work(int value);

enum { RADIO_IDLE, RADIO_DATA, RADIO_BEACON };
enum { TX_NONE, TX_HEAD, TX_BODY, TX_SUM, TX_LOST };
enum { BYTES = 16 };

struct message {
  unsigned char from, hops, data[BYTES];
};

static int radio_state; /* in atomic sections only */
static int gTxState, gTxByteCnt;
static unsigned gTxRunningCRC;
static unsigned char air; /* the register of the radio, written by who sends */

static struct message first_buffer, second_buffer;
static struct message *rec_ptr = &first_buffer;

/* ---- sending ---- */

/* Takes the radio for one kind of transmission; 0: it is in use. */
static int radio_take(int kind) {
  int result = 0;
  atomic_start();
  if (radio_state == RADIO_IDLE) {
    radio_state = kind;
    result = 1;
  }
  atomic_end();
  return result;
}

static int radio_now(void) {
  int state;
  atomic_start();
  state = radio_state;
  atomic_end();
  return state;
}

static void radio_give(void) {
  atomic_start();
  radio_state = RADIO_IDLE;
  atomic_end();
}

static unsigned sum_add(unsigned sum, unsigned char byte) {
  sum += byte;
  return (sum & 0xffu) + (sum >> 8);
}

/* The task that sends what was measured. */
void send_data(void) {
  task_work(3);
  if (radio_take(RADIO_DATA)) {
    gTxByteCnt = 0;
    gTxRunningCRC = 0;
    gTxState = TX_HEAD;
    spi_on();
  }
}

/* The interrupt of the timer for announcements. */
void beacon(void) {
  interrupt_work(2);
  if (radio_take(RADIO_BEACON)) {
    gTxRunningCRC = 1;
    gTxByteCnt = BYTES - 1;
    gTxState = TX_HEAD;
    spi_on();
  }
}

/* The radio wants the next byte. */
void spi_ready(void) {
  int kind = radio_now();
  if (kind == RADIO_IDLE) {
    gTxState = TX_LOST; /* never: the line is on only while the radio is taken */
    return;
  }
  if (gTxState == TX_HEAD) {
    air = kind == RADIO_BEACON ? 0xbe : 0xda;
    gTxState = kind == RADIO_BEACON ? TX_SUM : TX_BODY;
  } else if (gTxState == TX_BODY) {
    air = (unsigned char)gTxByteCnt;
    gTxRunningCRC = sum_add(gTxRunningCRC, air);
    if (++gTxByteCnt == BYTES) gTxState = TX_SUM;
  } else {
    air = (unsigned char)gTxRunningCRC;
    gTxState = TX_NONE;
    radio_give();
    return;
  }
  spi_on();
}

/* ---- receiving ---- */

void forward(void);

/* A packet is there. No further one comes before the task has looked at it. */
void packet_in(void) {
  receive_off();
  post(forward);
  rec_ptr = rec_ptr == &first_buffer ? &second_buffer : &first_buffer;
}

/* The task that hands on what came. */
void forward(void) {
  int own;
#ifdef RACY
  receive_on();
#endif
  own = rec_ptr == &first_buffer;
  rec_ptr = own ? &second_buffer : &first_buffer;
  task_work(own);
#ifndef RACY
  receive_on();
#endif
  post(send_data);
}

void boot(void) {
  first_buffer.hops = 1;
  second_buffer.hops = 1;
  receive_on();
}
