/// The addresses of files as clients write them.
package enum DocumentURI {
  /// The path of a `file:` address; nil for others.
  package static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let bytes = Array(rest[slash...].utf8)
    var path: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        path.append(byte)
        index += 3
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return String(validating: path, as: UTF8.self)
  }

  /// The address of a path.
  package static func uri(of path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    var uri = "file://"
    for byte in path.utf8 {
      let letter = Unicode.Scalar(byte)
      let isPlain =
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "/-._~".unicodeScalars.contains(letter)
      if isPlain {
        uri.unicodeScalars.append(letter)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count < 2 ? "0" + digits : digits)
      }
    }
    return uri
  }
}
