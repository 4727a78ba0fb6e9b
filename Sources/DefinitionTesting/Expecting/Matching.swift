import CEL
import Catalog
import Engine
import JSON
import Program
import Source
import YAML

/// Compares values of a run with the expectations of a test.
struct Matching {
  private let run: Run
  private let comparison: ValueComparison
  /// The differences found.
  var failures: [TestFailure] = []

  init(_ run: Run) {
    self.run = run
    comparison = ValueComparison(run)
  }

  /// Compares a value with an expectation, and records differences.
  ///
  /// - Parameter path: the name of the value, such as `output[0].title`.
  mutating func match(_ matcher: TestMatcher, _ value: Value, at path: String) {
    switch matcher {
    case .literal(let node): matchLiteral(node, value, path)
    case .list(let matchers, let span): matchList(matchers, span, Self.parsed(value), path: path)
    case .fields(let fields, let span): matchFields(fields, span, value, path: path)
    case .conditions(let conditions, let span):
      for condition in conditions { match(condition, span, value, path: path) }
    }
  }

  /// Compares a subject; a single value also matches a list of one, and null an empty list.
  mutating func match(_ matcher: TestMatcher, _ value: Value, asSubject name: String) {
    guard case .list(let values) = value, case .literal(let node) = matcher, name != "output"
    else { return match(matcher, value, at: name) }
    if node.scalar?.isNull == true {
      match(.list([], node.span), value, at: name)
    } else if values.count == 1 {
      match(matcher, values[0], at: name)
    } else {
      match(.list([matcher], node.span), value, at: name)
    }
  }

  /// The value of a text of JSON, such as that of a body, of which a map or a list is expected.
  private static func parsed(_ value: Value) -> Value {
    guard case .string(let text) = value, let parsed = try? JSONParser().parse(text) else {
      return value
    }
    return switch parsed {
    case .map, .list: parsed
    default: value
    }
  }

  /// Whether a value matches.
  private func fits(_ matcher: TestMatcher, _ value: Value) -> Bool {
    var inner = Matching(run)
    inner.match(matcher, value, at: "")
    return inner.failures.isEmpty
  }

  private mutating func fail(_ path: String, _ expected: String, _ value: Value, span: Span) {
    let (text, isCut) = ValueText.cutText(of: value)
    failures.append(
      TestFailure(
        "`\(path)`", expected: expected, actual: text, at: span,
        whole: isCut ? (expected, ValueText.wholeText(of: value)) : nil))
  }

  private mutating func fail(_ path: String, _ expected: String, actual: String, _ span: Span) {
    failures.append(TestFailure("`\(path)`", expected: expected, actual: actual, at: span))
  }

  private mutating func matchLiteral(_ node: Node, _ value: Value, _ path: String) {
    // One value stands for a list of one, and null for an empty list.
    if case .list(let values) = value, path != "output" {
      if values.count == 1 { return matchLiteral(node, values[0], path) }
      if values.isEmpty, node.scalar?.isNull == true { return }
    }
    guard let scalar = node.scalar, !comparison.isEqual(scalar, value) else { return }
    if case .string(let text) = value, !scalar.isNull {
      let (expected, actual) = ValueText.difference(scalar.text, text)
      failures.append(
        TestFailure(
          "`\(path)`", expected: expected, actual: actual, at: node.span,
          whole: (
            ValueText.wholeText(of: .string(scalar.text)), ValueText.wholeText(of: .string(text))
          )))
      return
    }
    failures.append(
      TestFailure(
        "`\(path)`", expected: ValueText.text(of: node),
        actual: ValueText.text(of: recordText(for: value)), at: node.span,
        help: help(scalar, for: value, at: path)))
  }

  /// Advice on a value that is expected of a whole item or record and is that of one of its fields,
  /// or the number of items.
  private func help(_ scalar: Scalar, for value: Value, at path: String) -> String? {
    if scalar.text.contains("{{") {
      return "a test has no templates: write the value, or a condition `{where: self == …}`"
    }
    if path == "error", Int(scalar.text) != nil || scalar.bool != nil {
      return scalar.bool == nil
        ? "for the exit status write `{data: {status: \(scalar.text)}}`"
        : "for any failure write `{where: self.code != \"\"}`"
    }
    guard case .object(let object) = value, !scalar.isNull else { return nil }
    if case .int = scalar.coreValue {
      return "for the number of items write `{size: \(scalar.text)}`"
    }
    return object.fieldNames.first { name in
      object.field(name).map { comparison.isEqual(scalar, $0) } ?? false
    }.map { "for this field write `{\($0): \(scalar.span.text)}`" }
  }

