package import ErrandKit

extension Website {
  /// The layers whose definitions the page offers.
  private static let origins: Set = ["built in", "your own"]

  /// The page of all intents and shortcuts.
  func gallery() throws -> Reply {
    func cards(_ kind: String) -> [HTML] {
      errand.definitions.filter { $0.kind == kind && Self.origins.contains($0.origin) }.map {
        """
        <li class="card act-card"><h3><a href="/run/\($0.name.pathEncoded)">\($0.name)</a></h3>\
        <p>\($0.description)</p><p class="meta"><span>\($0.origin)</span></p></li>

        """
      }
    }
    return try shell(
      title: "Gallery", kind: "wide", current: "/gallery",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Gallery</h1></div><div class="in-pad stack loose">
      <section class="stack"><h2>Intents</h2><ul class="cards">\(cards("intent"))</ul></section>
      <section class="stack"><h2>Shortcuts</h2><ul class="cards">\(cards("shortcut"))</ul></section>
      </div></main>
      """)
  }

  private func action(_ name: String) throws -> Errand.Definition {
    let definition = try errand.definition(name)
    guard Self.origins.contains(definition.summary.origin), definition.summary.kind != "entity"
    else { throw Self.missing(name) }
    return definition
  }

  /// The form of an intent or a shortcut.
  func runForm(_ name: String) throws -> Reply {
    let definition = try action(name)
    let inputs = definition.parameters.map { Self.field($0, Self.text($0.schema["default"])) }
    let access: [HTML] = definition.capabilities.map {
      "<li>\(HTML.icon("shield", isSmall: true)) \($0)</li>"
    }
    return try run(
      definition.title,
      """
      <p class="ink2">\(definition.summary.description)</p>
      \(access.isEmpty ? nil : "<div class=\"notice warn\">\(HTML.icon("shield"))<div><h3>What it may use</h3><ul>\(access)</ul></div></div>" as HTML)
      <form class="stack" method="post" action="/run/\(name.pathEncoded)">\(formToken)
      \(inputs)<div class="line"><button class="b main">\(HTML.icon("play"))Run</button></div></form>
      """)
  }

  /// A value as the text of an input; empty for none.
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ""
    case .array(let list) where list.allSatisfy({ $0.string != nil }):
      list.compactMap(\.string).joined(separator: ", ")
    case let value?: value.string ?? (try? value.text()) ?? ""
    }
  }

  private func run(_ title: String, _ content: HTML, status: Int = 200) throws -> Reply {
    try shell(
      title: title, kind: "wide", current: "/gallery", status: status,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/gallery" aria-label="Back to the gallery">\
      \(HTML.icon("left"))</a><h1>\(title)</h1></div>
      <div class="in-pad stack measure">\(content)</div></main>
      """)
  }

  /// The parameters of a sent form.
  package func parameters(of name: String) throws -> JSONValue {
    .object(values(try action(name).parameters).filter { $0.value != .null })
  }

  /// The page of a run as the API tells of it: what it says, and its question or its result.
  ///
  /// - Parameter status: The status of the API's answer.
  package func conversation(_ name: String, _ value: JSONValue, status: Int) -> Reply {
    let says: [HTML] = (value["dialog"]?.array ?? []).compactMap(\.string).map {
      "<p class=\"say\" dir=\"auto\">\($0)</p>"
    }
    let content: HTML
    if let detail = value["detail"]?.string {
      let help: HTML? = value["help"]?.string.map { "<p>\($0)</p>" }
      content = """
        <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It failed</h2><p dir="auto">\(detail)</p>\(help)</div></div>
        """
    } else if let question = value["question"], question != .null {
      content = ask(name, value["run"]?.string ?? "", question)
    } else {
      content = "\(result(value["result"] ?? .null))"
    }
    let isOpen = value["question"].map { $0 != .null } ?? false
    let again: HTML? =
      isOpen
      ? nil
      : """
      <div class="line"><a class="b" href="/run/\(name.pathEncoded)">\(HTML.icon("again"))Run again</a></div>
      """
    do {
      return try run(
        action(name).title, "<div class=\"talk\">\(says)\(content)</div>\(again)",
        status: status < 400 ? 200 : status)
    } catch {
      return Self.problem(status: 500, "\(error)", help: nil)
    }
  }

