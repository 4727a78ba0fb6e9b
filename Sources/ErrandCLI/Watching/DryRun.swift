import CEL
import Engine
import Glibc
import Items
import JSON
import Links
import Program
import Source

/// Lists what a run would do outside and in the store, where it does neither.
final class DryRun: StepObserver {
  private let console: Console
  private let text: StepText
  private let isJSON: Bool
  /// Whether requests that only read are made, and not listed.
  private let makesRequests: Bool
  /// Whether a step was passed whose value only the world outside could have given.
  private(set) var lacksValues = false
  /// Whether a request that only reads was passed over, which might have been made.
  private(set) var skippedRequest = false
  /// With what the step is called that puts something into the queue; none runs within another.
  private var enqueuing: [(name: String, value: Value)] = []

  init(_ console: Console, clock: LocalClock, isJSON: Bool, makesRequests: Bool = false) {
    self.makesRequests = makesRequests
    self.console = console
    self.isJSON = isJSON
    text = StepText(clock)
  }

  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    guard case .verb(let call) = step.kind,
      call.verb.effect == .outside || call.verb.effect == .write
    else { return }
    let arguments = (try? arguments()) ?? []
    if call.verb.onlyReads(arguments) {
      if makesRequests { return }
      skippedRequest = true
    }
    if call.verb.effect == .outside, call.verb.setsIt { lacksValues = true }
    // Only its end tells whether anything is put into the queue.
    if call.verb.enqueues {
      enqueuing = arguments
    } else {
      try list(call.verb, place, arguments)
    }
  }

  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    guard case .verb(let call) = step.kind, call.verb.enqueues, case .done(let value) = end
    else { return }
    if value?.isNull == false { try list(call.verb, place, enqueuing) }
    enqueuing = []
  }

  private func list(
    _ verb: VerbSignature, _ place: StepPlace, _ arguments: [(name: String, value: Value)]
  ) throws {
    console.flush()
    guard isJSON else {
      let shown = arguments.isEmpty ? "" : "  " + text.text(of: arguments)
      let style = console.errorStyle
      console.err(
        style.bold("would \(verb.name)") + "\(shown)" + style.dim("  \(place.description)")
          + "\n")
      return
    }
    let line = MapValue([
      ("would", .string(verb.name)), ("step", .string(place.id.description)),
      ("place", .string(place.description)),
      ("arguments", .map(MapValue(arguments.map { ($0.name, $0.value) }))),
    ])
    console.err("\(try text.json(of: .map(line)))\n")
  }

  /// The host of a run that leaves the world as it is: it reads, and does nothing else.
  ///
  /// - Parameter makesRequests: Whether requests that only read are made.
  static func host(_ host: Host, makesRequests: Bool = false) -> Host {
    var quiet = host
    let clock = SimulatedClock(at: host.now())
    quiet.now = { clock.now }
    quiet.machine.simulation = clock
    quiet.machine.monotonic = { clock.monotonic }
    quiet.machine.exec = { _, _ in ProcessEnd(reason: .exited(0), output: [], errors: []) }
    quiet.machine.http = { [machine = host.machine] request, bounds in
      if makesRequests, request.onlyReads, let http = machine.http {
        // The server's time is that of the wall, which the simulated clock follows.
        let (start, shown) = (machine.monotonic(), clock.monotonic)
        defer { clock.spend(machine.monotonic() - start) }
        let deadline = bounds.deadline.map { $0 &- shown &+ start }
        return try http(request, WaitBounds(deadline: deadline, descriptors: bounds.descriptors))
      }
      return .reply(HTTPReply(status: 200, headers: [], url: request.url, body: [], isSaved: false))
    }
    quiet.machine.notify = { _, _ in .shown(action: nil) }
    quiet.machine.files.write = { _, _, _ in }
    quiet.machine.files.transfer = { transfer in
      let name = transfer.from.split(separator: "/").last ?? ""
      return FileTransfer.Result(
        path: transfer.to.hasSuffix("/") ? transfer.to + name : transfer.to, move: nil)
    }
    quiet.machine.files.trash = { path in
      let state = FileMove.State(inode: 0, size: 0, modified: 0)
      return FileMove(kind: .trash, from: path, to: path, state: state)
    }
    quiet.machine.files.takeBack = { $0 }
    quiet.machine.files.keep = { [read = host.machine.files.read] path, _ in
      KeptFile(bytes: try read(path, KeptFile.limit), at: path)
    }
    quiet.noteActivity = nil
    quiet.writeClipboard = { _ in true }
    quiet.open = { _ in true }
    quiet.log = { _ in }
    // A key that would have to be made is made in memory.
    if host.keyPath.map({ access($0, F_OK) != 0 }) ?? true { quiet.linkKey = LinkKey.random() }
    return quiet
  }
}
