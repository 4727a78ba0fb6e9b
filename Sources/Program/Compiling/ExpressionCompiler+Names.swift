import CEL
import Catalog
import Items
import Source
import YAML

/// Names that are not in scope.
extension ExpressionCompiler {
  /// Reports a name that is not in scope.
  func reportUnknown(
    _ name: String, in expression: Expression, _ source: ExpressionSource, _ scopes: Scopes,
    subject: Subject?
  ) {
    let bare = name.hasPrefix("vars.") ? String(name.dropFirst(5)) : name
    let first = bare == name ? name : "vars"
    let range =
      context.environment.freeNames(of: expression).first { $0.name == first }?.range
      ?? expression.rangeOfRooted(bare)
    let span = range.map(source.span) ?? source.span
    let help =
      collector.wantsAdvice
      ? advice(
        onName: bare, isBare: bare == name, at: span, source, range, scopes, subject: subject) : nil
    collector.report("unknown-name", "unknown name `\(bare)`", at: span, help: help)
  }

  /// The condition for `status == "pending"`, as other programs have it, where an item is done or not.
  private static func truth(
    meantBy name: String, in source: ExpressionSource, _ entity: EntityDefinition
  ) -> String? {
    guard ["status", "state"].contains(name.lowercased()),
      entity.property("done")?.type.unwrapped == .bool
    else { return nil }
    let words = source.text.lowercased().split { !$0.isLetter }
    let isOpen = words.contains { word in
      ["pending", "open", "todo", "incomplete", "active", "waiting", "needsaction"].contains(word)
    }
    let isOver = words.contains { word in
      ["done", "completed", "complete", "closed", "finished"].contains(word)
    }
    guard isOpen != isOver else { return nil }
    return "a \(entity.displayName) is done or not: write `\(isOpen ? "!done" : "done")`"
  }

  /// Whether a name is a key of a map, as in `{title: 1}` of JavaScript.
  private static func isKey(at range: Range<Int>, in text: String) -> Bool {
    let bytes = Array(text.utf8)
    let before = bytes[..<range.lowerBound].last { $0 != 0x20 }
    let after = bytes[range.upperBound...].first { $0 != 0x20 }
    return after == UInt8(ascii: ":")
      && (before == UInt8(ascii: "{") || before == UInt8(ascii: ","))
  }

  /// Advice on a name that is not in scope.
  private func advice(
    onName bare: String, isBare: Bool, at span: Span, _ source: ExpressionSource,
    _ range: Range<Int>?, _ scopes: Scopes, subject: Subject?
  ) -> String? {
    if bare == "self" {
      return "`self` is the item in a `where`, a `display` and an entity's templates"
    }
    if subject == nil, let range, Array(source.text.utf8)[range].first == UInt8(ascii: ".") {
      return scopes.binding("it") == nil
        ? "nothing stands before the dot: begin with a name"
        : "nothing stands before the dot: for a field of the last result write `it.\(bare)`"
    }
    // The item of a widget, or of a loop called so.
    if subject == nil, isBare, case .entity(let name)? = scopes.binding("self")?.type?.unwrapped,
      (try? context.catalog.entity(name))?.property(bare) != nil
    {
      return "the item is `self` here: write `self.\(bare)`"
    }
    if let subject, !subject.allowsBareNames, subject.entity?.property(bare) != nil {
      return "the item is `self` here: write `self.\(bare)`"
    }
    if let entity = subject?.entity, let help = Self.truth(meantBy: bare, in: source, entity) {
      return help
    }
    if source.scalar.text.hasPart("{%") { return Template.blockHelp }
    if let range, Self.isKey(at: range, in: source.text) {
      return "a key that is a text needs quotes: write `\"\(bare)\"`"
    }
    if let entity = subject?.entity, isBare,
      [entity.name.text.lowercased(), "item", "items", "record", "row", "it", "this"]
        .contains(bare.lowercased())
    {
      let field = range.flatMap { ForeignPath(source.text, at: $0).first }
      return field.map { "the item is `self`: write `self.\($0)`" }
        ?? "the item is `self`"
    }
    // `run` and `it` are always in scope, but hardly ever meant.
    var names = Set(scopes.names).subtracting(["run", "it"])
    if let entity = subject?.entity, isBare {
      names.formUnion(entity.properties.map(\.name.text) + ["createdAt", "updatedAt"])
    }
    if subject != nil { names.insert("self") }
    if let help = scopes.nameAdvice?.help(for: bare, at: span.range.lowerBound) { return help }
    names = Set(
      names.map {
        NameForm.lowerCamel.accepts($0) ? $0 : NameForm.lowerCamel.corrected($0) ?? $0
      })
    if let help = scopes.nameAdvice?.help(ofTrigger: bare) { return help }
    if bare == "input", let help = scopes.nameAdvice?.inputHelp { return help }
    var path = range.map { ForeignPath(source.text, at: $0) }
    path?.isAfterDollar = source.scalar.text.hasPart("${{")
    if let help = path?.help({ $0 == "self" ? subject != nil : scopes.holds($0) }) { return help }
    if let help = context.environment.advice(onName: bare) { return help }
    if let day = [
      "today": "today()", "now": "now()", "yesterday": "today() - days(1)",
      "tomorrow": "today() + days(1)", "currentDate": "today()", "currentTime": "now()",
    ][bare] {
      return "write `\(day)`"
    }
    let isNear = Suggestion.nearest(to: bare, in: names) != nil
    if scopes.isDefault, !isNear { return "a default can use only the parameters above it" }
    if let subject, subject.entity == nil, !isNear {
      return "the item is `self` here: for its `\(bare)` write `self.\(bare.lowercasedFirst)`"
    }
    if names.isEmpty, path?.first != nil {
      return "nothing has this name: the result of a step gets one by `as: \(bare)` beside it"
    }
    if names.isEmpty { return "nothing has this name; a text needs quotes: `\"\(bare)\"`" }
    let help = Suggestion.help(for: bare, in: names.sorted())
    let isMeant = help?.hasPrefix("did you mean") ?? false
    return subject == nil || !isBare || isMeant
      ? help : "a text needs quotes: `\"\(bare)\"`" + (help.map { "; for a property, \($0)" } ?? "")
  }
}

extension Expression {
  /// Returns the place of a name after a dot with nothing before it, as in jq; nil if there is none.
  fileprivate func rangeOfRooted(_ name: String) -> Range<Int>? {
    if case .identifier(name, isRooted: true) = kind { return range }
    var found: Range<Int>?
    kind.forEachPart { found = found ?? $0.rangeOfRooted(name) }
    return found
  }
}

extension String {
  /// The text with its first letter in lower case, as names of properties have it.
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
