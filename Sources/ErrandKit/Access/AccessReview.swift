package import Engine
package import Program

/// What intents and shortcuts touch together, for a person who is to allow it before any of it runs.
package struct AccessReview {
  private let requests: [AccessRequest]
  /// All of it, each once, in the order of lists.
  package let touches: [Touch]

  /// A review of names; one that is wrong is told of when it runs.
  package init(_ workspace: Workspace, of names: [String]) {
    requests = names.compactMap { try? workspace.accessRequest(of: $0) }
      .filter { !$0.touches.isEmpty }
    touches = Set(requests.flatMap(\.touches)).sorted(by: Touch.isBefore)
  }

  /// Remembers that the person allows all of it.
  ///
  /// - Parameter canonical: A path in full and without links.
  /// - Throws: `unwritable`.
  package func allow(in places: Places, canonical: (String) -> String) throws {
    let file = AllowedFile(path: places.allowed)
    for request in requests { try file.add(AccessRecord(request, canonical: canonical)) }
  }
}
