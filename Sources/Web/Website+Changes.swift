import ErrandKit

extension Website {
  /// Carries out a sent form, and goes back to where it was.
  func change() throws -> Reply {
    let path = request.path
    switch (path.first, path.count) {
    case ("item", 4): return try change(item(path[1], path[2]), path[3])
    case ("new", 2): return try create(path[1])
    case ("bulk", 1): return try changeSelected()
    case ("lists", 1), ("lists", 2): return try keepList(isNew: path.count == 1)
    case ("tasks", 1): return try addTask()
    case ("pad", 1): return try savePad()
    case ("inbox", 2): return try changeInbox(path[1])
    case ("settings", 2): return try changeSettings(path[1])
    case ("test", 2): return try test(path[1])
    case ("source", 2): return try saveSource(path[1])
    case ("check", 1): return try check()
    case ("gallery", 2) where path[1] == "add": return try addDefinition()
    case ("automations", 3): return try switchAutomation(path[1], on: path[2] == "on")
    case ("widgets", 3) where path[2] == "press": return try press(widget: path[1])
    case ("jobs", 3):
      let numbers = Int64(path[1]).map { [$0] } ?? []
      _ = try path[2] == "retry" ? writer().retry(jobs: numbers) : writer().cancel(jobs: numbers)
      return .redirect("/activity")
    case ("runs", 3) where path[2] == "cancel":
      guard let number = Int64(path[1]) else { throw Self.missing(path[1]) }
      try writer().cancel(run: number)
      return .redirect("/activity")
    case ("undo", 2):
      guard let number = Int64(path[1]) else { throw Self.missing(path[1]) }
      _ = try writer().undo(number)
      return .redirect(back ?? "/")
    default: throw Self.missing("/" + path.joined(separator: "/"))
    }
  }

  /// The page that a form wants to go back to; only one of ours.
  private var back: String? {
    request.field("back").flatMap { Self.isOurs($0) ? $0 : nil }
  }

  /// Whether an address is a path of the page; browsers take `\\` for `/`.
  static func isOurs(_ path: String) -> Bool {
    path.hasPrefix("/") && !["/", "\\"].contains(path.dropFirst().first)
  }

  private func change(_ item: ItemSnapshot, _ action: String) throws -> Reply {
    if action == "edit" { return try edit(item) }
    let back = back ?? here(item)
    let change: Writer.Change
    switch action {
    case "toggle":
      return .redirect(try toggle(item).map { Self.noting($0, action, at: back) } ?? back)
    case "favourite", "read", "archive":
      // A second press takes the first one back.
      let (property, value) = Self.marks[action] ?? ("done", true)
      let isSet = item[property] == value
      let cleared: JSONValue = value == true ? false : .null
      change = try writer().update([item.reference], set: [property: isSet ? cleared : value])
    case "tag", "untag":
      let values: [String: JSONValue] = ["tags": .array(Self.list(request.field("tag") ?? ""))]
      change = try writer().update(
        [item.reference], add: action == "tag" ? values : [:],
        remove: action == "tag" ? [:] : values)
    case "delete": change = try writer().delete([item.reference])
    default: throw Self.missing(action)
    }
    return .redirect(Self.noting(change, action, at: back))
  }

  /// Marks a task as done or open, as the intent does it: one that repeats comes back.
  ///
  /// - Returns: The number of the change.
  private func toggle(_ task: ItemSnapshot) throws -> Int64? {
    let run = try errand.start("toggle-task", ["task": .string(task.reference)])
    _ = try run.result()
    return try reader.changes(limit: 50).first { $0["run"]?.string == run.id }?["number"]?.int
  }

  /// The property and the value that a button sets.
  private static let marks: [String: (property: String, value: JSONValue)] = [
    "favourite": ("favourite", true), "read": ("reading", "read"),
    "archive": ("reading", "archived"), "done": ("done", true),
  ]

  /// The maximum number of items that are changed at once.
  private static let bulkLimit = 100_000

  /// Acts on the selected items, or on all of a list, in one change.
  private func changeSelected() throws -> Reply {
    var items = (request.form ?? []).filter { $0.name == "item" }.map(\.value)
    if request.field("all") != nil, let entity = request.field("entity") {
      func text(_ name: String) -> String? {
        request.field(name).flatMap { $0.isEmpty ? nil : $0 }
      }
      items = try reader.find(
        entity, matching: text("words"), where: text("condition"), limit: Self.bulkLimit
      ).map(\.reference)
    }
    guard !items.isEmpty else { return .redirect(back ?? "/") }
    let action = request.field("do") ?? ""
    let change: Writer.Change
    switch action {
    case "delete": change = try writer().delete(items)
    case "done":
      // Those that repeat come back, each by a run of its own.
      let tasks = try items.map { try reader.item($0) }.filter { $0["done"] != true }
      let repeating = tasks.filter { $0["repeat"] != .null }
      change = try writer().update(
        tasks.filter { $0["repeat"] == .null }.map(\.reference), set: ["done": true])
      let runs = try repeating.map(toggle)
      // Undo is offered if it takes back all of it.
      let number = runs.isEmpty ? change.number : tasks.count == 1 ? runs[0] : nil
      let back = back ?? "/"
      return .redirect(number.map { Self.noting($0, action, count: tasks.count, at: back) } ?? back)
    case "tag":
      change = try writer().update(
        items, add: ["tags": .array(Self.list(request.field("tag") ?? ""))])
    default:
      guard let (property, value) = Self.marks[action] else { throw Self.missing(action) }
      change = try writer().update(items, set: [property: value])
    }
    return .redirect(Self.noting(change, action, count: items.count, at: back ?? "/"))
  }

