import Engine
import Source
import Store

/// `errand backup`: copies the store while it is in use.
enum BackupCommand {
  static let command = Command(
    "backup", "copy the store to a new file, while it is in use", usage: "FILE",
    serves: []
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1, !path.isEmpty else {
      throw UsageError("`backup` takes the path of a new file")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    try invocation.session().store().backup(to: path)
    invocation.say("Backed up to \(path).")
    return ExitStatus.done
  }
}
