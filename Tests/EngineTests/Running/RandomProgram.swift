/// A random program of the language, as a tree.
indirect enum RandomStep {
  case log(String)
  /// Logs `it` as JSON.
  case logIt
  /// Logs the variable `x`.
  case logX
  case setX(Int)
  case value(Int)
  case fail(code: String, id: Int)
  /// A program that fails a number of times, then succeeds.
  case flaky(id: Int, failures: Int)
  case wait(milliseconds: Int)
  case choice(Bool, [RandomStep], otherwise: [RandomStep]?)
  case repeated(Int, [RandomStep])
  case each(Int, [RandomStep])
  case attempt([RandomStep], [Handler], finally: [RandomStep])
  case retry(times: Int, codes: [String], [RandomStep])
  case timeout(milliseconds: Int, id: Int, [RandomStep])
  case branches([[RandomStep]])
  case passes(Int, settles: Bool, [RandomStep])
  case breakLoop
  case continueLoop
  case stop
  case returned(Int)
  /// Creates an item with that number as its value.
  case save(Int)
  case transaction([RandomStep])
  /// Calls a shortcut with these steps and a local variable `x`.
  case call(Int, [RandomStep])

  /// A handler of a `catch`.
  struct Handler {
    let codes: [String]?
    let body: [RandomStep]
  }
}

extension RandomStep {
  /// The steps as YAML.
  static func yaml(_ steps: [RandomStep]) -> String {
    "[" + steps.map(\.yaml).joined(separator: ", ") + "]"
  }

  private var yaml: String {
    switch self {
    case .log(let text): "{log: \(text)}"
    case .logIt: "{log: 'it {{ toJson(it) }}'}"
    case .logX: "{log: 'x {{ x }}'}"
    case .setX(let number): "{set: {x: \(number)}}"
    case .value(let number): "{value: \(number)}"
    case .fail(let code, let id): "{fail: {message: m\(id), code: \(code)}}"
    case .flaky(let id, let failures):
      "{exec: [flaky, '\(id)', '\(failures)'], onResume: retry}"
    case .wait(let milliseconds): "{wait: \(milliseconds)ms}"
    case .choice(let holds, let body, let otherwise):
      // The condition cannot be evaluated at compile time.
      "{if: 'size(string(x)) \(holds ? ">" : "<") 0', then: \(Self.yaml(body))"
        + (otherwise.map { ", else: \(Self.yaml($0))" } ?? "") + "}"
    case .repeated(let count, let body): "{repeat: \(count), do: \(Self.yaml(body))}"
    case .each(let count, let body):
      "{for: item, in: \(Array(0..<count)), do: \(Self.yaml(body))}"
    case .attempt(let body, let handlers, let finally):
      "{try: \(Self.yaml(body))"
        + (handlers.isEmpty
          ? "" : ", catch: [\(handlers.map(Self.yaml(_:)).joined(separator: ", "))]")
        + ", finally: [{log: 'finally {{ error == null ? \"none\" : error.code }}'}, "
        + Self.yaml(finally).dropFirst() + "}"
    case .retry(let times, let codes, let body):
      "{if: 'size(string(x)) > 0', then: \(Self.yaml(body)), retry: {times: \(times), "
        + "delay: 10ms, backoff: 1, jitter: 0, on: [\(codes.joined(separator: ", "))]}}"
    case .timeout(let milliseconds, let id, let body):
      "{if: 'size(string(x)) > 0', name: t\(id), then: \(Self.yaml(body)), "
        + "timeout: \(milliseconds)ms}"
    case .branches(let bodies):
      "{parallel: {"
        + bodies.enumerated().map { "b\($0.offset): \(Self.yaml($0.element))" }
        .joined(separator: ", ") + "}, limit: 1}"
    case .passes(let count, let settles, let body):
      "{for: item, in: \(Array(0..<count)), parallel: 1, settle: \(settles), "
        + "do: \(Self.yaml(body))}"
        + (settles ? ", {value: '{{ it.map(r, r.ok) }}'}" : "")
    case .breakLoop: "break"
    case .continueLoop: "continue"
    case .stop: "stop"
    case .returned(let number): "{return: \(number)}"
    case .save(let id): "{create: {entity: Task, set: {title: s\(id)}}}, {value: \(id)}"
    case .transaction(let body): "{atomic: \(Self.yaml(body))}"
    case .call(let id, _): "{c\(id): }"
    }
  }

  /// The shortcuts called by the steps, and their callees.
  static func called(_ steps: [RandomStep]) -> [(id: Int, body: [RandomStep])] {
    steps.flatMap { step -> [(id: Int, body: [RandomStep])] in
      switch step {
      case .choice(_, let body, let otherwise): called(body) + called(otherwise ?? [])
      case .repeated(_, let body), .each(_, let body), .retry(_, _, let body),
        .timeout(_, _, let body), .passes(_, _, let body), .transaction(let body):
        called(body)
      case .attempt(let body, let handlers, let finally):
        called(body) + handlers.flatMap { called($0.body) } + called(finally)
      case .branches(let bodies): bodies.flatMap(called)
      case .call(let id, let body): [(id, body)] + called(body)
      default: []
      }
    }
  }

