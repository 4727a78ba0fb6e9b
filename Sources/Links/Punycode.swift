/// Host names with letters beyond ASCII, as DNS and browsers write them (RFC 3492, RFC 5890).
package enum Punycode {
  /// A host whose labels beyond ASCII are written as `xn--…`, so that letters that look alike differ.
  package static func host(_ host: String) -> String {
    PercentEncoding.decode(host).split(omittingEmptySubsequences: false) {
      ".。．｡".contains($0)
    }.map { label in
      if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
      // DNS has no longer ones.
      let short = label.unicodeScalars.prefix(maxLabelLength)
      return "xn--" + encode(short) + (short.endIndex < label.endIndex ? "…" : "")
    }.joined(separator: ".")
  }

  private static let maxLabelLength = 63

  /// Encodes a label (RFC 3492 §6.3).
  private static func encode(_ label: Substring.UnicodeScalarView.SubSequence) -> String {
    let scalars = label.map { Int($0.value) }
    let basic = scalars.filter { $0 < 0x80 }
    var output = basic.map { UInt8($0) }
    if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias, handled) = (0x80, 0, 72, basic.count)
    while let least = scalars.filter({ $0 >= next }).min() {
      delta += (least - next) * (handled + 1)
      next = least
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        var (rest, step) = (delta, 36)
        while true {
          let threshold = min(max(step - bias, 1), 26)
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
          rest = (rest - threshold) / (36 - threshold)
          step += 36
        }
        output.append(digit(rest))
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
        (delta, handled) = (0, handled + 1)
      }
      (delta, next) = (delta + 1, next + 1)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 97 + value : 22 + value) }

  /// The bias after a scalar (RFC 3492 §6.1).
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }
}
