/// A naive interpreter for random programs, as an independent reference.
final class PlainInterpreter {
  /// A value, printed as JSON.
  indirect enum Plain {
    case null
    case int(Int)
    case text(String)
    case bool(Bool)
    case list([Plain])
    case map([(String, Plain)])

    var json: String {
      switch self {
      case .null: "null"
      case .int(let number): String(number)
      case .bool(let truth): String(truth)
      case .text(let text): "\"\(text)\""
      case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
      case .map(let entries):
        "{" + entries.map { "\"\($0.0)\":\($0.1.json)" }.joined(separator: ",") + "}"
      }
    }
  }

  /// The end of a program, in a comparable form.
  private struct Failure: Error {
    let code: String
    let message: String
    var causes: [(code: String, message: String)] = []

    /// Appends an earlier error with its causes to the chain.
    mutating func addCause(_ earlier: Failure) {
      let known = [(code, message)] + causes
      if known.contains(where: { $0 == (earlier.code, earlier.message) }) { return }
      causes += [(earlier.code, earlier.message)] + earlier.causes
    }
  }

  /// An end that is not an error.
  private enum End: Error {
    case cancelled
    case deadline(Int)
  }

  /// The control flow after a step.
  private enum Flow {
    case next, breakLoop, continueLoop, stop
    case returned(Plain)
  }

  private(set) var effects: [String] = []
  /// The numbers of created items, in order.
  private(set) var saved: [Int] = []
  private let cancelAt: Int?
  private var isCancelled = false
  private var clock = 0
  private var deadlines: [(id: Int, instant: Int)] = []
  /// Failures in `finally` on the way to a deadline.
  private var failures: [Int: Failure] = [:]
  private var lastDeadline = 0
  private var shielded = 0
  private var shields = 0
  private var x: Plain = .int(0)
  private var it: Plain = .null
  private var runs: [Int: Int] = [:]

  /// - Parameter cancelAt: number of effects after which the person presses Ctrl-C.
  init(cancelAt: Int?) { self.cancelAt = cancelAt }

  /// Runs a program and describes its end.
  func run(_ program: [RandomStep]) -> String {
    do {
      switch try steps(program) {
      case .returned(let value): return "value \(value.json)"
      case .stop: return "stopped"
      default: return "value \(it.json)"
      }
    } catch let failure as Failure {
      return (["error \(failure.code)"] + failure.causes.map(\.code)).joined(separator: " < ")
    } catch {
      return "cancelled"
    }
  }

  private func note(_ effect: String) {
    effects.append(effect)
    if effects.count == cancelAt { isCancelled = true }
  }

  private func check() throws {
    if shields == 0, isCancelled { throw End.cancelled }
    for deadline in deadlines[shielded...] where deadline.instant <= clock {
      throw End.deadline(deadline.id)
    }
  }

  private func pause(_ milliseconds: Int) throws {
    let end = clock + milliseconds
    while clock < end {
      try check()
      clock = max(clock, min(end, deadlines[shielded...].map(\.instant).min() ?? end))
    }
    try check()
  }

  private func steps(_ list: [RandomStep]) throws -> Flow {
    for step in list {
      let flow = try run(step)
      try check()
      guard case .next = flow else { return flow }
    }
    return .next
  }

  private func run(_ step: RandomStep) throws -> Flow {
    switch step {
    case .log(let text): note(text)
    case .logIt: note("it \(it.json)")
    case .logX: note("x \(x.json)")
    case .setX(let number): x = .int(number)
    case .value(let number): it = .int(number)
    case .fail(let code, let id): throw Failure(code: code, message: "m\(id)")
    case .flaky(let id, let failures):
      note("flaky \(id) \(failures)")
      runs[id, default: 0] += 1
      if runs[id, default: 0] <= failures { throw Failure(code: "exec", message: "flaky \(id)") }
      it = .text("ok")
    case .wait(let milliseconds): try pause(milliseconds)
    case .choice(let holds, let body, let otherwise):
      if holds { return try steps(body) }
      if let otherwise { return try steps(otherwise) }
    case .repeated(let count, let body):
      let outer = it
      return try loop(Array(repeating: outer, count: count), body)
    case .each(let count, let body): return try loop((0..<count).map(Plain.int), body)
    case .attempt(let body, let handlers, let finally):
      return try attempt(body, handlers, finally)
    case .retry(let times, let codes, let body): return try retry(times, codes, body)
    case .timeout(let milliseconds, let id, let body):
      return try timed(milliseconds, id, body)
    case .branches(let bodies): return try branches(bodies)
    case .passes(let count, let settles, let body): return try passes(count, settles, body)
    case .breakLoop: return .breakLoop
    case .continueLoop: return .continueLoop
    case .stop: return .stop
    case .returned(let number): return .returned(.int(number))
    case .save(let id):
      saved.append(id)
      it = .int(id)
    case .transaction(let body):
      let before = saved
      do {
        return try steps(body)
      } catch {
        saved = before
        throw error
      }
    case .call(_, let body): try call(body)
    }
    return .next
  }