  private static func yaml(_ handler: Handler) -> String {
    let codes = handler.codes.map { "on: [\($0.joined(separator: ", "))], " } ?? ""
    return "{\(codes)do: [{log: 'catch {{ error.code }}'}, "
      + yaml(handler.body).dropFirst() + "}"
  }
}

/// Generates random programs.
struct RandomProgramMaker {
  private var generator: SplitMix
  private var lastID = 0
  /// Whether programs only write and call, without depending on durations.
  private let isDurable: Bool

  init(seed: UInt64, isDurable: Bool = false) {
    generator = SplitMix(state: seed)
    self.isDurable = isDurable
  }

  /// The context of a step, which limits its kinds.
  private struct Place {
    var depth = 0
    var isInLoop = false
    var isInFinally = false
    var isInBranch = false

    func inner(_ change: (inout Place) -> Void = { _ in }) -> Place {
      var place = self
      place.depth += 1
      change(&place)
      return place
    }
  }

  mutating func program() -> [RandomStep] { steps(Place(), most: 5) }

  /// A random number below a bound.
  mutating func number(below bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

  private mutating func steps(_ place: Place, most: Int = 3) -> [RandomStep] {
    (0...number(below: most)).map { _ in step(place) }
  }

  /// Steps allowed in a transaction.
  private mutating func transaction(_ place: Place) -> [RandomStep] {
    (0...number(below: 3)).map { _ in
      switch number(below: 5) {
      case 0: place.isInBranch ? .value(id()) : .setX(id())
      case 1: .fail(code: ["a", "b"][number(below: 2)], id: id())
      case 2: .value(id())
      default: .save(id())
      }
    }
  }

  private mutating func id() -> Int {
    lastID += 1
    return lastID
  }

  private mutating func codes() -> [String] {
    let all = ["a", "b", "exec", "timeout", "declined"]
    return (0...number(below: 2)).map { _ in all[number(below: all.count)] }
  }

  private mutating func step(_ place: Place) -> RandomStep {
    let isDeep = place.depth >= 4
    if isDurable {
      switch number(below: 8) {
      case 0: return .save(id())
      case 1 where !isDeep: return .transaction(transaction(place))
      case 2 where !isDeep:
        return .call(
          id(),
          steps(
            place.inner {
              $0.isInLoop = false
              $0.isInBranch = false
              $0.isInFinally = false
            }))
      default: break
      }
    }
    switch number(below: isDeep ? 14 : 26) {
    case 0, 1: return .log("l\(id())")
    case 2, 3: return .value(id())
    case 4: return .logIt
    case 5: return .logX
    case 6, 7: return place.isInBranch ? .logX : .setX(id())
    case 8: return .fail(code: ["a", "b", "declined"][number(below: 3)], id: id())
    case 9, 10: return .flaky(id: id(), failures: isDurable ? 0 : number(below: 3))
    case 11: return .wait(milliseconds: 1 + number(below: 20))
    case 12:
      guard place.isInLoop else { return .logIt }
      return number(below: 2) == 0 ? .breakLoop : .continueLoop
    case 13:
      guard !place.isInFinally, number(below: 3) == 0 else { return .value(id()) }
      return number(below: 2) == 0 ? .stop : .returned(id())
    case 14:
      return .choice(
        number(below: 2) == 0, steps(place.inner()),
        otherwise: number(below: 2) == 0 ? nil : steps(place.inner()))
    case 15: return .repeated(number(below: 3), steps(place.inner { $0.isInLoop = true }))
    case 16: return .each(number(below: 3), steps(place.inner { $0.isInLoop = true }))
    case 17...20:
      let handlers = (0..<number(below: 3)).map { _ in
        RandomStep.Handler(
          codes: number(below: 3) == 0 ? nil : codes(), body: steps(place.inner()))
      }
      return .attempt(
        steps(place.inner()), handlers,
        finally: steps(
          place.inner {
            $0.isInFinally = true
            $0.isInLoop = false
          }))
    case 21: return .retry(times: 1 + number(below: 2), codes: codes(), steps(place.inner()))
    case 22 where isDurable: return .save(id())
    case 22: return .timeout(milliseconds: 1 + number(below: 30), id: id(), steps(place.inner()))
    case 23:
      let place = place.inner {
        $0.isInBranch = true
        $0.isInLoop = false
      }
      return .branches((0...number(below: 2)).map { _ in steps(place) })
    default:
      return .passes(
        1 + number(below: 2), settles: number(below: 2) == 0,
        steps(
          place.inner {
            $0.isInBranch = true
            $0.isInLoop = true
          }))
    }
  }
}

/// The generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
