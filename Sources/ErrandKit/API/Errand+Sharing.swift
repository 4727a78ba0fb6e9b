import Engine
import Glibc
package import Inbox
import Links
import Source

/// Content to share, imported later by an intent or a shortcut.
public enum SharedItem: Hashable, Sendable {
  /// A text.
  case text(String)
  /// An absolute URL, such as `https://swift.org`.
  case url(String)
  /// Bytes with a file name and a media type, if known.
  case data([UInt8], name: String?, mediaType: String?)
  /// The file at a path; its content is copied.
  case file(String)
}

extension Errand {
  /// Puts a share into the inbox; it is on disk when this returns.
  ///
  /// The store is not opened, so this works while the library is locked, damaged or missing.
  /// ``Writer/takeInShares()``, `errand inbox` and the worker import the share.
  ///
  /// - Parameters:
  ///   - items: The contents of the share.
  ///   - title: The application's title for them.
  ///   - application: The application that shares them.
  ///   - name: The intent or shortcut that handles them; nil to choose one by type.
  ///   - key: The name of the share: two with the same name are imported once; nil for a new name.
  /// - Returns: The name of the share.
  /// - Throws: `invalid-value` for an empty share, one over the limits or an invalid URL; `io`.
  /// - Complexity: O(bytes), copied once.
  @discardableResult
  public func share(
    _ items: [SharedItem], title: String? = nil, from application: String? = nil,
    for name: String? = nil, named key: String? = nil
  ) throws(ErrandError) -> String {
    try share(items, title: title, from: application, for: name, named: key, ShareDetails())
  }

  /// Puts a share with the person's own words about it into the inbox.
  ///
  /// - Throws: As ``share(_:title:from:for:named:)``.
  package func share(
    _ items: [SharedItem], title: String?, from application: String?, for name: String?,
    named key: String?, _ details: ShareDetails
  ) throws(ErrandError) -> String {
    let inbox = InboxFolder(besideStore: try storePath(), vault: places?.vault)
    return try ErrandError.translating {
      var newShare = NewShare(
        try items.map(Self.newShare), from: application, title: title, to: name)
      newShare.details = details
      newShare.details.key = key
      try newShare.expectWithinLimits()
      let share = key ?? ShareName.make(at: SystemHost.now(), chance: .random(in: .min ... .max))
      try inbox.put(newShare, named: share)
      return share
    }
  }

  private static func newShare(_ item: SharedItem) throws -> NewShare.Item {
    switch item {
    case .text(let text): return .text(text, isPlain: false)
    case .url(let text):
      do { return .url(try WebURL(pasted: text).text) } catch {
        throw RunError(.invalidValue, "“\(text)” is not a URL: \(error)")
      }
    case .data(let bytes, let name, let mediaType):
      return .bytes(bytes, name: name, mediaType: mediaType)
    case .file(let path): return .file(try OpenFile(Array(path.utf8)), mediaType: nil)
    }
  }

  // MARK: Activities

  /// The current activities of all the person's processes, oldest first. Each has `key`, `kind`,
  /// `title`, `state`, `done`, `total`, `detail`, `fraction`, `began`, `updated`, `ended` and
  /// `process`.
  ///
  /// An activity appears once it has lasted a second, and stays for three seconds after its end.
  public var activities: [JSONValue] { activityFolder?.current().map { JSONValue($0.value) } ?? [] }

  /// Calls `body` with the activities, again after each change, until it returns false.
  ///
  /// Blocks the calling thread between two calls, for at most a second while an activity is in
  /// progress.
  ///
  /// - Parameter body: Receives ``activities``; returns whether to continue.
  /// - Throws: `io` if the activities folder cannot be created; rethrows errors of `body`.
  public func followActivities(_ body: ([JSONValue]) throws -> Bool) throws {
    guard let folder = activityFolder else {
      _ = try neededPlaces()
      return
    }
    let watch = try ErrandError.translating { try ActivityWatch(folder) }
    while true {
      let records = folder.current()
      guard try body(records.map { JSONValue($0.value) }) else { return }
      watch.wait(while: records)
    }
  }

  private var activityFolder: ActivityFolder? {
    places.map { ActivityFolder($0.state + "/activities", now: SystemHost.now) }
  }
}
