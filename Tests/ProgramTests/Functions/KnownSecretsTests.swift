import CEL
import Testing

@testable import Program

/// Secrets are masked in every encoding in which they may occur in a text.
@Suite struct KnownSecretsTests {
  private func secrets(_ texts: String...) -> KnownSecrets {
    let secrets = KnownSecrets()
    for text in texts { secrets.add(text) }
    return secrets
  }

  @Test(arguments: [
    "hunter22", "pa ss/wo+rd", "täglich#1", "0123456789abcdef0123", "a\"b\\c\nlong line",
  ])
  func everyFormIsFound(_ secret: String) throws {
    let known = secrets(secret)
    let bytes = Array(secret.utf8)
    var texts = [secret, "x\(secret)y", "a \(secret) b \(secret)"]
    for count in 0..<6 {
      for tail in 0..<4 {
        texts.append(
          Base64.encode(
            [UInt8](repeating: 0x78, count: count) + bytes + [UInt8](repeating: 0x79, count: tail)))
      }
    }
    for text in texts {
      let masked = known.masked(text)
      #expect(masked.contains("•••"), "\(text)")
      #expect(!masked.contains(secret), "\(text)")
    }
    #expect(known.masked("nothing of it") == "nothing of it")
  }

  @Test func percentEncodingIsFound() {
    let known = secrets("a b/c+d")
    for text in ["a%20b%2Fc%2Bd", "a%20b%2fc%2bd", "a+b%2Fc%2Bd"] {
      #expect(known.masked("?k=\(text)&") == "?k=•••&")
    }
  }

  @Test func longestSecretIsMaskedFirst() {
    #expect(secrets("abcd", "abcdef").masked("abcdefg abcd") == "•••g •••")
    // Too short to be distinguished from chance.
    #expect(secrets("abc").masked("abcd") == "abcd")
    #expect(KnownSecrets().masked("abcd") == "abcd")
  }

  @Test func textsInValuesAreMasked() {
    let value: Value = ["abcd1": ["x abcd1"], "n": 1]
    #expect(secrets("abcd1").masked(value) == ["•••": ["x •••"], "n": 1])
  }
}
