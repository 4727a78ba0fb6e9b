import CLinux
package import Engine
import Glibc
import POSIX
package import Store

/// A calendar outside of the library: a folder, a file or a server.
package protocol CalendarPlace {
  /// Its path or address.
  var place: String { get }
  /// The name that it gives itself, or that of its place.
  var name: String { get }
  /// Whether it can only be read.
  var isReadOnly: Bool { get }

  /// Returns the entries and their versions, and the state from which the next call may go on.
  ///
  /// - Parameters:
  ///   - state: The state of the last call.
  ///   - known: The entries of that state.
  /// - Throws: `io`, `network`, so that a place that is not there is not an empty one.
  func list(
    since state: String?, _ known: [String: String]
  ) throws -> (entries: [String: String], state: String?)

  /// Returns entries that are still there.
  func entries(_ names: [String]) throws -> [String: CalendarEntry]

  /// Writes an entry as a whole if it still has a version.
  ///
  /// - Parameter old: The version; nil for an entry that is new.
  func write(_ name: String, _ text: String, over old: String?) throws -> CalendarAnswer

  /// Deletes an entry if it still has a version.
  func delete(_ name: String, at old: String) throws -> CalendarAnswer
}

/// An entry of a calendar as it is there.
package struct CalendarEntry: Sendable {
  let version: String
  let text: String
}

/// The answer of a calendar to a change.
package enum CalendarAnswer: Sendable {
  /// The version then; empty if the calendar does not tell it.
  case done(String)
  /// The entry was stored under another name.
  case moved(version: String, name: String)
  /// The entry was changed there meanwhile.
  case changed
  case refused(String)
}

extension CalendarStore.Calendar {
  /// Opens its place.
  ///
  /// - Throws: `not-found`, `network`, `no-secret`.
  package func open(_ run: Run) throws -> any CalendarPlace {
    guard isRemote else { return try Self.open(place) }
    guard place.hasSuffix("/") else {
      return try Self.file(at: place, user: user, secret: secret, run)
    }
    return ServerCalendar(place, name: name, try WebDAV(run, user: user, secret: secret))
  }

  /// Opens a file at an address.
  package static func file(
    at address: String, user: String?, secret: String?, _ run: Run
  ) throws -> any CalendarPlace {
    FileCalendar(address, try WebDAV(run, user: user, secret: secret))
  }

  /// Opens a folder or a file.
  ///
  /// - Throws: `not-found`.
  package static func open(_ path: String) throws -> any CalendarPlace {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let status = stat.at(path), status.isFolder || status.isRegular else {
      throw RunError(
        .notFound, "there is no calendar at \(path)",
        help: "name a folder of .ics files, a file, or the address of a server")
    }
    return status.isFolder ? FolderCalendar(place: path) : FileCalendar(place: path)
  }
}
