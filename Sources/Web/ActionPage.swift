import ErrandKit

/// The form of an intent or a shortcut.
struct ActionPage: Page {
  let context: PageContext

  func render() throws -> Reply { try render(context["name"] ?? "") }

  /// Renders the form.
  ///
  /// - Parameter problem: The reason why the sent values were rejected, and a remedy.
  func render(
    _ name: String, problem: (text: String, help: String?)? = nil, status: Int = 200
  ) throws -> Reply {
    let definition = try action(name)
    let inputs = definition.parameters.map {
      Self.field(
        $0, context.field($0.name) ?? context.parameter($0.name) ?? Self.text($0.schema["default"]))
    }
    let notice = problem.map { self.problem($0.text, $0.help, definition) }
    let access = Self.accessRows(definition.capabilities)
    let phrases: HTML? =
      definition.phrases.isEmpty
      ? nil
      : "<p class=\"meta\">\(HTML.icon("talk", isSmall: true))\((errand.sayings[definition.summary.name] ?? []).prefix(4).map { "<span>“\($0)”</span>" as HTML })</p>"
    let path = name.pathEncoded
    let returning: HTML? = back.map { "<input type=\"hidden\" name=\"back\" value=\"\($0)\">" }
    let takesFiles = definition.parameters.contains {
      ["file", "list<file>"].contains($0.baseType)
    }
    let outline = errand.steps(of: name).map(step)
    return try galleryPage(
      definition.title, status: status, isWide: true,
      """
      <div class="beside"><div class="stack">\(notice)<p class="ink2">\(definition.summary.description)</p>\(phrases)
      \(access.isEmpty ? nil : "<div class=\"notice warn\">\(HTML.icon("shield"))<div><h3>What it may use</h3><ul>\(access)</ul></div></div>" as HTML)
      <form class="stack" method="post" action="/run/\(path)"\(takesFiles ? Self.multipart : nil)>\(formToken)\(returning)
      <div class="fields">\(inputs)</div><div class="line"><button class="b main">\(HTML.icon("play"))Run</button>\
      <a class="b" href="/source/\(path)">\(HTML.icon("pencil"))Edit</a>\
      <button class="b" form="test">\(HTML.icon("check"))Test</button>\
      <a class="b" href="/make/automation?run=\(path)">\(HTML.icon("clock"))Run by itself</a></div></form>
      <form id="test" method="post" action="/test/\(path)">\(formToken)</form></div>
      \(outline.isEmpty ? nil : "<aside aria-labelledby=\"steps-h\"><details open><summary class=\"line\" id=\"steps-h\">\(HTML.icon("right flip", isSmall: true))<b>Steps</b></summary><ul class=\"tree\">\(outline)</ul></details></aside>" as HTML)</div>
      """)
  }

  /// The notice about rejected values, with a button for the suggested one.
  private func problem(_ text: String, _ help: String?, _ definition: Errand.Definition) -> HTML {
    let name = definition.parameters.map(\.name).first { text.hasPrefix("`\($0)`") }
    let proposal = help.flatMap {
      $0.firstRange(of: "did you mean ").map { range in
        String(help?[range.upperBound...].prefix { $0 != "?" && $0 != " " } ?? "")
          .filter { $0 != "`" && $0 != "“" && $0 != "”" }
      }
    }
    var take: HTML?
    if let name, let proposal, !proposal.isEmpty {
      let sent = (context.form ?? []).filter { $0.name != "form" && $0.name != name }
      let fields: [HTML] = sent.map {
        "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
      }
      take = """
        <form method="post" action="/run/\(definition.summary.name.pathEncoded)">\(formToken)\(fields)\
        <button class="b main" name="\(name)" value="\(proposal)">Use \(proposal)</button></form>
        """
    }
    return """
      <div class="notice bad" role="alert">\(HTML.icon("alert"))<div><h2>It did not start</h2>\
      <p dir="auto">\(text)</p>\(help.map { "<p>\($0)</p>" as HTML })<div class="line">\(take)</div></div></div>
      """
  }

  private func step(_ step: StepOutline) -> HTML {
    let icons: [StepOutline.Shape: String] = [
      .choice: "branch", .loop: "again", .attempt: "shield", .parallel: "list",
    ]
    let blocks: [HTML] = step.blocks.map { block in
      "<ul><li class=\"quiet\">\(block.label)<ul>\(block.steps.map { self.step($0) })</ul></li></ul>"
    }
    let condition = step.condition.map { "if \($0)" } ?? ""
    let name = step.binding.map { "as \($0)" } ?? ""
    return """
      <li><div class="line">\(HTML.icon(icons[step.shape] ?? "circle"))<span dir="auto"><b>\(step.head)</b> \(step.detail) \
      <span class="quiet">\(condition) \(name)</span></span></div>\(blocks)</li>

      """
  }
}
