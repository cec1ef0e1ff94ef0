/* A converter and its driver in two phases: the interrupt hands over to a task, and stays
 * off until the task has done its part. sampler.harness says what the hardware does. */
void adc_on(void);            /* lets the interrupt in */
int post(void (*task)(void)); /* a task runs later, when nothing else does */

static unsigned total, samples;

void average(void) {
#ifdef EARLY
  adc_on(); /* wrong: the next interrupt may come before the line below is done */
#endif
  total /= samples;
#ifndef EARLY
  adc_on();
#endif
}

void adc_ready(unsigned value) {
  post(average);
  total += value;
  samples++;
}

void boot(void) {
  samples = 1;
  adc_on();
}
