import ErrandKit

/// The fields of forms, and their values.
extension PagePart {
  /// The properties of an entity that a person fills in.
  func fields(of entity: String) throws -> [Errand.Parameter] {
    let shown: Set<String>? =
      entity == "Link"
      ? ["url", "title", "summary", "tags", "reading", "favourite", "private"] : nil
    // A task is completed with its circle, which reopens a repeating one.
    return try errand.definition(entity).parameters.filter {
      shown?.contains($0.name) ?? (entity != "Task" || $0.name != "done")
    }
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
      \(notice)<div class="fields">\(inputs)</div><div class="line"><button class="b main">Save</button><a class="b plain" href="\(list.path)">Cancel</a></div>
      </form></main>
      """)
  }

  /// The names of properties with texts of several lines.
  static var longTexts: Set<String> { ["text", "summary", "notes"] }

  /// The input of a property or a parameter, by its type.
  static func field(_ parameter: Errand.Parameter, _ value: String) -> HTML {
    let name = parameter.name
    let type = parameter.baseType
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
    case "timestamp":
      control = input("text", " placeholder=\"tomorrow 9:00\" data-words=\"timestamp\"")
    case "when":
      control = input("text", " placeholder=\"tomorrow, friday 17:00\" data-words=\"when\"")
    case "duration": control = input("text", " placeholder=\"90 min\" data-words=\"duration\"")
    case _ where type.first?.isUppercase == true:
      control = """
        \(input("text", " list=\"\(name)-list\" data-entity=\"\(type)\" autocomplete=\"off\" placeholder=\"Search \(type.lowercased())s\""))\
        <datalist id="\(name)-list"></datalist>
        """
    case "date": control = input("date")
    case "file", "list<file>":
      control = """
        <input class="in" id="\(name)" name="\(name)" type="file"\(type == "file" ? nil : " multiple" as HTML)\(required)\(described)>
        """
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

  /// The attribute of a form with files.
  static var multipart: HTML { " enctype=\"multipart/form-data\"" }

  /// The limits of a schema, as a browser checks them while one types.
  private static func limits(_ schema: JSONValue) -> HTML {
    let names = [
      ("minimum", "min"), ("maximum", "max"), ("minLength", "minlength"),
      ("maxLength", "maxlength"), ("pattern", "pattern"),
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
      if field.baseType == "bool" {
        values[field.name] = .bool(context.field(field.name) == "true")
        continue
      }
      if field.baseType == "list<file>" {
        let paths = (context.form ?? []).filter { $0.name == field.name && !$0.value.isEmpty }
        values[field.name] = .array(paths.map { .string($0.value) })
        continue
      }
      guard let text = context.field(field.name) else { continue }
      values[field.name] = Self.value(typed(text, as: field), field.baseType)
    }
    return values
  }

  /// A text that a person typed, with days and times in words as what they stand for.
  func typed(_ text: String, as field: Errand.Parameter) -> String {
    field.baseType == "when" ? errand.when(text) ?? text : text
  }

  /// The text of a value in a form: a moment in the person's zone.
  func text(of value: JSONValue?, in field: Errand.Parameter) -> String {
    let text = Self.text(value)
    return field.baseType == "when" ? errand.localTime(text).replacing("T", with: " ") : text
  }

  static func value(_ text: String, _ type: String) -> JSONValue {
    switch type {
    case _ where text.isEmpty: type.hasPrefix("list") ? .array([]) : .null
    case "int": Int64(text).map(JSONValue.int) ?? .string(text)
    case "double": Double(text).map(JSONValue.double) ?? .string(text)
    case _ where type.hasPrefix("list"):
      (try? JSONValue(parsing: text)).flatMap { $0.array == nil ? nil : $0 } ?? .array(list(text))
    case _ where type.hasPrefix("map") || type == "any":
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

  /// A value as the text of an input; empty for none.
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ""
    case .array(let list) where list.allSatisfy({ $0.string != nil }):
      list.compactMap(\.string).joined(separator: ", ")
    case .object(let members) where members["ref"]?.string != nil: members["ref"]?.string ?? ""
    case let value?: value.string ?? (try? value.text()) ?? ""
    }
  }
}

extension Errand.Parameter {
  /// The type without the question mark of an optional one.
  var baseType: String { type.hasSuffix("?") ? String(type.dropLast()) : type }
}
