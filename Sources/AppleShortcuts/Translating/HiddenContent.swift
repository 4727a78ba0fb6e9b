import CEL

/// Constants of a shortcut in Base64 that decode to something other than a picture.
package enum HiddenContent {
  /// A constant, with the position of its action from 1.
  package struct Finding: Sendable {
    package let action: Int
    /// The kind of its decoded content, such as `a script`.
    package let kind: String
  }

  /// Finds the constants in a file.
  package static func find(in file: ShortcutFile) -> [Finding] {
    file.actions.enumerated().flatMap { index, action in
      texts(in: .map(action.parameters)).compactMap(kind).map {
        Finding(action: index + 1, kind: $0)
      }
    }
  }

  private static func texts(in value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .map(let map): map.entries.flatMap { texts(in: $0.value) }
    case .list(let values): values.flatMap { texts(in: $0) }
    default: []
    }
  }

  /// The kind of a text's decoded content; nil if it is not Base64, or binary data.
  private static func kind(of text: String) -> String? {
    guard text.utf8.count >= 40, let bytes = decoded(text) else { return nil }
    if bytes.starts(with: "bplist0".utf8) { return "a property list" }
    guard let content = String(validating: bytes, as: UTF8.self),
      content.unicodeScalars.allSatisfy({
        YAMLText.isPrintable($0) || $0 == "\n" || $0 == "\r" || $0 == "\t"
      })
    else { return nil }
    let start = content.drop(while: \.isWhitespace)
    if start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE plist") { return "a property list" }
    let marks = ["<script", "function", "=>", "eval(", "import "]
    return start.hasPrefix("#!") || marks.contains { content.contains($0) } ? "a script" : "a text"
  }

  /// The bytes of a text in Base64; nil for any other text.
  static func decoded(_ text: String) -> [UInt8]? {
    var digits: [UInt8] = []
    for byte in text.utf8 where byte != 0x3D {
      switch byte {
      case 0x20, 0x0A, 0x0D: continue
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: digits.append(byte)
      default: return nil
      }
    }
    guard digits.count % 4 != 1 else { return nil }
    return Base64.decode(String(decoding: digits, as: UTF8.self))
  }
}
