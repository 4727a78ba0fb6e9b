#include "CGuide.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char first_steps[] = {
#embed "../../docs/language/first-steps.md"
  , 0
};
static const char types[] = {
#embed "../../docs/language/types.md"
  , 0
};
static const char intents[] = {
#embed "../../docs/language/intents.md"
  , 0
};
static const char languages[] = {
#embed "../../docs/language/languages.md"
  , 0
};
static const char steps[] = {
#embed "../../docs/language/steps.md"
  , 0
};
static const char failure[] = {
#embed "../../docs/language/failure.md"
  , 0
};
static const char outside[] = {
#embed "../../docs/language/outside.md"
  , 0
};
static const char tests[] = {
#embed "../../docs/language/tests.md"
  , 0
};
static const char durable[] = {
#embed "../../docs/language/durable.md"
  , 0
};
static const char scheduling[] = {
#embed "../../docs/language/scheduling.md"
  , 0
};

static const char widgets[] = {
#embed "../../docs/language/widgets.md"
  , 0
};
static const char queries[] = {
#embed "../../docs/language/queries.md"
  , 0
};
static const char verbs[] = {
#embed "../../docs/language/verbs.md"
  , 0
};
static const char functions[] = {
#embed "../../docs/language/functions.md"
  , 0
};
static const char errors[] = {
#embed "../../docs/language/errors.md"
  , 0
};
static const char tutorial[] = {
#embed "../../docs/tutorial.md"
  , 0
};
static const char sharing[] = {
#embed "../../docs/sharing.md"
  , 0
};
static const char cel[] = {
#embed "../../docs/cel.md"
  , 0
};

static const struct guide_page pages[] = {
  {"first-steps", first_steps},
  {"types", types},
  {"intents", intents},
  {"languages", languages},
  {"steps", steps},
  {"failure", failure},
  {"outside", outside},
  {"tests", tests},
  {"durable", durable},
  {"scheduling", scheduling},
  {"widgets", widgets},
  {"queries", queries},
  {"verbs", verbs},
  {"functions", functions},
  {"errors", errors},
  {"tutorial", tutorial},
  {"sharing", sharing},
  {"cel", cel},
  {0, 0},
};

const struct guide_page *guide_pages(void) { return pages; }
