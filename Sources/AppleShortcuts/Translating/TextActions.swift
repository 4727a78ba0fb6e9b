import CEL

/// Texts.
enum TextActions {
  static let rows: [ActionRow] = [
    ActionRow("gettext") { t, a in t.give(t.text(a, "WFTextActionText"), a, name: "text") },
    ActionRow("detect.text") { t, a in t.give(t.givenText(a, "WFInput"), a, name: "text") },
    ActionRow("text.split") { t, a in
      let input = t.contents(t.given(a, "text", "WFInput"))
      let separator: Code
      switch a.choice("WFTextSeparator", "New Lines") {
      case "Spaces": separator = .text(" ")
      case "Every Character":
        let parts = each(input, &t) { .cel("\($0).characters()", .texts) }
        t.give(t.kind(input).isList ? .cel("\(parts).flatten()", .texts) : parts, a, name: "parts")
        return
      case "Custom": separator = t.text(a, "WFTextCustomSeparator")
      default:
        t.give(.cel("toLines(\(input))", .texts), a, name: "lines")
        return
      }
      if separator.literal == "" {
        t.give(.cel("[\(input.asText)]", .texts), a, name: "parts")
        return
      }
      let parts = each(input, &t) { .cel("\($0).split(\(separator))", .texts) }
      t.give(t.kind(input).isList ? .cel("\(parts).flatten()", .texts) : parts, a, name: "parts")
    },
    ActionRow("text.combine") { t, a in
      let input = t.given(a, "text", "WFInput")
      // Old files have no key `text`; their default separator is a space.
      let standard = a.parameters["text"] == nil ? "Spaces" : "New Lines"
      let separator: Code
      switch a.choice("WFTextSeparator", standard) {
      case "Spaces": separator = .text(" ")
      case "Custom": separator = t.text(a, "WFTextCustomSeparator")
      default:
        t.give(t.contents(input).asText, a, name: "text")
        return
      }
      t.give(.cel("\(texts(input, t)).join(\(separator))", .text), a, name: "text")
    },
    ActionRow(deciding: "text.replace", "patterns that look around or refer back") { t, a in
      let input = t.contents(t.given(a, "WFInput"))
      let find = t.text(a, "WFReplaceTextFind")
      let replacement = t.text(a, "WFReplaceTextReplace")
      let isExact = a.flag("WFReplaceTextCaseSensitive", true)
      if find.literal == "" {
        t.give(input.asText, a, name: "text")
        return .translated
      }
      guard a.flag("WFReplaceTextRegularExpression", false) else {
        if isExact {
          t.give(
            each(input, &t) { .cel("\($0).replace(\(find), \(replacement))", .text) }, a,
            name: "text")
        } else {
          let pattern: Code =
            find.literal.map { .text("(?i)" + Pattern.quoted($0)) }
            ?? .cel("\"(?i)\\\\Q\" + \(find) + \"\\\\E\"", .text)
          let other = Pattern.escaped(replacement)
          t.give(
            each(input, &t) { .cel("regex.replace(\($0), \(pattern), \(other))", .text) }, a,
            name: "text")
        }
        return .translated
      }
      let pattern = Pattern(find, isExact: isExact)
      if let need = pattern.need { return .notHere(need) }
      let other = pattern.replacement(replacement)
      let wrapped = pattern.replacementWrapped(other)
      t.give(
        each(input, &t) {
          .cel("regex.replace(\($0), \(pattern.forReplacing), \(wrapped))", .text)
        }, a,
        name: "text")
      return .translated
    },
    ActionRow(deciding: "text.match", "patterns that look around or refer back") { t, a in
      let input = t.givenText(a, "text", "WFInput")
      let pattern = Pattern(
        t.text(a, "WFMatchTextPattern"), isExact: a.flag("WFMatchTextCaseSensitive", true))
      if let need = pattern.need { return .notHere(need) }
      // A match is all that fits, also if the pattern has groups.
      let matches: Code =
        pattern.isKnown
        ? .cel("regex.extractAll(\(input), \(pattern.forMatching))", .texts)
        : .cel("regexGroups(\(input), \(pattern.forMatching)).map(g, g[0])", .texts)
      t.give(matches, a, name: "matches")
      t.note { slot in
        slot.pattern = pattern.withGroups
        slot.matchedText = pattern.isWhole && !input.isVolatile ? input : nil
      }
      return .translated
    },
    ActionRow(deciding: "text.match.getgroup", "matches of another action") { t, a in
      let matches = t.given(a, "matches", "WFInput")
      guard let pattern = t.traits(matches)?.pattern else {
        return .notHere("groups of matches whose pattern is not known")
      }
      let isAll = a.choice("WFGetGroupType", "Group At Index") == "All Groups"
      let index = t.whole(a, "WFGroupIndex", 1)
      // All matches of a text that still is the same are found together with their groups.
      if case .slot(let slot) = matches, let text = t.table.slots[slot].matchedText,
        t.isUnchanged(text, since: slot)
      {
        let all: Code = .cel("regexGroups(\(text), \(pattern))", .list)
        t.give(
          isAll
            ? .cel("\(all).map(g, g.slice(1, size(g))).flatten()", .texts)
            : .cel("\(all).map(g, g[\(index)])", .texts), a, name: "groups")
        return .translated
      }
      let isSingle = !t.kind(matches).isList
      let of: Code = .cel(
        "regexGroups(\(isSingle ? matches.asText : .cel("m", .text)), \(pattern))", .list)
      let one: Code
      if isAll {
        one = .cel("\(of).map(g, g.slice(1, size(g))).flatten()", .texts)
      } else if isSingle {
        one = .cel("\(of).map(g, g[\(index)]).first()", .any)
      } else {
        one = .cel("\(of).map(g, g[\(index)])", .texts)
      }
      t.give(
        isSingle ? one : .cel("\(texts(matches, t)).map(m, \(one)).flatten()", .texts), a,
        name: "groups")
      return .translated
    },
    ActionRow("text.changecase") { t, a in
      let input = t.contents(t.given(a, "text", "WFInput"))
      let style =
        switch a.choice("WFCaseType", "UPPERCASE").lowercased() {
        case "lowercase": "lower"
        case "capitalize every word": "words"
        case "capitalize with title case": "title"
        case "capitalize with sentence case": "sentence"
        case "capitalize alternating case": "alternating"
        case let word where word.hasPrefix("c") && word.contains("lternat"): "alternating"
        default: "upper"
        }
      t.give(each(input, &t) { .cel("\($0).changeCase(\(.text(style)))", .text) }, a, name: "text")
    },
    ActionRow("base64encode") { t, a in
      let input = t.given(a, "WFInput")
      if a.choice("WFEncodeMode", "Encode") == "Decode" {
        t.give(.cel("fromBase64(\(t.contents(input)))", .content), a, name: "decoded")
        return
      }
      var source: Code
      if t.traits(input)?.isFile ?? false {
        // The bytes of the file, not its text.
        source = t.local(
          "read-file", [("path", .code(input.asText)), ("as", .word("bytes"))], .any, name: "bytes")
        source = .cel("\(source).base64()", .text)
      } else {
        source = t.contents(input)
        source =
          t.kind(source) == .any || t.kind(source) == .content
          ? .cel("toBytes(\(source)).base64()", .text) : .cel("\(source.asText).base64()", .text)
      }
      switch a.choice("WFBase64LineBreakMode", "Every 76 Characters") {
      case "None": t.give(source, a, name: "encoded")
      case "Every 64 Characters":
        t.give(.cel("\(source).chunks(64).join(\"\\r\\n\")", .text), a, name: "encoded")
      default: t.give(.cel("\(source).chunks(76).join(\"\\r\\n\")", .text), a, name: "encoded")
      }
    },
    ActionRow("urlencode") { t, a in
      let input = t.contents(t.given(a, "WFInput"))
      let isDecoding = a.choice("WFEncodeMode", "Encode") == "Decode"
      t.give(
        each(input, &t) {
          isDecoding ? .cel("\($0).urlDecode()", .text) : .cel("\($0).urlEncode()", .text)
        },
        a, name: "encoded")
    },
    ActionRow("hash") { t, a in
      let input = t.givenText(a, "WFInput")
      switch a.choice("WFHashType", "MD5").uppercased() {
      case "SHA1": t.give(.cel("\(input).sha1()", .text), a, name: "hash")
      case "SHA256": t.give(.cel("\(input).sha256()", .text), a, name: "hash")
      case "SHA512": t.give(.cel("\(input).sha512()", .text), a, name: "hash")
      default: t.give(.cel("\(input).md5()", .text), a, name: "hash")
      }
    },
    ActionRow("detect.link") { t, a in
      let input = t.given(a, "WFInput")
      let form = t.traits(input)?.form
      let source = form == .article || form == .page ? t.address(input) : t.contents(input)
      t.give(.cel("findLinks(\(source))", .texts), a, name: "links")
    },
    ActionRow("detect.contacts") { t, a in
      t.give(.cel("contactCards(\(t.contents(t.given(a, "WFInput"))))", .list), a, name: "contacts")
      t.note { $0.form = .contact }
    },
    ActionRow(deciding: "properties.contacts", "fields that a vCard does not have") { t, a in
      let contact = t.given(a, "WFInput")
      let name = a.choice("WFContentItemPropertyName", "Name")
      guard t.traits(contact)?.form == .contact,
        let code = ItemProperties.value(name, of: contact, &t)
      else { return .notHere("the \(name.lowercased()) of a contact of the address book") }
      t.give(code, a, name: name)
      return .translated
    },
    ActionRow("detect.emailaddress") { t, a in
      t.give(
        .cel("regex.extractAll(\(t.givenText(a, "WFInput")), \(.text(Pattern.mail)))", .texts), a,
        name: "addresses")
    },
    ActionRow("detect.phonenumber", "found by their digits") { t, a in
      t.give(
        .cel("regex.extractAll(\(t.givenText(a, "WFInput")), \(.text(Pattern.phone)))", .texts), a,
        name: "numbers")
    },
    ActionRow("correctspelling", "the text stays as it is") { t, a in
      t.give(t.givenText(a, "text", "WFInput"), a, name: "text")
    },
    ActionRow("getrichtextfrommarkdown") { t, a in
      t.give(.cel("markdownToHtml(\(t.givenText(a, "WFInput")))", .text), a, name: "html")
      t.note { $0.form = .html }
    },
    ActionRow("getrichtextfromhtml", "rich text is HTML") { t, a in
      t.give(html(&t, t.given(a, "WFHTML", "WFInput")), a, name: "html")
      t.note { $0.form = .html }
    },
    ActionRow("gethtmlfromrichtext", "rich text is HTML") { t, a in
      t.give(html(&t, t.given(a, "WFInput")), a, name: "html")
    },
    ActionRow("getmarkdownfromrichtext") { t, a in
      let source = html(&t, t.given(a, "WFInput"))
      t.give(.cel("htmlToMarkdown(\(source))", .text), a, name: "markdown")
    },
    ActionRow("getnameofemoji", "the emoji itself") { t, a in
      t.give(t.givenText(a, "WFInput"), a, name: "name")
    },
  ]

  /// Rich text with its formatting.
  private static func html(_ t: inout Translation, _ input: Code) -> Code {
    t.traits(input)?.form == .html ? input.asText : t.contents(input).asText
  }

  /// The result of a text function, applied to each item of a list or once to a single text.
  static func each(_ input: Code, _ t: inout Translation, _ body: (Code) -> Code) -> Code {
    let kind = t.kind(input)
    guard kind.isList else { return body(input.asText) }
    let item: Code = kind == .texts ? .cel("t", .text) : .cel("toText(t)", .text)
    return .cel("\(input).map(t, \(body(item)))", .texts)
  }

  /// The items of a value as texts.
  static func texts(_ input: Code, _ t: Translation) -> Code {
    t.kind(input.asList) == .texts
      ? input.asList : .cel("\(input.asList).map(t, toText(t))", .texts)
  }
}
