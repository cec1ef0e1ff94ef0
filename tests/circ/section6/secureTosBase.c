/* A base station: frames come from a radio, are queued, and leave on a serial line, byte by
 * byte, each byte when the interrupt says that the one before has left.
 *
 * truth: gTxState safe, in secureTosBase_racy race   owned by whoever set gTxBusy, handed on with the byte
 * truth: gTxByteCnt safe                             the same
 * truth: gTxRunningCRC safe                          the same
 * truth: gTxProto safe                               in atomic sections only
 * truth: gRxHeadIndex safe                           four values of gRxState say whose it is
 * truth: gRxTailIndex safe                           in tasks only */
void atomic_start(void), atomic_end(void);
void uart_put(unsigned char byte);
int post(void (*task)(void));
void task_work(int value), interrupt_work(int value);

enum { TX_IDLE, TX_FLAG, TX_PROTO, TX_DATA, TX_CRC, TX_END, TX_ERROR };
enum { RX_FREE, RX_FILLING, RX_FULL, RX_DRAINING, RX_BROKEN };
enum { FLAG = 0x7e, BYTES = 8, FRAMES = 4 };

static int gTxBusy; /* in atomic sections only */
static int gTxState, gTxByteCnt;
static unsigned gTxRunningCRC;
static int gTxProto = 1;
static unsigned char gTxBuf[BYTES];

static int gRxState; /* in atomic sections only */
static unsigned gRxHeadIndex, gRxTailIndex;
static int gRxByteCnt, gRxLost;
static unsigned char gRxQueue[FRAMES][BYTES];

/* ---- the serial line ---- */

static int tx_claim(void) {
  int mine;
  atomic_start();
  mine = !gTxBusy;
  if (mine) gTxBusy = 1;
  atomic_end();
  return mine;
}

static void tx_release(void) {
  atomic_start();
  gTxBusy = 0;
  atomic_end();
}

/* The interrupt that follows may come before this returns. 0: nobody owns the line. */
static int tx_byte(unsigned char byte) {
  int owned;
  atomic_start();
  owned = gTxBusy;
  atomic_end();
  if (owned) uart_put(byte);
  return owned;
}

static unsigned crc_add(unsigned crc, unsigned char byte) {
  crc ^= (unsigned)byte << 8;
  for (int i = 0; i < 8; i++) crc = crc & 0x8000u ? crc << 1 ^ 0x1021u : crc << 1;
  return crc & 0xffffu;
}

/* A whole frame, or from some later part of it on. */
static void tx_begin(unsigned char first, int part) {
  gTxBuf[0] = first;
  gTxByteCnt = 0;
  gTxRunningCRC = 0xffffu;
  gTxState = part;
  if (!tx_byte(FLAG)) gTxState = TX_ERROR; /* never: the line is ours */
}

static unsigned char proto_byte(void) {
  int proto;
  atomic_start();
  proto = gTxProto;
  atomic_end();
  return (unsigned char)proto;
}

void uart_sent(void) {
  unsigned char byte = 0;
  switch (gTxState) {
  case TX_FLAG:
    byte = proto_byte();
    gTxState = TX_PROTO;
    break;
  case TX_PROTO:
  case TX_DATA:
    byte = gTxBuf[gTxByteCnt & (BYTES - 1)];
    gTxRunningCRC = crc_add(gTxRunningCRC, byte);
    gTxByteCnt++;
    gTxState = gTxByteCnt < BYTES ? TX_DATA : TX_CRC;
    break;
  case TX_CRC:
    byte = (unsigned char)gTxRunningCRC;
    gTxState = TX_END;
    break;
  default:
#ifdef RACY
    tx_release();
    gTxState = TX_IDLE;
#else
    gTxState = TX_IDLE;
    tx_release();
#endif
    return;
  }
  if (!tx_byte(byte)) gTxState = TX_ERROR; /* never: the line is ours */
}

/* The other side sets the protocol, and may ask for an answer. */
void uart_command(unsigned char byte) {
  atomic_start();
  gTxProto = byte & 3;
  atomic_end();
  interrupt_work(byte);
  if ((byte & 4) && tx_claim()) tx_begin(byte, TX_CRC);
}

/* ---- the radio ---- */

/* From one state to another; what it was. */
static int rx_change(int from, int to) {
  int before;
  atomic_start();
  before = gRxState;
  if (before == from) gRxState = to;
  atomic_end();
  return before;
}

static void rx_set(int to) {
  atomic_start();
  gRxState = to;
  atomic_end();
}

/* Is the frame complete? */
static int rx_store(unsigned char byte) {
  gRxQueue[gRxHeadIndex % FRAMES][gRxByteCnt & (BYTES - 1)] = byte;
  gRxByteCnt = byte == FLAG ? 0 : gRxByteCnt + 1;
  return byte == FLAG;
}

void send_frame(void);

/* The task that drains the queue. */
void drain(void) {
  unsigned char first = 0;
  if (rx_change(RX_FULL, RX_DRAINING) == RX_FULL) {
    if (gRxTailIndex != gRxHeadIndex) {
      first = gRxQueue[gRxTailIndex % FRAMES][0];
      gRxTailIndex = (gRxTailIndex + 1) % FRAMES;
    }
    rx_set(RX_FREE);
    post(send_frame);
  }
  task_work(first);
}

/* The task that sends. */
void send_frame(void) {
  task_work((int)gRxTailIndex);
  if (tx_claim()) tx_begin((unsigned char)gRxTailIndex, TX_FLAG);
}

void radio_byte(unsigned char byte) {
  if (rx_change(RX_FREE, RX_FILLING) == RX_FREE) {
    int complete = rx_store(byte);
    if (complete) gRxHeadIndex = (gRxHeadIndex + 1) % FRAMES;
    rx_set(complete ? RX_FULL : RX_FREE);
    if (complete) post(drain);
  } else {
    atomic_start();
    gRxLost++;
    atomic_end();
  }
}

/* A frame that was not drained in time is given up; a checksum without a frame tells so. */
void radio_timeout(void) {
  if (rx_change(RX_FULL, RX_BROKEN) == RX_FULL) {
    gRxHeadIndex = (gRxHeadIndex + FRAMES - 1) % FRAMES;
    rx_set(RX_FREE);
    if (tx_claim()) tx_begin(0, TX_CRC);
  }
  interrupt_work(1);
}
