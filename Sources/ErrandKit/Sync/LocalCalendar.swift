import CLinux
import Calendars
import Engine
import ForeignText
import Glibc
import Links
import POSIX

/// A folder with one calendar entry in each file, as vdirsyncer and others keep it.
struct FolderCalendar: CalendarPlace {
  let place: String
  var isReadOnly: Bool { false }

  /// The name that the folder has (vdirsyncer, “The Vdir Storage Format”), or that of its path.
  var name: String {
    let given = try? Descriptor(input: place + "/displayname").bytes(limit: 1_000)
    let text = String(decoding: given ?? [], as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).first.map(String.init)
      ?? place.split(separator: "/").last.map(String.init) ?? place
  }

  func list(
    since state: String?, _ known: [String: String]
  ) throws -> (entries: [String: String], state: String?) {
    guard let names = Folder.names(in: place) else { throw failure("cannot be read", errno) }
    var list: [String: String] = [:]
    for name in names where name.lowercased().hasSuffix(".ics") && !name.hasPrefix(".") {
      list[name] = version(of: name)
    }
    return (list, nil)
  }

  func entries(_ names: [String]) throws -> [String: CalendarEntry] {
    var found: [String: CalendarEntry] = [:]
    for name in names {
      guard let version = version(of: name) else { continue }
      // One that cannot be read is left alone, like one that is no entry.
      let bytes = (try? CalendarFolder.bytes(of: "\(place)/\(name)")) ?? []
      found[name] = CalendarEntry(version: version, text: String(decoding: bytes, as: UTF8.self))
    }
    return found
  }

  func write(_ name: String, _ text: String, over old: String?) throws -> CalendarAnswer {
    // A link stays one.
    let target = Folder.resolved("\(place)/\(name)") ?? "\(place)/\(name)"
    do throws(SystemError) {
      let random = UInt64.random(in: .min ... .max)
      let folder = target.prefix(through: target.lastIndex(of: "/") ?? target.startIndex)
      let temporary = try TemporaryFile("\(folder).\(name).\(random)", mode: 0o644)
      let code = WholeWrite.write(Array(text.utf8), to: temporary.file.number)
      guard code == 0 else { throw SystemError(target, code) }
      guard version(of: name) == old else { return .changed }
      try temporary.publish(as: target, replacing: old != nil)
    } catch {
      if old == nil, error.code == EEXIST { return .changed }
      throw failure("cannot be written", error.code)
    }
    return .done(version(of: name) ?? "")
  }

  func delete(_ name: String, at old: String) throws -> CalendarAnswer {
    guard let now = version(of: name) else { return .done("") }
    guard now == old else { return .changed }
    guard unlink("\(place)/\(name)") == 0 || errno == ENOENT else {
      throw failure("cannot be changed", errno)
    }
    return .done("")
  }

  /// The version of a file: replaced files differ in their number, others in time or size.
  private func version(of name: String) -> String? {
    guard let status = stat.at("\(place)/\(name)"), status.isRegular else { return nil }
    let time = status.st_mtim
    return "\(status.st_ino)-\(time.tv_sec).\(time.tv_nsec)-\(status.st_size)"
  }

  private func failure(_ what: String, _ code: Int32) -> RunError {
    RunError(.io, "\(place) \(what): \(SystemError(place, code).reason)")
  }
}

/// A calendar in a single file, which is only read.
struct FileCalendar: CalendarPlace {
  let place: String
  /// Returns the content; by default that of the file at the path.
  var content: ((String) throws -> [UInt8]) = CalendarFolder.bytes

  var isReadOnly: Bool { true }

  var name: String {
    let last = place.split(separator: "/").last.map(String.init) ?? place
    return last.lowercased().hasSuffix(".ics") ? String(last.dropLast(4)) : last
  }

  func list(
    since state: String?, _ known: [String: String]
  ) throws -> (entries: [String: String], state: String?) {
    (try all().mapValues(\.version), nil)
  }

  func entries(_ names: [String]) throws -> [String: CalendarEntry] {
    try all().filter { names.contains($0.key) }
  }

  /// The entries by their identifiers.
  private func all() throws -> [String: CalendarEntry] {
    let calendars = CalendarComponent.all(in: try content(place))
    guard calendars.contains(where: { $0.name == "VCALENDAR" }) else {
      throw RunError(.io, "\(place) is not a calendar")
    }
    let entries = CalendarObject.all(in: calendars).map { object in
      let text = object.calendarText
      return (object.uid, CalendarEntry(version: SHA256.hex(of: text), text: text))
    }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  func write(_ name: String, _ text: String, over old: String?) -> CalendarAnswer {
    .refused("it is only read")
  }

  func delete(_ name: String, at old: String) -> CalendarAnswer { .refused("it is only read") }
}
