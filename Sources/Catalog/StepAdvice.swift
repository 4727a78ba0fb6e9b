import CEL
import Source
package import YAML

/// Corrections for steps written as in another language.
package enum StepAdvice {
  /// The names of the arguments that a text alone is taken for, of verbs with many arguments.
  private static let primaries = [
    "find": "entity", "create": "entity", "update": "item", "notify": "text", "http": "url",
    "ask": "prompt", "choose": "from", "confirm": "prompt", "write-file": "path",
    "read-file": "path", "find-files": "in", "enqueue": "name", "run": "name", "save": "url",
    "add-task": "title", "add-note": "text", "search": "query", "progress": "done",
    "activity": "key",
    "exec": "command",
  ]

  /// The step with the keys beside its text as arguments, or, if one of them is a verb, two steps;
  /// nil if the text has no name, or a key is none of its arguments.
  static func arguments(
    of step: Mapping.Entry, beside others: [Mapping.Entry], _ collector: DiagnosticCollector
  ) -> String? {
    let text = step.value.span.text
    let verb = step.key.text
    if verb == "create" || verb == "update", step.value.scalar != nil, text.utf8.count <= 80,
      !others.contains(where: {
        collector.takes(verb, $0.key.text) || collector.isVerb($0.key.text)
      })
    {
      let set = others.map { "\($0.key.text): \($0.value.span.text)" }.joined(separator: ", ")
      let inner = set.utf8.count > 80 || set.contains("\n") ? "…" : set
      return "write `- \(verb): {\(verb == "create" ? "entity" : "item"): \(text), "
        + "set: {\(inner)}}`"
    }
    guard let primary = primaries[verb], step.value.mapping == nil,
      text.utf8.count <= 80, !text.contains("\n"),
      // The parameters of an intent are not known here.
      !collector.isVerb(verb)
        || others.allSatisfy({
          collector.takes(verb, $0.key.text) || collector.isVerb($0.key.text)
        })
    else { return nil }
    let rest = others.map { other -> String in
      let value = other.value.span.text
      let isShort = value.utf8.count <= 60 && !value.contains("\n")
      return "\(other.key.text): \(isShort ? value : "…")"
    }
    return
      "write `- \(step.key.text): {\(([primary + ": " + text] + rest).joined(separator: ", "))}`"
      + (collector.isVerb(others[0].key.text)
        ? ", or begin a new step with `- \(others[0].key.text):`" : "")
  }

  /// The step meant by a key such as `create Car`, whose second word is the first argument; nil for
  /// other keys.
  package static func help(onArgumentIn key: Scalar) -> String? {
    let words = key.text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let primary = primaries[words[0]] else { return nil }
    return "write `- \(words[0]): {\(primary): \(words[1]), …}`"
  }

  /// The step to write instead of another language's name for it; nil for unknown words.
  ///
  /// - Parameter name: The name under `as` beside it.
  package static func help(onForeignWord key: Scalar, as name: String? = nil) -> String? {
    switch kebab(key.text) {
    case _ where key.text.hasPrefix("-") && key.text.count > 1:
      return key.span.line(with: "- \(key.text.drop { $0 == "-" || $0 == " " })")
        .map { "a space belongs after the `-`: write `\($0)`" }
    case _ where key.text.hasPrefix("for ") && key.text.contains(" in "):
      let parts = key.text.split(separator: " ", maxSplits: 3)
      guard parts.count == 4 else { return nil }
      if parts[3].contains("*") {
        return
          "write `- find-files: {in: ., match: '\(parts[3])'}`, then `- for: \(parts[1])`, with "
          + "`in: '{{ it }}'` and `do:` below it"
      }
      return "write `- for: \(parts[1])`, with `in: '{{ \(parts[3]) }}'` and `do:` below it"
    case "foreach", "for-each", "each", "repeat-with-each":
      if let list = value(of: key), !list.contains(" in "),
        name != nil || list.contains(where: { "([{.".contains($0) })
      {
        let text = list.contains("{{") ? list : "'{{ \(list) }}'"
        return "write `- for: \(name ?? "item")`, with `in: \(text)` and `do:` below it"
          + (name == nil ? "" : ", and remove the `as:`")
      }
      let line = key.span.line(with: "for") ?? "- for: item"
      return "write `\(line)`, with `in:` and `do:` below it"
    case "loop": return "write `- repeat: 3`, `- while: …` or `- for: item`, with `do:` below it"
    case "until": return "write `- while: '!(…)'` with `do:` below it"
    case "unless": return "write `- if: '!(…)'` with `then:` below it"
    case "else-if", "elseif", "elsif", "elif", "else":
      return "beside the `if` and its `then`, write `elif: [{if: …, then: …}]`, and `else:` last"
    case "then", "do", "options", "in", "index", "pace":
      return block(of: key)
    case "catch", "finally", "rescue", "except", "ensure", "begin", "always", "block":
      return
        "write `- try: …` with the steps that may fail, and `catch: …` or `finally: …` beside it"
    case "on":
      return "a handler is `- on: exec` below `catch:`, with `do:` and its steps beside `on`"
    case "switch", "case", "match": return "write `- if: …` with `then:`, `elif:` and `else:`"
    case _ where isAssignment(key):
      return "write `- set: \(assignments(of: key))`"
    case "output" where value(of: key).map({ Double($0) != nil || $0.contains("{{") }) == true:
      return "to give a result write `- return: \(value(of: key) ?? "…")`"
    case "print", "echo", "puts", "output", "display", "show", "printf", "console-log", "dialog":
      return line("say", key)
    case "uses" where value(of: key)?.contains { "/@".contains($0) } == true:
      return "actions of GitHub are not here: start the program that does it, as in "
        + "`- exec: [git, clone, 'https://…']`"
    case "service", "action", "perform-action", "target":
      guard let name = value(of: key), name.contains(".") else { fallthrough }
      return name.hasPrefix("notify")
        ? "write `- notify: …`, with the message itself, and nothing beside it"
        : "a device is reached by its API: write `- http: {url: 'https://…', method: POST, json: …}`"
    case "call", "invoke", "uses", "use", "trigger", "import", "include":
      return "write the name itself, as `- save: …`, or `- run: name`"
    case "mkdir", "makedirs", "create-folder", "new-folder", "create-directory", "make-directory",
      "make-dir", "mkdirs":
      return line("make-folder", key)
    case "touch": return "write `- write-file: {path: \(value(of: key) ?? "…"), text: ''}`"
    case "template"
    where inline(key)?.contains("src") == true || inline(key)?.contains("dest") == true:
      return
        "read the template by `- read-file: …`, and write it by `- write-file: {path: …, text: "
        + "'{{ it.replace(…) }}'}`"
    case "text", "string", "value-of", "eval", "expression", "template", "dictionary", "list":
      return "write `- value: …`"
    case "get-contents-of-url" where value(of: key)?.contains("://") == true:
      return line("http", key)
    case "pass", "noop", "no-op", "nothing", "nop":
      return "leave it out: a branch that does nothing needs no steps"
    case "file" where inline(key)?.contains("directory") == true:
      return "write `- make-folder: …` with its path"
    case "quick-look", "preview", "show-content": return line("show", key)
    case "get-contents-of-url", "api", "rest", "webhook", "post", "put", "patch":
      return "write `- http: {url: https://…, method: POST, json: …}`"
    case "show-notification": return "write `- notify: …`"
    case "open-url", "browse", "xdg-open", "start": return "write `- open: https://…`"
    case "ask-for-input": return "write `- ask: …`"
    case "choose-from-menu": return "write `- menu: …` with `options:` below it"
    case "choose-from-list", "select-one", "pick": return "write `- choose: …`"
    case "debug":
      return line("say", key, field: "msg") + ", or `- log: …` for the log alone"
    case "trace", "logger", "console": return "write `- log: …`"
    case "map", "reduce", "sort", "join", "split", "length", "count":
      return "that is a function: write `- value: '{{ … }}'`"
    case "update-item", "upsert", "save-item": return "write `- create: {entity: …, set: {…}}`"
    case "remind", "reminder", "remind-me", "todo", "task":
      return "write `- add-task: {title: …, due: tomorrow}`"
    case "comment", "description", "name":
      return "write it after `# `, or as `name:` beside a step"
    case "trigger-at", "at", "every", "schedule", "cron":
      return "a time belongs to an automation: `on: [{every: 6h}]`"
    case "async", "concurrently", "fork", "threads":
      return "write `- parallel:` with named branches"
    case "lock", "transaction", "begin-transaction": return "write `- atomic:` with steps below it"
    case "throw", "raise", "error", "assert": return line("fail", key)
    case "exit" where (value(of: key).flatMap { Int($0) } ?? 0) != 0:
      return "write `- fail: {message: …, status: \(value(of: key) ?? "1")}`"
    case "exit", "quit", "end", "halt": return "write `- stop`"
    case "sleep", "delay", "pause": return "write `- wait: \(length(of: key) ?? "5s")`"
    case "wait-for-trigger", "wait-template", "wait-until", "wait-for":
      return
        "to wait for an item write `- wait: {entity: Task, where: …}`; an automation starts by "
        + "itself, by its `on:`"
    case "shell", "bash", "sh", "command", "cmd", "script", "execute", "system", "spawn",
      "subprocess", "python", "python3", "node", "git", "program", "bash -c":
      return command(of: key)
    case "input", "prompt", "read-line", "question": return line("ask", key)
    case "alert", "toast", "notification", "push": return line("notify", key)
    case "mail", "email", "e-mail", "send-mail", "send-email", "sendmail":
      return "there is no mail: start a program with `- exec: [sendmail, …]`, or use `- http: …`"
    case "uri", "curl", "fetch", "request", "wget", "download", "http-get", "http-post", "get-url":
      return value(of: key)?.contains("://") == true
        ? line("http", key) : "write `- http: https://…`"
    case "delete-file", "remove-file", "rm", "unlink", "delete-files", "remove":
      return
        "nothing deletes a file for good: `- trash-file: \(value(of: key) ?? "…")` puts it into "
        + "the trash"
    case "rename-file", "rename", "mv": return "write `- move-file: {from: …, to: …}`"
    case "cp": return "write `- copy-file: {from: …, to: …}`"
    case "list-files", "ls", "glob", "list-folder", "list-directory":
      return "write `- find-files: {in: …, match: '*.txt'}`"
    case "load-file", "cat", "open-file": return line("read-file", key)
    case "save-file", "append-file", "append", "write", "write-to-file", "create-file":
      return "write `- write-file: {path: …, text: …}`"
    case "insert", "new", "add-item": return "write `- create: {entity: …, set: {…}}`"
    case "query", "select", "filter": return "write `- find: {entity: …, where: …}`"
    case "modify", "edit": return "write `- update: {item: …, set: {…}}`"
    case "set-clipboard", "copy-to-clipboard", "clipboard": return "write `- copy: …`"
    case "get-clipboard", "paste-from-clipboard": return "write `- paste` with `as:` below it"
    default: return nil
    }
  }

  /// A name of several words, as in `Get Contents of URL` or `open_url`, in the form of a step's.
  package static func kebab(_ name: String) -> String {
    let isSeparated = name.contains { $0 == " " || $0 == "_" }
    return isSeparated
      ? name.lowercased().split { " _-".contains($0) }.joined(separator: "-")
      : NameForm.kebab.corrected(name) ?? name.lowercased()
  }

  /// The step that the first or last words of a name mean, as in `show-result` and `errand add-task`.
  package static func help(onWordsOf key: Scalar, isName: (String) -> Bool) -> String? {
    let words = kebab(key.text).split(separator: "-")
    let parts =
      (1..<max(1, words.count)).reversed().map { words.prefix($0) }
      + (words.first == "errand" ? [words.dropFirst()] : [])
    for part in parts {
      let name = part.joined(separator: "-")
      if isName(name) { return "did you mean `\(name)`?" }
      let word = Scalar(text: name, style: .plain, span: key.span)
      if let help = help(onForeignWord: word) { return help }
    }
    return nil
  }

  /// Advice on a key that belongs to a block; nil for other keys.
  static func block(of key: Scalar) -> String? {
    let heads = Step.blocks.filter { $0.dropFirst().contains { $0.name == key.text } }
      .map { "`- \($0[0].name): …`" }
    guard let last = heads.last else { return nil }
    let list = heads.dropLast().joined(separator: ", ")
    return "`\(key.text)` belongs beside \(list.isEmpty ? "" : list + " or ")\(last)"
  }

  /// Adds advice to the problem of a key repeated in a step.
  static func onRepeatedKey(_ problem: Diagnostic, _ collector: DiagnosticCollector) -> Diagnostic {
    guard problem.id == "duplicate-key", let key = problem.span?.text else { return problem }
    var problem = problem
    if Definition.Kind(rawValue: key) != nil {
      problem.help = "a line `---` stands between two documents"
    } else if key == "then" || key == "if" {
      problem.help = "another condition is `elif: [{if: …, then: …}]`, beside the first `then`"
    } else if collector.isVerb(key) {
      problem.help = "begin a new step with `- \(key):`, or remove one of them"
    }
    return problem
  }

  /// Advice on a key next to `if` that is another language's `elif`; nil for other keys.
  static func otherCondition(_ key: Scalar) -> String? {
    switch key.text.lowercased().filter(\.isLetter) {
    case "elseif", "elsif", "elif", "elseiff", "orif":
      "write `elif: [{if: …, then: …}]`, with one pair of `if` and `then` for each"
    default: nil
    }
  }

  /// The step meant by a sentence such as `say Hello`; nil if unclear.
  static func step(meantBy sentence: Scalar, _ collector: DiagnosticCollector) -> String? {
    let end = sentence.text.firstIndex { $0 == " " || $0 == ":" || $0 == "：" }
    guard let end else { return nil }
    let verb = sentence.text[..<end].lowercased()
    guard collector.isVerb(verb) else { return nil }
    let rest = sentence.text[end...].drop { $0 == " " || $0 == ":" || $0 == "：" }
    guard !rest.isEmpty, rest.utf8.count <= 100, !rest.contains("\n") else { return nil }
    if let space = rest.firstIndex(of: " "), ["if", "when", "unless"].contains(rest[..<space]) {
      let test = rest[rest.index(after: space)...]
      let isOpposite = rest.hasPrefix("unless ")
      return "- \(verb):`, and below `\(verb)` "
        + "`when: \(isOpposite ? "'!(\(test))'" : String(test))"
    }
    let isQuoted = rest.count > 1 && rest.first == rest.last && "'\"".contains(rest.last ?? "x")
    let needsQuotes =
      !isQuoted
      && (rest.contains(": ") || rest.contains(" #")
        || "'\"[{*&!%@`|>".contains(rest.first ?? "x"))
    let value = needsQuotes ? "'\(rest.replacing("'", with: "''"))'" : String(rest)
    // In a list in brackets the `- ` is implied; a single step stands in brackets.
    let before = sentence.span.file.bytes[..<sentence.span.range.lowerBound]
    return switch before.last(where: { $0 != 0x20 }) {
    case UInt8(ascii: "["), UInt8(ascii: ","): "\(verb): \(value)"
    case UInt8(ascii: ":"): "[{\(verb): \(value)}]"
    default: "- \(verb): \(value)"
    }
  }
}
