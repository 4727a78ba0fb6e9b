import CEL

/// Addresses, requests, pages and feeds.
enum WebActions {
  static let rows: [ActionRow] = [
    ActionRow("url") { t, a in
      let url = t.value(a.parameters["WFURLActionURL"]) ?? .text("")
      t.give(t.kind(url) == .list ? url : url.asText, a, name: "url")
    },
    ActionRow("geturlcomponent") { t, a in
      let url = t.givenText(a, "WFURL", "WFInput")
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
          if !form.isEmpty {
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
      if t.isRaw(a) {
        arguments.append(("save", .code(.joined([.text("~/Downloads/"), .cel("uuid()", .text)]))))
        t.give("http", arguments, kind: .text, of: a, name: "file")
        t.note { $0.form = .file }
        return
      }
      // The status of the response is not checked.
      arguments.append(("check", .word("false")))
      let answer = t.local("http", arguments, .any, name: "answer")
      t.give(.cel("\(answer).body", .any), a, name: "contents")
    },
    ActionRow(deciding: "getwebpagecontents", "pages that run scripts") { t, a in
      let url = t.address(t.given(a, "WFInput")).asText
      if let start = t.firstText(url), start.hasPrefix("data:") {
        return .notHere("a browser for a page with scripts")
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
      if t.kind(input) == .list {
        let item = t.fixed("url", .cel("", .any))
        let index = t.fixed("index", .cel("", .integer))
        t.steps.append(
          Step(
            .each(
              item: item, list: .cel("\(input).filter(u, hasValue(u))", .list), index: index,
              [opening(.slot(item).asText, t)])))
      } else {
        t.steps.append(opening(t.contents(input).asText, t))
      }
      t.last = input
      t.isShown = true
    },
    ActionRow("openxcallbackurl", "nothing comes back") { t, a in
      t.steps.append(opening(t.givenText(a, "WFXCallbackURL"), t))
    },
    ActionRow("showwebpage", "in the browser") { t, a in
      let url = t.address(t.given(a, "WFURL", "WFInput"))
      t.steps.append(opening(url.asText, t))
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
      t.call("save", [(nil, .code(address(t.givenText(a, "WFURL", "WFInput"))))])
    },
  ]

  /// The properties of articles, by the keys of a page.
  static let articleKeys = [
    "Title": "title", "Author": "author", "Published Date": "date", "Body": "text",
    "Excerpt": "description", "Main Image URL": "image", "URL": "canonical",
    "Number of Words": "words", "Name": "title", "Main Image": "image",
  ]

  /// An address that can be opened; a literal one is not changed.
  static func address(_ text: Code) -> Code {
    if let literal = text.literal,
      literal.hasPrefix("https://") || literal.hasPrefix("http://") || literal.hasPrefix("mailto:"),
      literal.unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " && $0.value > 0x20 })
    {
      return .text(literal)
    }
    if case .converted(.text, let inner) = text { return .cel("toURL(\(inner))", .text) }
    return .cel("toURL(\(text))", .text)
  }

  /// A step that opens an address; one that is not HTTP is opened by the program for its scheme.
  static func opening(_ url: Code, _ t: Translation) -> Step {
    let start = t.firstText(url) ?? ""
    let scheme = start.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    let isWeb =
      !start[scheme.endIndex...].hasPrefix(":") || ["http", "https"].contains(scheme.lowercased())
    if isWeb { return Step(.call("open-url", [(nil, .code(address(url)))])) }
    // It is unknown whether a program for the scheme is installed.
    return Step(
      .call(
        "exec",
        [("command", .list([.word("xdg-open"), .code(url)])), ("check", .word("false"))]))
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
