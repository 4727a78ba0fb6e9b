import CEL
import JSON

/// A shortcut that is shared by an address of iCloud.
package struct ICloudShortcut {
  /// The address of its record.
  package let recordAddress: String

  /// Creates one from an address such as `https://www.icloud.com/shortcuts/ID`; nil for another.
  package init?(address: String) {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5, parts[0] == "https:", parts[2].hasSuffix("icloud.com"),
      parts[3] == "shortcuts", let id = parts[4].split(whereSeparator: { "?#".contains($0) }).first,
      id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else { return nil }
    recordAddress = "https://www.icloud.com/shortcuts/api/records/\(id)"
  }

  /// The title of a record, and the address of its file.
  ///
  /// - Throws: `ShortcutFile.Problem` for another text.
  package static func contents(
    ofRecord bytes: [UInt8]
  ) throws(ShortcutFile.Problem) -> (title: String, file: String) {
    guard let record = try? JSONParser().parse(String(decoding: bytes, as: UTF8.self)),
      case .map(let root) = record, case .map(let fields)? = root["fields"],
      case .map(let shortcut)? = fields["shortcut"], case .map(let value)? = shortcut["value"],
      case .string(let address)? = value["downloadURL"]
    else { throw ShortcutFile.Problem(reason: "the record has no file; it may have been removed") }
    var title = "Shortcut"
    if case .map(let name)? = fields["name"], case .string(let text)? = name["value"] {
      title = text
    }
    return (title, address.replacing("${f}", with: "shortcut.shortcut"))
  }
}
