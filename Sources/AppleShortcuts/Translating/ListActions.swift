import CEL

/// Lists, dictionaries, and the filters of lists.
enum ListActions {
  static let rows: [ActionRow] = [
    ActionRow("list") { t, a in
      guard case .list(let items)? = a.parameters["WFItems"] else {
        t.give(.list([]), a, name: "list")
        return
      }
      var parts: [Code] = []
      for item in items {
        if case .map(let map) = item, map["WFItemType"] != nil {
          // A value without surrounding text may be a list, whose items are inserted.
          let isText = map["WFItemType"] == .int(0)
          parts.append((isText ? t.value(map["WFValue"]) : t.field(map)) ?? .text(""))
        } else {
          parts.append(t.value(item) ?? .text(""))
        }
      }
      t.give(.list(parts), a, name: "list")
    },
    ActionRow(deciding: "getitemfromlist", "items that are not named") { t, a in
      let input = t.given(a, "WFInput")
      let list = input.asList
      switch a.choice("WFItemSpecifier", "First Item") {
      case "First Item": t.give(.cel("\(list).first()", .any), a, name: "item")
      case "Last Item": t.give(.cel("\(list).last()", .any), a, name: "item")
      case "Random Item": t.give(.cel("random(\(list))", .any), a, name: "item")
      case "Item At Index":
        let index = t.whole(a, "WFItemIndex", 1)
        t.give(.cel("itemAt(\(input), \(index))", .any), a, name: "item")
      case "Items in Range":
        let first = t.whole(a, "WFItemRangeStart", 1)
        if let end = t.value(a.parameters["WFItemRangeEnd"]), end.literal != "" {
          let last = t.table.simplified(end.asWhole)
          t.give(.cel("itemsIn(\(input), \(first), \(last))", .list), a, name: "items")
        } else {
          t.give(.cel("itemsIn(\(input), \(first))", .list), a, name: "items")
        }
      case let other: return .notHere("the item \(other) of a list")
      }
      if let traits = t.traits(input) {
        t.note { slot in
          slot.pattern = traits.pattern
          slot.form = traits.form
        }
      }
      return .translated
    },
    ActionRow("count") { t, a in
      let input = t.given(a, "Input", "WFInput")
      switch a.choice("WFCountType", "Items") {
      case "Characters":
        t.give(.cel("size(\(t.contents(input).asText).characters())", .integer), a, name: "count")
      case "Words":
        t.give(.cel("size(\(t.contents(input).asText).words())", .integer), a, name: "count")
      case "Sentences":
        t.give(.cel("size(\(t.contents(input).asText).sentences())", .integer), a, name: "count")
      case "Lines":
        t.give(.cel("size(\(t.contents(input).asText).lines())", .integer), a, name: "count")
      default:
        if t.kind(input) == .text, input.literal == nil {
          // An empty text, such as that of a variable that was never set, is nothing.
          t.give(.cel("hasValue(\(input)) ? 1 : 0", .integer), a, name: "count")
        } else {
          t.give(.cel("size(\(input.asList))", .integer), a, name: "count")
        }
      }
    },
    ActionRow("dictionary") { t, a in
      t.give(.dictionary(t.entries(a.parameters["WFItems"])), a, name: "dictionary")
    },
    ActionRow("detect.dictionary") { t, a in
      t.give(t.contents(t.given(a, "WFInput")).asDictionary, a, name: "dictionary")
    },
    ActionRow("getvalueforkey") { t, a in
      let input = t.contents(t.given(a, "WFInput", "WFDictionary"))
      switch a.choice("WFGetDictionaryValueType", "Value") {
      case "All Keys": t.give(.cel("keysOf(\(input))", .texts), a, name: "keys")
      case "All Values": t.give(.cel("valuesOf(\(input))", .list), a, name: "values")
      default:
        let key = t.text(a, "WFDictionaryKey")
        t.give(
          .cel("valueFor(\(input), \(key))", .any), a,
          name: key.literal.map { $0.isEmpty ? "value" : $0 } ?? "value")
      }
    },
    ActionRow("setvalueforkey") { t, a in
      let input = t.contents(t.given(a, "WFDictionary", "WFInput"))
      let key = t.text(a, "WFDictionaryKey")
      let value = t.contents(t.value(a.parameters["WFDictionaryValue"]) ?? .text(""))
      t.give(.cel("withKey(\(input), \(key), \(value))", .dictionary), a, name: "dictionary")
    },
    ActionRow(deciding: "filter.files", "filters by other properties") { t, a in
      filter(&t, a)
    },
    ActionRow(deciding: "filter.articles", "filters by other properties") { t, a in
      filter(&t, a)
    },
    ActionRow(deciding: "filter.images", "filters by other properties") { t, a in
      filter(&t, a)
    },
  ]

