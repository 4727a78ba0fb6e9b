import CEL

/// Translates a shortcut of Apple's app to YAML.
package struct ShortcutTranslator {
  /// The outcome of an action.
  package enum Outcome: String, Sendable {
    case translated, approximated
    case notHere = "not here"
  }

  /// The outcome of an action, with a note.
  package struct Line: Sendable {
    package let identifier: String
    package let outcome: Outcome
    /// The approximation, or the unavailable feature.
    package let note: String
  }

  /// The treatment of an unavailable action.
  package enum Missing: String, Sendable, CaseIterable {
    /// Its value is null; a step that needs it fails.
    case needed
    /// A step fails when it is reached.
    case fail
    /// Its value is null.
    case skip
  }

  /// The options of a translation.
  package struct Options {
    package var missing: Missing
    /// The names of shortcuts that can be called.
    package var knownNames: Set<String>
    /// The folder that files beside the result are written to; nil to write none.
    package var folder: String?

    package init(missing: Missing = .needed, knownNames: Set<String> = []) {
      self.missing = missing
      self.knownNames = knownNames
    }
  }

  /// A file beside the result.
  package struct Attachment: Sendable {
    package let path: String
    package let bytes: [UInt8]
  }

  /// The name of the shortcut.
  package let name: String
  /// Whether the file is signed.
  package let isSigned: Bool
  /// The signature of the file; nil if it is not signed.
  package let signature: ShortcutFile.Signature?
  /// The YAML of the shortcut.
  package private(set) var text: String
  /// The outcome of each action, in order.
  package let report: [Line]
  /// The files beside the result.
  package let attachments: [Attachment]
  /// The servers that constants name.
  package let servers: [String]
  /// The constants that decode to scripts, texts and property lists.
  package let hidden: [HiddenContent.Finding]

  /// Reads and translates a file, which gives the shortcut its title.
  ///
  /// - Parameter isReserved: Whether a word cannot name a shortcut; called with a few words only.
  /// - Throws: `ShortcutFile.Problem`.
  package init(
    _ bytes: [UInt8], at path: String, missing: Missing = .needed, isReserved: (String) -> Bool
  ) throws(ShortcutFile.Problem) {
    let title = Self.title(ofPath: path)
    try self.init(
      ShortcutFile(bytes), named: Self.name(for: title, isReserved), title: title,
      Options(missing: missing))
  }

  /// Replaces the expectation of the generated test.
  ///
  /// - Parameter expectation: The expectation in YAML; nil to remove the test.
  package mutating func expect(_ expectation: String?) {
    guard let tests = text.firstRange(of: "\ntests:\n") else { return }
    guard let expectation else {
      text.removeSubrange(text.index(after: tests.lowerBound)...)
      return
    }
    text = text.replacing(
      ShortcutExample.open, with: expectation,
      subrange: tests.lowerBound..<text.endIndex)
  }

  /// The expectation of the generated test, which is replaced by the results of a run.
  package static var openExpectation: String { ShortcutExample.open }

  /// A name for a title that is not reserved.
  package static func name(for title: String, _ isReserved: (String) -> Bool) -> String {
    var name = Self.commandName(title)
    let base = name
    var count = 1
    while isReserved(name) {
      name = count == 1 ? "\(base)-shortcut" : "\(base)-\(count)"
      count += 1
    }
    return name
  }

  /// The title of a shortcut by the path of its file.
  package static func title(ofPath path: String) -> String {
    var title = path.split(separator: "/").last.map(String.init) ?? ""
    for end in [".xml", ".shortcut", ".plist", ".wflow"] where title.hasSuffix(end) {
      title.removeLast(end.count)
    }
    return title.isEmpty ? "Shortcut" : title
  }

  /// The name of the command for a title: lower case with dashes.
  package static func commandName(_ title: String) -> String {
    let words = Transliteration.latin(title).lowercased()
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    var name = String(words.joined(separator: "-").prefix(50))
    while name.hasSuffix("-") { name.removeLast() }
    if name.first?.isLetter == true { return name }
    // A name begins with a letter: numbers go to its end.
    if let letter = words.firstIndex(where: { $0.first?.isLetter == true }) {
      return String((words[letter...] + words[..<letter]).joined(separator: "-").prefix(50))
    }
    if !name.isEmpty { return "shortcut-" + name }
    // A title without letters has a name of its own, too.
    let hash = title.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return title.isEmpty ? "shortcut" : "shortcut-" + String(hash, radix: 36)
  }

  /// Translates a file.
  ///
  /// - Parameter name: The name of the shortcut, in lower case with dashes.
  /// - Throws: `ShortcutFile.Problem` if the text is too large.
  package init(
    _ file: ShortcutFile, named name: String, title: String, _ options: Options = Options()
  ) throws(ShortcutFile.Problem) {
    let missing = options.missing
    self.name = name
    servers = Self.servers(file)
    hidden = HiddenContent.find(in: file)
    isSigned = file.signature != nil
    signature = file.signature
    let questions = ImportQuestions(file)
    let actions = questions.actions
    let tree = ActionTree(actions)
    var translation = Translation(
      named: name, statesInputs: Self.statesInputs(actions), failsAtMissing: missing == .fail,
      rawUses: Self.uses(in: actions, by: FileActions.takingFiles),
      listUses: Self.uses(in: actions, by: ["filter.files"]))
    translation.knownNames = options.knownNames
    translation.choosesFromLists = actions.contains { $0.name == "choosefromlist" }
    translation.namedUses = Self.uses(
      in: actions, by: ["appendvariable", "list", "choosefromlist"])
    let answers = questions.questions.map { translation.declare($0.variable, $0.name) }
    var outcomes: [Int: Translation.Outcome] = [:]
    if Self.usesInput(actions) {
      let links: Set = ["WFURLContentItem", "WFSafariWebPageContentItem", "WFArticleContentItem"]
      let types = Set(file.inputTypes)
      translation.begin(
        withoutInput: file.inputAbsence, takesLinks: !types.isEmpty && types.isSubset(of: links))
    }
    var steps = translation.steps
    translation.steps = []
    steps += translation.block(tree.nodes, &outcomes)
    // The result of a block that was only shown is not output again.
    var isResult = !translation.isShown
    let isEnded = steps.last?.isEnd ?? false
    if case .slot(let slot) = translation.last {
      isResult = isResult || !translation.table.slots[slot].isBlock
      isResult = isResult && translation.table.slots[slot].missing == nil
      translation.table.slots[slot].isOutput = isResult
    }
    if isResult, !isEnded {
      steps.append(Step(.call("output", [(nil, .code(translation.last.bare))])))
    }
    let plan = StepPlan(
      steps, translation.table, folder: options.folder.map { "\($0)/\(name).files" })
    attachments = plan.attachments
    let document = ShortcutDocument(
      name: name, title: title, file: file, questions: Array(zip(questions.questions, answers)),
      plan: plan,
      input: translation.input, needsInput: translation.callsItself,
      needsForm: translation.needsForm, skipsMissing: missing == .skip,
      mended: tree.mended)
    text = document.text
    guard text.utf8.count <= ShortcutFile.maxSize else {
      throw ShortcutFile.Problem(reason: ShortcutFile.tooLarge)
    }
    report = file.actions.indices.map { index in
      let identifier = file.actions[index].identifier
      switch outcomes[index] {
      case .translated?: return Line(identifier: identifier, outcome: .translated, note: "")
      case .approximated(let note)?:
        return Line(identifier: identifier, outcome: .approximated, note: note)
      case .notHere(let need)?: return Line(identifier: identifier, outcome: .notHere, note: need)
      case nil:
        return Line(
          identifier: identifier, outcome: .approximated, note: "a group that was not whole")
      }
    }
  }

  /// The servers of the addresses in a file, in order.
  private static func servers(_ file: ShortcutFile) -> [String] {
    var servers: [String] = []
    func collect(_ value: Value) {
      switch value {
      case .string(let text):
        for scheme in ["https://", "http://"] {
          for range in text.ranges(of: scheme).prefix(1000) {
            let host = text[range.upperBound...].prefix {
              $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0))
            }
            if host.contains("."), !servers.contains(String(host)) { servers.append(String(host)) }
          }
        }
      case .map(let map): for entry in map.entries { collect(entry.value) }
      case .list(let values): for value in values { collect(value) }
      default: break
      }
    }
    for action in file.actions { collect(.map(action.parameters)) }
    return servers
  }

  /// Whether an action refers to the input, or the first action uses it implicitly.
  private static func usesInput(_ actions: [ActionTree.Action]) -> Bool {
    func names(_ value: Value) -> Bool {
      switch value {
      case .map(let map):
        map["Type"] == .string("ExtensionInput") || map.entries.contains { names($0.value) }
      case .list(let values): values.contains(where: names)
      default: false
      }
    }
    let first = actions.first { $0.name != "comment" }
    return actions.contains { names(.map($0.parameters)) }
      || first.map { $0.parameters["WFInput"] == nil && $0.name != "gettext" } ?? false
  }

  /// Whether all actions except Set Variable state their input, so that a missing one there is
  /// empty.
  private static func statesInputs(_ actions: [ActionTree.Action]) -> Bool {
    var stated = 0
    let keys: [String: [String]] = [
      "conditional": ["WFInput"], "getvalueforkey": ["WFInput"], "openurl": ["WFInput"],
      "choosefromlist": ["WFInput"], "getitemfromlist": ["WFInput"],
      "text.split": ["text", "WFInput"],
      "text.combine": ["text", "WFInput"], "count": ["Input", "WFInput"],
      "repeat.each": ["WFInput"],
      "setitemname": ["WFInput"], "detect.dictionary": ["WFInput"], "detect.text": ["WFInput"],
      "downloadurl": ["WFURL"], "previewdocument": ["WFInput"], "setclipboard": ["WFInput"],
      "text.replace": ["WFInput"], "text.match": ["text", "WFInput"], "math": ["WFInput"],
      "documentpicker.save": ["WFInput"], "base64encode": ["WFInput"],
    ]
    for action in actions {
      guard let names = keys[action.name] else { continue }
      if action.name == "conditional", action.word("WFControlFlowMode") != "0" { continue }
      if action.name == "repeat.each", action.word("WFControlFlowMode") != "0" { continue }
      guard
        names.contains(where: { action.parameters[$0] != nil })
          || action.parameters["WFConditions"] != nil
      else { return false }
      stated += 1
    }
    return stated > 0
  }

  /// The outputs and positions of actions whose result is used by others.
  private static func uses(
    in actions: [ActionTree.Action], by names: Set<String>
  ) -> Set<String> {
    var uses: Set<String> = []
    func collect(_ value: Value) {
      switch value {
      case .map(let map):
        if case .string(let id)? = map["OutputUUID"], map["Aggrandizements"] == nil {
          uses.insert(id)
        }
        for entry in map.entries { collect(entry.value) }
      case .list(let values): for value in values { collect(value) }
      default: break
      }
    }
    for (index, action) in actions.enumerated() where names.contains(action.name) {
      let count = uses.count
      collect(.map(action.parameters))
      if uses.count == count, index > 0 { uses.insert(String(index - 1)) }
    }
    return uses
  }
}
