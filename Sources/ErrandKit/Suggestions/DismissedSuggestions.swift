/// The actions that the person does not want to have suggested, a name a line in the state folder.
struct DismissedSuggestions {
  private let lines: StateLines

  /// - Parameter folder: The person's state folder.
  init(in folder: String) {
    lines = StateLines(path: folder + "/dismissed-suggestions", limit: 1_000)
  }

  func names() -> Set<String> { Set(lines.read()) }

  /// Adds a name; false if it cannot be saved.
  func add(_ name: String) -> Bool {
    let isAdded = lines.change { lines in
      lines.removeAll { $0 == name }
      lines.append(name)
      return true
    }
    return isAdded ?? false
  }
}
