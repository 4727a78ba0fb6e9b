import CEL

/// Questions, messages and the clipboard.
enum DialogActions {
  static let rows: [ActionRow] = [
    ActionRow("ask") { t, a in
      var arguments: [(key: String?, value: Step.Argument)] = [
        ("prompt", .code(t.text(a, "WFAskActionPrompt", "What is the value?")))
      ]
      var standard = "WFAskActionDefaultAnswer"
      var kind = Code.Kind.text
      switch a.choice("WFInputType", "Text") {
      case "Number":
        let isWhole = !a.flag("WFAskActionAllowsDecimalNumbers", true)
        arguments.append(("type", .word(isWhole ? "int" : "double")))
        kind = isWhole ? .integer : .number
        standard += "Number"
        if a.parameters[standard] == nil { standard = "WFAskActionDefaultAnswer" }
        if let code = t.value(a.parameters[standard]), code.literal != "" {
          arguments.append(
            ("default", .code(t.table.simplified(isWhole ? code.asWhole : code.asNumber))))
        }
        if !a.flag("WFAskActionAllowsNegativeNumbers", true) {
          arguments.append(("where", .word("self >= 0")))
        }
        t.give("ask", arguments, kind: kind, of: a, name: "answer")
        return
      case "URL": standard += "URL"
      case "Date", "Time", "Date and Time":
        arguments.append(
          ("type", .word(a.choice("WFInputType", "Date") == "Date" ? "date" : "timestamp")))
        kind = .date
        standard +=
          ["Date": "Date", "Time": "Time"][a.choice("WFInputType", "Date")] ?? "DateAndTime"
        if let code = t.value(a.parameters[standard]), code.literal != "" {
          arguments.append(("default", .code(code.asDate)))
        }
        t.give("ask", arguments, kind: kind, of: a, name: "answer")
        return
      default: break
      }
      if let code = t.value(a.parameters[standard]), code.literal != "" {
        arguments.append(("default", .code(t.contents(code).asText)))
      }
      t.give(
        "ask", arguments.count == 1 ? [(nil, arguments[0].value)] : arguments, kind: kind, of: a,
        name: "answer")
    },
    ActionRow("choosefromlist") { t, a in
      let input = t.given(a, "WFInput")
      let prompt = t.text(a, "WFChooseFromListActionPrompt")
      let isMany = a.flag("WFChooseFromListActionSelectMultiple", false)
      let kind = t.kind(input)
      let form = t.traits(input)?.form ?? .plain
      // Whether it is a dictionary may be known only at run time.
      let isDictionary = kind == .dictionary || kind == .any && form == .plain
      let keys: Code =
        kind == .dictionary ? .cel("keysOf(\(input))", .texts) : .cel("choicesOf(\(input))", .list)
      var arguments: [(key: String?, value: Step.Argument)] = [
        ("from", .code(isDictionary ? keys : choices(input, t))),
        ("prompt", .code(prompt.literal == "" ? .text("Choose one.") : prompt)),
      ]
      if isMany { arguments.append(("many", .word("true"))) }
      if form == .article || form == .page {
        arguments.append(("display", .code(.cel("toText(valueFor(self, \"title\"))", .text))))
      } else if form == .contact {
        arguments.append(("display", .code(.cel("toText(contactNames(self))", .text))))
      } else if let names = t.itemNames {
        arguments.append(
          ("display", .code(.cel("\(.slot(names))[?toText(self)].orValue(toText(self))", .text))))
      } else if kind == .any || kind == .list {
        t.needsForm = true
      }
      guard isDictionary else {
        t.give(
          "choose", arguments,
          kind: isMany ? (kind == .texts ? .texts : .list) : kind == .texts ? .text : .any, of: a,
          name: "choice")
        let traits = t.traits(input)
        t.note { slot in
          slot.pattern = traits?.pattern
          slot.form = form
        }
        return
      }
      // A dictionary shows its keys and gives the chosen value.
      guard kind == .dictionary else {
        let choice = t.local("choose", arguments, isMany ? .list : .any, name: "choice")
        t.give(.cel("chosenFrom(\(input), \(choice))", .any), a, name: "chosen")
        return
      }
      let key = t.local("choose", arguments, isMany ? .list : .text, name: "key")
      t.give(
        isMany
          ? .cel("\(key).map(k, valueFor(\(input), toText(k)))", .list)
          : .cel("valueFor(\(input), \(key.asText))", .any),
        a, name: "choice")
    },
    ActionRow("alert") { t, a in
      let title = t.text(a, "WFAlertActionTitle")
      var message = t.text(a, "WFAlertActionMessage")
      let isQuestion = a.flag("WFAlertActionCancelButtonShown", true)
      if a.parameters["WFAlertActionMessage"] == nil {
        message = .text(
          title.literal == "" || title.literal == nil && a.parameters["WFAlertActionTitle"] == nil
            ? "Do you want to continue?" : "")
      }
      let text: Code
      if message.literal == "" {
        text = title.literal == "" ? .text("Alert") : title
      } else if title.literal == "" {
        text = message
      } else {
        text = .joined([title, .text("\n"), message])
      }
      t.call(isQuestion ? "confirm" : "say", [(nil, .code(text))])
      t.isShown = true
    },
    ActionRow("showresult") { t, a in
      let text = a.parameters["Text"] == nil ? t.contents(t.last).asText : t.text(a, "Text")
      t.call("show", [(nil, .code(text))])
      t.last = text
      t.isShown = true
    },
    ActionRow("viewresult", "its text is shown, a picture opened") { t, a in
      show(&t, a)
    },
    ActionRow("previewdocument", "its text is shown, a picture opened") { t, a in
      show(&t, a)
    },
    ActionRow("notification") { t, a in
      var arguments: [(key: String?, value: Step.Argument)] = [
        ("text", .code(t.text(a, "WFNotificationActionBody", "Hello World")))
      ]
      let title = t.text(a, "WFNotificationActionTitle")
      if title.literal != "" { arguments.append(("title", .code(title))) }
      t.call("notify", arguments.count == 1 ? [(nil, arguments[0].value)] : arguments)
      t.isShown = true
    },
    ActionRow("getclipboard") { t, a in t.give("paste", [], kind: .text, of: a, name: "clipboard")
    },
    ActionRow("setclipboard") { t, a in
      let input = t.given(a, "WFInput")
      t.call("copy", [(nil, .code(t.contents(input).asText))])
      t.last = input
    },
    ActionRow("delay") { t, a in
      let time = t.simpleNumber(a, "WFDelayTime", 1)
      if case .number(let seconds) = time, seconds == seconds.rounded(), seconds >= 0, seconds < 1e9
      {
        t.call("wait", [(nil, .word("\(Int(seconds))s"))])
      } else {
        t.call("wait", [("for", .code(.cel("duration(string(\(time)) + \"s\")", .any)))])
      }
      t.isShown = true
    },
    ActionRow("share", "its text is shown, a picture opened") { t, a in
      show(&t, a)
    },
    ActionRow("speaktext", "spoken by spd-say") { t, a in
      let text = t.givenText(a, "WFText", "WFInput")
      var command: [Step.Argument] = [.word("spd-say")]
      if a.flag("WFSpeakTextWait", true) { command.append(.word("'--wait'")) }
      if let language = a.word("WFSpeakTextLanguage"), !language.isEmpty {
        command += [.word("'--language'"), .text(String(language.prefix(2)))]
      }
      t.call("exec", [(nil, .list(command + [.word("'--'"), .code(text)]))])
      t.last = text
      t.isShown = true
    },
    ActionRow("dictatetext", "the text is typed") { t, a in
      t.give("ask", [(nil, .text("What do you want to say?"))], kind: .text, of: a, name: "text")
    },
    ActionRow("setitemname", "the name is known to what follows, not to the item") { t, a in
      let input = t.given(a, "WFInput")
      let name = t.text(a, "WFName")
      t.pass(input, a, name: name.literal ?? "item")
      t.note { $0.itemName = name }
      if t.isShownByName(a), name.literal?.hasSuffix(".vcf") != true { t.noteName(name, of: input) }
    },
    ActionRow("getitemname", "the name that it was given, or its text") { t, a in
      let input = t.given(a, "WFInput")
      t.give(ItemProperties.value("Name", of: input, &t) ?? input.asText, a, name: "name")
    },
    ActionRow("getitemtype") { t, a in
      t.give(.cel("itemType(\(t.given(a, "WFInput")))", .text), a, name: "type")
    },
    ActionRow("gettypeaction", "the item stays as it is") { t, a in t.pass(t.given(a, "WFInput"), a)
    },
    ActionRow("sendemail", "a draft in the mail program") { t, a in
      let subject = t.text(a, "WFSendEmailActionSubject")
      let body = t.text(a, "WFSendEmailActionInputAttachments")
      t.steps.append(
        WebActions.opening(
          .joined([
            .text("mailto:?subject="), .cel("\(subject).urlEncode()", .text), .text("&body="),
            .cel("\(body).urlEncode()", .text),
          ])))
    },
    ActionRow("com.apple.mobilenotes.SharingExtension", "a note in the library") { t, a in
      let text = t.givenText(a, "WFCreateNoteInput")
      t.call("add-note", [(nil, .code(named(text, "New note")))])
    },
    ActionRow("addnewreminder", "a task in the library") { t, a in
      let title = t.text(a, "WFCalendarItemTitle")
      t.call(
        "add-task", [("title", .code(named(title, "New reminder")))])
    },
  ]

  /// A text, or a substitute if it is empty.
  private static func named(_ text: Code, _ standard: String) -> Code {
    if let literal = text.literal { return .text(literal.isEmpty ? standard : literal) }
    if case .joined(let parts) = text, parts.contains(where: { $0.literal?.isEmpty == false }) {
      return text
    }
    return .cel("hasValue(\(text)) ? \(text) : \(.text(standard))", .text)
  }

  /// The items to choose from; an empty list literal would be refused at once.
  private static func choices(_ input: Code, _ t: Translation) -> Code {
    let list = t.table.simplified(input.asList)
    if case .list(let parts) = list, parts.isEmpty { return .cel("toList(null)", .list) }
    return list
  }

  private static func show(_ t: inout Translation, _ a: ActionTree.Action) {
    let input = t.given(a, "WFInput")
    if t.traits(input)?.form == .media {
      FileActions.forEach(input, &t) { Step(.call("open-url", [("file", .code($0))])) }
    } else {
      t.call("show", [(nil, .code(t.contents(input).asText))])
    }
    t.last = input
    t.isShown = true
  }
}
