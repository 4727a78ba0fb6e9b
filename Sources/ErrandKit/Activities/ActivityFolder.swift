package import CEL
package import Engine
import Glibc
import Links
import POSIX

/// The folder in which programs of a person tell each other what goes on: a small file for each.
///
/// Nothing there need outlive a power cut, so nothing is synced; and whoever looks needs no store.
package struct ActivityFolder {
  /// Where it is.
  package let path: String
  private let now: @Sendable () -> Timestamp

  /// How many activities are kept at once, and how long a file may be.
  private static let limit = 200
  private static let longestFile = 16 << 10

  package init(_ path: String, now: @escaping @Sendable () -> Timestamp) {
    self.path = path
    self.now = now
  }

  /// Writes what is known of an activity now; what it leaves out stays as it was.
  ///
  /// An activity that is not there is begun; nothing is told of the end of one that is not there.
  ///
  /// - Parameters:
  ///   - age: for how long one that is begun has gone on already, in nanoseconds.
  ///   - isAnew: whether it is another than the one of its key before.
  package func note(_ activity: Activity, age: Int64 = 0, isAnew: Bool = false) {
    let moment = now()
    let file = path(of: activity.key)
    var record = ActivityRecord(
      activity: activity, began: Timestamp(microseconds: moment.microseconds - age / 1000),
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

  /// What goes on, and what was over a moment ago, the first begun first.
  ///
  /// Files of what is long over, or whose process is gone, are removed on the way.
  package func current() -> [ActivityRecord] {
    let moment = now()
    var records: [ActivityRecord] = []
    for name in Folder.visibleNames(in: path) {
      let file = path + "/" + name
      // A name with a point is that of a file that is being written.
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

  /// Whether the process is gone that alone could tell of the end.
  private func isOrphan(_ record: ActivityRecord) -> Bool {
    guard record.activity.kind != .step, record.activity.state == .active else { return false }
    return ProcessRecord(record.process)?.start != record.processStart
  }

  private func isOld(_ file: String, at moment: Timestamp) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && abs(moment.seconds - Int64(status.st_mtim.tv_sec)) > 60
  }

  private func path(of key: String) -> String {
    path + "/" + SHA256.hex(of: key).prefix(32)
  }

  private func read(_ file: String) -> ActivityRecord? {
    guard let opened = try? Descriptor(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let bytes = try? opened.bytes(limit: Self.longestFile)
    else { return nil }
    return ActivityRecord(text: String(decoding: bytes, as: UTF8.self))
  }
}
