import ErrandKit

/// A part of a page, made for one request.
protocol PagePart {
  var context: PageContext { get }
}

/// A page of the site, or one of its forms; its file is named after it.
protocol Page: PagePart, SendableMetatype {
  init(context: PageContext)
  /// Renders the page.
  func render() throws -> Reply
  /// Processes the form, and usually redirects to the page it came from.
  func submit() throws -> Reply
}

extension Page {
  func render() throws -> Reply { throw ErrandError.missingPage(context.path.last ?? "") }
  func submit() throws -> Reply { throw ErrandError.missingPage(context.path.last ?? "") }
}

extension PagePart {
  typealias Reply = PageContext.Reply

  var errand: Errand { context.errand }
  var reader: Reader { context.reader }
  var memory: SidebarMemory { context.memory }

  func writer() throws -> Writer { try context.writer() }

  /// The value of a numeric parameter of the path.
  func number(_ name: String) throws -> Int64 {
    let text = context[name] ?? ""
    guard let number = Int64(text) else { throw ErrandError.missingPage(text) }
    return number
  }

  /// The page to return to after a form, which may have it from its address; nil unless it is a path
  /// of this site.
  var back: String? {
    (context.field("back") ?? context.parameter("back")).flatMap { Self.isOurs($0) ? $0 : nil }
  }

  /// Whether an address is a path of this site; browsers read `\` as `/`.
  static func isOurs(_ path: String) -> Bool {
    path.hasPrefix("/") && !["/", "\\"].contains(path.dropFirst().first)
      // They leave tabs and line breaks out.
      && path.utf8.allSatisfy { $0 > 0x20 }
  }

  /// The hidden field that every form has.
  var formToken: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(context.token)\">" }

  /// A form with hidden fields and, usually, one button.
  func form(_ path: String, with fields: KeyValuePairs<String, String> = [:], _ button: HTML)
    -> HTML
  {
    let hidden: [HTML] = fields.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" }
    return "<form method=\"post\" action=\"\(path)\">\(formToken)\(hidden)\(button)</form>"
  }

  // MARK: Words

  /// A name such as `createdAt` in words; capitals beside one another, as in `ISBN`, stay.
  static func words(_ name: String) -> String {
    var words = ""
    for letter in name {
      let follows = words.last.map { $0.isLowercase || $0.isNumber } ?? false
      words += letter.isUppercase && follows ? " " + letter.lowercased() : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// A word with a capital first letter.
  static func sentenceCase(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  static func sentence(_ error: ErrandError) -> String {
    [error.message, error.help].compactMap { $0 }.map { part in
      part.prefix(1).uppercased() + part.dropFirst()
        + (part.last.map { ".?!".contains($0) } ?? false ? "" : ".")
    }.joined(separator: " ")
  }

  /// A day or a moment in words: the time today, `Yesterday`, `17 Nov`, else with the year.
  func time(_ text: String?) -> HTML? {
    guard let text = text.map(errand.localTime), let day = Day(text),
      let today = Day(context.today)
    else { return text.map { "\($0)" } }
    let isToday = day == today && text.count > 10
    let shown = isToday ? String(text.dropFirst(11).prefix(5)) : day.words(from: today)
    return "<time datetime=\"\(text)\">\(shown)</time>"
  }

  // MARK: Parts

  /// The link to the sidebar on a narrow screen.
  static var sidebarLink: HTML {
    """
    <a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\(HTML.icon("side"))</a>
    """
  }

  static func empty(_ sentence: String, icon: String, next: HTML? = nil) -> HTML {
    "<div class=\"empty\">\(HTML.icon(icon))<p>\(sentence)</p>\(next)</div>"
  }

  /// The links that narrow a page by its parameter `show`; `all` is the page itself.
  static func chips(
    _ path: String, chosen: String, _ names: [(name: String, title: String)]
  ) -> [HTML] {
    names.map { name, title in
      "<a class=\"chip\(name == chosen ? " on" : "")\" href=\"\(path)\(name == "all" ? "" : "?show=\(name)")\"\(name == chosen ? " aria-current=\"true\"" : "" as HTML)>\(title)</a>"
    }
  }

  func badge(_ state: String) -> HTML {
    let (kind, icon) =
      switch state {
      case "failed", "interrupted", "dead": (" red", "alert")
      case "waiting", "suspended": (" amber", "clock")
      case "done", "finished": (" green", "check")
      case "cancelled", "off": ("", "close")
      default: (" acc", "play")
      }
    return
      "<span class=\"badge\(kind)\">\(HTML.icon(icon, isSmall: true))\(Self.sentenceCase(state))</span>"
  }

  /// A switch as a form of one button, which sends the other state.
  func switched(
    _ path: String, _ label: String, isOn: Bool, with fields: KeyValuePairs<String, String> = [:]
  ) -> HTML {
    form(
      path, with: fields,
      "<button class=\"sw\(isOn ? " on" : "")\" role=\"switch\" aria-checked=\"\(isOn ? "true" : "false")\" aria-label=\"\(label)\"></button>"
    )
  }

  // MARK: Definitions

  /// The layers whose definitions the page offers.
  static var origins: Set<String> { ["built in", "your own"] }

  func action(_ name: String) throws -> Errand.Definition {
    let definition = try errand.definition(name)
    guard Self.origins.contains(definition.summary.origin), definition.summary.kind != "entity"
    else { throw ErrandError.missingPage(name) }
    return definition
  }

  static func accessRows(_ capabilities: [String]) -> [HTML] {
    capabilities.map { access in
      let (icon, text) = words(ofAccess: access)
      return "<li class=\"line no\">\(HTML.icon(icon, isSmall: true))<span>\(text)</span></li>"
    }
  }

  /// The icon and the words of an access such as `http:example.org`.
  static func words(ofAccess access: String) -> (icon: String, text: String) {
    let parts = access.split(separator: ":", maxSplits: 1).map(String.init)
    let what = parts.count > 1 ? parts[1] : ""
    let isAny = what == "*"
    return switch parts.first {
    case "http": ("globe", isAny ? "Any host" : what)
    case "exec": ("terminal", isAny ? "Any program" : "Runs \(what)")
    case "read": ("file", isAny ? "Reads any file" : "Reads \(what)")
    case "write": ("file", isAny ? "Writes any file" : "Writes \(what)")
    case "secret": ("key", "The secret \(what)")
    case "clipboard": ("clipboard", "Clipboard")
    case "open": ("open", "Opens pages")
    case "env": ("terminal", "The variable \(what)")
    default: ("shield", sentenceCase(access))
    }
  }
}
