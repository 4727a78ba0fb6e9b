#!/usr/bin/env python3
"""Texts of charset-normalizer, with the encoding given, and in UTF-16 without a byte order mark."""

import base64
import sys

from support import evaluate, row, sdist

NAMES = """
    utf_8 utf_16_le utf_16_be utf_32_le utf_32_be big5 gb18030 gbk shift_jis euc_jp iso2022_jp euc_kr
    cp949 cp437 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866
    cp869 cp874 cp1125 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2
    iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso8859_10 iso8859_13
    iso8859_14 iso8859_15 iso8859_16 koi8_r koi8_u koi8_t kz1048 ptcp154 mac_cyrillic mac_greek
    mac_iceland mac_latin2 mac_roman mac_turkish
""".split()
# The encodings of the files, according to its tests.
WRITTEN = {
    "arabic-1": "cp1256", "french-1": "cp1252", "chinese": "big5", "greek": "cp1253",
    "greek-2": "cp1253", "hebrew-2": "cp1255", "hebrew-3": "cp1255", "korean": "cp949",
    "turkish": "cp1254", "russian-2": "mac_cyrillic",
}


def plain(text):
    """The text without white space and invisible characters."""
    return "".join(c for c in text if not c.isspace() and c not in "\ufeff\xad\u200e\u200f\u200b")


def main():
    source = sdist("charset-normalizer", "3.5.2")
    if source is None:
        return row("encodings named by the media type, UTF-16 without a mark", "not fetched", "all")
    inputs, wanted = [], []
    for file in sorted((source / "data").glob("sample-*.txt")):
        name = file.stem.removeprefix("sample-")
        try:
            text = file.read_bytes().decode(WRITTEN.get(name, "utf-8-sig"))[:4000]
        except UnicodeDecodeError:
            continue
        cases = [("utf_16_le", ""), ("utf_16_be", ""), ("utf_16_be", "utf-16")]
        for codec in NAMES:
            try:
                if text.encode(codec).decode(codec) == text:
                    cases.append((codec, codec))
            except UnicodeError:
                continue
        for codec, label in cases:
            inputs.append({
                "data": base64.b64encode(text.encode(codec)).decode(),
                "type": f"text/plain; charset={label}" if label else "text/plain",
            })
            wanted.append((name, codec, label, plain(text)))
    values = evaluate('page(base64.decode(data), "", type).text', inputs)
    missed = [w[:3] for w, value in zip(wanted, values) if plain(value or "") != w[3]]
    row("encodings named by the media type, UTF-16 without a mark",
        f"{len(wanted) - len(missed)} of {len(wanted)}", "all")
    for line in missed if "-v" in sys.argv else []:
        print(*line, file=sys.stderr)


main()
