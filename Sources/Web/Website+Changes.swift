import ErrandKit

extension Website {
  /// Carries out a sent form, and goes back to where it was.
  func change() throws -> Reply {
    let path = request.path
    switch (path.first, path.count) {
    case ("item", 4): return try change(item(path[1], path[2]), path[3])
    case ("new", 2): return try create(path[1])
    case ("jobs", 3) where path[2] == "retry":
      _ = try writer().retry(jobs: Int64(path[1]).map { [$0] } ?? [])
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
    request.field("back").flatMap { $0.hasPrefix("/") && !$0.hasPrefix("//") ? $0 : nil }
  }

  private func change(_ item: ItemSnapshot, _ action: String) throws -> Reply {
    let reference = item.reference
    func update(_ values: [String: JSONValue]) throws -> Writer.Change {
      try writer().update([reference], set: values)
    }
    let change: Writer.Change
    switch action {
    case "favourite": change = try update(["favourite": .bool(item["favourite"] != true)])
    case "read": change = try update(["reading": item["reading"] == "read" ? nil : "read"])
    case "archive":
      change = try update(["reading": item["reading"] == "archived" ? nil : "archived"])
    case "toggle": change = try update(["done": .bool(item["done"] != true)])
    case "tag", "untag":
      let tags = Self.list(request.field("tag") ?? "")
      let values: [String: JSONValue] = ["tags": .array(tags)]
      change = try writer().update(
        [reference], add: action == "tag" ? values : [:], remove: action == "tag" ? [:] : values)
    case "delete": change = try writer().delete([reference])
    case "edit": return try edit(item)
    default: throw Self.missing(action)
    }
    return .redirect(Self.noting(change, at: back ?? Self.path(item)))
  }

  /// A path that tells of a change, with its undo.
  static func noting(_ change: Writer.Change, at path: String) -> String {
    guard let number = change.number else { return path }
    return path + (path.contains("?") ? "&" : "?") + "done=\(number)"
  }

  /// The note of a change that was just made.
  var toast: HTML? {
    guard let number = request.parameter("done").flatMap({ Int64($0) }) else { return nil }
    let here = "/" + request.path.map(\.pathEncoded).joined(separator: "/")
    return """
      <div class="toasts"><div class="toast" role="status"><span>Done.</span>\
      <form method="post" action="/undo/\(number)">\(formToken)<input type="hidden" name="back" value="\(here)">\
      <button class="b plain">Undo</button></form></div></div>

      """
  }

  // MARK: Forms of entities

  /// The properties of an entity that a person fills in.
  private func fields(of entity: String) throws -> [Errand.Parameter] {
    let shown: Set<String>? =
      entity == "Link"
      ? ["url", "title", "summary", "tags", "reading", "favourite", "private"] : nil
    return try errand.definition(entity).parameters.filter { shown?.contains($0.name) ?? true }
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

  /// The form of an item.
  func editing(_ item: ItemSnapshot, problem: String? = nil) throws -> Reply {
    var values: [String: String] = [:]
    if case .object(let members) = item.fields {
      values = members.compactMapValues { value in
        switch value {
        case .null: nil
        case .array(let list) where list.allSatisfy({ $0.string != nil }):
          list.compactMap(\.string).joined(separator: ", ")
        default: value.string ?? (try? value.text())
        }
      }
    }
    for (name, value) in request.form ?? [] { values[name] = value }
    return try form(
      item.entity, title: item.title, action: Self.path(item) + "/edit", values, problem)
  }

  private func form(
    _ entity: String, title: String, action: String, _ values: [String: String], _ problem: String?
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
      \(inputs)<div class="line"><button class="b main">Save</button><a class="b plain" href="\(list.path)">Cancel</a></div>
      </form></main>
      """)
  }

  /// The input of a property or a parameter, by its type.
  static func field(_ parameter: Errand.Parameter, _ value: String) -> HTML {
    let name = parameter.name
    let type = parameter.type.hasSuffix("?") ? String(parameter.type.dropLast()) : parameter.type
    let required: HTML = parameter.isRequired ? " required" : ""
    let hint: HTML? = parameter.description.map {
      "<p class=\"hint\" id=\"\(name)-hint\">\($0)</p>"
    }
    let described: HTML = hint == nil ? "" : " aria-describedby=\"\(name)-hint\""
    func input(_ kind: String) -> HTML {
      "<input class=\"in\" id=\"\(name)\" name=\"\(name)\" type=\"\(kind)\" value=\"\(value)\" dir=\"auto\"\(required)\(described)\(kind == "number" ? " step=\"any\"" : "" as HTML)>"
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
      let all = (parameter.isRequired ? [] : [""]) + options
      control = """
        <select class="in" id="\(name)" name="\(name)"\(described)>\
        \(all.map { "<option\($0 == value ? " selected" : "" as HTML)>\($0)</option>" as HTML })</select>
        """
    case "int", "double": control = input("number")
    case "date": control = input("date")
    case "url": control = input("url")
    case "string" where name == "text" || name == "summary" || name == "notes":
      control =
        "<textarea class=\"in\" id=\"\(name)\" name=\"\(name)\" dir=\"auto\"\(required)\(described)>\(value)</textarea>"
    default: control = input("text")
    }
    return """
      <div class="field"><label for="\(name)">\(Self.words(parameter.title))</label>\(control)\(hint)</div>

      """
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

  private static func value(_ text: String, _ type: String) -> JSONValue {
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
  private static func list(_ text: String) -> [JSONValue] {
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
      return .redirect(Self.noting(change, at: back ?? path))
    } catch let error as ErrandError {
      return try new(entity, problem: Self.sentence(error))
    }
  }

  private func edit(_ item: ItemSnapshot) throws -> Reply {
    do {
      let change = try writer().update([item.reference], set: values(try fields(of: item.entity)))
      return .redirect(Self.noting(change, at: Self.path(item)))
    } catch let error as ErrandError {
      return try editing(item, problem: Self.sentence(error))
    }
  }

  static func sentence(_ error: ErrandError) -> String {
    let message = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
    return message + (error.help.map { " \($0.prefix(1).uppercased())\($0.dropFirst())." } ?? "")
  }
}
