import CEL

/// Files and folders; paths are taken from the action unchanged, relative to the folder of the run.
enum FileActions {
  static let rows: [ActionRow] = [
    ActionRow("documentpicker.open", "the path is taken from the folder where it runs") { t, a in
      open(&t, a)
    },
    ActionRow("file", "the path is taken from the folder where it runs") { t, a in open(&t, a) },
    ActionRow("file.select", "the path is asked") { t, a in open(&t, a) },
    ActionRow("folder", "the path is taken from the folder where it runs") { t, a in
      let path =
        t.value(a.parameters["WFFolder"])
        ?? t.local("ask", [(nil, .text("Which folder?"))], .text, name: "folder")
      t.give(relative(path.asText), a, name: "folder")
      t.note { $0.form = .file }
    },
    ActionRow("documentpicker.save", "the path is taken from the folder where it runs") { t, a in
      save(&t, a)
    },
    ActionRow("savefile", "the path is taken from the folder where it runs") { t, a in save(&t, a)
    },
    ActionRow("file.append") { t, a in
      let text = t.givenText(a, "WFInput")
      let path = relative(
        joined(
          t.value(a.parameters["WFFile"] ?? a.parameters["WFFolder"]),
          t.value(a.parameters["WFFilePath"])))
      if a.word("WFAppendFileWriteMode") == "Prepend" || !a.flag("WFAppendOnNewLine", true) {
        let isFirst = a.word("WFAppendFileWriteMode") == "Prepend"
        let line = a.flag("WFAppendOnNewLine", true) ? "\n" : ""
        let before = t.local("read-file", [(nil, .code(path))], .text, name: "before")
        t.give(
          "write-file",
          [
            ("path", .code(path)),
            (
              "text",
              .code(.joined(isFirst ? [text, .text(line), before] : [before, text]))
            ),
          ],
          kind: .text, of: a,
          name: "file")
      } else {
        t.give(
          "write-file",
          [("path", .code(path)), ("text", .code(text)), ("mode", .word("append"))]
            + parents(of: path),
          kind: .text, of: a,
          name: "file")
      }
      t.note { $0.form = .file }
    },
    ActionRow("file.createfolder") { t, a in
      let path = relative(
        joined(t.value(a.parameters["WFFolder"]), t.value(a.parameters["WFFilePath"])))
      t.give("make-folder", [(nil, .code(path))], kind: .text, of: a, name: "folder")
      t.note { $0.form = .file }
    },
    ActionRow("file.delete") { t, a in
      let input = t.given(a, "WFInput")
      if a.flag("WFDeleteFileConfirmDeletion", true) {
        t.call("confirm", [(nil, .code(.joined([.text("Delete "), input.asText, .text("?")])))])
      }
      forEach(input, &t) { item in
        a.flag("WFDeleteImmediatelyDelete", false)
          ? Step(
            .call(
              "exec",
              [
                (
                  "command", .list([.word("rm"), .word("'-r'"), .word("'--'"), .code(item)])
                )
              ]))
          : Step(.call("trash-file", [(nil, .code(item))]))
      }
    },
    ActionRow("file.getfoldercontents") { t, a in
      let folder = relative(t.given(a, "WFFolder", "WFInput").asText)
      t.give(contents(folder, isDeep: a.flag("Recursive", false), &t), a, name: "files")
      t.note { $0.form = .file }
    },
    ActionRow("file.getlink", "its path") { t, a in
      t.give(.joined([.text("file://"), t.given(a, "WFFile", "WFInput").asText]), a, name: "link")
    },
    ActionRow("file.reveal", "its folder is opened") { t, a in
      t.call(
        "open-url",
        [("file", .code(.cel("\(t.given(a, "WFFile", "WFInput").asText).folder()", .text)))])
    },
    ActionRow("file.move") { t, a in
      let file = t.given(a, "WFFile", "WFInput").asText
      let folder = relative((t.value(a.parameters["WFFolder"]) ?? .text(".")).asText)
      t.give(
        "move-file", [("from", .code(file)), ("to", .code(.joined([folder, .text("/")])))],
        kind: .text,
        of: a, name: "file")
      t.note { $0.form = .file }
    },
    ActionRow("file.rename") { t, a in
      let file = t.given(a, "WFFile", "WFInput").asText
      let name = t.text(a, "WFNewFilename")
      t.give(
        "move-file",
        [("from", .code(file)), ("to", .code(.cel("\(file).folder() + \"/\" + \(name)", .text)))],
        kind: .text, of: a,
        name: "file")
      t.note { $0.form = .file }
    },
    ActionRow("properties.files", "of the file at the path") { t, a in
      let file = t.given(a, "WFInput")
      let name = a.choice("WFContentItemPropertyName", "Name")
      if let code = ItemProperties.value(name, of: file, &t) {
        t.give(code, a, name: name)
        return
      }
      t.give(property(name, of: file, &t), a, name: name)
    },
    ActionRow("makezip", "by the program zip") { t, a in
      let input = t.given(a, "WFInput")
      let name = t.text(a, "WFZIPName", "Archive")
      let archive = t.local(
        .joined([name, .text(".zip")]), name: "archive")
      t.call(
        "exec",
        [
          (
            "command",
            .code(
              .cel(
                "[\"zip\", \"-q\", \"-r\", \"--\", \(archive)] + \(input.asList).map(f, toText(f))",
                .list))
          )
        ])
      t.give(archive, a, name: "archive")
      t.note { $0.form = .media }
    },
    ActionRow("unzip", "by the program unzip") { t, a in
      let archive = t.given(a, "WFArchive", "WFInput").asText
      let folder = t.local(
        "exec", [(nil, .list([.word("mktemp"), .word("'-d'")]))], .text, name: "folder")
      t.call(
        "exec",
        [
          (
            "command",
            .list([.word("unzip"), .word("'-q'"), .code(archive), .word("'-d'"), .code(folder)])
          )
        ])
      t.give(contents(folder, isDeep: true, &t), a, name: "files")
      t.note { $0.form = .file }
    },
    ActionRow("print", "by the program lp") { t, a in
      let file = t.given(a, "WFInput").asText
      t.call("exec", [("command", .list([.word("lp"), .word("'--'"), .code(file)]))])
    },
    ActionRow("savetocameraroll", "copied to the folder Pictures") { t, a in
      let image = t.given(a, "WFInput")
      forEach(image, &t) { item in
        Step(
          .call(
            "copy-file",
            [
              ("from", .code(item)), ("to", .code(.text("~/Pictures/"))),
              ("onConflict", .word("number")),
            ]))
      }
      t.last = image
    },
    ActionRow("selectphoto", "the path is asked") { t, a in
      t.give("ask", [(nil, .text("Which picture? (path)"))], kind: .text, of: a, name: "photo")
      t.note { $0.form = .media }
    },
  ]

