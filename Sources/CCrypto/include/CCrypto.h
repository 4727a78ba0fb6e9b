// The cryptography of Web Push, by OpenSSL's libcrypto, which is loaded on first use. Each function
// returns 1, or 0 on failure.
#ifndef ERRAND_CCRYPTO_H
#define ERRAND_CCRYPTO_H

#include <stddef.h>

/// Makes a key pair on the curve P-256: a private key of 32 bytes, and a point of 65.
int errand_p256_make(unsigned char *secret, unsigned char *point);

/// Agrees on a secret of 32 bytes with the owner of another point (ECDH).
int errand_p256_agree(
    const unsigned char *secret, const unsigned char *point, const unsigned char *other,
    unsigned char *agreed);

/// Signs a message in 64 bytes (ES256, RFC 7518 §3.4).
int errand_p256_sign(
    const unsigned char *secret, const unsigned char *point, const unsigned char *message,
    size_t count, unsigned char *signature);

/// Makes the code of a message in 32 bytes (HMAC with SHA-256).
int errand_hmac_sha256(
    const unsigned char *key, size_t key_count, const unsigned char *message, size_t count,
    unsigned char *code);

/// Encrypts a message with a key of 16 bytes and a nonce of 12; the result is longer by 16 (AES-128-GCM).
int errand_aes128gcm_seal(
    const unsigned char *key, const unsigned char *nonce, const unsigned char *message, size_t count,
    unsigned char *sealed);

#endif
