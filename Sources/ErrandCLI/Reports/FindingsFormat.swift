/// Output format of `errand check`.
enum FindingsFormat: String, CaseIterable {
  /// For a person, with source lines.
  case text
  /// A JSON list of objects.
  case json
  /// Workflow commands of GitHub Actions, shown as annotations.
  case github
  /// OASIS Static Analysis Results Interchange Format 2.1.0.
  case sarif
}