  /// Saves the list that was looked at under a title, or removes a saved one.
  private func keepList(isNew: Bool) throws -> Reply {
    var lists = SmartLists(errand)
    let title = request.field("title") ?? ""
    if isNew {
      guard !title.isEmpty, let path = request.field("path"), Self.isOurs(path)
      else { throw ErrandError(code: "invalid-value", message: "the list needs a name") }
      try lists.add(title, path: path)
      return .redirect(path)
    }
    let path = lists.entries.first { $0.title == title }?.path
    try lists.remove(title)
    return .redirect(path ?? "/")
  }

  /// A path that tells of a change, with its undo.
  static func noting(
    _ change: Writer.Change, _ action: String, count: Int = 1, at path: String
  ) -> String {
    guard let number = change.number else { return path }
    return noting(number, action, count: count, at: path)
  }

  /// A path that tells of the change with a number.
  static func noting(
    _ number: Int64, _ action: String, count: Int = 1, at path: String
  ) -> String {
    let sign = path.contains("?") ? "&" : "?"
    return path + "\(sign)done=\(number)&did=\(action)" + (count == 1 ? "" : "&n=\(count)")
  }

  /// The sentences of actions, without a count.
  private static let sentences = [
    "tag": "Tag added", "untag": "Tag removed", "delete": "Deleted", "new": "Saved",
    "edit": "Saved", "undo": "Undone",
  ]

