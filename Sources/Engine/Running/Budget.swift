import CLinux

/// What is left of a run's limits.
///
/// Memory is that of the whole process over what it was at the beginning, as the allocator counts
/// it: what a value shares with others then counts once, and what is freed counts no more. It is
/// looked at after so many steps, or bytes made, that nothing can grow far meanwhile.
struct Budget {
  private let limits: RunLimits
  private var steps: Int
  /// Steps until memory is looked at again.
  private var untilLook = Budget.lookEvery
  /// The bytes in use when the run began; known once memory is first looked at.
  private var base: Int?

  /// How many steps pass between two looks at memory.
  private static let lookEvery = 1024
  /// How many bytes made count as a step on the way to the next look.
  private static let bytesPerStep = 1 << 14

  init(_ limits: RunLimits) {
    self.limits = limits
    steps = limits.steps
  }

  /// Spends steps.
  ///
  /// - Throws: `failed` once there are none left, or memory is used up.
  @inline(__always)
  mutating func spend(_ count: Int) throws {
    steps -= count
    untilLook -= 1
    if steps < 0 || untilLook < 0 { try look() }
  }

  /// Counts a text or a list that was made.
  @inline(__always)
  mutating func made(bytes: Int) throws {
    untilLook -= bytes / Budget.bytesPerStep
    if untilLook < 0 { try look() }
  }

  private mutating func look() throws {
    guard steps >= 0 else {
      throw RunError(
        .failed, "the run took more than \(limits.steps.grouped) steps",
        remedy: .raiseLimit(.steps))
    }
    untilLook = Budget.lookEvery
    let used = Self.bytesInUse
    guard let base else {
      base = used
      return
    }
    if used - base > limits.bytes {
      throw RunError(
        .failed, "the values of the run take more than \(limits.bytes >> 20) MiB of memory",
        help: "work on fewer items at once")
    }
  }

  /// The bytes that the process has allocated and not freed (malloc, `mallinfo2(3)`).
  private static var bytesInUse: Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
  }
}

extension Int {
  /// The number with a comma before every three digits, as people read large ones.
  var grouped: String {
    var text = ""
    for (position, digit) in String(magnitude).reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}
