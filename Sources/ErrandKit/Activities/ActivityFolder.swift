package import CEL
package import Engine
import Glibc
import Links
import POSIX

/// The folder where a person's programs publish their activities, one small file each.
///
/// Files are not synced, since none matters after a power loss; reading them does not need a store.
package struct ActivityFolder {
  /// The path.
  package let path: String
  private let now: @Sendable () -> Timestamp

  /// The maximum number of activities, and the maximum size of a file in bytes.
  private static let limit = 200
  private static let longestFile = 16 << 10

  package init(_ path: String, now: @escaping @Sendable () -> Timestamp) {
    self.path = path
    self.now = now
  }

  /// Writes the state of an activity; fields that are not set keep their value.
  ///
  /// Creates the activity if necessary; the end of an unknown one is ignored.
  ///
  /// - Parameters:
  ///   - age: How long a new activity has been in progress.
  ///   - isAnew: Whether it is a different activity from the previous one with this key.
  package func note(_ activity: Activity, age: Duration = .zero, isAnew: Bool = false) {
    let moment = now()
    let file = path(of: activity.key)
    var record = ActivityRecord(
      activity: activity, began: Timestamp(microseconds: moment.microseconds - age.microseconds),
      updated: moment, process: getpid(),
      processStart: ProcessRecord(getpid())?.start ?? 0)
    if !isAnew, let old = read(file), old.activity.state == .active, !old.isOver(at: moment) {
      record.began = old.began
      record.activity = activity.filled(from: old.activity)
    } else if activity.state != .active {
      return
    } else if current().count >= Self.limit {
      return
    }
    if record.activity.title.isEmpty { record.activity.title = activity.key }
    record.activity.title = String(record.activity.title.prefix(200))
    record.activity.detail = record.activity.detail.map { String($0.prefix(500)) }
    _ = PrivateFile(path: file).write(record.text)
  }

  /// Returns the activities in progress and those that ended a moment ago, oldest first.
  ///
  /// Removes files of activities that ended long ago or whose process has exited.
  package func current() -> [ActivityRecord] {
    let moment = now()
    var records: [ActivityRecord] = []
    for name in Folder.visibleNames(in: path) {
      let file = path + "/" + name
      // A name with a dot is a temporary file that is being written.
      guard !name.contains("."), let record = read(file) else {
        if isOld(file, at: moment) { unlink(file) }
        continue
      }
      if record.isOver(at: moment) || isOrphan(record) {
        unlink(file)
      } else {
        records.append(record)
      }
    }
    return records.sorted {
      ($0.began, $0.activity.key) < ($1.began, $1.activity.key)
    }
  }

  /// Whether the only process that could report the end has exited.
  private func isOrphan(_ record: ActivityRecord) -> Bool {
    guard record.activity.kind != .step, record.activity.state == .active else { return false }
    return ProcessRecord(record.process)?.start != record.processStart
  }

  private func isOld(_ file: String, at moment: Timestamp) -> Bool {
    stat.at(file).map { abs(moment.seconds - Int64($0.st_mtim.tv_sec)) > 60 } ?? false
  }

  private func path(of key: String) -> String { path + "/" + SHA256.hex(of: key).prefix(32) }

  private func read(_ file: String) -> ActivityRecord? {
    guard let opened = try? Descriptor(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let bytes = try? opened.bytes(limit: Self.longestFile)
    else { return nil }
    return ActivityRecord(text: String(decoding: bytes, as: UTF8.self))
  }
}