  /// The size or a date of a file; nil for another property.
  static func knownProperty(_ name: String, of file: Code, _ t: inout Translation) -> Code? {
    ["File Size", "Creation Date", "Last Modified Date"].contains(name)
      ? property(name, of: file, &t) : nil
  }

  /// The size or a date of a file, or its name.
  static func property(_ name: String, of file: Code, _ t: inout Translation) -> Code {
    // A file that is not there has no properties.
    let found = t.local(
      "read-file", [("path", .code(file.asText)), ("as", .word("details"))], .any, name: "found")
    switch name {
    case "File Size": return .cel("valueFor(\(found), \"size\")", .any)
    case "Creation Date", "Last Modified Date":
      return .cel("valueFor(\(found), \"modified\")", .any)
    default: return .cel("valueFor(\(found), \"name\")", .any)
    }
  }

  /// The actions that take a file, and the keys of their input.
  static let takingFiles: Set = [
    "image.resize", "image.convert", "image.crop", "image.combine", "image.mask", "image.rotate",
    "overlayimageonimage", "overlaytext", "properties.images", "properties.files", "makezip",
    "unzip",
    "makepdf", "splitpdf", "makeimagefrompdfpage", "makegif", "file.delete", "file.move",
    "file.rename",
    "file.getlink", "file.reveal", "file.getfoldercontents", "savetocameraroll", "playsound",
    "encodemedia",
    "extracttextfromimage", "scanbarcode", "print", "openin", "gethtmlfromrichtext",
    "getmarkdownfromrichtext", "detect.images", "getitemname", "filter.files",
  ]

  static func relative(_ path: Code) -> Code {
    // A path is relative to the folder of Shortcuts, here the folder of the run.
    guard let text = path.literal else {
      if case .joined(var parts) = path, let first = parts.first?.literal {
        let rest = withoutDrive(first)
        if rest.isEmpty { parts.removeFirst() } else { parts[0] = .text(rest) }
        return .joined(parts)
      }
      return path
    }
    let rest = withoutDrive(text)
    return .text(rest.isEmpty ? "." : rest)
  }

  /// A path without the folder of a drive of Apple's system.
  private static func withoutDrive(_ path: String) -> String {
    var path = path[...]
    for drive in ["com~apple~CloudDocs", "iCloud~is~workflow~my~workflows/Documents"] {
      if let place = path.firstRange(of: drive) { path = path[place.upperBound...] }
    }
    return String(path.drop { $0 == "/" })
  }

  private static func joined(_ folder: Code?, _ path: Code?) -> Code {
    guard let folder, folder.literal != "" else { return (path ?? .text("")).asText }
    guard let path else { return folder.asText }
    if let text = path.literal {
      return .joined([folder.asText, .text("/" + text.drop { $0 == "/" })])
    }
    return .joined([folder.asText, .text("/"), path.asText])
  }

  /// The paths of the files in a folder.
  private static func contents(_ folder: Code, isDeep: Bool, _ t: inout Translation) -> Code {
    var arguments: [(key: String?, value: Step.Argument)] = [("in", .code(folder))]
    if isDeep { arguments.append(("deep", .word("true"))) }
    let found = t.local("find-files", arguments, .list, name: "found")
    return .cel("\(found).map(f, f.path)", .list)
  }