  private mutating func matchList(
    _ matchers: [TestMatcher], _ span: Span, _ value: Value, path: String
  ) {
    guard case .list(let values) = value else {
      return fail(path, "a list of \(matchers.count)", value, span: span)
    }
    for (index, (matcher, value)) in zip(matchers, values).enumerated() {
      match(matcher, value, at: "\(path)[\(index)]")
    }
    guard matchers.count != values.count else { return }
    let actual = "\(values.count): \(ValueText.text(of: shown(value)))"
    fail("size(\(path))", "\(matchers.count)", actual: actual, span)
  }

  /// A list with records replaced by their texts.
  private func shown(_ value: Value) -> Value {
    if case .list(let values) = value { .list(values.map(recordText)) } else { value }
  }

  /// The text of a record; any other value unchanged.
  private func recordText(for value: Value) -> Value {
    guard case .object = value else { return value }
    return comparison.texts(of: value).first.map(Value.string) ?? value
  }

  /// The content of a file in a form that `fake: {files: …}` has, too.
  private static func content(_ form: String, _ content: Value) -> Value? {
    switch (form, content) {
    case ("base64", .bytes(let bytes)): return .string(Base64.encode(bytes))
    case ("base64", .string(let text)): return .string(Base64.encode(Array(text.utf8)))
    default: break
    }
    guard case .string(let text) = content else { return nil }
    return switch form {
    case "text": .string(text)
    case "lines":
      .list(
        (text.hasSuffix("\n") ? text.dropLast() : text[...])
          .split(separator: "\n", omittingEmptySubsequences: false).map { .string(String($0)) })
    case "json": try? JSONParser().parse(text)
    default: nil
    }
  }

  private mutating func matchFields(
    _ fields: [(name: Scalar, matcher: TestMatcher)], _ span: Span, _ given: Value, path: String
  ) {
    if path.hasPrefix("files."), fields.count == 1, let field = fields.first,
      let content = Self.content(field.name.text, given)
    {
      return match(field.matcher, content, at: "\(path).\(field.name.text)")
    }
    let value = Self.parsed(given)
    switch value {
    case .object(let object):
      for (name, matcher) in fields {
        if case .literal = matcher, let text = (object as? Record)?.text(of: name.text) {
          match(matcher, .string(text), at: "\(path).\(name.text)")
        } else if let value = object.field(name.text) {
          if value.isNull, case .map(let data)? = object.field("data"),
            data.entries.contains(where: { $0.key.text == name.text }), !fits(matcher, value)
          {
            failures.append(
              TestFailure(
                "`\(path).\(name.text)`", expected: Self.description(of: matcher), actual: "null",
                at: matcher.span,
                help: "what the step gave is in `data`: write "
                  + "`data: {contains: {\(name.text): \(matcher.span.text)}}`"))
            continue
          }
          match(matcher, value, at: "\(path).\(name.text)")
        } else {
          failures.append(
            TestFailure(
              "`\(path)` has no `\(name.text)`", at: name.span,
              help: Suggestion.help(for: name.text, in: object.fieldNames)))
        }
      }
    case .map(let map):
      // The names of headers have no case, and a request has more of them than a test is about.
      let areHeaders = path.hasSuffix(".headers")
      for (name, matcher) in fields {
        let wanted = areHeaders ? name.text.lowercased() : name.text
        if let value = map.entries.first(where: { $0.key.text == wanted })?.value {
          match(matcher, value, at: "\(path).\(name.text)")
        } else {
          fail("\(path).\(name.text)", Self.description(of: matcher), .null, span: matcher.span)
        }
      }
      for (key, value) in map.entries
      where !areHeaders && !fields.contains(where: { $0.name.text == key.text }) {
        fail("\(path).\(key.text)", "nothing", value, span: span)
      }
    case .list(let values) where values.count == 1 && path != "output":
      // A single value matches a list of one element.
      matchFields(fields, span, values[0], path: path)
    case .list(let values) where path != "output":
      failures.append(
        TestFailure(
          "`\(path)`", expected: "a list of 1",
          actual: "\(values.count): \(ValueText.text(of: shown(value)))", at: span))
    default:
      failures.append(
        TestFailure(
          "`\(path)`", expected: "a map", actual: ValueText.text(of: value), at: span,
          help:
            "for a condition write one of \(TestMatcher.words.joined(separator: ", ")), such as "
            + "`{where: self > 2}`"))
    }
  }

  // MARK: Conditions

  /// The element of a list of one, which also stands for the list.
  private static func single(_ value: Value, _ path: String) -> Value {
    if case .list(let values) = value, values.count == 1, path != "output" {
      values[0]
    } else {
      value
    }
  }

