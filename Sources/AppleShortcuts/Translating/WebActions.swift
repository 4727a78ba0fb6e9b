import CEL

/// Addresses, requests, pages and feeds.
enum WebActions {
  static let rows: [ActionRow] = [
    ActionRow("url") { t, a in
      let url = t.value(a.parameters["WFURLActionURL"]) ?? .text("")
      t.give(t.kind(url).isList ? url : url.asText, a, name: "url")
    },
    ActionRow("geturlcomponent") { t, a in
      let url = t.contents(t.given(a, "WFURL", "WFInput"))
      t.give(
        .cel("urlPart(\(url), \(.text(a.choice("WFURLComponent", "Scheme").lowercased())))", .text),
        a, name: "part")
    },
    ActionRow("url.expand") { t, a in
      let url = t.givenText(a, "URL", "WFInput")
      let answer = t.local(
        "http",
        [
          ("url", .code(address(url))), ("method", .word("HEAD")), ("full", .word("true")),
          ("check", .word("false")),
        ],
        .any, name: "answer")
      t.give(.cel("\(answer).url", .text), a, name: "url")
    },
    ActionRow("url.getheaders") { t, a in
      let url = t.givenText(a, "WFInput")
      let answer = t.local(
        "http", [("url", .code(address(url))), ("full", .word("true")), ("check", .word("false"))],
        .any,
        name: "answer")
      t.give(.cel("\(answer).headers", .dictionary), a, name: "headers")
    },
    ActionRow("downloadurl") { t, a in
      let url = t.address(t.given(a, "WFURL"))
      var arguments: [(key: String?, value: Step.Argument)] = [("url", .code(address(url.asText)))]
      let word = a.choice("WFHTTPMethod", "GET").uppercased()
      let method = word.allSatisfy { $0.isASCII && $0.isLetter } ? word : "GET"
      if method != "GET" { arguments.append(("method", .word(method))) }
      let headers = t.entries(a.parameters["WFHTTPHeaders"]).filter { $0.key.literal != "" }
      if !headers.isEmpty { arguments.append(("headers", .code(.dictionary(trimmed(headers))))) }
      if method != "GET" {
        switch a.choice("WFHTTPBodyType", "JSON") {
        case "Form":
          let form = t.entries(a.parameters["WFFormValues"]).filter { $0.key.literal != "" }
          if fields(a.parameters["WFFormValues"]).contains(where: isFile) {
            arguments.append(("multipart", .code(.dictionary(form))))
          } else if !form.isEmpty {
            arguments.append(("form", .code(.dictionary(form.map { ($0.key, $0.value.asText) }))))
          }
        case "File":
          let body = t.value(a.parameters["WFRequestVariable"]) ?? t.last
          if case .slot(let slot) = body, t.table.slots[slot].isFile {
            arguments.append(("file", .code(body)))
          } else {
            arguments.append(("body", .code(body.asText)))
          }
        default:
          let json = t.entries(a.parameters["WFJSONValues"])
          arguments.append(
            ("json", .code(json.isEmpty ? .cel("{}", .dictionary) : .dictionary(json))))
        }
      }
      // The status of the response is not checked.
      arguments += [("check", .word("false")), ("full", .word("false"))]
      t.give("http", arguments, kind: .any, of: a, name: "answer")
    },
    ActionRow(deciding: "getwebpagecontents", "scripts of pages that are fetched") { t, a in
      let url = t.address(t.given(a, "WFInput")).asText
      if let page = data(t.table.simplified(url)) {
        t.give(t.isRaw(a) ? page : .cel("htmlToText(\(page))", .text), a, name: "contents")
        return .translated
      }
      if let start = t.firstText(url), start.hasPrefix("data:") {
        let page = t.local(
          "exec",
          [
            (
              nil,
              .list([
                .word("chromium"), .word("'--headless'"), .word("'--dump-dom'"), .word("'--'"),
                .code(url),
              ])
            )
          ], .text, name: "page")
        t.give(t.isRaw(a) ? page : .cel("htmlToText(\(page))", .text), a, name: "contents")
        return .approximated("by the program chromium")
      }
      let page = t.local(
        "http", [("url", .code(address(url))), ("parse", .word("text"))], .text, name: "page")
      t.give(t.isRaw(a) ? page : .cel("readable(\(page))", .text), a, name: "contents")
      return .approximated("scripts of the page do not run")
    },
    ActionRow("getarticle", "its readable text") { t, a in
      let url = t.address(t.given(a, "WFWebPage", "WFInput")).asText
      let html = t.local(
        "http", [("url", .code(address(url))), ("parse", .word("text"))], .text, name: "html")
      if t.isRaw(a) {
        t.give(html, a, name: "html")
        return
      }
      t.give(.cel("page(\(html), \(url))", .any), a, name: "article")
      t.note { $0.form = .page }
    },
    ActionRow("properties.articles") { t, a in
      let article = t.given(a, "WFInput")
      let form = t.traits(article)?.form
      if form == .article, a.choice("WFContentItemPropertyName", "") == "URL" {
        t.give(t.address(article), a, name: "url")
      } else {
        property(&t, a, articleKeys)
      }
    },
    ActionRow("properties.safariwebpage", "of a page that is fetched") { t, a in
      let url = t.givenText(a, "WFInput")
      if ["Page URL", "URL"].contains(a.choice("WFContentItemPropertyName", "Page URL")) {
        t.give(url, a, name: "url")
        return
      }
      let html = t.local(
        "http", [("url", .code(address(url))), ("parse", .word("text"))], .text, name: "html")
      switch a.choice("WFContentItemPropertyName", "") {
      case "Name", "Page Title", "Title":
        t.give(.cel("page(\(html), \(url)).title", .any), a, name: "title")
      case "Page Contents": t.give(html, a, name: "contents")
      default: t.give(.cel("readable(\(html))", .text), a, name: "text")
      }
    },
    ActionRow("rss") { t, a in
      let url = t.text(a, "WFRSSFeedURL")
      let text = t.local(
        "http", [("url", .code(address(url))), ("parse", .word("text"))], .text, name: "text")
      let count = t.whole(a, "WFRSSItemQuantity", 10)
      t.give(
        .cel("itemsIn(feed(\(text), \(url)).items, 1, \(count))", .list), a, name: "articles")
      t.note { $0.form = .article }
    },
    ActionRow("rss.extract") { t, a in
      let url = t.givenText(a, "WFURLs", "WFInput")
      let html = t.local(
        "http", [("url", .code(address(url))), ("parse", .word("text"))], .text, name: "html")
      t.give(.cel("[page(\(html), \(url)).feed].filter(f, f != null)", .list), a, name: "feeds")
    },
    ActionRow("openurl") { t, a in
      let input = t.address(t.given(a, "WFInput", "WFURL"))
      t.steps.append(opening(t.contents(input).asText))
      t.last = input
      t.isShown = true
    },
    ActionRow("openxcallbackurl", "nothing comes back") { t, a in
      t.steps.append(opening(t.givenText(a, "WFXCallbackURL")))
    },
    ActionRow("showwebpage", "in the browser; rich text is shown as text") { t, a in
      let url = t.address(t.given(a, "WFURL", "WFInput"))
      if t.traits(url)?.form == .html {
        t.call("show", [(nil, .code(t.contents(url).asText))])
      } else {
        t.steps.append(opening(url.asText))
      }
      t.last = url
      t.isShown = true
    },
    ActionRow("searchweb") { t, a in
      let words = t.givenText(a, "WFInputText", "WFInput")
      let destinations = [
        "Google": "https://www.google.com/search?q=", "Bing": "https://www.bing.com/search?q=",
        "Wikipedia": "https://en.wikipedia.org/w/index.php?search=",
        "Yahoo!": "https://search.yahoo.com/search?p=",
        "YouTube": "https://www.youtube.com/results?search_query=",
        "Reddit": "https://www.reddit.com/search?q=",
        "Amazon": "https://www.amazon.com/s?k=", "Twitter": "https://twitter.com/search?q=",
      ]
      let base =
        destinations[a.choice("WFSearchWebDestination", "DuckDuckGo")]
        ?? "https://duckduckgo.com/?q="
      t.call(
        "open-url", [(nil, .code(.joined([.text(base), .cel("\(words).urlEncode()", .text)])))])
    },
    ActionRow("readinglist", "saved in the library") { t, a in
      t.call("save", [(nil, .code(.cel("toURL(\(t.givenText(a, "WFURL", "WFInput")))", .text)))])
    },
  ]

