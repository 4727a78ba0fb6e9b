package import ErrandKit

/// The page of a run: what it says, what it asks, and its result.
extension Website {
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

  /// The parameters of a sent form.
  package func parameters(of name: String) throws -> JSONValue {
    .object(values(try action(name).parameters).filter { $0.value != .null })
  }

  /// The page of a run as the API tells of it: what it says, and its question or its result.
  ///
  /// - Parameters:
  ///   - status: The status of the API's answer.
  ///   - back: The page to go back to once it has ended well; nil to show its result.
  package func conversation(
    _ name: String, _ value: JSONValue, status: Int, back: String? = nil
  ) -> Reply {
    let isEnded = value["detail"] == nil && (value["question"] ?? .null) == .null
    if let back, Self.isOurs(back), status < 400, isEnded {
      let change = ((try? reader.changes(limit: 1)) ?? []).first {
        $0["run"]?.string == value["run"]?.string
      }
      return .redirect(
        change?["number"]?.int.map { Self.noting($0, name, at: back) } ?? back)
    }
    let says: [HTML] = (value["dialog"]?.array ?? []).compactMap(\.string).map {
      "<p class=\"say\" dir=\"auto\">\($0)</p>"
    }
    let content: HTML
    if let detail = value["detail"]?.string {
      let help: HTML? = value["help"]?.string.map { "<p>\($0)</p>" }
      content = """
        <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It failed</h2><p dir="auto">\(detail)</p>\(help)\
        \(remedy(value["code"]?.string ?? "", detail, name))</div></div>
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
      return try galleryPage(
        action(name).title, "<div class=\"talk\">\(says)\(content)</div>\(again)",
        status: status < 400 ? 200 : status)
    } catch {
      return Self.problem(status: 500, "\(error)", help: nil)
    }
  }

  /// A button to the place where a failure can be mended.
  private func remedy(_ code: String, _ detail: String, _ name: String) -> HTML? {
    let path = name.pathEncoded
    let place: (path: String, title: String)? =
      switch code {
      case "invalid-value", "missing": ("/run/\(path)", "Change what it was given")
      case "not-found" where detail.contains("secret"): ("/settings", "Settings")
      case "not-allowed": ("/source/\(path)", "See what it does")
      case "network", "timeout", "busy": ("/run/\(path)", "Try again")
      case "store", "unwritable": ("/settings#doctor", "Check the library")
      default: nil
      }
    return place.map {
      "<div class=\"line\"><a class=\"b\" href=\"\($0.path)\">\($0.title)</a></div>"
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
