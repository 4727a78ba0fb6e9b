import Engine
import Glibc
import Links
import POSIX

/// Notifications whose actions can still be chosen, as files named by the hash of their code; the
/// first choice takes the file.
package struct PushTickets: Sendable {
  /// A notification that was sent to browsers.
  package struct Ticket: Sendable {
    package let title: String
    package let text: String
    package let actions: [String]
    /// The page of its item; nil for none.
    package let page: String?
    let later: DesktopNotification.Later
  }

  private let folder: String

  /// The time in seconds for which an action can be chosen.
  private static let validity = 7 * 86_400

  /// - Parameter places: The places of the person's files.
  package init(_ places: Places) { folder = places.state + "/serve/notifications" }

  /// Makes a ticket and returns its code; nil if the notification has nothing to choose.
  ///
  /// - Throws: `unwritable`.
  func create(for notification: DesktopNotification, code: String) throws -> String? {
    guard let later = notification.later, !notification.actions.isEmpty else { return nil }
    for name in Folder.names(in: folder) ?? [] where !isValid(name) { unlink("\(folder)/\(name)") }
    let text = try JSONValue.object([
      "title": .string(notification.title), "text": .string(notification.text),
      "actions": .array(notification.actions.map(JSONValue.string)),
      "page": notification.item.map { .string($0.page) } ?? .null,
      "automation": .string(later.automation), "trigger": .string(later.trigger),
      "permissions": later.permissions.map(JSONValue.string) ?? .null,
    ]).text()
    guard PrivateFile(path: path(code)).write(text) else {
      throw ErrandError(code: "unwritable", message: "\(folder) cannot be written")
    }
    return code
  }

  /// The ticket of a code; nil if it is taken, too old or unknown.
  package func ticket(_ code: String) -> Ticket? {
    let path = path(code)
    guard isValid(SHA256.hex(of: code)), let bytes = try? FileReader.bytes(of: path),
      let json = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
      let automation = json["automation"]?.string, let trigger = json["trigger"]?.string
    else { return nil }
    return Ticket(
      title: json["title"]?.string ?? "", text: json["text"]?.string ?? "",
      actions: json["actions"]?.array?.compactMap(\.string) ?? [], page: json["page"]?.string,
      later: DesktopNotification.Later(
        automation: automation, trigger: trigger, permissions: json["permissions"]?.string))
  }

  /// Takes a ticket, if the body succeeds.
  ///
  /// - Throws: `conflict` if it is taken, too old or unknown; errors of the body.
  func take(_ code: String, _ body: (Ticket) throws -> Void) throws {
    let (path, taken) = (path(code), path(code) + ".taken")
    // Only one of two requests renames the file.
    guard let ticket = ticket(code), rename(path, taken) == 0 else {
      throw ErrandError(
        code: "conflict", message: "this notification was answered already, or is too old")
    }
    do { try body(ticket) } catch {
      rename(taken, path)
      throw error
    }
    unlink(taken)
  }

  private func path(_ code: String) -> String { "\(folder)/\(SHA256.hex(of: code))" }

  private func isValid(_ name: String) -> Bool {
    stat.at("\(folder)/\(name)").map { time(nil) - $0.st_mtim.tv_sec < Self.validity } ?? false
  }
}
