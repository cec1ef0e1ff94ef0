/* A small reader of XML, as much as PNML needs: elements, attributes, text, comments,
 * CDATA, processing instructions, the five named and the numeric entities, a document
 * type without an inner part. One event after another; nothing is recursive, names of
 * open elements are compared when they close, and depth is bounded. */
#ifndef HEDDLE_NET_XML_H
#define HEDDLE_NET_XML_H

#include "base/err.h"
#include "base/vec.h"

typedef enum { XML_END, XML_OPEN, XML_CLOSE, XML_TEXT } XmlKind;

typedef struct {
  const char *at;
  size_t len;
} XmlSpan;

typedef struct {
  const char *file, *at, *end, *line_start;
  int line;
  Err *err;
  bool failed;
  XmlKind kind;
  int event_line, event_column;
  XmlSpan name;       /* of OPEN and CLOSE, without a prefix before ':' */
  XmlSpan attributes; /* of OPEN, as written */
  Str text;           /* of TEXT, decoded */
  bool closing;       /* the element just opened closes itself: a CLOSE comes next */
  VEC(XmlSpan) open;
} Xml;

void xml_start(Xml *xml, const char *file, const char *text, size_t length, Err *err);
void xml_free(Xml *xml);

/* The next event; false at the end and after an error (then `failed`). */
bool xml_next(Xml *xml);
bool xml_is(const Xml *xml, const char *name);
/* Appends the value of an attribute of the element just opened; false if it has none. */
bool xml_attribute(Xml *xml, const char *name, Str *out);
/* An error at the last event. Always false. */
bool xml_fail(Xml *xml, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
