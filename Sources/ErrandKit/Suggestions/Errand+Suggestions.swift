import CEL

extension Errand {
  /// Suggestions of actions for now; mostly none.
  ///
  /// - Throws: `store`, `busy`.
  package func suggestions(limit: Int = 3) throws(ErrandError) -> [ActionSuggestions.Entry] {
    try ErrandError.translating { try actionSuggestions().entries(limit: limit) }
  }

  /// Suggests an action never again.
  ///
  /// - Throws: `not-found`, `io`.
  package func dismissSuggestion(_ name: String) throws(ErrandError) {
    try ErrandError.translating { try actionSuggestions().dismiss(name) }
  }

  /// Saves an automation that does what is suggested now.
  ///
  /// - Returns: The path of its file.
  /// - Throws: `not-found` if it is not suggested; `invalid-value` if it is not regular, or has to
  ///   ask for something; `conflict`, `unwritable`.
  package func automate(_ name: String) throws(ErrandError) -> String {
    let entry = try ErrandError.translating { try actionSuggestions().entry(named: name) }
    guard let automation = entry.automation else {
      throw ErrandError(
        code: "invalid-value",
        message:
          "`\(name)` cannot start by itself: \(entry.reason), or it has to ask for something",
        help: "errand new automation NAME")
    }
    let path = try newPath(named: automation.name)
    if let mistake = try save(automation.text, at: path, replacing: nil).first {
      throw ErrandError(code: mistake.code, message: mistake.message, help: mistake.help)
    }
    return path
  }

  private func actionSuggestions() throws -> ActionSuggestions {
    let opened = try OpenCatalog(self)
    return ActionSuggestions(opened.run, places: places, isOn: value(of: .learning) != "off")
  }
}
