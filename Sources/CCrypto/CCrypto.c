#include "CCrypto.h"

#include <dlfcn.h>
#include <limits.h>
// Hidden, so that libcurl's own OpenSSL does not link to these instead of its functions.
#pragma GCC visibility push(hidden)
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#pragma GCC visibility pop

static void *library(void) { return dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL); }

/// Defines a function of libcrypto, looked up on first use; null or 0 if the library is missing.
#define LATE(type, name, parameters, arguments)                         \
  type name parameters {                                                \
    static type(*function) parameters;                                  \
    type(*known) parameters = __atomic_load_n(&function, __ATOMIC_RELAXED); \
    if (!known) {                                                       \
      void *from = library();                                           \
      known = (type(*) parameters)(from ? dlsym(from, #name) : NULL);   \
      __atomic_store_n(&function, known, __ATOMIC_RELAXED);             \
    }                                                                   \
    return known ? known arguments : (type)0;                           \
  }

#define LATE_FREE(name, kind)                                                  \
  void name(kind *it) {                                                        \
    void *from = it ? library() : NULL;                                        \
    void (*known)(kind *) = (void (*)(kind *))(from ? dlsym(from, #name) : NULL); \
    if (known) known(it);                                                      \
  }

LATE(
    EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name,
    (OSSL_LIB_CTX * context, const char *name, const char *properties), (context, name, properties))
LATE(EVP_PKEY_CTX *, EVP_PKEY_CTX_new, (EVP_PKEY * key, ENGINE *engine), (key, engine))
LATE(int, EVP_PKEY_fromdata_init, (EVP_PKEY_CTX * context), (context))
LATE(
    int, EVP_PKEY_fromdata, (EVP_PKEY_CTX * context, EVP_PKEY **key, int part, OSSL_PARAM *parts),
    (context, key, part, parts))
LATE(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX * context), (context))
LATE(int, EVP_PKEY_CTX_set_group_name, (EVP_PKEY_CTX * context, const char *name), (context, name))
LATE(int, EVP_PKEY_keygen, (EVP_PKEY_CTX * context, EVP_PKEY **key), (context, key))
LATE(
    int, EVP_PKEY_get_octet_string_param,
    (const EVP_PKEY *key, const char *name, unsigned char *bytes, size_t limit, size_t *count),
    (key, name, bytes, limit, count))
LATE(
    int, EVP_PKEY_get_bn_param, (const EVP_PKEY *key, const char *name, BIGNUM **number),
    (key, name, number))
LATE(int, EVP_PKEY_derive_init, (EVP_PKEY_CTX * context), (context))
LATE(int, EVP_PKEY_derive_set_peer, (EVP_PKEY_CTX * context, EVP_PKEY *peer), (context, peer))
LATE(
    int, EVP_PKEY_derive, (EVP_PKEY_CTX * context, unsigned char *bytes, size_t *count),
    (context, bytes, count))
LATE(int, BN_bn2binpad, (const BIGNUM *number, unsigned char *bytes, int count), (number, bytes, count))
LATE(const EVP_MD *, EVP_sha256, (void), ())
LATE(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
LATE(
    int, EVP_DigestSignInit,
    (EVP_MD_CTX * context, EVP_PKEY_CTX **made, const EVP_MD *digest, ENGINE *engine, EVP_PKEY *key),
    (context, made, digest, engine, key))
LATE(
    int, EVP_DigestSign,
    (EVP_MD_CTX * context, unsigned char *signature, size_t *size, const unsigned char *message,
     size_t count),
    (context, signature, size, message, count))
LATE(
    ECDSA_SIG *, d2i_ECDSA_SIG, (ECDSA_SIG * *made, const unsigned char **bytes, long count),
    (made, bytes, count))
LATE(const BIGNUM *, ECDSA_SIG_get0_r, (const ECDSA_SIG *signature), (signature))
LATE(const BIGNUM *, ECDSA_SIG_get0_s, (const ECDSA_SIG *signature), (signature))
LATE(
    unsigned char *, HMAC,
    (const EVP_MD *digest, const void *key, int key_count, const unsigned char *message, size_t count,
     unsigned char *code, unsigned int *size),
    (digest, key, key_count, message, count, code, size))
LATE(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())
LATE(const EVP_CIPHER *, EVP_aes_128_gcm, (void), ())
LATE(
    int, EVP_EncryptInit_ex,
    (EVP_CIPHER_CTX * context, const EVP_CIPHER *cipher, ENGINE *engine, const unsigned char *key,
     const unsigned char *nonce),
    (context, cipher, engine, key, nonce))
LATE(
    int, EVP_EncryptUpdate,
    (EVP_CIPHER_CTX * context, unsigned char *sealed, int *size, const unsigned char *message,
     int count),
    (context, sealed, size, message, count))
LATE(
    int, EVP_EncryptFinal_ex, (EVP_CIPHER_CTX * context, unsigned char *sealed, int *size),
    (context, sealed, size))
LATE(
    int, EVP_CIPHER_CTX_ctrl, (EVP_CIPHER_CTX * context, int what, int count, void *bytes),
    (context, what, count, bytes))
LATE_FREE(EVP_PKEY_CTX_free, EVP_PKEY_CTX)
LATE_FREE(EVP_PKEY_free, EVP_PKEY)
LATE_FREE(BN_clear_free, BIGNUM)
LATE_FREE(EVP_MD_CTX_free, EVP_MD_CTX)
LATE_FREE(ECDSA_SIG_free, ECDSA_SIG)
LATE_FREE(EVP_CIPHER_CTX_free, EVP_CIPHER_CTX)

enum { number_size = 32, point_size = 65, tag_size = 16 };

int errand_p256_make(unsigned char *secret, unsigned char *point) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  EVP_PKEY *key = NULL;
  BIGNUM *number = NULL;
  size_t size = 0;
  int is_made = context && EVP_PKEY_keygen_init(context) == 1
    && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 && EVP_PKEY_keygen(context, &key) == 1
    && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, point_size, &size) == 1
    && size == point_size && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1
    && BN_bn2binpad(number, secret, number_size) == number_size;
  BN_clear_free(number);
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(context);
  return is_made;
}

/// Makes a key of a point, which must be on the curve, and of a private key if there is one.
static EVP_PKEY *key(const unsigned char *secret, const unsigned char *point) {
  unsigned char number[number_size];
  OSSL_PARAM parts[] = {
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 5),
    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_size),
    OSSL_PARAM_END,
    OSSL_PARAM_END,
  };
  if (secret) {
    // In the order of this machine.
    for (int i = 0; i < number_size; i++) {
      number[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? number_size - 1 - i : i] = secret[i];
    }
    parts[2] = (OSSL_PARAM)OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, number_size);
  }
  EVP_PKEY *made = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (context && EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &made, secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parts);
  }
  EVP_PKEY_CTX_free(context);
  return made;
}

