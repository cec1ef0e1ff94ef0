/* How many bytes: the brackets after a parameter, as in to[n], p[16], base[n*size] or
 * list[n*8]. A product of numbers is a fixed size; one or two parameters and a constant
 * factor are what the model's effects can hold, so more is an error and not an
 * approximation. */
#include "rules/parse_internal.h"

typedef struct {
  uint64_t constant; /* product of the numbers, at most UINT32_MAX */
  uint8_t args[2];
  unsigned arg_count;
} Product;

static bool factor(RuleParser *p, Product *product) {
  if (p->token.kind == TOKEN_NUMBER) {
    uint64_t n = (uint64_t)p->token.number;
    if (n > UINT32_MAX || product->constant * n > UINT32_MAX)
      return parse_fail(p, &p->token, "at most 4294967295 bytes fit",
                        "the size is too large");
    product->constant *= n;
    parse_advance(p);
    return true;
  }
  if (product->arg_count == 2)
    return parse_fail(p, &p->token, "leave the brackets out to mean the whole object",
                      "a size is a product of at most two parameters");
  if (!parse_param(p, &product->args[product->arg_count])) return false;
  product->arg_count++;
  return true;
}

static bool product(RuleParser *p, Product *ret) {
  *ret = (Product){.constant = 1};
  do {
    if (!factor(p, ret)) return false;
  } while (parse_take_punct(p, '*'));
  return parse_need_punct(p, ']', "a size is a number, a parameter or a product: [n*4]");
}

bool parse_extent(RuleParser *p, Effect *effect, bool string) {
  Token bracket = p->token;
  if (!parse_take_punct(p, '[')) return true;
  Product size;
  if (!product(p, &size)) return false;
  if (string) {
    if (size.arg_count != 1 || size.constant != 1)
      return parse_fail(p, &bracket, "write string s[n], or s[n*4] without `string`",
                        "the limit of a string is one parameter");
    effect->size = size.args[0] + 1u;
    return true;
  }
  if (!size.arg_count) {
    effect->extent = EXTENT_BYTES;
    effect->size = (uint32_t)size.constant;
    return true;
  }
  if (size.constant > UINT16_MAX || size.constant == 0)
    return parse_fail(p, &bracket, "use a factor from 1 to 65535",
                      "the constant factor does not fit");
  effect->extent = EXTENT_ARG;
  effect->size = size.args[0];
  effect->times = size.arg_count == 2 ? (uint8_t)(size.args[1] + 1) : 0;
  effect->scale = size.constant == 1 ? 0 : (uint16_t)size.constant;
  return true;
}

bool parse_size(RuleParser *p, uint32_t *ret_size) {
  Token bracket = p->token;
  if (!parse_take_punct(p, '[')) return true;
  Product size;
  if (!product(p, &size)) return false;
  if (size.arg_count)
    return parse_fail(p, &bracket, "write the number of bytes: [56]",
                      "this size cannot depend on a parameter");
  *ret_size = (uint32_t)size.constant;
  return true;
}
