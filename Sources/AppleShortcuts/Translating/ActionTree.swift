import CEL

/// The actions of a shortcut as a tree; a group contains the actions between its begin and end.
struct ActionTree {
  /// An action with its position in the file, and typed access to its parameters.
  struct Action {
    let index: Int
    /// The identifier without `is.workflow.actions.`.
    let name: String
    var parameters: MapValue
    /// The identifier in the file.
    var identifier = ""

    /// A parameter that is a text without embedded values, or a number or Boolean as text.
    func word(_ key: String) -> String? {
      var value = parameters[key]
      while case .map(let map)? = value {
        if map["attachmentsByRange"] != nil, case .map(let ranges)? = map["attachmentsByRange"],
          !ranges.isEmpty
        {
          return nil
        }
        value = map["Value"] ?? map["string"]
      }
      switch value {
      case .string(let text)?: return text
      case .int(let number)?: return String(number)
      case .double(let number)?: return String(number)
      case .bool(let flag)?: return String(flag)
      default: return nil
      }
    }

    /// A choice among words; the default if it is missing or empty.
    func choice(_ key: String, _ standard: String) -> String {
      let word = word(key) ?? ""
      return word.isEmpty ? standard : word
    }

    /// A switch.
    func flag(_ key: String, _ standard: Bool) -> Bool {
      switch word(key) {
      case "true", "1": true
      case "false", "0": false
      default: standard
      }
    }

    /// Whether the value of a parameter is known only at run time.
    func isVariable(_ key: String) -> Bool { parameters[key] != nil && word(key) == nil }

    var uuid: String? { word("UUID") }
  }

  /// An action, or a group with its branches.
  indirect enum Node {
    case action(Action)
    /// A group: its first action, each branch with the action that opens it, and the last action.
    case group(Action, [(opening: Action, nodes: [Node])], end: Action?)
  }

  let nodes: [Node]
  /// Descriptions of the repaired groups, which lacked a beginning or an end.
  let mended: [String]

  private static let groupNames: Set = [
    "conditional", "repeat.each", "repeat.count", "choosefrommenu",
  ]
  /// The deepest nesting of groups; deeper ones are flattened.
  private static let maxDepth = 60

  /// Builds the tree. Unclosed groups end with the enclosing block; ends without a group are
  /// dropped.
  init(_ actions: [Action]) {
    var open: [Frame] = [Frame(opening: nil)]
    var mended: [String] = []
    func close(_ end: Action?) {
      guard open.count > 1, let frame = open.popLast(), let opening = frame.opening else { return }
      open[open.count - 1].add(.group(opening, frame.branches, end: end))
    }
    for action in actions {
      guard Self.groupNames.contains(action.name), let mode = action.word("WFControlFlowMode")
      else {
        open[open.count - 1].add(.action(action))
        continue
      }
      if mode == "0" {
        guard open.count <= Self.maxDepth else {
          mended.append("action \(action.index + 1) is nested too deeply")
          continue
        }
        open.append(Frame(opening: action))
        continue
      }
      let group = action.word("GroupingIdentifier")
      let place = open.lastIndex { frame in
        frame.opening?.name == action.name && frame.opening?.word("GroupingIdentifier") == group
      }
      guard let place else {
        mended.append("action \(action.index + 1) belongs to no group")
        continue
      }
      while open.count - 1 > place {
        mended.append("the group of action \((open.last?.opening?.index ?? 0) + 1) has no end")
        close(nil)
      }
      if mode == "1" {
        open[place].branches.append((action, []))
      } else {
        close(action)
      }
    }
    while open.count > 1 {
      mended.append("the group of action \((open.last?.opening?.index ?? 0) + 1) has no end")
      close(nil)
    }
    nodes = open[0].branches.first?.nodes ?? []
    self.mended = mended
  }

  /// A group that is being read.
  private struct Frame {
    let opening: Action?
    var branches: [(opening: Action, nodes: [Node])] = []

    init(opening: Action?) {
      self.opening = opening
      // A menu has no branch before its first item.
      let first = opening ?? Action(index: -1, name: "", parameters: MapValue())
      if first.name != "choosefrommenu" { branches = [(first, [])] }
    }

    mutating func add(_ node: Node) {
      if branches.isEmpty {
        branches = [(opening ?? Action(index: -1, name: "", parameters: MapValue()), [])]
      }
      branches[branches.count - 1].nodes.append(node)
    }
  }
}
