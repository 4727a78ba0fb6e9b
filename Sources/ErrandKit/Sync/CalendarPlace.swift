import CLinux
import Calendars
import Engine
import ForeignText
import Glibc
import Links
import POSIX

/// A folder with one calendar entry in each file, as vdirsyncer and others keep it, or a single file, which is only
/// read.
package struct CalendarPlace {
  package let path: String
  /// Whether it is a single file.
  package let isFile: Bool

  /// The largest entry, in bytes.
  private static let maxEntry = 16 << 20

  /// - Throws: `not-found`.
  package init(_ path: String) throws {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let status = stat.at(path), status.isFolder || status.isRegular else {
      throw RunError(
        .notFound, "there is no calendar at \(path)", help: "name a folder of .ics files, or a file"
      )
    }
    self.path = path
    isFile = !status.isFolder
  }

  /// The name that the folder has (vdirsyncer, “The Vdir Storage Format”), or that of its path.
  package var name: String {
    let given = try? Descriptor(input: path + "/displayname").bytes(limit: 1_000)
    let text = String(decoding: given ?? [], as: UTF8.self)
    let name = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if !isFile, !name.isEmpty { return name }
    let last = path.split(separator: "/").last.map(String.init) ?? path
    return isFile && last.lowercased().hasSuffix(".ics") ? String(last.dropLast(4)) : last
  }

  /// The entries and their versions.
  ///
  /// - Throws: `io`, so that a folder that is not there, such as one of a disk, is not an empty one.
  package func list() throws -> [String: String] {
    if isFile { return try entries().mapValues { SHA256.hex(of: $0) } }
    guard let names = Folder.names(in: path) else { throw failure("cannot be read", errno) }
    var list: [String: String] = [:]
    for name in names where name.hasSuffix(".ics") && !name.hasPrefix(".") {
      list[name] = version(of: name)
    }
    return list
  }

  /// The text of an entry; nil if it is gone.
  package func text(of href: String) throws -> String? {
    if isFile { return try entries()[href] }
    guard version(of: href) != nil else { return nil }
    return String(decoding: try bytes(of: "\(path)/\(href)"), as: UTF8.self)
  }

  /// Writes an entry as a whole, if it still has a version, and returns the new one; nil if it has another.
  ///
  /// - Parameter old: The version; nil for an entry that is new.
  package func write(_ href: String, _ text: String, over old: String?) throws -> String? {
    let target = "\(path)/\(href)"
    do throws(SystemError) {
      let random = UInt64.random(in: .min ... .max)
      let temporary = try TemporaryFile("\(path)/.\(href).\(random)", mode: 0o644)
      let code = WholeWrite.write(Array(text.utf8), to: temporary.file.number)
      guard code == 0 else { throw SystemError(target, code) }
      guard version(of: href) == old else { return nil }
      try temporary.publish(as: target, replacing: old != nil)
    } catch {
      if old == nil, error.code == EEXIST { return nil }
      throw failure("cannot be written", error.code)
    }
    return version(of: href)
  }

  /// Deletes an entry if it still has a version; false if it has another.
  package func delete(_ href: String, at old: String) throws -> Bool {
    guard let now = version(of: href) else { return true }
    guard now == old else { return false }
    guard unlink("\(path)/\(href)") == 0 || errno == ENOENT else {
      throw failure("cannot be changed", errno)
    }
    return true
  }

  /// The version of a file: replaced files differ in their number, others in time or size.
  private func version(of href: String) -> String? {
    guard let status = stat.at("\(path)/\(href)"), status.isRegular else { return nil }
    let time = status.st_mtim
    return "\(status.st_ino)-\(time.tv_sec).\(time.tv_nsec)-\(status.st_size)"
  }

  private func bytes(of path: String) throws -> [UInt8] {
    do throws(SystemError) {
      if let bytes = try Descriptor(input: path).bytes(limit: Self.maxEntry) { return bytes }
    } catch {
      throw RunError(.io, "\(path) cannot be read: \(error.reason)")
    }
    throw RunError(.io, "\(path) exceeds \(Self.maxEntry >> 20) MiB")
  }

  /// The entries of a single file by their identifiers.
  private func entries() throws -> [String: String] {
    let objects = CalendarObject.all(in: CalendarComponent.all(in: try bytes(of: path)))
    return Dictionary(
      objects.map { ($0.uid, $0.calendarText) }, uniquingKeysWith: { first, _ in first })
  }

  private func failure(_ what: String, _ code: Int32) -> RunError {
    RunError(.io, "\(path) \(what): \(SystemError(path, code).reason)")
  }
}