  private static func open(_ t: inout Translation, _ a: ActionTree.Action) {
    var path: Code
    let given = a.parameters["WFGetFilePath"].flatMap { t.value($0) }
    let file = t.value(a.parameters["WFFile"])
    if let given, given.literal != "", a.word("WFShowFilePicker") == "false" || file != nil {
      path = relative(joined(file, given))
    } else if let file {
      path = relative(file.asText)
    } else {
      path = t.local("ask", [(nil, .text("Which file?"))], .text, name: "path")
    }
    let written = path.literal ?? ""
    if case .joined = path { path = t.local(path, name: "path") }
    // A filtered path without an extension is a folder; a name with one in a folder is a file.
    let hasExtension = written.split(separator: "/").last?.contains(".") ?? false
    let isFolder = a.word("WFShowFilePicker") == "false" && t.isListed(a)
    if !hasExtension, isFolder || a.flag("WFGetFolderContents", false) {
      t.give(contents(path, isDeep: false, &t), a, name: "files")
      t.note { $0.form = .file }
      return
    }
    if t.isRaw(a) {
      t.give(path, a, name: "file")
      t.note { $0.form = .file }
      return
    }
    let isText = isText(path)
    guard !a.flag("WFFileErrorIfNotFound", true) else {
      t.give(
        "read-file", reading(path), kind: isText ? .text : .content, of: a, name: "contents")
      return
    }
    // A missing file has no contents.
    let slot = t.output(of: a, name: "contents")
    t.table.slots[slot].definitions.append(.cel("", .any))
    t.steps.append(
      Step(
        .attempt(
          [Step(.call("read-file", reading(path)))], on: "not-found",
          [Step.kept(.nothing)]), slot: slot))
    t.last = .slot(slot)
  }

  /// Whether a file is a text by its name.
  private static func isText(_ path: Code) -> Bool {
    var end = path
    if case .joined(let parts) = path, let last = parts.last { end = last }
    let texts = ["txt", "json", "md", "csv", "html", "xml", "yaml", "yml", "vcf", "log", "ics"]
    return end.literal.map { name in texts.contains { name.lowercased().hasSuffix("." + $0) } }
      ?? false
  }

  /// The arguments that read a file as a text, or as bytes if it is none.
  static func reading(_ path: Code) -> [(key: String?, value: Step.Argument)] {
    isText(path) ? [(nil, .code(path))] : [("path", .code(path)), ("as", .word("any"))]
  }

  private static func save(_ t: inout Translation, _ a: ActionTree.Action) {
    let input = t.given(a, "WFInput")
    let folder = t.value(a.parameters["WFFolder"])
    let name = t.traits(input)?.itemName
    let named = (name ?? .text("file.txt")).asText
    let isFile = name == nil && t.traits(input)?.isFile ?? false
    var path: Code
    if let given = t.value(a.parameters["WFFileDestinationPath"]), given.literal != "",
      !a.flag("WFAskWhereToSave", true)
    {
      path = joined(folder, given)
      if let text = given.literal, text.hasSuffix("/") {
        path = isFile ? path.asText : .joined([path.asText, named])
      }
    } else if let folder, !a.flag("WFAskWhereToSave", true) {
      // A file keeps its name in the folder.
      path = isFile ? .joined([folder.asText, .text("/")]) : joined(folder, named)
    } else {
      path = t.local(
        "ask",
        [
          ("prompt", .text("Where should it be saved? (path)")),
          (
            "default",
            .code(name == nil && isFile ? .cel("\(input.asText).fileName()", .text) : named)
          ),
        ],
        .text, name: "path")
    }
    path = relative(path)
    if case .joined = path { path = t.local(path, name: "path") }
    if case .slot(let slot) = input, t.table.slots[slot].isFile {
      t.give(
        "copy-file",
        [
          ("from", .code(input.asText)), ("to", .code(path)),
          ("onConflict", .word(a.flag("WFSaveFileOverwrite", false) ? "replace" : "number")),
        ],
        kind: .text, of: a, name: "file")
    } else {
      var arguments: [(key: String?, value: Step.Argument)] = [
        ("path", .code(path)), ("text", .code(t.contents(input).asText)),
      ]
      if !a.flag("WFSaveFileOverwrite", false) { arguments.append(("mode", .word("number"))) }
      arguments += parents(of: path)
      t.give("write-file", arguments, kind: .text, of: a, name: "file")
    }
    t.note { $0.form = .file }
  }

  /// The argument that makes the folders of a path, unless it has none.
  private static func parents(of path: Code) -> [(key: String?, value: Step.Argument)] {
    path.literal?.contains("/") == false ? [] : [("parents", .word("true"))]
  }

  /// Adds a step for each file.
  static func forEach(_ input: Code, _ t: inout Translation, _ step: (Code) -> Step) {
    guard t.kind(input).isList else {
      t.steps.append(step(input.asText))
      return
    }
    let item = t.fixed("file", .cel("", .any))
    let index = t.fixed("place", .cel("", .integer))
    t.steps.append(Step(.each(item: item, list: input, index: index, [step(.slot(item).asText)])))
  }
}
