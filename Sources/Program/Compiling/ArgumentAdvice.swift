import Catalog
import Source
import YAML

/// The arguments meant by those of other programs.
enum ArgumentAdvice {
  /// For the words of a verb, the arguments to write; `…` stands for the given text, else for the
  /// example.
  private static let rows: [(verb: String, words: String, example: String, meant: String)] = [
    ("http", "get", "https://…", "url: …"), ("http", "post", "https://…", "url: …, method: POST"),
    ("http", "put", "https://…", "url: …, method: PUT"),
    ("http", "patch", "https://…", "url: …, method: PATCH"),
    ("http", "delete", "https://…", "url: …, method: DELETE"),
    ("http", "head", "https://…", "url: …, method: HEAD"),
    ("http", "token bearer", "", "auth: {bearer: …}"),
    ("http", "username user password", "", "auth: {user: …, password: …}"),
    ("http", "cookie cookies", "", "headers: {Cookie: …}"),
    ("http", "useragent", "", "headers: {User-Agent: …}"),
    ("http", "accept", "", "headers: {Accept: …}"),
    ("http", "contenttype", "", "headers: {Content-Type: …}"),
    ("http", "followredirects follow", "", "redirects: 5"),
    ("http", "validatestatus raiseforstatus failonerror", "", "check: true"),
    ("read-file", "delimiter separator sep", ";", "csv: {delimiter: '…'}"),
    ("read-file", "header headers columns", "", "csv: {header: false}"),
    ("read-file", "json yaml lines text", "", "parse: KEY"),
    ("write-file", "append create replace", "", "mode: KEY"),
    ("move-file", "overwrite force replace", "", "onConflict: replace"),
    ("copy-file", "overwrite force replace", "", "onConflict: replace"),
    ("ask", "options choices", "[one, two]", "type: enum` and `values: …"),
    ("ask", "min minimum", "0", "where: self >= …"),
    ("ask", "max maximum", "100", "where: self <= …"),
    ("ask", "optional required", "", "default: ''"),
    ("ask", "pattern regex", "…", "where: 'self.matches(\"…\")'"),
    ("choose", "options choices values items list", "[one, two]", "from: …"),
    ("confirm", "default", "", "optional: true"),
    ("wait", "seconds secs", "5", "for: …s"), ("wait", "minutes", "5", "for: …m"),
    ("wait", "hours", "5", "for: …h"), ("wait", "days", "5", "for: …d"),
    ("wait", "condition while", "done", "entity: Task, where: …"),
    ("fail", "exit exitcode exitstatus", "1", "status: …"),
    ("enqueue", "delay in at", "5m", "after: …"),
    ("delete", "force yes", "", "confirm: false"),
    ("update", "append push", "", "add: {tags: [new]}"),
    ("update", "delete unset", "", "set: {due: null}"),
  ]

  /// More than what to write, by verb and word.
  private static let notes = [
    "http verify": "certificates are always verified; remove it",
    "http insecure": "certificates are always verified; remove it",
    "http ssl": "certificates are always verified; remove it",
    "http timeout": "write `timeout: 30s` beside `http`",
    "find select":
      "items are found whole: take a field afterwards, as in `{{ it.map(i, i.title) }}`",
    "find group": "group them afterwards: `{{ it.groupBy(i, i.tags) }}`",
    "find count": "count them afterwards: `{{ size(it) }}`",
    "find distinct": "take them once afterwards: `{{ it.map(i, i.title).distinct() }}`",
    "find offset": "leave them out afterwards: `{{ it.slice(10, size(it)) }}`",
    "find join": "an item holds the others: write `self.link.title` for a field of one",
    "read-file encoding": "remove it: the encoding is recognized",
    "read-file charset": "remove it: the encoding is recognized",
    "update entity": "write `- find: {entity: …, where: …}`, then `- for: item`, with "
      + "`in: '{{ it }}'` and `do: [{update: {item: '{{ item }}', set: {…}}}]`",
    "update where": "a `find` before it chooses the items",
    "delete where": "a `find` before it chooses the items",
    "delete entity": "write `- find: {entity: …, where: …}`, then `- for: item`, with "
      + "`in: '{{ it }}'` and `do: [{delete: '{{ item }}'}]`",
  ]

  /// Advice on `entity: Task, id: 1`, which stand for one reference; nil for other arguments.
  private static func reference(_ word: String, of verb: String, in mapping: Mapping?) -> String? {
    guard ["update", "delete", "open"].contains(verb),
      let entity = mapping?["entity"]?.scalar?.text,
      let id = ["id", "number"].lazy.compactMap({ mapping?[$0]?.scalar?.text }).first,
      Int(id) != nil
    else { return nil }
    let text = "\(NameForm.kebab.corrected(entity) ?? entity.lowercased()):\(id)"
    return word == "entity" ? "write `item: '\(text)'` instead of `entity` and `id`" : nil
  }

  /// Whether an unknown argument is told of with the one before it: the number of an item beside its
  /// entity.
  static func isTold(_ key: Scalar, of verb: String, in mapping: Mapping) -> Bool {
    ["id", "number"].contains(key.text) && reference("entity", of: verb, in: mapping) != nil
  }

  /// Advice on an unknown argument; nil for none.
  static func help(on key: Scalar, of verb: String, in mapping: Mapping?) -> String? {
    let word = key.text.lowercased().filter { $0 != "-" && $0 != "_" }
    if let whole = reference(word, of: verb, in: mapping) { return whole }
    let name = ["fields": "select", "columns": "select", "groupby": "group"][word] ?? word
    if let note = notes["\(verb) \(verb == "find" ? name : word)"] { return note }
    if verb == "http", ["data", "payload", "content"].contains(word),
      mapping?[key.text].map({ $0.mapping != nil || $0.sequence != nil }) == true
    {
      return "did you mean `json`?"
    }
    let row = rows.first { row in
      row.verb == verb && row.words.split(separator: " ").contains { $0 == word }
    }
    guard let row else { return nil }
    let node = mapping?[key.text]
    let given = node?.scalar?.text ?? node?.span.text ?? ""
    let isShort = !given.isEmpty && given.utf8.count <= 60 && !given.contains("\n")
    let isNumber = row.example.first?.isNumber == true
    let text = isShort && (!isNumber || given.first?.isNumber == true) ? given : row.example
    let meant = row.meant.replacing("KEY", with: key.text)
    return "write `\(row.example.isEmpty ? meant : meant.replacing("…", with: text))`"
  }
}