  /// The note of a change that was just made.
  var toast: HTML? {
    guard let number = request.parameter("done").flatMap({ Int64($0) }) else { return nil }
    let query = request.query.filter { !["done", "did", "n"].contains($0.name) }
      .map { "\($0.name)=\($0.value.pathEncoded)" }.joined(separator: "&")
    let here =
      "/" + request.path.map(\.pathEncoded).joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query)
    let did = request.parameter("did") ?? ""
    let sentence = Self.sentences[did] ?? "Changed"
    let count = request.parameter("n").flatMap { Int($0) }
    return """
      <div class="toast" role="status"><span>\(sentence)\(count.map { ": \(Self.grouped($0))" } ?? "").</span>\
      <form method="post" action="/undo/\(number)">\(formToken)<input type="hidden" name="back" value="\(here)">\
      <button class="b plain">Undo</button></form></div>

      """
  }

  // MARK: Forms of entities

  /// The properties of an entity that a person fills in.
  func fields(of entity: String) throws -> [Errand.Parameter] {
    let shown: Set<String>? =
      entity == "Link"
      ? ["url", "title", "summary", "tags", "reading", "favourite", "private"] : nil
    // A task is marked as done by its circle: one that repeats then comes back.
    return try errand.definition(entity).parameters.filter {
      shown?.contains($0.name) ?? (entity != "Task" || $0.name != "done")
    }
  }

  /// The form of a new item.
  func new(_ entity: String, problem: String? = nil) throws -> Reply {
    var values: [String: String] = [:]
    for field in try fields(of: entity) { values[field.name] = Self.text(field.schema["default"]) }
    for (name, value) in request.form ?? [] { values[name] = value }
    return try form(
      entity, title: "New \(Self.words(entity).lowercased())", action: "/new/\(entity)", values,
      problem)
  }

  func form(
    _ entity: String, title: String, action: String, _ values: [String: String],
    _ problem: String?, notice: HTML? = nil
  ) throws -> Reply {
    let inputs = try fields(of: entity).map { Self.field($0, values[$0.name] ?? "") }
    let list = ItemList(path: entity == "Link" ? "links" : entity, in: errand) ?? .toRead
    return try shell(
      title: title, kind: "wide", current: list.path, status: problem == nil ? 200 : 422,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="\(list.path)" aria-label="Back to the list">\
      \(HTML.icon("left"))</a><h1 dir="auto">\(title)</h1></div>
      <form class="in-pad stack measure" method="post" action="\(action)">\(formToken)
      \(problem.map { "<div class=\"notice bad\" role=\"alert\">\(HTML.icon("alert"))<p>\($0)</p></div>" as HTML })
      \(notice)\(inputs)<div class="line"><button class="b main">Save</button><a class="b plain" href="\(list.path)">Cancel</a></div>
      </form></main>
      """)
  }

  /// The names of properties with texts of several lines.
  static let longTexts: Set = ["text", "summary", "notes"]

  /// The input of a property or a parameter, by its type.
  static func field(_ parameter: Errand.Parameter, _ value: String) -> HTML {
    let name = parameter.name
    let type = parameter.type.hasSuffix("?") ? String(parameter.type.dropLast()) : parameter.type
    let required: HTML = parameter.isRequired ? " required" : ""
    let hint: HTML? = parameter.description.map {
      "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>"
    }
    let described: HTML = hint == nil ? "" : " aria-describedby=\"\(name)-hint\""
    func input(_ kind: String, _ more: HTML = "") -> HTML {
      """
      <input class="in" id="\(name)" name="\(name)" type="\(kind)" value="\(value)" dir="auto"\(required)\(described)\
      \(Self.limits(parameter.schema))\(more)>
      """
    }
    let control: HTML
    switch type {
    case "bool":
      return """
        <div class="line"><input class="box" type="checkbox" id="\(name)" name="\(name)" value="true"\
        \(value == "true" ? " checked" : "" as HTML)\(described)><label for="\(name)">\(Self.words(parameter.title))</label>\(hint)</div>

        """
    case "enum":
      let options = Self.choices(parameter.schema)
      let other = value.isEmpty || options.contains(value) ? [] : [value]
      let all = (parameter.isRequired ? [] : [""]) + options + other
      control = """
        <select class="in" id="\(name)" name="\(name)"\(described)>\
        \(all.map { "<option\($0 == value ? " selected" : "" as HTML)>\($0)</option>" as HTML })</select>
        """
    case "int": control = input("number", " step=\"1\"")
    case "double": control = input("number", " step=\"any\"")
    case "timestamp": control = input("text", " placeholder=\"tomorrow 9:00\"")
    case "duration": control = input("text", " placeholder=\"90 min\"")
    case _ where type.first?.isUppercase == true:
      control = """
        \(input("text", " list=\"\(name)-list\" data-entity=\"\(type)\" autocomplete=\"off\" placeholder=\"Search \(type.lowercased())s\""))\
        <datalist id="\(name)-list"></datalist>
        """
    case "date": control = input("date")
    case "url": control = input("url")
    case "string" where longTexts.contains(name):
      control =
        "<textarea class=\"in\" id=\"\(name)\" name=\"\(name)\" dir=\"auto\"\(required)\(described)>\n\(value)</textarea>"
    default: control = input("text")
    }
    return """
      <div class="field"><label for="\(name)">\(Self.words(parameter.title))</label>\(control)\(hint)</div>

      """
  }

  /// The limits of a schema, as a browser checks them while one types.
  private static func limits(_ schema: JSONValue) -> HTML {
    let names = [
      ("minimum", "min"), ("maximum", "max"), ("minLength", "minlength"),
      ("maxLength", "maxlength"),
      ("pattern", "pattern"),
    ]
    let parts: [HTML] = names.compactMap { key, attribute in
      guard let value = schema[key], value != .null else { return nil }
      return " \(attribute)=\"\(text(value))\""
    }
    return HTML(joining: parts)
  }

  /// The values of an enum's schema.
  private static func choices(_ schema: JSONValue) -> [String] {
    if let values = schema["enum"]?.array { return values.compactMap(\.string) }
    return (schema["anyOf"]?.array ?? []).lazy.map(choices).first { !$0.isEmpty } ?? []
  }

  /// The values of a sent form by the types of the fields; nil removes a value.
  func values(_ fields: [Errand.Parameter]) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for field in fields {
      let type = field.type.hasSuffix("?") ? String(field.type.dropLast()) : field.type
      if type == "bool" {
        values[field.name] = .bool(request.field(field.name) == "true")
        continue
      }
      guard let text = request.field(field.name) else { continue }
      values[field.name] = Self.value(text, type)
    }
    return values
  }

  static func value(_ text: String, _ type: String) -> JSONValue {
    switch type {
    case _ where text.isEmpty: type.hasPrefix("list") ? .array([]) : .null
    case "int": Int64(text).map(JSONValue.int) ?? .string(text)
    case "double": Double(text).map(JSONValue.double) ?? .string(text)
    case "list<string>": .array(list(text))
    case _ where type.hasPrefix("list") || type.hasPrefix("map") || type == "any":
      (try? JSONValue(parsing: text)) ?? .string(text)
    default: .string(text)
    }
  }

  /// The elements of a text with commas.
  static func list(_ text: String) -> [JSONValue] {
    text.split(separator: ",").map { element in
      var element = element.drop { $0 == " " }
      while element.last == " " { element.removeLast() }
      return .string(String(element))
    }.filter { $0 != "" }
  }

  private func create(_ entity: String) throws -> Reply {
    do {
      let sent = values(try fields(of: entity)).filter { $0.value != .null }
      let change = try writer().create(entity, sent)
      let path = change.items.first.map(Self.path) ?? "/"
      return .redirect(Self.noting(change, "new", at: back ?? path))
    } catch let error as ErrandError {
      return try new(entity, problem: Self.sentence(error))
    }
  }

  static func sentence(_ error: ErrandError) -> String {
    [error.message, error.help].compactMap { $0 }.map { part in
      part.prefix(1).uppercased() + part.dropFirst()
        + (part.last.map { ".?!".contains($0) } ?? false ? "" : ".")
    }.joined(separator: " ")
  }
}