  private func call(_ body: [RandomStep]) throws {
    let outer = (x, it)
    (x, it) = (.int(0), .null)
    var result = Plain.null
    defer { x = outer.0 }
    do {
      switch try steps(body) {
      case .stop: break
      case .returned(let value): result = value
      default: result = it
      }
    } catch {
      it = outer.1
      throw error
    }
    it = result
  }

  private func loop(_ beginnings: [Plain], _ body: [RandomStep]) throws -> Flow {
    let outer = it
    var values: [Plain] = []
    passes: for beginning in beginnings {
      it = beginning
      let flow = try steps(body)
      switch flow {
      case .next: values.append(it)
      case .continueLoop: break
      case .breakLoop: break passes
      case .stop, .returned: return flow
      }
      it = outer
    }
    it = .list(values)
    return .next
  }

  private func attempt(
    _ body: [RandomStep], _ handlers: [RandomStep.Handler], _ finally: [RandomStep]
  ) throws -> Flow {
    let outer = it
    var result = Result { try steps(body) }
    if case .failure(let failure as Failure) = result {
      result = Result {
        try check()
        return try handle(failure, handlers, outer)
      }
    }
    let inner = it
    var raised: Failure?
    if case .failure(let error) = result { raised = error as? Failure }
    it = outer
    let outerShielded = shielded
    shielded = deadlines.count
    shields += 1
    defer {
      shields -= 1
      shielded = outerShielded
    }
    note("finally \(raised?.code ?? "none")")
    do {
      try check()
      _ = try steps(finally)
    } catch var failure as Failure {
      // A cancelled program ends as cancelled, regardless of `finally`.
      if case .failure(let end as End) = result {
        if case .deadline(let id) = end {
          if let earlier = failures[id] { failure.addCause(earlier) }
          failures[id] = failure
        }
        throw end
      }
      if let raised { failure.addCause(raised) }
      throw failure
    }
    it = inner
    return try result.get()
  }

  private func handle(
    _ failure: Failure, _ handlers: [RandomStep.Handler], _ outer: Plain
  ) throws -> Flow {
    for handler in handlers
    where handler.codes.map({ $0.contains(failure.code) }) ?? (failure.code != "declined") {
      it = outer
      do {
        note("catch \(failure.code)")
        try check()
        return try steps(handler.body)
      } catch var further as Failure {
        further.addCause(failure)
        throw further
      }
    }
    throw failure
  }

  private func retry(_ times: Int, _ codes: [String], _ body: [RandomStep]) throws -> Flow {
    let before = (x, it)
    var attempts = 0
    while true {
      do {
        return try steps(body)
      } catch let failure as Failure {
        guard attempts < times, codes.contains(failure.code) else { throw failure }
        (x, it) = before
        attempts += 1
        try pause(10)
      }
    }
  }

  private func timed(_ milliseconds: Int, _ id: Int, _ body: [RandomStep]) throws -> Flow {
    lastDeadline += 1
    let deadline = lastDeadline
    deadlines.append((deadline, clock + milliseconds))
    defer { deadlines.removeAll { $0.id == deadline } }
    do {
      return try steps(body)
    } catch End.deadline(deadline) {
      var timeout = Failure(code: "timeout", message: "t\(id)")
      if let failure = failures[deadline] { timeout.addCause(failure) }
      throw timeout
    }
  }

  private func branches(_ bodies: [[RandomStep]]) throws -> Flow {
    let outer = it
    var entries: [(String, Plain)] = []
    for (index, body) in bodies.enumerated() {
      try check()
      it = outer
      let flow = try steps(body)
      guard case .next = flow else { return flow }
      entries.append(("b\(index)", it))
    }
    it = .map(entries)
    return .next
  }

  private func passes(_ count: Int, _ settles: Bool, _ body: [RandomStep]) throws -> Flow {
    var values: [Plain] = []
    passes: for index in 0..<count {
      try check()
      it = .int(index)
      do {
        let flow = try steps(body)
        switch flow {
        case .next: values.append(settles ? .bool(true) : it)
        case .continueLoop: break
        case .breakLoop: break passes
        case .stop, .returned: return flow
        }
      } catch let failure as Failure where settles && failure.code != "declined" {
        values.append(.bool(false))
      }
    }
    try check()
    it = .list(values)
    return .next
  }
}
