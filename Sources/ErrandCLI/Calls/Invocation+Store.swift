import Engine
import ErrandKit
import Source
import Store

/// The store of a call.
extension Invocation {
  /// Path and options of this call's store, which may not exist yet.
  ///
  /// - Throws: `UsageError` for an empty path.
  private func storeOpening() throws(UsageError) -> StoreOpening {
    let opening = StoreOpening(
      named: arguments.last("store"), places: places, settings: settings,
      environment: ProcessEnvironment.value, isCancelled: { Interruption.run.endsWaits },
      tell: { [console, isQuiet = arguments.isOn("quiet")] news in
        Self.tell(news, isQuiet: isQuiet, console)
      })
    if opening.path == "" { throw UsageError("the path of the store is empty") }
    return opening
  }

  private static func tell(_ news: StoreOpening.News, isQuiet: Bool, _ console: Console) {
    switch news {
    case .made(let path) where !isQuiet: console.err("errand: created a new store, \(path)\n")
    case .migrating(let entity, let count)
    where count >= shownMigration && console.stderrIsTerminal:
      console.err("errand: migrating \(entity), about \(count) items; please wait\n")
    case .migrated(let entity, let path) where !isQuiet:
      console.err("errand: migrated \(entity); the previous store is kept in \(path)\n")
    case .cut(let item, let limit):
      console.err(
        "errand: \(item) takes place more than \(limit) times in this range; the later ones are left out\n"
      )
    case .waiting(let holder):
      let who = holder.map { holder in
        "process \(holder.process)" + (holder.name.map { " (\($0.harmless()))" } ?? "")
      }
      console.err(
        "errand: waiting for \(who ?? "another process"), which is writing to the store\n")
    case .made, .migrating, .migrated: break
    }
  }

  /// The path of the store: `--store`, else `ERRAND_STORE`, else the person's library.
  func storePath() throws -> String? { try storeOpening().path }

  /// Returns why the store is missing, for maintenance commands that must not create it.
  func absentStore() throws -> StoreOpening.Absence? { try storeOpening().absence }

  /// Item count above which a migration is slow enough to announce.
  private static let shownMigration = 20_000

  /// Returns the store for maintenance commands that must not create it; nil if none exists yet.
  ///
  /// - Throws: `not-found` if an explicitly named store does not exist.
  func storeIfMade() throws -> Database? {
    if let absent = try absentStore() {
      if absent.isNamed { throw absent.error }
      return nil
    }
    return try openRun().store()
  }

  func openStore(_ context: StoreContext) throws -> Database {
    try storeOpening().open(context) {
      if let name = runOptions.action {
        let mayWrite = (try? madeRun?.mayWrite(name)) ?? true
        if runOptions.needsItems || !mayWrite { return .reading }
      } else if onlyReads {
        return .reading
      }
      return arguments.isOn("dry-run") ? .trying : .changing
    }
  }
}
