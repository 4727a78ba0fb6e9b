#include "CTranslations.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char en[] = {
#embed "../../translations/en.yaml"
  , 0
};

const char *errand_translations_en(void) { return en; }

static const char de[] = {
#embed "../../translations/de.yaml"
  , 0
};

const char *errand_translations_de(void) { return de; }

static const char fr[] = {
#embed "../../translations/fr.yaml"
  , 0
};

const char *errand_translations_fr(void) { return fr; }

static const char es[] = {
#embed "../../translations/es.yaml"
  , 0
};

const char *errand_translations_es(void) { return es; }

static const char ja[] = {
#embed "../../translations/ja.yaml"
  , 0
};

const char *errand_translations_ja(void) { return ja; }
