import CEL
import Source
import YAML

/// Corrections for documents written as for another program.
enum DocumentAdvice {
  /// Advice on a key of another program for which a document has no single key; nil for other
  /// keys.
  static func help(
    onForeignKey key: Scalar, _ kind: Definition.Kind, in mapping: Mapping
  ) -> String? {
    let value = mapping[key.text]
    switch key.text.lowercased().filter({ $0 != "_" && $0 != "-" }) {
    case "identifier", "primarykey", "key", "unique":
      if kind == .entity, let name = value?.scalar?.text, NameForm.lowerCamel.accepts(name) {
        return "write `identity: \(name)`"
      }
    case "trigger", "triggers":
      if kind == .automation, let time = value?.sequence?.first?.mapping?["at"]?.scalar?.text {
        let parts = time.split(separator: ":")
        return "write `on: [{at: '\(parts.prefix(2).joined(separator: ":"))'}]`"
      }
    case "timeoutminutes", "timeoutseconds", "timeoutms", "timeoutsec":
      let unit = key.text.hasPart("inutes") ? "m" : key.text.hasSuffix("ms") ? "ms" : "s"
      if kind.isAction { return "write `timeout: \(value?.scalar?.text ?? "5")\(unit)`" }
    case "required":
      return "remove it: \(kind == .entity ? "a property" : "a parameter") is required unless its "
        + "type ends with `?`, as in `'string?'`"
    case "jobs" where value?.mapping != nil && kind.isAction:
      return "steps stand directly below `steps:`, without a job around them, as in "
        + "`- exec: [make]`"
    case "concurrency" where kind.isAction, "maxexceeded" where kind.isAction,
      "parallel" where kind.isAction:
      return "write `mode: single`, `restart`, `queued` or `parallel` for runs at once"
    case "rows" where kind == .widget && mapping["items"] != nil,
      "size" where kind == .widget && mapping["items"] != nil:
      let count = value?.scalar.flatMap { Int($0.text) } ?? 3
      return "write `families: {medium: {rows: \(min(max(count, 1), 3))}}`"
    case "needs" where kind != .automation, "dependson", "depends", "deps":
      let name = (value?.sequence?.first ?? value)?.scalar?.text
      return "remove it: steps run in their order; to run another shortcut first begin with "
        + "`- \(name.flatMap(NameForm.kebab.corrected) ?? "name")`"
    case "strategy", "matrix", "withitems", "loop", "foreach":
      if kind.isAction {
        var list = value
        while let inner = list?.mapping?.entries.first?.value { list = inner }
        let items = list?.sequence == nil ? nil : list?.span.text
        return "write a loop below `steps:`: `- for: item`, with "
          + "`in: \(items.flatMap { $0.utf8.count > 60 ? nil : $0 } ?? "[…]")` and `do:` beside it"
      }
    default: break
    }
    return help(onForeignKey: key.text, kind)
  }

  private static func help(onForeignKey key: String, _ kind: Definition.Kind) -> String? {
    if kind == .widget, let help = help(onWidgetKey: key.lowercased()) { return help }
    return switch key.lowercased().filter({ $0 != "_" && $0 != "-" }) {
    case "condition", "conditions", "if", "unless", "filter", "where":
      kind == .automation
        ? "write `where:` beside `created:` or `changed:` in an entry of `on`, or `when:` beside a "
          + "step" : "write `when:` beside a step, or `- if: …` with `then:` around several"
    case "id", "uniqueid", "uuid":
      "the name after `\(kind.rawValue):` identifies it: remove `\(key)`"
    case "version", "author", "license", "apiversion", "schema", "$schema", "category", "tag",
      "tags", "group", "keywords", "owner", "metadata", "labels":
      "remove it, or write it as a comment: `# \(key): …`"
    case "enabled", "disabled", "active", "initialstate", "paused":
      kind == .automation ? nil : "remove it: a definition is there as long as its file is"
    case "logging", "debug", "verbose", "loglevel", "trace":
      "remove it: `errand log` shows what each run did"
    case "plural", "singular", "pluralname", "displayname":
      kind == .entity ? "write `display: {name: {one: thing, other: things}}`" : nil
    case "sort", "orderby", "order":
      kind == .entity ? "write `queries: {NAME: {sort: name}}`" : nil
    case "relations", "relationships", "hasmany", "belongsto", "references", "foreignkeys":
      kind == .entity
        ? "declare a property with the other entity as its type, as in `link: Link?` or "
          + "`links: list<Link>`" : nil
    case "indexes", "indices", "index":
      kind == .entity
        ? "it belongs to the property: write `name: {type: string, index: true}`" : nil
    case "validation", "validate", "validations", "constraints", "rules", "checks":
      kind == .entity
        ? "it belongs to the property, as in `pages: {type: int, min: 1}`" : nil
    case "defaults", "default":
      "it belongs to the \(kind == .entity ? "property" : "parameter"): write "
        + "`name: {type: string, default: …}`"
    case "extends", "inherits", "parent", "base":
      kind == .entity
        ? "an entity inherits nothing: repeat the properties, or declare one that holds the other "
          + "item, as in `link: Link`"
        : "remove it: all definitions of your files can call each other by name"
    case "env", "environment":
      kind.isAction
        ? "it belongs to the program: write `- exec: {command: […], env: {NAME: value}}`" : nil
    case "input", "parameters", "inputs":
      kind == .automation ? "an automation has no input: `trigger` says what started it" : nil
    case "imports", "import", "include", "includes", "dependencies":
      "remove it: all definitions of your files can call each other by name"
    case "catch", "rescue", "onerror", "finally", "ensure":
      "put the steps below `- try:`, with `catch:` or `finally:` beside it"
    case "access", "permissions", "permission", "requires", "capabilities", "allow":
      "remove it: what it may use is asked for when it runs, or given by `--allow`"
    case "runson", "hosts", "shell", "workingdirectory", "become", "services", "image":
      "remove it: steps run on this machine"
    case "interval", "every", "at", "time", "created", "changed", "due", "event", "file":
      kind == .automation ? "it belongs to an entry of `on`: write `on: [{\(key): …}]`" : nil
    case "on", "trigger", "triggers":
      kind == .automation
        ? nil
        : "only an automation starts by itself: write `automation: NAME` with `on:`, which calls it"
    case "identifier", "primarykey", "key", "unique":
      kind == .entity ? "write `identity: name`, with the property that tells items apart" : nil
    case "table", "class", "model": "remove it: the name stands after `\(kind.rawValue):`"
    default: nil
    }
  }

