package import Engine
import Glibc
import POSIX
package import Store

/// The path of a person's library and how to open it.
package struct StoreOpening {
  /// The path from a flag or variable, else that of the default library; nil without a home
  /// directory.
  package let path: String?
  /// Whether the path comes from a flag or variable.
  package let isNamed: Bool
  private let settings: Settings
  private let isCancelled: () -> Bool
  private let tell: (News) -> Void

  /// A notice from opening a store; the front words it.
  package enum News {
    /// A store was created at a path given by a flag or variable.
    case made(path: String)
    /// An entity's items are about to be migrated to its new definition; the count is an estimate.
    case migrating(entity: String, count: Int)
    /// They were migrated; a copy of the store before that was kept.
    case migrated(entity: String, keptAt: String)
    /// A query has only so many occurrences of an item.
    case cut(item: String, limit: Int)
    /// Waiting for another process that has locked the store, if it is known.
    case waiting(LockHolder?)
  }

  /// The purpose of opening a store; only a change creates a missing one.
  package enum Purpose {
    case reading, trying, changing
  }

  /// - Parameters:
  ///   - named: The path given by a flag; nil for none.
  ///   - tell: Receives the notices.
  package init(
    named: String?, places: Places?, settings: Settings, environment: (String) -> String?,
    isCancelled: @escaping () -> Bool = { false }, tell: @escaping (News) -> Void = { _ in }
  ) {
    let named = named ?? environment("ERRAND_STORE")
    path = named ?? places?.defaultStore
    isNamed = named != nil
    self.settings = settings
    self.isCancelled = isCancelled
    self.tell = tell
  }

  /// A store that does not exist.
  package struct Absence {
    package let path: String
    /// Whether its path was given by a flag or variable.
    package let isNamed: Bool

    /// The error if it is required.
    package var error: RunError {
      RunError(
        .notFound, "there is no store “\(path)”",
        help: isNamed ? "check the path" : "it is created when the first item is saved")
    }
  }

  /// The absence of the store, for callers that must not create it; nil if it exists.
  package var absence: Absence? {
    guard let path, path != ":memory:" else { return nil }
    guard stat.at(path) == nil, errno == ENOENT else { return nil }
    return Absence(path: path, isNamed: isNamed)
  }

  /// Opens the store; creates a missing one for a change, and otherwise returns an empty one in
  /// memory.
  ///
  /// - Parameter purpose: Called only if the store does not exist.
  /// - Throws: `not-found` if a store at a given path is read and does not exist, `store`, `io`.
  package func open(
    _ context: StoreContext, for purpose: () -> Purpose
  ) throws -> Database {
    guard let path else {
      throw RunError(
        .io, "cannot find the library: HOME is not set", help: "set HOME, or use --store PATH")
    }
    var location = StoreLocation.memory
    if try opensFile(at: path, purpose) {
      // SQLite interprets a name with this prefix as a URI.
      location = StoreLocation(path: path.hasPrefix("file:") ? "./" + path : path)
    }
    var context = context
    context.rules.runRetention = { [settings] in
      Setting.length(settings.value(of: .keepRuns)) ?? StoreRules.defaultRunRetention
    }
    context.events.isCancelled = isCancelled
    context.events.willMigrate = { [tell] in tell(.migrating(entity: $0, count: $1)) }
    context.events.didCopyBeforeMigrating = { [tell] in tell(.migrated(entity: $0, keptAt: $1)) }
    context.events.didCutSeries = { [tell] in tell(.cut(item: $0, limit: $1)) }
    context.events.isWaiting = { [tell] in tell(.waiting($0)) }
    return try Database(at: location, context: context)
  }

  /// Whether to open the file, rather than an in-memory store.
  private func opensFile(at path: String, _ purpose: () -> Purpose) throws -> Bool {
    if path == ":memory:" { return false }
    if let absence {
      switch purpose() {
      case .reading where isNamed: throw absence.error
      case .reading, .trying: return false
      case .changing: if isNamed { tell(.made(path: path)) }
      }
    }
    if !isNamed, let slash = path.lastIndex(of: "/") {
      try PrivateFolder(path: String(path[..<slash])).make()
    }
    if stat.at(path)?.isRegular == false {
      throw RunError(
        .io, "the store “\(path)” is not a regular file",
        help: "use the path of a file with --store")
    }
    return true
  }
}
