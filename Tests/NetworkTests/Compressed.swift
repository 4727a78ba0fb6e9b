import Glibc

/// Data compressed by the program gzip.
enum Compressed {
  /// Returns a compressed text; nil if gzip is not installed.
  static func gzip(_ text: String) -> [UInt8]? { output("printf %s '\(text)' | gzip -c") }

  /// Returns compressed zeros, given their size in megabytes.
  static func zeros(megabytes: Int) -> [UInt8]? {
    output("head -c \(megabytes)M /dev/zero | gzip -c")
  }

  private static func output(_ line: String) -> [UInt8]? {
    guard let pipe = popen(line, "r") else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return pclose(pipe) == 0 && !bytes.isEmpty ? bytes : nil
  }
}
