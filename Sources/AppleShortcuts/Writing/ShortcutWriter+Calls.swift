import CEL
import Catalog
import Source
import YAML

extension ShortcutWriter {
  /// Writes a call, and returns its value.
  mutating func call(_ call: Catalog.Step.Call) -> Reference? {
    let node = call.value
    let map = node?.mapping
    func argument(_ key: String) -> Node? { map?[key] ?? (map == nil ? node : nil) }
    func give(_ id: String) -> Reference {
      it = .output(id)
      return .output(id)
    }
    switch call.name.text {
    case "value":
      guard let node else { return nil }
      let before = actions.count
      it = value(map?["value"] ?? node)
      // An existing value needs an action that outputs it.
      if actions.count == before, let known = it {
        it = .output(add("getvariable", [("WFVariable", known.attachment)]))
      }
      return it
    case "set":
      for entry in map?.entries ?? [] {
        if let value = value(entry.value) { assign(entry.key.text, value) }
      }
      return nil
    case "say":
      add(
        "alert",
        [
          "WFAlertActionTitle": "", "WFAlertActionMessage": text(argument("text")),
          "WFAlertActionCancelButtonShown": .bool(false),
        ])
    case "confirm":
      add(
        "alert",
        [
          "WFAlertActionTitle": "", "WFAlertActionMessage": text(argument("prompt")),
          "WFAlertActionCancelButtonShown": .bool(true),
        ])
    case "show": add("showresult", ["Text": text(argument("value"))])
    case "notify":
      add(
        "notification",
        [
          "WFNotificationActionBody": text(argument("text")),
          "WFNotificationActionTitle": text(map?["title"]),
        ])
    case "copy":
      guard let node, let value = value(map?["value"] ?? node) else { return nil }
      add("setclipboard", ["WFInput": value.attachment])
    case "paste": return give(add("getclipboard"))
    case "ask":
      let type = map?["type"]?.scalar?.text ?? "string"
      guard
        let kind = [
          "string": "Text", "int": "Number", "double": "Number", "url": "URL", "date": "Date",
          "timestamp": "Date and Time",
        ][type]
      else {
        refuse("`ask` for a value of type \(type)")
        return nil
      }
      var parameters: [(String, Value)] = [
        ("WFAskActionPrompt", text(argument("prompt"))), ("WFInputType", .string(kind)),
      ]
      if type == "int" { parameters.append(("WFAskActionAllowsDecimalNumbers", .bool(false))) }
      if let standard = map?["default"] {
        parameters.append(
          (
            "WFAskActionDefaultAnswer" + (["Number": "Number", "URL": "URL"][kind] ?? ""),
            text(standard)
          ))
      }
      return give(add("ask", parameters))
    case "choose":
      guard let from = argument("from"), let list = value(from) else { return nil }
      var parameters: [(String, Value)] = [("WFInput", list.attachment)]
      if let prompt = map?["prompt"] {
        parameters.append(("WFChooseFromListActionPrompt", text(prompt)))
      }
      if map?["many"]?.scalar?.text == "true" {
        parameters.append(("WFChooseFromListActionSelectMultiple", .bool(true)))
      }
      return give(add("choosefromlist", parameters))
    case "open-url":
      if let file = map?["file"] {
        add("openin", ["WFInput": text(file)])
        return nil
      }
      guard let url = argument("url") else { return nil }
      add("openurl", ["WFInput": text(url)])
    case "wait":
      let length = (argument("for")?.scalar?.text ?? "")
      guard length.hasSuffix("s"), let seconds = Double(length.dropLast()) else {
        refuse("`wait` for anything but seconds")
        return nil
      }
      add("delay", ["WFDelayTime": .double(seconds)])
    case "return":
      let value = node.map { text(map?["value"] ?? $0) } ?? text(it.map { [Part.value($0)] } ?? [])
      add("output", ["WFOutput": value])
    case "stop": add("exit")
    case "run":
      guard let name = argument("name")?.scalar?.text, !name.contains("{{") else {
        refuse("`run` with a name that is known only when it runs")
        return nil
      }
      var parameters: [(String, Value)] = [("WFWorkflowName", .string(name))]
      if let given = map?["input"], let value = value(given) {
        parameters.append(("WFInput", value.attachment))
      }
      return give(add("runworkflow", parameters))
    case "http":
      for key in (map?.entries ?? []).map(\.key.text)
      where !["url", "method", "headers", "json", "form", "check"].contains(key) {
        refuse("`\(key)` of `http`")
      }
      var parameters: [(String, Value)] = [("WFURL", text(argument("url")))]
      if let method = map?["method"]?.scalar?.text {
        parameters.append(("WFHTTPMethod", .string(method)))
      }
      for (key, name) in [
        ("headers", "WFHTTPHeaders"), ("json", "WFJSONValues"), ("form", "WFFormValues"),
      ] {
        guard let fields = map?[key]?.mapping else { continue }
        parameters.append((name, dictionary(fields)))
        if key == "form" { parameters.append(("WFHTTPBodyType", "Form")) }
      }
      return give(add("downloadurl", parameters))
    case "read-file":
      return give(
        add(
          "documentpicker.open",
          ["WFGetFilePath": text(argument("path")), "WFShowFilePicker": .bool(false)]))
    case "write-file":
      guard let path = map?["path"], let content = map?["text"], let value = value(content) else {
        refuse("`write-file` without `text`")
        return nil
      }
      if map?["mode"]?.scalar?.text == "append" {
        return give(
          add("file.append", [("WFInput", value.attachment), ("WFFilePath", text(path))]))
      }
      return give(
        add(
          "documentpicker.save",
          [
            ("WFInput", value.attachment), ("WFAskWhereToSave", .bool(false)),
            ("WFFileDestinationPath", text(path)),
            ("WFSaveFileOverwrite", .bool(map?["mode"]?.scalar?.text != "number")),
          ]))
    case "make-folder":
      return give(add("file.createfolder", [("WFFilePath", text(argument("path")))]))
    default: refuse("`\(call.name.text)`")
    }
    return nil
  }
}