  /// The properties of articles, by the keys of a page.
  static let articleKeys = [
    "Title": "title", "Author": "author", "Published Date": "date", "Body": "text",
    "Excerpt": "description", "Main Image URL": "image", "URL": "canonical",
    "Number of Words": "words", "Name": "title", "Main Image": "image",
  ]

  /// An address as a request takes it; a literal one that has to be completed or encoded is an
  /// expression.
  static func address(_ text: Code) -> Code {
    guard let literal = text.literal, !isComplete(literal) else { return text }
    return .cel("toURL(\(.text(literal)))", .text)
  }

  /// Whether a literal address is complete and encoded.
  private static func isComplete(_ literal: String) -> Bool {
    let scheme = literal.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    return scheme.first?.isLetter == true && literal[scheme.endIndex...].hasPrefix(":")
      && literal.unicodeScalars.allSatisfy {
        $0.isASCII && $0.value > 0x20 && !"\"<>\\^`{|}".unicodeScalars.contains($0)
      }
  }

  /// A step that opens addresses.
  static func opening(_ url: Code) -> Step { Step(.call("open-url", [(nil, .code(address(url)))])) }

  /// The page in an address that holds it; nil if it is not there as a constant, or has scripts.
  private static func data(_ url: Code) -> Code? {
    var parts = [url]
    if case .joined(let known) = url { parts = known }
    guard case .text(let first)? = parts.first, first.hasPrefix("data:"),
      let comma = first.firstIndex(of: ","),
      !parts.contains(where: { $0.literal?.lowercased().contains("script") == true })
    else { return nil }
    parts[0] = .text(String(first[first.index(after: comma)...]))
    let content = parts.joinedText
    return first[..<comma].hasSuffix(";base64")
      ? Code.cel("fromBase64(\(content))", .content).asText
      : content.literal.map { $0.contains("%") } == false
        ? content : .cel("\(content).urlDecode()", .text)
  }

