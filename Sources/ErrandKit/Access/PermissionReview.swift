package import Engine
package import Program

/// The capabilities of several intents and shortcuts, for review before any of them runs.
package struct PermissionReview {
  private let requests: [PermissionRequest]
  /// All capabilities without duplicates, in display order.
  package let capabilities: [Capability]

  /// Creates a review; a name with mistakes is skipped, since running it reports them.
  package init(_ workspace: Workspace, of names: [String]) {
    requests = names.compactMap { try? workspace.permissionRequest(of: $0) }
      .filter { !$0.capabilities.isEmpty }
    capabilities = Set(requests.flatMap(\.capabilities)).sorted(by: Capability.isBefore)
  }

  /// Grants all capabilities and remembers it.
  ///
  /// - Parameter canonical: Returns the absolute path without symbolic links.
  /// - Throws: `unwritable`.
  package func allow(in places: Places, canonical: (String) -> String) throws {
    let file = AllowedFile(path: places.allowed)
    for request in requests { try file.add(PermissionRecord(request, canonical: canonical)) }
  }
}
