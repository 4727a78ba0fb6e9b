/// The table of actions for the documentation.
package enum AppleActions {
  /// The identifiers of all actions that are translated, without `is.workflow.actions.`.
  package static var translated: [String] { ActionTable.all.map(\.name) + groups }

  private static let groups = ["conditional", "repeat.each", "repeat.count", "choosefrommenu"]

  /// The table in Markdown: here, approximated, not here.
  package static var markdown: String {
    func list(_ names: [String]) -> String {
      names.sorted().map { "`\($0)`" }.joined(separator: " ")
    }
    let here =
      ActionTable.all.filter { $0.difference == nil && $0.exception == nil }.map(\.name) + groups
    var text = "| | |\n|---|---|\n| here | \(list(here)) |\n\n"
    text += "| approximated | how |\n|---|---|\n"
    var differences: [String: [String]] = [:]
    for row in ActionTable.all {
      if let difference = row.difference { differences[difference, default: []].append(row.name) }
    }
    for difference in differences.keys.sorted() {
      text += "| \(list(differences[difference] ?? [])) | \(difference) |\n"
    }
    text += "\n| here, except | what is not here |\n|---|---|\n"
    for row in ActionTable.all.sorted(by: { $0.name < $1.name }) {
      if let exception = row.exception { text += "| `\(row.name)` | \(exception) |\n" }
    }
    text += "\n| not here | what it would need |\n|---|---|\n"
    var needs: [String: [String]] = [:]
    for (name, need) in ActionTable.needs where ActionTable.rows[name] == nil {
      needs[need, default: []].append(name)
    }
    for need in needs.keys.sorted() { text += "| \(list(needs[need] ?? [])) | \(need) |\n" }
    return text
  }
}
