/* See xml.h. */
#include "net/xml.h"

#include "base/mem.h"

#include <stdarg.h>
#include <string.h>

enum { DEEPEST = 500 };

void xml_start(Xml *xml, const char *file, const char *text, size_t length, Err *err) {
  *xml = (Xml){.file = file,
               .at = text,
               .end = text + length,
               .line_start = text,
               .line = 1,
               .err = err};
}

void xml_free(Xml *xml) {
  str_free(&xml->text);
  vec_free(&xml->open);
}

bool xml_fail(Xml *xml, const char *remedy, const char *format, ...) {
  va_list args;
  Str text = {0};
  va_start(args, format);
  str_vaddf(&text, format, args);
  va_end(args);
  if (!xml->failed)
    err_set(xml->err, ERR_INPUT, xml->file, xml->event_line, xml->event_column, remedy,
            "%s", str_text(&text));
  str_free(&text);
  xml->failed = true;
  return false;
}

/* ---- characters ------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_' || c == '-' || c == '.' || c == ':' || (unsigned char)c >= 0x80;
}

static void advance(Xml *xml, const char *to) {
  for (; xml->at < to; xml->at++)
    if (*xml->at == '\n') {
      xml->line++;
      xml->line_start = xml->at + 1;
    }
}

static bool starts(const Xml *xml, const char *text) {
  size_t length = strlen(text);
  return (size_t)(xml->end - xml->at) >= length && !memcmp(xml->at, text, length);
}

static void add_code_point(Str *out, uint32_t c) {
  if (c < 0x80) {
    str_add_char(out, (char)c);
  } else if (c < 0x800) {
    str_add_char(out, (char)(0xc0 | c >> 6));
    str_add_char(out, (char)(0x80 | (c & 63)));
  } else if (c < 0x10000) {
    str_add_char(out, (char)(0xe0 | c >> 12));
    str_add_char(out, (char)(0x80 | (c >> 6 & 63)));
    str_add_char(out, (char)(0x80 | (c & 63)));
  } else {
    str_add_char(out, (char)(0xf0 | c >> 18));
    str_add_char(out, (char)(0x80 | (c >> 12 & 63)));
    str_add_char(out, (char)(0x80 | (c >> 6 & 63)));
    str_add_char(out, (char)(0x80 | (c & 63)));
  }
}

/* Decodes `&…;` at `at`; the end of it, or NULL. */
static const char *add_entity(const char *at, const char *end, Str *out) {
  static const struct {
    const char *name;
    char c;
  } named[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    size_t length = strlen(named[i].name);
    if ((size_t)(end - at) >= length && !memcmp(at, named[i].name, length)) {
      str_add_char(out, named[i].c);
      return at + length;
    }
  }
  if (end - at < 4 || at[1] != '#') return NULL;
  bool hex = at[2] == 'x';
  uint32_t value = 0;
  const char *digits = at + 2 + hex, *c = digits;
  for (; c < end && *c != ';' && value <= 0x10ffff; c++) {
    uint32_t digit = *c >= '0' && *c <= '9'          ? (uint32_t)(*c - '0')
                     : hex && *c >= 'a' && *c <= 'f' ? (uint32_t)(*c - 'a' + 10)
                     : hex && *c >= 'A' && *c <= 'F' ? (uint32_t)(*c - 'A' + 10)
                                                     : 99;
    if (digit == 99) return NULL;
    value = value * (hex ? 16 : 10) + digit;
  }
  if (c == digits || c == end || *c != ';' || value == 0 || value > 0x10ffff) return NULL;
  add_code_point(out, value);
  return c + 1;
}

static bool decode(Xml *xml, const char *at, const char *end, Str *out) {
  while (at < end) {
    if (*at != '&') {
      str_add_char(out, *at++);
      continue;
    }
    at = add_entity(at, end, out);
    if (!at) return xml_fail(xml, "write & as &amp;", "an unknown entity");
  }
  return true;
}

/* ---- events ----------------------------------------------------------------------- */

static bool skip_past(Xml *xml, const char *closing, const char *what) {
  const char *found =
      memmem(xml->at, (size_t)(xml->end - xml->at), closing, strlen(closing));
  if (!found) return xml_fail(xml, "close it", "%s has no end", what);
  advance(xml, found + strlen(closing));
  return true;
}

static XmlSpan read_name(Xml *xml) {
  XmlSpan name = {xml->at, 0};
  while (xml->at < xml->end && is_name(*xml->at)) {
    xml->at++;
    if (xml->at[-1] == ':') name.at = xml->at; /* the prefix means nothing here */
  }
  name.len = (size_t)(xml->at - name.at);
  return name;
}

static bool close_element(Xml *xml) {
  xml->kind = XML_CLOSE;
  xml->name = vec_pop(&xml->open);
  return true;
}