  /// Advice on a key of other programs' widgets and cards; nil for other keys.
  private static func help(onWidgetKey key: String) -> String? {
    switch key {
    case "source", "data", "query", "list", "rows", "find", "entity", "entities":
      "write `items: {entity: …, where: …}`"
    case "row", "template", "content", "text", "label", "body", "card":
      "write `item: {title: '{{ self.title }}'}`"
    case "type", "kind", "style", "layout", "theme", "color", "width", "height":
      "remove it: how a widget looks follows from its size"
    case "size", "sizes", "family", "limit", "count", "max":
      "write `families: {medium: {rows: 3}}`"
    case "actions", "action", "tap", "onclick", "click":
      "write `item: {tap: open}` for a click on an item, or `buttons:` below all of them"
    case "interval", "every", "update", "ttl", "cache": "write `refresh: 15m`"
    case "placeholder", "none", "default": "write `empty: …`"
    default: nil
    }
  }

  /// Advice on a document whose root is not a mapping.
  static func help(onRoot node: Node) -> String? {
    if let first = node.sequence?.first {
      if let word = first.mapping?.entries.first?.key.text, Definition.Kind(rawValue: word) != nil {
        return "remove the `- ` in front of `\(word):`, and the spaces before the keys below it; "
          + "put a line `---` between two documents"
      }
      if first.scalar != nil, node.span.text.hasPrefix("[") {
        return "this looks like TOML; in YAML write `shortcut: NAME`, and the steps below `steps:`"
      }
      if let help = first.mapping.flatMap(help(onKeysOf:)) {
        return
          "remove the `- ` in front of the first key, and the spaces before the others; \(help)"
      }
      return "a list of steps goes below `steps:`; write `shortcut: NAME` above it"
    }
    guard let scalar = node.scalar, let line = scalar.text.split(separator: "\n").first else {
      return nil
    }
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
    if let word = words.first, let kind = Definition.Kind(rawValue: word.lowercased()) {
      let name = words.dropFirst().first.flatMap(kind.nameForm.corrected) ?? "NAME"
      let other =
        line.contains("=") ? "this looks like TOML; in YAML a key ends with a colon: " : ""
      return "\(other)write `\(kind.rawValue): \(name)`"
    }
    let start = "begin with a line `shortcut: NAME`, and the steps below `steps:`"
    if node.span.file.bytes.starts(with: "#!".utf8) {
      return "this is a script, not YAML; \(start), and call it with `- exec: [sh, FILE]`"
    }
    if line.hasPrefix("<") { return "this looks like XML or HTML, not YAML; \(start)" }
    if line.contains("(") || line.contains(";") || line.hasSuffix("{") {
      return "this looks like a program, not YAML; \(start), and call a program with "
        + "`- exec: [python3, FILE]`"
    }
    if line.contains("=") || line.hasPrefix("[") {
      return "this looks like TOML or a shell script; in YAML a key ends with a colon; \(start)"
    }
    return start
  }

  /// The keys of another program, in the order of a document here.
  private static let keys: [(foreign: [String], here: String)] = [
    (["trigger", "triggers", "events", "schedule"], "on:"),
    (
      [
        "action", "actions", "jobs", "tasks", "sequence", "script", "commands", "runs", "run",
        "do", "step",
      ], "steps:"
    ),
    (["fields", "columns", "attributes"], "properties:"),
  ]

  /// Advice on a document without a kind, judging by its keys; nil if unclear.
  static func help(onKeysOf mapping: Mapping) -> String? {
    let names = Set(mapping.entries.map(\.key.text))
    let replacements = keys.compactMap { row in
      row.foreign.first(where: names.contains).map { (foreign: $0, here: row.here) }
    }
    let known = names.union(replacements.map { String($0.here.dropLast()) })
    let kinds: [(key: String, kind: Definition.Kind)] = [
      ("on", .automation), ("steps", .shortcut), ("properties", .entity), ("families", .widget),
    ]
    guard let kind = kinds.first(where: { known.contains($0.key) })?.kind else { return nil }
    let title = mapping.entries.first { entry in
      ["alias", "name", "title", "id"].contains(entry.key.text)
    }
    let name = title?.value.scalar.flatMap { kind.nameForm.corrected($0.text) }
    let first = "\(kind.rawValue): \(name ?? (kind == .entity ? "Name" : "NAME"))"
    guard !replacements.isEmpty || title != nil else { return "add a line `\(first)` at the top" }
    let parts =
      ["`\(first)`\(title.map { " for `\($0.key.text):`" } ?? " at the top")"]
      + replacements.map { "`\($0.here)` for `\($0.foreign):`" }
    let list = parts.dropLast().joined(separator: ", ")
    return "write \(list.isEmpty ? "" : list + " and ")\(parts[parts.count - 1])"
  }
}
