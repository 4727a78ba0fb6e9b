import Items
import YAML

/// The steps of a widget: it is compiled and run like a shortcut.
extension WidgetDefinition {
  /// The steps that make an entry: their nodes have the places of the document they were made from.
  func steps(_ collector: DiagnosticCollector) -> [Step] {
    let maker = NodeMaker(span: span)
    var steps: [Node] = []
    switch source {
    case .entity:
      if let items, let mapping = items.mapping {
        let limit = Mapping.Entry(key: maker.key("limit"), value: maker.text("\(Self.maxItems)"))
        let find = Node(
          content: .mapping(Mapping(entries: mapping.entries + [limit])), span: items.span)
        steps.append(maker.mapping([("find", find), ("as", maker.text("items"))]))
      }
    case .action:
      if let run {
        let call = run.mapping == nil ? maker.mapping([("name", run)]) : run
        steps.append(maker.mapping([("run", call), ("as", maker.text("found"))]))
        steps.append(maker.value("{{ [found].flatten().filter(i, i != null) }}", as: "items"))
      }
    case .given: steps.append(maker.value("{{ given }}", as: "items"))
    case .none: break
    }
    steps.append(maker.value("{{ now() }}", as: "updated"))
    if case .none = source {
      steps.append(maker.value("{{ [] }}", as: "rows"))
      steps.append(maker.value("{{ 0 }}", as: "total"))
    } else {
      steps += rowSteps(maker)
    }
    steps.append(maker.value("{{ rows.map(r, r.title) }}", as: "titles"))
    var texts: [(String, Node)] = [("empty", maker.text(empty))]
    for entry in families where Family(rawValue: entry.key.text)?.isText == true {
      let name = "text" + entry.key.text.prefix(1).uppercased() + entry.key.text.dropFirst()
      steps.append(
        maker.mapping([("value", maker.joined(entry.value)), ("as", maker.text(name))]))
      texts.append(
        (entry.key.text, maker.text("{{ \(name).replace(\"\(NodeMaker.joiner)\", \"\") }}")))
    }
    steps.append(
      maker.mapping([
        (
          "value",
          maker.mapping([
            ("items", maker.text("{{ rows }}")), ("total", maker.text("{{ total }}")),
            ("texts", maker.mapping(texts)), ("updated", maker.text("{{ updated }}")),
            ("titles", maker.text("{{ titles }}")),
            ("entries", entries ?? maker.text("{{ [] }}")),
          ])
        )
      ]))
    return StepReader(collector: collector).steps(maker.list(steps))
  }

  /// The steps that make a row of each item.
  private func rowSteps(_ maker: NodeMaker) -> [Node] {
    var steps: [Node] = []
    steps.append(maker.value(countsItems ? "{{ count }}" : "{{ size(items) }}", as: "total"))
    let parts = item?.mapping
    func part(_ key: String, _ fallback: String) -> (String, Node) {
      (key, maker.joined(parts?[key] ?? maker.text(fallback)))
    }
    func value(_ key: String) -> (String, Node) { (key, parts?[key] ?? maker.text("{{ null }}")) }
    // A result may be anything; the reference of an item is taken from it where the entry is made.
    let ref =
      switch source {
      case .entity: "{{ self.ref }}"
      case .action: "{{ [self] }}"
      // A click on it does it.
      case .given(.suggestions): "{{ self.name }}"
      case .given(.activities), .none: "{{ null }}"
      }
    let shown = maker.mapping([
      part("title", "{{ self }}"), part("detail", ""), part("warning", ""), value("progress"),
      value("done"), ("ref", maker.text(ref)),
    ])
    steps.append(
      maker.mapping([
        ("for", maker.text("self")), ("in", maker.text("{{ items }}")),
        ("do", maker.list([maker.mapping([("value", shown)])])), ("as", maker.text("shown")),
      ]))
    let plain = ["title", "detail", "warning"].map {
      "\"\($0)\": r.\($0).replace(\"\(NodeMaker.joiner)\", \"\")"
    }
    steps.append(
      maker.value(
        "{{ shown.map(r, {\(plain.joined(separator: ", ")), \"progress\": r.progress, "
          + "\"done\": r.done, \"ref\": r.ref}) }}", as: "rows"))
    return steps
  }

  /// Whether the items are those of an entity, which may be more than are shown.
  private var countsItems: Bool { if case .entity = source { true } else { false } }

  /// The parameter of its run: the number of items in the library, or what is given.
  var parameters: [ParameterDefinition] {
    switch source {
    case .entity: [ParameterDefinition(widget: "count", .int, at: span)]
    case .given: [ParameterDefinition(widget: "given", .list(.any), at: span)]
    case .action, .none: []
    }
  }
}