  /// Filters, sorts and limits a list.
  private static func filter(_ t: inout Translation, _ a: ActionTree.Action) -> Translation.Outcome
  {
    let input = t.given(a, "WFContentItemInputParameter")
    let traits = t.traits(input)
    let isFile = traits?.isFile ?? false
    var list = input.asList
    var table = a.parameters["WFContentItemFilter"]
    while case .map(let map)? = table, map["WFActionParameterFilterTemplates"] == nil {
      table = map["Value"]
    }
    var differences: [String] = []
    if case .map(let map)? = table, case .list(let rows)? = map["WFActionParameterFilterTemplates"]
    {
      let isAny: Bool =
        if case .int(0)? = map["WFActionParameterFilterPrefix"] { true } else { false }
      var tests: Code?
      for case .map(let row) in rows.prefix(100) {
        guard let test = test(row, isFile: isFile, &t) else {
          if case .string(let name)? = row["Property"] {
            differences.append("not filtered by \(name)")
          }
          continue
        }
        if let before = tests {
          tests = isAny ? .cel("\(before) || \(test)", .flag) : .cel("\(before) && \(test)", .flag)
        } else {
          tests = test
        }
      }
      if let tests { list = .cel("\(list).filter(i, \(tests))", .list) }
    }
    let property = a.choice("WFContentItemSortProperty", "")
    let isDown = ["Z to A", "Latest First", "Largest First", "Biggest First"].contains(
      a.choice("WFContentItemSortOrder", ""))
    switch property {
    case "": break
    case "Random": list = .cel("\(list).shuffled()", .list)
    case "Name", "Title":
      list = .cel("naturalSort(\(list))", .list)
      if isDown { list = .cel("\(list).reverse()", .list) }
    case "File Extension":
      list = .cel("\(list).sortBy(i, toText(i).extension())", .list)
      if isDown { list = .cel("\(list).reverse()", .list) }
    default: differences.append("not sorted by \(property)")
    }
    if a.flag("WFContentItemLimitEnabled", false) {
      list = .cel("itemsIn(\(list), 1, \(t.whole(a, "WFContentItemLimitNumber", 1)))", .list)
    }
    t.give(list, a, name: "items")
    t.note { $0.form = traits?.form ?? .plain }
    return differences.isEmpty ? .translated : .approximated(differences.joined(separator: ", "))
  }

  /// A row of a filter as a condition on the item `i`.
  private static func test(_ row: MapValue, isFile: Bool, _ t: inout Translation) -> Code? {
    guard case .string(let property)? = row["Property"], case .int(let sign)? = row["Operator"]
    else { return nil }
    let subject: Code
    switch property {
    case "Name", "Title", "Body":
      subject = isFile ? .cel("toText(i).fileName()", .text) : .cel("toText(i)", .text)
    case "File Extension": subject = .cel("toText(i).extension()", .text)
    default: return nil
    }
    var values = row["Values"]
    if case .map(let map)? = values { values = map["String"] ?? map["Enumeration"] ?? map["Value"] }
    let other = (t.value(values) ?? t.value(row["String"]) ?? .text("")).asText
    switch sign {
    case 4: return .cel("\(subject) == \(other)", .flag)
    case 5: return .cel("\(subject) != \(other)", .flag)
    case 8: return .cel("\(subject).startsWith(\(other))", .flag)
    case 9: return .cel("\(subject).endsWith(\(other))", .flag)
    case 99: return .cel("\(subject).contains(\(other))", .flag)
    case 999: return .cel("!\(subject).contains(\(other))", .flag)
    case 100: return .cel("\(subject) != \"\"", .flag)
    default: return nil
    }
  }
}
