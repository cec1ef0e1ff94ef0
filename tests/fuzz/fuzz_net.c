/* Fuzz target: the readers of nets and of certificates. The first byte chooses the
 * format, '0' to '3' as in NetFormat and '4' for a certificate; the rest is the text.
 * What must hold: no crash; a refused text gives one error of bad input; an accepted net
 * keeps the invariants of net.h; an accepted certificate can be checked, whatever it
 * says. */
#include "base/mem.h"
#include "net/check.h"
#include "net/read.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
  if (!condition) abort();
}

static void check_view(const Net *net, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++) {
    require(m.at[i].place < net->place_names.len);
    require(m.at[i].count > 0 && m.at[i].count <= NET_MOST);
    require(i == 0 || m.at[i - 1].place < m.at[i].place);
  }
}

static void check_net(const Net *net) {
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    const NetTransition *x = &net->transitions.data[t];
    check_view(net, net_pre(net, t));
    check_view(net, net_post(net, t));
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      require(move.from < net->place_names.len && move.from != move.to);
      require(move.to == NET_NOWHERE || move.to < net->place_names.len);
      require(i == 0 || net->transfers.data[x->transfer + i - 1].from < move.from);
    }
  }
  for (uint32_t i = 0; i < net->targets.len; i++) check_view(net, net_target(net, i));
}

static void try_certificate(const char *text, size_t size) {
  Net *net;
  NetEvidence evidence;
  Err err = {0};
  bool ok = evidence_read_text("fuzzed", text, size, &net, &evidence, &err);
  require(ok == (err.kind == ERR_NONE));
  if (ok) {
    NetLimits limits = {.deadline = net_clock() + 200000000};
    Str why = {0};
    check_net(net);
    check_evidence(net, &evidence, &limits, &why);
    str_free(&why);
  }
  evidence_free(&evidence);
  net_free(net);
  err_free(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || data[0] < '0' || data[0] > '4') return 0;
  const char *text = (const char *)data + 1;
  Err err = {0};
  if (data[0] == '4') {
    try_certificate(text, size - 1);
    return 0;
  }
  Net *net = net_read_text((NetFormat)(data[0] - '0'), "fuzzed", text, size - 1, &err);
  require((net != NULL) == (err.kind == ERR_NONE));
  require(net || err.kind == ERR_INPUT);
  if (net) check_net(net);
  net_free(net);
  err_free(&err);
  return 0;
}
