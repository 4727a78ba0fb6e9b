package import Engine
import Glibc
package import Store

/// The file of a person's library, and how a call opens it.
package struct StoreOpening {
  /// The path that a flag or a variable names, else that of the person's own library; nil where
  /// there is no place for one.
  package let path: String?
  /// Whether a flag or a variable names it.
  package let isNamed: Bool
  private let settings: Settings
  private let isCancelled: () -> Bool
  private let tell: (News) -> Void

  /// News for the person from a store that is opened; a front words them.
  package enum News {
    /// A store was made at a path that somebody named.
    case made(path: String)
    /// The items of an entity are about to follow its definition; the number is a guess.
    case migrating(entity: String, count: Int)
    /// They did, and the store as it was is kept.
    case migrated(entity: String, keptAt: String)
    /// Another process, where it is known which, keeps the store busy.
    case waiting(LockHolder?)
  }

  /// The purpose for which a store is opened; only a change makes one that is not there.
  package enum Purpose {
    case reading, trying, changing
  }

  /// - Parameters:
  ///   - named: The path that a flag names; nil for none.
  ///   - tell: Hears the news.
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

  /// A store that is not there.
  package struct Absence {
    package let path: String
    /// Whether a person named it, rather than that none was made yet.
    package let isNamed: Bool

    /// The error where it is needed.
    package var error: RunError {
      RunError(
        .notFound, "there is no store “\(path)”",
        help: isNamed ? "check the path" : "it is made when the first item is saved")
    }
  }

  /// The store when it is not there, for what looks after one and must not make it.
  package var absence: Absence? {
    guard let path, path != ":memory:" else { return nil }
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT else { return nil }
    return Absence(path: path, isNamed: isNamed)
  }

  /// Opens the store; where there is none, makes it for a change, and one in memory otherwise.
  ///
  /// - Parameter purpose: Asked only where there is no store yet.
  /// - Throws: `not-found` where a store that was named is to be read and is not there, `store`,
  ///   `io`.
  package func open(
    _ context: StoreContext, for purpose: () -> Purpose
  ) throws -> EntityStore {
    guard let path else {
      throw RunError(
        .io, "cannot find the library: HOME is not set", help: "set HOME, or use --store PATH")
    }
    var location = StoreLocation.memory
    if try opensFile(at: path, purpose) {
      // SQLite would take a name that begins so for a URI.
      location = StoreLocation(path: path.hasPrefix("file:") ? "./" + path : path)
    }
    var context = context
    context.keptRunTime = { [settings] in
      Setting.microseconds(settings.value(of: .keepRuns)) ?? StoreContext.usualKeptRunTime
    }
    context.isCancelled = isCancelled
    context.willMigrate = { [tell] in tell(.migrating(entity: $0, count: $1)) }
    context.didCopyBeforeMigrating = { [tell] in tell(.migrated(entity: $0, keptAt: $1)) }
    context.isWaiting = { [tell] in tell(.waiting($0)) }
    return try EntityStore(at: location, context: context)
  }

  /// Whether the file of a path is opened, rather than a store in memory in its place.
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
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw RunError(
        .io, "the store “\(path)” is not a regular file",
        help: "use the path of a file with --store")
    }
    return true
  }
}
