/* What every program begins with: file 0 of its sources. */
#ifndef DSL_PRELUDE_H
#define DSL_PRELUDE_H

#define PRELUDE_PATH "<prelude>"

/* `fill` is TN_FILL; the other core operators have no words in rules. */
static const char prelude[] =
    "(op fill \"One value everywhere.\"\n"
    "  (attr value float) (attr shape dims []) (attr type dtype f32)\n"
    "  (dtypes float int bool)\n"
    "  (in)\n"
    "  (let ..e shape)\n"
    "  (out ..e :type type)\n"
    "  (def value))\n";

#endif
