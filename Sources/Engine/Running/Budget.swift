import CLinux
import Catalog
import Program
import YAML

/// What is left of a run's limits, and where it went.
///
/// Memory is that of the whole process over what it was at the beginning, as the allocator counts
/// it: what a value shares with others then counts once, and what is freed counts no more. It is
/// looked at after so many steps, or bytes made, that nothing can grow far meanwhile.
struct Budget {
  private let limits: RunLimits
  private var steps: Int
  private var calls: Int
  /// Steps until memory is looked at again.
  private var untilLook = Budget.lookEvery
  /// The bytes in use when memory was first looked at.
  private var base: Int?

  /// How many steps pass between two looks at memory.
  private static let lookEvery = 1024
  /// How many bytes made count as a step on the way to the next look.
  private static let bytesPerStep = 1 << 14

  init(_ limits: RunLimits) {
    self.limits = limits
    steps = limits.steps
    calls = limits.calls
  }

  /// The steps that each intent or shortcut took itself, those of its callees left out.
  private var stepUses: [ObjectIdentifier: (action: CompiledAction, steps: Int)] = [:]
  /// The steps in `stepUses` together.
  private var charged = 0

  /// The steps that were spent so far, and those of them that were charged.
  var account: (spent: Int, charged: Int) { (limits.steps - steps, charged) }

  /// Charges a call with what was spent since it began, and not charged to a callee.
  mutating func charge(_ action: CompiledAction, since begin: (spent: Int, charged: Int)) {
    let own = (account.spent - begin.spent) - (charged - begin.charged)
    charged += own
    stepUses[ObjectIdentifier(action), default: (action, 0)].steps += own
  }

  /// Names with the steps that they took themselves.
  var uses: [(name: String, steps: Int)] {
    stepUses.values.map { ($0.action.definition.name.text, $0.steps) }
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

  /// Allows some steps more, for what must run though none are left.
  mutating func grant(_ count: Int) {
    steps = max(steps, 0) + count
    untilLook = Budget.lookEvery
    base = nil
  }

  /// Spends a call of an intent or a shortcut.
  ///
  /// - Throws: `failed` once there are none left.
  mutating func spendCall() throws {
    calls -= 1
    if calls < 0 { throw Excess.calls(limits.calls) }
    try spend(1)
  }

  /// Counts a text or a list that was made.
  @inline(__always)
  mutating func made(bytes: Int) throws {
    untilLook -= bytes / Budget.bytesPerStep
    if untilLook < 0 { try look() }
  }

  private mutating func look() throws {
    if steps < 0 { throw Excess.steps(limits.steps) }
    untilLook = Budget.lookEvery
    let used = Self.bytesInUse
    guard let base else {
      base = used
      return
    }
    if used - base > limits.bytes { throw Excess.bytes(limits.bytes) }
  }

  /// The memory that replies may take, counted from where the run's memory is.
  mutating func replyMemory() -> ReplyMemory {
    let base = base ?? Self.bytesInUse
    self.base = base
    return ReplyMemory(limit: limits.bytes) { Self.bytesInUse - base }
  }

  /// The bytes that the process has allocated and not freed (`mallinfo2(3)`).
  private static var bytesInUse: Int { errand_allocated_bytes() }
}

extension Budget {
  /// Which limit of a run is used up; nothing in the run catches it.
  enum Excess: Error {
    case steps(Int)
    case calls(Int)
    case bytes(Int)

    /// The error of the run, with where its steps went.
    func error(_ uses: [(name: String, steps: Int)]) -> RunError {
      let most = uses.filter { $0.steps > 0 }.sorted { $0.steps > $1.steps }.prefix(3)
      let listed = most.map { "`\($0.name)` \($0.steps.grouped)" }.joined(separator: ", ")
      let places = listed.isEmpty ? "" : "; most steps were in \(listed)"
      return switch self {
      case .steps(let limit):
        RunError(
          .failed, "the run took more than \(limit.grouped) steps\(places)",
          remedy: .raiseLimit(.steps))
      case .calls(let limit):
        RunError(
          .failed, "the run made more than \(limit.grouped) calls\(places)",
          help: "look for an intent or a shortcut that calls itself by way of others")
      case .bytes(let limit):
        RunError(
          .failed,
          "the values of the run take more than \(limit >> 20) MiB of memory\(places)",
          help: "work on fewer items at once")
      }
    }
  }
}

/// What a run may use in all, so that no program runs without an end or takes all memory.
package struct RunLimits: Sendable {
  /// Steps and passes, and steps of evaluating expressions.
  package var steps = 50_000_000
  /// Calls of intents and shortcuts.
  package var calls = 5_000_000
  /// Bytes of memory that values take.
  package var bytes = 512 << 20

  /// The standard limits.
  package init() {}
}
