import Engine
import ErrandKit
import Source
import Store

/// `errand vacuum`: compacts the store file.
enum VacuumCommand {
  static let command = Command("vacuum", "compact the store file", serves: []) { invocation, _ in
    guard let store = try invocation.storeIfMade() else {
      return invocation.say("No library yet.")
    }
    try store.vacuum()
    invocation.say("Compacted the store.")
  }
}
