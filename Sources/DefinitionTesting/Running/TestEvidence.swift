import CEL
import Catalog
import Engine
import Synchronization
import YAML

/// What a run in a test came to, subject by subject.
struct TestEvidence {
  let run: Run
  let world: TestWorld
  let front: TestFront
  let recorder: StepRecorder
  let outcome: Result<Outcome, any Error>

  /// Compares a subject with what is expected of it.
  func check(_ expectation: TestDefinition.Expectation) -> [TestFailure] {
    var matching = Matching(run)
    let name = expectation.subject.text
    do {
      switch name {
      case "store": try checkStore(expectation.matcher, &matching)
      case "files": checkFiles(expectation.matcher, &matching)
      default: matching.match(expectation.matcher, value(of: name), asSubject: name)
      }
    } catch {
      return [TestFailure(error, "`\(name)`: ", at: expectation.subject.span)]
    }
    return matching.failures
  }

  private func value(of subject: String) -> Value {
    switch subject {
    case "output": (try? outcome.get().value) ?? .null
    case "error": error
    case "dialog": .list(front.said)
    case "shown": .list(front.shown)
    case "steps": .list(recorder.paths)
    default:
      world.state.withLock { state in
        switch subject {
        case "clipboard": state.clipboard.map(Value.string) ?? .null
        case "opened": .list(state.opened)
        case "exec": .list(state.commands)
        case "http": .list(state.requests)
        case "notifications": .list(state.notifications)
        case "log": .list(state.log)
        default: .null
        }
      }
    }
  }

  /// The error as expectations see it, which a text stands for by its code; null without one.
  private var error: Value {
    guard case .failure(let error) = outcome else { return .null }
    guard let error = error as? RunError else {
      return .object(
        Record(
          "error", line: "internal",
          [("code", .string("internal")), ("message", .string("\(error)"))]))
    }
    guard case .map(let map) = error.value else { return .null }
    return .object(
      Record(
        "error", line: error.code.name,
        map.entries.map { ($0.key.text, $0.value) } + [
          ("status", error.status.map { .int(Int64($0)) } ?? .null)
        ]))
  }

  /// Compares the items of each entity that is named.
  private func checkStore(_ matcher: TestMatcher, _ matching: inout Matching) throws {
    guard case .fields(let entities, _) = matcher else {
      matching.failures.append(
        TestFailure(
          "`store` is a mapping from entities to their items", at: matcher.span,
          help: "write `store: {Link: {size: 1}}`"))
      return
    }
    for (entity, matcher) in entities {
      let items = try run.items(of: entity.text)
      matching.match(
        matcher, .list(items.map { .object($0) }), asSubject: "store.\(entity.text)")
    }
  }

  /// Compares the files that are named; null is for one that is not there.
  private func checkFiles(_ matcher: TestMatcher, _ matching: inout Matching) {
    let files = world.state.withLock { $0.files }
    guard case .fields(let paths, _) = matcher else {
      let all = files.files.sorted { $0.key < $1.key }.map {
        ($0.key, Value.string(String(decoding: $0.value, as: UTF8.self)))
      }
      return matching.match(matcher, .map(MapValue(all)), at: "files")
    }
    for (path, matcher) in paths {
      let bytes = files.files[files.key(path.text)]
      matching.match(
        matcher, bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null,
        at: "files.\(path.text)")
    }
  }
}