static bool read_closing(Xml *xml) {
  xml->at += 2;
  XmlSpan name = read_name(xml);
  while (xml->at < xml->end && is_blank(*xml->at)) advance(xml, xml->at + 1);
  if (xml->at == xml->end || *xml->at != '>')
    return xml_fail(xml, "end it with >", "this closing tag has no end");
  xml->at++;
  if (xml->open.len == 0 || vec_last(&xml->open)->len != name.len ||
      memcmp(vec_last(&xml->open)->at, name.at, name.len))
    return xml_fail(xml, "close elements in the order they were opened",
                    "'%.*s' is not open here", (int)name.len, name.at);
  return close_element(xml);
}

static bool read_opening(Xml *xml) {
  xml->at++;
  XmlSpan name = read_name(xml);
  char quote = 0;
  const char *c = xml->at;
  if (name.len == 0)
    return xml_fail(xml, "write < as &lt;", "the name of an element expected");
  if (xml->open.len >= DEEPEST)
    return xml_fail(xml, "nest at most 500 elements", "elements are nested too deep");
  for (; c < xml->end && (quote || *c != '>'); c++) {
    if (quote && *c == quote)
      quote = 0;
    else if (!quote && (*c == '"' || *c == '\''))
      quote = *c;
    else if (*c == '<')
      break;
  }
  if (c == xml->end || *c != '>')
    return xml_fail(xml, "end it with >", "the element '%.*s' has no end", (int)name.len,
                    name.at);
  xml->kind = XML_OPEN;
  xml->name = name;
  xml->closing = c > xml->at && c[-1] == '/';
  xml->attributes = (XmlSpan){xml->at, (size_t)(c - xml->at) - xml->closing};
  advance(xml, c + 1);
  vec_push(&xml->open, name);
  return true;
}

static bool read_text(Xml *xml) {
  const char *stop = memchr(xml->at, '<', (size_t)(xml->end - xml->at));
  if (!stop) stop = xml->end;
  xml->kind = XML_TEXT;
  bool ok = decode(xml, xml->at, stop, &xml->text);
  advance(xml, stop);
  return ok;
}

static bool read_cdata(Xml *xml) {
  const char *start = xml->at + strlen("<![CDATA[");
  if (!skip_past(xml, "]]>", "this CDATA")) return false;
  str_add_bytes(&xml->text, start, (size_t)(xml->at - start) - 3);
  xml->kind = XML_TEXT;
  return true;
}

static bool at_end(Xml *xml) {
  xml->kind = XML_END;
  if (xml->open.len > 0)
    return xml_fail(xml, "the file ends too early", "the element '%.*s' is not closed",
                    (int)vec_last(&xml->open)->len, vec_last(&xml->open)->at);
  return false;
}

bool xml_next(Xml *xml) {
  if (xml->failed) return false;
  if (xml->closing) {
    xml->closing = false;
    return close_element(xml);
  }
  for (;;) {
    str_clear(&xml->text);
    xml->event_line = xml->line;
    xml->event_column = (int)(xml->at - xml->line_start) + 1;
    if (xml->at == xml->end) return at_end(xml);
    if (starts(xml, "<!--")) {
      if (!skip_past(xml, "-->", "this comment")) return false;
    } else if (starts(xml, "<?")) {
      if (!skip_past(xml, "?>", "this instruction")) return false;
    } else if (starts(xml, "<!DOCTYPE")) {
      if (!skip_past(xml, ">", "the document type")) return false;
    } else if (starts(xml, "<![CDATA[")) {
      return read_cdata(xml);
    } else if (starts(xml, "</")) {
      return read_closing(xml);
    } else if (*xml->at == '<') {
      return read_opening(xml);
    } else {
      return read_text(xml);
    }
  }
}

bool xml_is(const Xml *xml, const char *name) {
  return xml->name.len == strlen(name) && !memcmp(xml->name.at, name, xml->name.len);
}

bool xml_attribute(Xml *xml, const char *name, Str *out) {
  const char *c = xml->attributes.at, *end = c + xml->attributes.len;
  while (c < end) {
    while (c < end && is_blank(*c)) c++;
    const char *start = c;
    while (c < end && is_name(*c)) c++;
    size_t length = (size_t)(c - start);
    while (c < end && is_blank(*c)) c++;
    if (c == end) return false;
    if (length == 0 || *c != '=')
      return xml_fail(xml, "write name=\"value\"", "a broken attribute");
    c++;
    while (c < end && is_blank(*c)) c++;
    if (c == end || (*c != '"' && *c != '\''))
      return xml_fail(xml, "write name=\"value\"", "an attribute without quotes");
    const char *value = c + 1, *close = memchr(value, *c, (size_t)(end - value));
    if (!close) return xml_fail(xml, "close it", "an attribute without an end");
    if (length == strlen(name) && !memcmp(start, name, length))
      return decode(xml, value, close, out);
    c = close + 1;
  }
  return false;
}
