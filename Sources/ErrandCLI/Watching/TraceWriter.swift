import CEL
import Engine
import ErrandKit
import POSIX
import Program
import Source

/// Writes each step of a run as it starts and ends, as a tree on standard error.
final class TraceWriter: StepObserver {
  private let console: Console
  private let text: StepText
  /// Start times of running steps, by place.
  private var beginnings: [String: Int64] = [:]
  private var style: Style { console.errorStyle }

  /// Shortest duration shown.
  private static let notedTime = Duration.milliseconds(1)

  init(_ console: Console, clock: LocalClock) {
    self.console = console
    text = StepText(clock)
  }

  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    beginnings[place.text] = MonotonicClock.nanoseconds
    // The step itself reports invalid arguments.
    let arguments = (try? arguments()) ?? []
    let shown = arguments.isEmpty ? "" : "  " + text.text(of: arguments)
    write(place, "\(text.head(step, place))" + style.dim("\(shown)"))
  }

  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    let took =
      beginnings[place.text].map { Duration.nanoseconds(MonotonicClock.nanoseconds - $0) } ?? .zero
    let time = took >= Self.notedTime ? "  \(Self.milliseconds(took)) ms" : ""
    switch end {
    case .skipped: write(place, style.dim("\(text.head(step, place))  skipped"))
    case .done(let value):
      // The result of a block is shown only if it has a name.
      let isUnnamedBlock = !step.kind.blocks.isEmpty && step.bindingName == nil
      let value = isUnnamedBlock ? nil : value
      guard value != nil || !time.isEmpty else { return }
      let shown = value.map { "= \(text.text(of: $0))" } ?? "done"
      write(place, "  " + style.dim("\(shown)\(time)"))
    case .attemptFailed(let error, let delay):
      let wait = Self.milliseconds(delay)
      write(
        place,
        "  " + style.warning("\(error.message) [\(error.code.name)]") + "  again after \(wait) ms")
    case .failed(let error):
      write(place, "  " + style.error("\(error.inOneLine)") + style.dim("\(time)"))
    case .cancelled: write(place, "  " + style.warning("cancelled") + style.dim("\(time)"))
    }
  }

  private static func milliseconds(_ length: Duration) -> String {
    let tenths = (length.nanoseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func write(_ place: StepPlace, _ line: TerminalText) {
    // Keeps both streams in order.
    console.flush()
    console.err("\(String(repeating: "  ", count: place.nesting))" + line + "\n")
  }
}
