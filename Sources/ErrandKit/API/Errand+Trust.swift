import Engine
import Glibc
import Platform
import Source

extension Errand {
  /// A project's definitions folder, at or above ``Options/folder``.
  public struct Project: Hashable, Sendable {
    /// The person's decision about a project.
    public enum Trust: String, Sendable {
      /// No decision: its definitions are not loaded.
      case unknown
      /// Trusted with other content: its definitions are not loaded.
      case changed
      /// Trusted with its current content.
      case trusted
      /// Trusted, including future changes.
      case followed
    }

    /// The path, ending in `.errand`.
    public let folder: String
    /// The person's decision.
    public let trust: Trust
    /// The paths of its definition files.
    public let files: [String]
    /// The hash of its content, which ``Errand/trust(_:)`` trusts.
    public let content: String
    /// The reason others could change it, such as a world-writable folder; nil if there is none.
    public let concerns: String?
  }

  /// Returns the nearest project at or above ``Options/folder``; nil if there is none.
  ///
  /// - Throws: `unreadable`, also if the project exceeds the limits.
  public func project() throws(ErrandError) -> Project? {
    guard let places, let path = CatalogLoader.projectFolder(above: places.workingFolder),
      path != places.config
    else { return nil }
    return try ErrandError.translating {
      let content = try DefinitionFolder(path: path, followsLinks: false).content()
      let file = TrustFile(path: places.trusted)
      let trust: Project.Trust =
        switch file.trust(of: path) {
        case .anything?: .followed
        case .content(content.hash)?: .trusted
        case .content?: .changed
        case nil: .unknown
        }
      return Project(
        folder: path, trust: trust, files: content.files.map(\.name), content: content.hash,
        concerns: content.concerns.text)
    }
  }

  /// Trusts a project with the content it had when ``project()`` read it; call ``reload()`` to load
  /// it.
  ///
  /// Capabilities outside of the library are still asked for at run time; ``allow(_:)`` grants them
  /// in advance.
  ///
  /// - Throws: `unwritable`.
  public func trust(_ project: Project) throws(ErrandError) {
    let file = try TrustFile(path: neededPlaces().trusted)
    try ErrandError.translating { try file.allow(project.folder, .content(project.content)) }
  }

  /// Revokes the trust in a folder, and all capabilities granted to a file or to the files of a
  /// folder.
  ///
  /// - Parameter path: The path of a folder or file, as in ``trustedPaths``.
  /// - Returns: Whether there was anything to revoke.
  /// - Throws: `unwritable`.
  @discardableResult
  public func distrust(_ path: String) throws(ErrandError) -> Bool {
    let places = try neededPlaces()
    return try ErrandError.translating {
      let wasAllowed = try AllowedFile(path: places.allowed).revoke(path)
      return try TrustFile(path: places.trusted).revoke(path) || wasAllowed
    }
  }

  /// The trusted folders, and the files and folders with granted capabilities.
  public var trustedPaths: [String] {
    guard let places else { return [] }
    let folders = TrustFile(path: places.trusted).folders.map(\.path)
    return folders + AllowedFile(path: places.allowed).paths.filter { !folders.contains($0) }
  }

  /// Grants a foreign definition every capability that it and everything it calls require now.
  ///
  /// The grant holds until one of these definitions changes. Show the person ``Definition/touches``
  /// first.
  ///
  /// - Throws: `not-found`, the code of a mistake in the definition, `unwritable`.
  public func allow(_ name: String) throws(ErrandError) {
    let file = try AllowedFile(path: neededPlaces().allowed)
    try ErrandError.translating {
      guard let request = try workspace.permissionRequest(of: name) else { return }
      try file.add(PermissionRecord(request, canonical: canonical))
    }
  }

  /// Whether the person has granted all requested capabilities.
  func isAllowed(_ request: PermissionRequest) -> Bool {
    guard let places, !request.capabilities.isEmpty else { return request.capabilities.isEmpty }
    return PermissionRecord(request, canonical: canonical).isAllowed(in: places)
  }

  /// The absolute path without symbolic links, for comparing paths of foreign definitions.
  private func canonical(_ path: String) -> String {
    FileAccess.system(environment: environment).canonical(Places.expanded(path))
  }

  /// - Throws: `io` if there is no home directory.
  func neededPlaces() throws(ErrandError) -> Places {
    guard let places else {
      throw ErrandError(
        code: "io", message: "cannot save this: HOME is not set", help: "set HOME")
    }
    return places
  }
}
