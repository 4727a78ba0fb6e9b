import Engine
import Glibc
import Source
import System

extension Errand {
  /// A project's folder of definitions, above the folder of ``Options/folder``.
  public struct Project: Hashable, Sendable {
    /// What a person has decided about it.
    public enum Trust: String, Sendable {
      /// Nothing yet: its definitions are not read.
      case unknown
      /// It was trusted with another content: its definitions are not read.
      case changed
      /// Its definitions count.
      case trusted
      /// Its definitions count, whatever is put into it.
      case followed
    }

    /// The path, which ends in `.errand`.
    public let folder: String
    /// What a person has decided about it.
    public let trust: Trust
    /// The paths of its files of definitions.
    public let files: [String]
    /// The hash of its content, which ``Errand/trust(_:)`` makes count.
    public let content: String
    /// Why others could change it, such as that its folder can be written by all; nil for no reason.
    public let concerns: String?
  }

  /// The nearest project above the folder of ``Options/folder``; nil where there is none.
  ///
  /// - Throws: `unreadable`, also where it holds more than a project may.
  public func project() throws(ErrandError) -> Project? {
    guard let places, let path = LibraryLoader.projectFolder(above: places.workingFolder),
      path != places.config
    else { return nil }
    return try ErrandError.translating {
      let content = try DefinitionFolder(path: path, followsLinks: false).content()
      let file = TrustFile(path: places.trusted)
      let trust: Project.Trust =
        switch file.trust(of: path) ?? (file.isFollowed(path) ? .anything : nil) {
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

  /// Trusts a project with the content that it had when it was looked at; ``reload()`` reads it.
  ///
  /// What its definitions touch outside of the library is asked about when they run, or allowed by
  /// ``allow(_:)``.
  ///
  /// - Throws: `unwritable`.
  public func trust(_ project: Project) throws(ErrandError) {
    let file = try TrustFile(path: neededPlaces().trusted)
    try ErrandError.translating { try file.allow(project.folder, .content(project.content)) }
  }

  /// Trusts a folder no longer, nor what was allowed to a file or to what lies in a folder.
  ///
  /// - Parameter path: The path of a folder or a file, as ``trustedPaths`` has it.
  /// - Returns: Whether there was anything to forget.
  /// - Throws: `unwritable`.
  @discardableResult
  public func distrust(_ path: String) throws(ErrandError) -> Bool {
    let places = try neededPlaces()
    return try ErrandError.translating {
      let wasAllowed = try AllowedFile(path: places.allowed).revoke(path)
      return try TrustFile(path: places.trusted).revoke(path) || wasAllowed
    }
  }

  /// The folders that are trusted, and the files and folders to which something was allowed.
  public var trustedPaths: [String] {
    guard let places else { return [] }
    let folders = TrustFile(path: places.trusted).folders.map(\.path)
    return folders + AllowedFile(path: places.allowed).paths.filter { !folders.contains($0) }
  }

  /// Allows a definition from elsewhere all that it touches now, with all that it calls.
  ///
  /// It is remembered until one of these definitions changes. ``Definition/touches`` tells what it is,
  /// and a person should have seen it.
  ///
  /// - Throws: `not-found`, the code of a mistake in the definition, `unwritable`.
  public func allow(_ name: String) throws(ErrandError) {
    let file = try AllowedFile(path: neededPlaces().allowed)
    try ErrandError.translating {
      guard let request = try workspace.accessRequest(of: name) else { return }
      try file.add(AccessRecord(request, canonical: canonical))
    }
  }

  /// Whether a person has allowed what definitions ask for.
  func isAllowed(_ request: AccessRequest) -> Bool {
    guard let places, !request.touches.isEmpty else { return request.touches.isEmpty }
    return AccessRecord(request, canonical: canonical).isAllowed(in: places)
  }

  /// A path in full and without links, as paths of definitions from elsewhere are compared.
  private func canonical(_ path: String) -> String {
    FileAccess.system(environment: environment).canonical(Places.expanded(path))
  }

  /// - Throws: `io` where there is no place for anything.
  func neededPlaces() throws(ErrandError) -> Places {
    guard let places else {
      throw ErrandError(
        code: "io", message: "there is no place to remember it: HOME is not set", help: "set HOME")
    }
    return places
  }
}