  private mutating func match(
    _ condition: TestMatcher.Condition, _ span: Span, _ value: Value, path: String
  ) {
    switch condition {
    case .equals(let matcher): match(matcher, value, at: path)
    case .contains(let matcher):
      if !contains(value, matcher, inParts: Self.isTold(path)) {
        failures.append(
          TestFailure(
            "`\(path)`", expected: "contains \(Self.description(of: matcher))",
            actual: ValueText.text(of: shown(value)), at: matcher.span,
            help: partHelp(matcher, in: value)))
      }
    case .startsWith(let text):
      if !comparison.texts(of: Self.single(value, path)).contains(where: { $0.hasPrefix(text.text) }
      ) {
        fail(path, "starts with \(ValueText.text(of: .string(text.text)))", value, span: text.span)
      }
    case .matches(let pattern): match(pattern, Self.single(value, path), path)
    case .size(let matcher):
      if let size = comparison.size(of: value) {
        match(matcher, .int(Int64(size)), at: "size(\(path))")
      } else {
        fail("size(\(path))", Self.description(of: matcher), value, span: matcher.span)
      }
    case .holds(let expression):
      do {
        if try !run.holds(expression, of: value) {
          fail(path, "where \(expression.text)", value, span: expression.span)
        }
      } catch {
        let failure = TestFailure(error, "`\(path)`: ")
        guard case .list = value else { return failures.append(failure) }
        failures.append(
          failure.advising(
            "`self` is a list here: write `self.exists(part, …)`, with `part` for each element"))
      }
    }
  }

  private mutating func match(_ pattern: Scalar, _ value: Value, _ path: String) {
    do {
      for text in comparison.texts(of: value) {
        let variables: [(name: String, value: Value)] = [
          ("text", .string(text)), ("pattern", .string(pattern.text)),
        ]
        let answer = try run.evaluate("text.matches(pattern)", variables, label: "matches")
        if answer == .bool(true) { return }
      }
    } catch {
      failures.append(TestFailure(error, "`\(path)`: ", at: pattern.span))
      return
    }
    fail(path, "matches \(pattern.text)", value, span: pattern.span)
  }

  /// Whether a path is that of what a run told or did, of which a text may name a part.
  private static func isTold(_ path: String) -> Bool {
    ["dialog", "shown", "log", "notifications", "exec", "http", "opened"].contains(path)
  }

  /// Whether a value contains what a matcher describes; with `inParts`, a text is also contained in
  /// a list of which it is a part of an element.
  private func contains(_ value: Value, _ matcher: TestMatcher, inParts: Bool) -> Bool {
    if case .list(let parts, _) = matcher {
      return parts.allSatisfy { contains(value, $0, inParts: inParts) }
    }
    switch (value, matcher) {
    case (.list(let values), _):
      return values.contains {
        if fits(matcher, $0) { return true }
        guard inParts, case .literal = matcher else { return false }
        return contains($0, matcher, inParts: true)
      }
    case (.string, .fields):
      let parsed = Self.parsed(value)
      if case .string = parsed { return false }
      return contains(parsed, matcher, inParts: inParts)
    case (.map(let map), .fields(let fields, _)):
      return fields.allSatisfy { name, matcher in
        map.entries.contains { $0.key.text == name.text && fits(matcher, $0.value) }
      }
    case (.map(let map), .literal(let node)):
      return map.entries.contains { $0.key.text == node.scalar?.text }
    case (.object, .fields): return fits(matcher, value)
    case (_, .literal(let node)):
      guard let text = node.scalar?.text else { return false }
      return comparison.texts(of: value).contains { $0.contains(text) }
    default: return false
    }
  }

  /// Advice on a text expected as an element of a list that may be meant as part of an element.
  private func partHelp(_ matcher: TestMatcher, in value: Value) -> String? {
    guard case .list(let values) = value, case .literal(let node) = matcher,
      let text = node.scalar?.text,
      values.contains(where: { comparison.texts(of: $0).contains { $0.contains(text) } })
    else { return nil }
    return "no element equals “\(text)”; for a part of an element write "
      + "`[{contains: \(node.span.text)}]`"
  }

  private static func description(of matcher: TestMatcher) -> String {
    switch matcher {
    case .literal(let node): ValueText.text(of: node)
    case .list(let matchers, _): "[" + matchers.map(description).joined(separator: ", ") + "]"
    case .fields(let fields, _):
      "{"
        + fields.map { "\($0.name.text): \(description(of: $0.matcher))" }
        .joined(separator: ", ") + "}"
    case .conditions(let conditions, _):
      conditions.map { condition in
        switch condition {
        case .equals(let matcher): description(of: matcher)
        case .contains(let matcher): "contains \(description(of: matcher))"
        case .startsWith(let text): "starts with \(ValueText.text(of: .string(text.text)))"
        case .matches(let pattern): "matches \(pattern.text)"
        case .size(let matcher): "size \(description(of: matcher))"
        case .holds(let expression): "where \(expression.text)"
        }
      }.joined(separator: " and ")
    }
  }
}
