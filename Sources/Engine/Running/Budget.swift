import CLinux
import Catalog
import Program
import YAML

/// The remaining limits of a run, and the steps each definition has used.
///
/// Memory is the growth of the whole process according to the allocator, so shared values count
/// once and freed ones not at all. It is sampled after a number of steps or allocated bytes, which
/// bounds the overshoot.
struct Budget {
  private let limits: RunLimits
  private var steps: Int
  private var calls: Int
  /// Steps until memory is sampled again.
  private var untilSample = Budget.sampleInterval
  /// The bytes in use at the first sample.
  private var base: Int?

  /// Number of steps between samples.
  private static let sampleInterval = 1024
  /// Number of allocated bytes that count as a step towards the next sample.
  private static let bytesPerStep = 1 << 14

  init(_ limits: RunLimits) {
    self.limits = limits
    steps = limits.steps
    calls = limits.calls
  }

  /// The steps of each intent or shortcut itself, without its callees.
  private var stepUses: [ObjectIdentifier: (action: CompiledAction, steps: Int)] = [:]
  /// The sum of the steps in `stepUses`.
  private var charged = 0

  /// The steps spent so far, and how many of them are charged to a definition.
  var account: (spent: Int, charged: Int) { (limits.steps - steps, charged) }

  /// Charges a call with the steps spent since it began, except those charged to callees.
  mutating func charge(_ action: CompiledAction, since begin: (spent: Int, charged: Int)) {
    let own = (account.spent - begin.spent) - (charged - begin.charged)
    charged += own
    stepUses[ObjectIdentifier(action), default: (action, 0)].steps += own
  }

  /// Names and the steps they used themselves.
  var uses: [(name: String, steps: Int)] {
    stepUses.values.map { ($0.action.definition.name.text, $0.steps) }
  }

  /// Spends steps.
  ///
  /// - Throws: `Excess` when no steps are left or memory is used up.
  @inline(__always)
  mutating func spend(_ count: Int) throws {
    steps -= count
    untilSample -= 1
    if steps < 0 || untilSample < 0 { try sample() }
  }

  /// Grants extra steps for code that must run after the limit is reached.
  mutating func grant(_ count: Int) {
    steps = max(steps, 0) + count
    untilSample = Budget.sampleInterval
    base = nil
  }

  /// Spends a call of an intent or a shortcut.
  ///
  /// - Throws: `Excess` when no calls are left.
  mutating func spendCall() throws {
    calls -= 1
    if calls < 0 { throw Excess.calls(limits.calls) }
    try spend(1)
  }

  /// Counts the bytes of a new text or list.
  @inline(__always)
  mutating func made(bytes: Int) throws {
    untilSample -= bytes / Budget.bytesPerStep
    if untilSample < 0 { try sample() }
  }

  private mutating func sample() throws {
    if steps < 0 { throw Excess.steps(limits.steps) }
    untilSample = Budget.sampleInterval
    let used = Self.bytesInUse
    if let base, used - base > limits.bytes { throw Excess.bytes(limits.bytes) }
    if base == nil { base = used }
  }

  /// The memory budget for replies, measured from the same base.
  mutating func replyMemory() -> ReplyMemory {
    let base = base ?? Self.bytesInUse
    self.base = base
    return ReplyMemory(limit: limits.bytes) { Self.bytesInUse - base }
  }

  /// The bytes that the process has allocated and not freed (`mallinfo2(3)`).
  private static var bytesInUse: Int { errand_allocated_bytes() }
}

extension Budget {
  /// An exceeded limit; cannot be caught by the program.
  enum Excess: Error {
    case steps(Int)
    case calls(Int)
    case bytes(Int)

    /// The error of the run, with the definitions that used most steps.
    func error(_ uses: [(name: String, steps: Int)]) -> RunError {
      let most = uses.filter { $0.steps > 0 }.sorted { $0.steps > $1.steps }.prefix(3)
      let listed = most.map { "`\($0.name)` \($0.steps.grouped)" }.joined(separator: ", ")
      let places = listed.isEmpty ? "" : "; most steps were in \(listed)"
      return switch self {
      case .steps(let limit):
        RunError(
          .failed, "the run took more than \(limit.grouped) steps\(places)", remedy: .raiseSteps)
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

/// The limits of a run, which guard against endless programs and memory exhaustion.
package struct RunLimits: Sendable {
  /// Steps, loop iterations and expression evaluation steps.
  package var steps = 50_000_000
  /// Calls of intents and shortcuts.
  package var calls = 5_000_000
  /// Bytes of memory for values.
  package var bytes = 512 << 20

  /// The default limits.
  package init() {}
}