int errand_p256_agree(
    const unsigned char *secret, const unsigned char *point, const unsigned char *other,
    unsigned char *agreed) {
  EVP_PKEY *own = key(secret, point), *peer = key(NULL, other);
  EVP_PKEY_CTX *context = own && peer ? EVP_PKEY_CTX_new(own, NULL) : NULL;
  size_t size = number_size;
  int is_made = context && EVP_PKEY_derive_init(context) == 1
    && EVP_PKEY_derive_set_peer(context, peer) == 1
    && EVP_PKEY_derive(context, agreed, &size) == 1 && size == number_size;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(peer);
  EVP_PKEY_free(own);
  return is_made;
}

int errand_p256_sign(
    const unsigned char *secret, const unsigned char *point, const unsigned char *message,
    size_t count, unsigned char *signature) {
  EVP_PKEY *own = key(secret, point);
  EVP_MD_CTX *context = own ? EVP_MD_CTX_new() : NULL;
  unsigned char der[80];
  const unsigned char *start = der;
  size_t size = sizeof der;
  ECDSA_SIG *parts = NULL;
  if (context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, own) == 1
      && EVP_DigestSign(context, der, &size, message, count) == 1) {
    parts = d2i_ECDSA_SIG(NULL, &start, (long)size);
  }
  int is_made = parts
    && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, number_size) == number_size
    && BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + number_size, number_size) == number_size;
  ECDSA_SIG_free(parts);
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(own);
  return is_made;
}

int errand_hmac_sha256(
    const unsigned char *key, size_t key_count, const unsigned char *message, size_t count,
    unsigned char *code) {
  const EVP_MD *digest = EVP_sha256();
  return digest && key_count <= INT_MAX
    && HMAC(digest, key, (int)key_count, message, count, code, NULL);
}

int errand_aes128gcm_seal(
    const unsigned char *key, const unsigned char *nonce, const unsigned char *message, size_t count,
    unsigned char *sealed) {
  EVP_CIPHER_CTX *context = count <= INT_MAX - tag_size ? EVP_CIPHER_CTX_new() : NULL;
  int size = 0, rest = 0;
  int is_made = context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1
    && EVP_EncryptUpdate(context, sealed, &size, message, (int)count) == 1
    && EVP_EncryptFinal_ex(context, sealed + size, &rest) == 1
    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_size, sealed + count) == 1;
  EVP_CIPHER_CTX_free(context);
  return is_made;
}
