import CEL
import Catalog
import Engine
import Source
import Synchronization
import YAML

/// The results of a test run, by subject.
struct TestEvidence {
  let run: Run
  let world: TestWorld
  let front: TestFront
  let recorder: StepRecorder
  let outcome: Result<Outcome, any Error>

  /// Compares a subject with its expectation.
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
    if name == "output", case .literal(let node) = expectation.matcher,
      let first = matching.failures.first,
      front.said.contains(where: { $0.text == node.scalar?.text })
    {
      return [first.advising("this was said: write `expect: {dialog: \(node.span.text)}`")]
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
    case "clipboard": world.state.withLock { $0.copied }.map(Value.string) ?? .null
    default: .list(world.state.withLock { $0.reached[subject] ?? [] })
    }
  }

  /// The error, matched as text by its code; null for none.
  private var error: Value {
    guard case .failure(let thrown) = outcome else { return .null }
    guard let error = thrown as? RunError, case .map(let map) = error.value else {
      let fields: [(String, Value)] = [("code", "internal"), ("message", .string("\(thrown)"))]
      return .object(Record("error", line: "internal", fields))
    }
    let status = error.status.map { Value.int(Int64($0)) } ?? .null
    return Self.record(of: map, [("status", status)])
  }

  /// The record of an error, with those of its causes.
  private static func record(of map: MapValue, _ more: [(String, Value)] = []) -> Value {
    let fields = map.entries.map { key, value in
      guard key.text == "cause", case .map(let cause) = value else { return (key.text, value) }
      return (key.text, record(of: cause))
    }
    return .object(Record("error", line: map["code"]?.text ?? "", fields + more))
  }

  /// Compares the items of the entities in the expectation.
  private func checkStore(_ matcher: TestMatcher, _ matching: inout Matching) throws {
    guard case .fields(let entities, _) = matcher else {
      matching.failures.append(
        TestFailure(
          "`store` must be a mapping from entities to their items", at: matcher.span,
          help: "write `store: {Link: {size: 1}}`"))
      return
    }
    for (entity, matcher) in entities {
      let items = try run.items(of: entity.text)
      matching.match(matcher, .list(items.map { .object($0) }), asSubject: "store.\(entity.text)")
    }
  }

  /// Compares the files in the expectation; null stands for a missing file.
  private func checkFiles(_ matcher: TestMatcher, _ matching: inout Matching) {
    let files = world.state.withLock { $0.files }
    guard case .fields(let paths, _) = matcher else {
      let all = files.files.sorted { $0.key < $1.key }.map {
        ($0.key, Self.content($0.value))
      }
      return matching.match(matcher, .map(MapValue(all)), at: "files")
    }
    for (path, matcher) in paths {
      let bytes = files.files[files.key(path.text)]
      matching.match(matcher, bytes.map(Self.content) ?? .null, at: "files.\(path.text)")
    }
  }

  /// The content of a file: its text, or bytes if it is none.
  private static func content(_ bytes: [UInt8]) -> Value {
    String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
  }
}
