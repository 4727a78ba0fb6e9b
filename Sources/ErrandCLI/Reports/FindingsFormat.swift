/// How `errand check` writes what it found.
enum FindingsFormat: String, CaseIterable {
  /// For a person, with the lines themselves.
  case text
  /// A list of objects.
  case json
  /// Commands of GitHub's runners, which show them beside the lines of a change.
  case github
  /// The Static Analysis Results Interchange Format 2.1.0 of OASIS.
  case sarif
}