  /// The fields of a form.
  private static func fields(_ value: Value?) -> [Value] {
    var value = value
    while case .map(let map)? = value {
      if case .list(let fields)? = map["WFDictionaryFieldValueItems"] { return fields }
      value = map["Value"]
    }
    return []
  }

  /// Whether a field of a form is a file.
  private static func isFile(_ field: Value) -> Bool {
    if case .map(let map) = field { map["WFItemType"] == .int(5) } else { false }
  }

  private static func trimmed(_ headers: [(key: Code, value: Code)]) -> [(key: Code, value: Code)] {
    headers.compactMap { header in
      guard let key = header.key.literal else { return (header.key, header.value.asText) }
      let from = key.drop { $0.isWhitespace || $0 == ":" }
      var end = from
      while end.last?.isWhitespace == true || end.last == ":" { end.removeLast() }
      // Skip invalid header names (RFC 9110 §5.6.2).
      let isToken = end.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0))
      }
      return isToken && !end.isEmpty ? (.text(String(end)), header.value.asText) : nil
    }
  }

  /// Gives a field of a search result or a page.
  static func property(_ t: inout Translation, _ a: ActionTree.Action, _ names: [String: String]) {
    let name = a.choice("WFContentItemPropertyName", "Name")
    let key = names[name] ?? name
    t.give(.cel("valueFor(\(t.given(a, "WFInput")), \(.text(key)))", .any), a, name: key)
  }
}