  private func ask(_ name: String, _ run: String, _ question: JSONValue) -> HTML {
    let kind = question["event"]?.string ?? "ask"
    let problem: HTML? = question["problem"]?.string.map { "<p class=\"err\">\($0)</p>" }
    let control: HTML
    switch kind {
    case "confirm":
      control = """
        <div class="line"><button class="b main" name="answer" value="true">Yes</button>\
        <button class="b" name="answer" value="false">No</button></div>
        """
    case "choose":
      let isMany = question["many"] == true
      let choices: [HTML] = (question["choices"]?.array ?? []).map { choice in
        let number = choice["number"]?.int ?? 0
        return """
          <div class="line"><input type="\(isMany ? "checkbox" : "radio")" id="c\(number)" name="answer" value="\(number)">\
          <label for="c\(number)" dir="auto">\(choice["title"]?.string ?? "") \
          <span class="quiet">\(choice["subtitle"]?.string ?? "")</span></label></div>

          """
      }
      control = "\(choices)<div class=\"line\"><button class=\"b main\">Choose</button></div>"
    default:
      control = """
        <input class="in" name="answer" aria-label="Answer" value="\(Self.text(question["default"]))" dir="auto">\
        <div class="line"><button class="b main">Answer</button></div>
        """
    }
    return """
      <form class="ask" method="post" action="/run/\(name.pathEncoded)/\(run.pathEncoded)">\(formToken)\
      <input type="hidden" name="number" value="\(question["number"]?.int ?? 0)">\
      <input type="hidden" name="kind" value="\(kind)">\
      <input type="hidden" name="many" value="\(question["many"] == true ? "true" : "false")">
      <h2 dir="auto">\(question["prompt"]?.string ?? "")</h2>\(problem)\(control)</form>
      """
  }

  /// The answer of a sent form, in the form of the API.
  package func answer() throws -> JSONValue {
    let texts = (request.form ?? []).filter { $0.name == "answer" }.map(\.value)
    let number = Int64(request.field("number") ?? "") ?? 0
    let answer: JSONValue
    switch request.field("kind") {
    case "confirm": answer = .bool(texts.first == "true")
    case "choose":
      let numbers = texts.compactMap { Int64($0) }.map(JSONValue.int)
      answer = request.field("many") == "true" ? .array(numbers) : numbers.first ?? .null
    default: answer = .string(texts.first ?? "")
    }
    return ["number": .int(number), "answer": answer]
  }

  private func result(_ value: JSONValue) -> HTML {
    switch value {
    case .null: return "<p class=\"quiet\">Done.</p>"
    case .array(let list):
      return
        "<div class=\"results\"><ol class=\"rows\">\(list.prefix(200).map { "<li class=\"row\"><div>\(line($0))</div></li>" as HTML })</ol></div>"
    default:
      return
        "<div class=\"results\"><ol class=\"rows\"><li class=\"row\"><div>\(line(value))</div></li></ol></div>"
    }
  }

  /// An element of a result: an item as a link, else its text.
  private func line(_ value: JSONValue) -> HTML {
    if let entity = value["entity"]?.string, let id = value["id"]?.int {
      let title =
        value["title"]?.string ?? value["text"]?.string ?? value["url"]?.string ?? "\(entity) \(id)"
      return "<a class=\"title\" dir=\"auto\" href=\"/item/\(entity)/\(id)\">\(title)</a>"
    }
    return "<span class=\"title\" dir=\"auto\">\(Self.text(value))</span>"
  }
}
