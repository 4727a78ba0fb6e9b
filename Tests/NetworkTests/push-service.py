"""A push service on the loopback address that decrypts what it gets, by the package cryptography.

Run in a folder with the certificate `c.pem` and its key `k.pem`. Writes the keys of a browser and
the port to `subscription`, and each request to `received`; the last part of a path is the status.
"""

import base64
import http.server
import json
import os
import ssl

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def opened(body):
    """The message of a body (RFC 8291, RFC 8188)."""
    salt, size, count = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, sealed = body[21:21 + count], body[21 + count:]
    assert len(sealed) <= size and len(body) <= 4096
    shared = browser.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))

    def derive(length, salt, info, key):
        return HKDF(hashes.SHA256(), length, salt, info).derive(key)

    key = derive(32, secret, b"WebPush: info\0" + point(browser.public_key()) + sender, shared)
    plain = AESGCM(derive(16, salt, b"Content-Encoding: aes128gcm\0", key)).decrypt(
        derive(12, salt, b"Content-Encoding: nonce\0", key), sealed, None)
    assert plain.endswith(b"\2")
    return plain[:-1].decode()


def claims(header):
    """The claims of a header `Authorization`, whose signature is checked (RFC 8292)."""
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(", "))
    signed, signature = parts["t"].rsplit(".", 1)
    signature = decoded(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    numbers = [int.from_bytes(signature[i:i + 32], "big") for i in (0, 32)]
    key.verify(utils.encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, body = (json.loads(decoded(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return body | {"k": parts["k"]}


class Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open("received", "a") as file:
            line = {name: self.headers[name] for name in ("TTL", "Urgency", "Content-Encoding")}
            line |= {"path": self.path, "claims": claims(self.headers["Authorization"]), "message": json.loads(opened(body))}
            file.write(json.dumps(line) + "\n")
        self.send_response(int(self.path.split("/")[-1]))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


browser, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
server = http.server.HTTPServer(("127.0.0.1", 0), Service)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("c.pem", "k.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
with open("subscription.new", "w") as file:
    json.dump({"p256dh": encoded(point(browser.public_key())), "auth": encoded(secret), "port": server.server_port}, file)
os.rename("subscription.new", "subscription")
server.serve_forever()
