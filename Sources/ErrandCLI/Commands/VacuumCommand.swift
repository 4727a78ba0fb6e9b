import Engine
import ErrandKit
import Source
import Store

/// `errand vacuum`: makes the file of the store small.
enum VacuumCommand {
  static let command = Command(
    "vacuum", "make the file of the store as small as it can be",
    serves: []
  ) { invocation, _ in
    if let absent = try invocation.absentStore() {
      if absent.isNamed { throw absent.error }
      invocation.say("There is no library yet.")
      return ExitStatus.done
    }
    try invocation.session().store().database.vacuum()
    invocation.say("Tidied up.")
    return ExitStatus.done
  }
}
