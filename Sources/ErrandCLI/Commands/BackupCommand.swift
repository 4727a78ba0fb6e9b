import Engine
import ErrandKit
import Glibc
import POSIX
import Program
import Source
import Store

/// `errand backup`: copies the store, even while it is in use.
enum BackupCommand {
  static let command = Command(
    "backup", "copy the store to a new file, while it is in use", usage: "FILE",
    serves: []
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1, !path.isEmpty else {
      throw UsageError(
        "`backup` needs the path of a new file", help: "for example: errand backup library.db")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    let folder = Folder.parent(of: path.contains("/") ? path : "./" + path)
    guard access(folder, F_OK) == 0 else {
      throw RunError(
        .io, "there is no folder \(folder)", help: "create it: mkdir -p \(folder.quotedForShell)")
    }
    try invocation.openRun().store().backup(to: path)
    invocation.say("Backed up to \(path).")
  }
}
