#ifndef C_TRANSLATIONS_H
#define C_TRANSLATIONS_H

/// The built-in translations and vocabularies of a language, as YAML that ends with a zero.
const char *_Nonnull errand_translations_en(void);
const char *_Nonnull errand_translations_de(void);
const char *_Nonnull errand_translations_fr(void);
const char *_Nonnull errand_translations_es(void);
const char *_Nonnull errand_translations_ja(void);

#endif
