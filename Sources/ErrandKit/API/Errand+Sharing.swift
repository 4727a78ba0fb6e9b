import Engine
import Glibc
import Inbox
import Links
import Source

/// Something that is shared with a person, to be taken in by an intent or a shortcut.
public enum SharedItem: Hashable, Sendable {
  /// A text.
  case text(String)
  /// An address, which must be a whole one, such as `https://swift.org`.
  case url(String)
  /// Bytes with the name of a file and a media type, where they are known.
  case data([UInt8], name: String?, mediaType: String?)
  /// The file at a path, which is copied.
  case file(String)
}

extension Errand {
  /// Puts a share into the inbox; it is on the disk when this returns.
  ///
  /// No store is opened, so the library may be locked, damaged or not there. ``Writer/takeInShares()``,
  /// `errand inbox` and the worker take it in.
  ///
  /// - Parameters:
  ///   - items: The things that are shared together.
  ///   - title: The name that the application has for them.
  ///   - application: The application that they come from.
  ///   - name: The intent or shortcut that they are for; nil for the one that takes such things.
  /// - Returns: The name of the share.
  /// - Throws: `invalid-value` for what is empty, too much or not an address, `io`.
  /// - Complexity: O(bytes), copied once.
  @discardableResult
  public func share(
    _ items: [SharedItem], title: String? = nil, from application: String? = nil,
    for name: String? = nil
  ) throws(ErrandError) -> String {
    let inbox = InboxFolder(besideStore: try storePath())
    return try ErrandError.translating {
      let draft = ShareDraft(
        try items.map(Self.draft), from: application, title: title, to: name)
      try draft.expectWithinLimits()
      let share = ShareName.make(at: SystemHost.now(), chance: .random(in: .min ... .max))
      try inbox.put(draft, named: share)
      return share
    }
  }

  private static func draft(_ item: SharedItem) throws -> ShareDraft.Item {
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

  /// What goes on now, in all processes of the person, the first begun first: each has `key`, `kind`,
  /// `title`, `state`, `done`, `total`, `detail`, `fraction`, `began`, `updated`, `ended` and `process`.
  ///
  /// One is told of once it has taken a second, and for three seconds after its end.
  public var activities: [JSONValue] {
    activityFolder?.current().map { JSONValue($0.value) } ?? []
  }

  /// Tells what goes on, again whenever it is another, until the body says that it is enough.
  ///
  /// The thread waits between two calls, for at most a second while anything goes on.
  ///
  /// - Parameter body: Is given ``activities``; returns whether to go on.
  /// - Throws: `io` where the folder of activities can't be made, and what the body throws.
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
