import CEL
import Items
import Store

/// One import on its way.
///
/// Lines go to the store in batches. A line that refers to an item that is not there is put aside
/// and tried again at the end, since the item may come later in the file.
package final class ImportRun {
  private let context: ExchangeContext
  private let observer: ImportObserver
  private let temporaryFolder: String
  private let drafts: DraftReader
  private let importer: Importer
  private let feed: LineFeed
  private let format: ImportFormat
  private var lineCount = 0
  private var skippedCount = 0
  private var isDamaged = false
  private let refusals: Refusals
  private var spool: LineSpool?
  /// How many lines have come since the importer was last emptied.
  private var unwritten = 0
  /// How often it may be emptied early, whatever has come since.
  private var freeFlushes = 20

  /// Counts the lines that were refused, here or by the importer, and passes them on.
  private final class Refusals {
    private(set) var count = 0
    private let observer: ImportObserver

    init(_ observer: ImportObserver) { self.observer = observer }

    func report(_ line: Int, _ reason: String) {
      count += 1
      observer.refused(line, reason)
    }
  }

  /// After how many lines the observer hears of the progress.
  private static let progressInterval = 256
  /// How often lines that were put aside are tried again.
  private static let passLimit = 50
  /// After how many lines the importer may be emptied for a line that refers to one of them.
  private static let flushInterval = 500

  /// An import of what a file holds; reading it begins at once, on another thread.
  ///
  /// - Parameters:
  ///   - temporaryFolder: where lines are put aside that refer to items still to come.
  package init(
    _ source: ImportSource, _ context: ExchangeContext, observer: ImportObserver,
    temporaryFolder: String
  ) throws {
    format = source.format
    self.context = context
    self.observer = observer
    self.temporaryFolder = temporaryFolder
    feed = LineFeed(source)
    let refusals = Refusals(observer)
    self.refusals = refusals
    let importer = Importer(into: try context.store()) { line, error in
      refusals.report(line, error.message)
    }
    self.importer = importer
    drafts = DraftReader(context) { entity in
      // It ends the import, and is nothing that is wrong with this line.
      do { try importer.settle() } catch let error as StoreError {
        throw ExchangeError.store(error)
      }
      return try context.preparedStore(entity)
    }
  }

  /// What became of the lines that were read.
  package var summary: ImportSummary {
    ImportSummary(
      format: format, created: importer.counts.created, merged: importer.counts.merged,
      skipped: skippedCount, bad: refusals.count, lines: lineCount, isDamaged: isDamaged)
  }

  /// Waits for what is being written, which is safe, too, unless it ended the import.
  package func stop() { try? importer.settle() }

  /// Takes in all records.
  package func takeAll() throws {
    while let batch = try feed.next() {
      for record in batch.records {
        try take(record)
        if lineCount % Self.progressInterval == 0 {
          observer.progressed(lineCount, batch.bytesRead)
        }
      }
    }
    _ = try importer.finish()
    if let spool { try takePutAside(spool) }
  }

  /// Finds out what taking in all records would come to, and leaves the store as it is.
  package func tryAll() throws -> ImportSummary {
    struct TakenBack: Error {}
    var summary = summary
    do {
      // All is done as in earnest, in one transaction that is never committed.
      try importer.transaction {
        try takeAll()
        summary = self.summary
        throw TakenBack()
      }
    } catch is TakenBack {}
    return summary
  }

  private func take(_ record: ImportRecord) throws {
    for loss in record.losses { observer.shortened(record.number, loss) }
    if case .damage(let reason) = record.content {
      isDamaged = true
      return observer.shortened(record.number, reason)
    }
    lineCount += 1
    switch record.content {
    case .item(let value): try take(value, record.number)
    case .bad(let reason): refusals.report(record.number, reason)
    case .skipped(let reason):
      skippedCount += 1
      observer.shortened(record.number, "left out: " + reason)
    case .damage: break
    }
  }

  /// What a line says; nil, and told of, when it is bad.
  private func read(_ line: Value, _ number: Int) throws -> DraftReader.Reading? {
    do {
      return try drafts.read(line)
    } catch let problem as DraftReader.Problem {
      refusals.report(number, problem.message)
    } catch let error as StoreError where error.code == .incompatible {
      refusals.report(number, error.message)
    }
    return nil
  }

  private func take(_ line: Value, _ number: Int) throws {
    guard var reading = try read(line, number) else { return }
    if !reading.unknown.isEmpty {
      observer.shortened(number, drafts.note(on: reading))
      try observer.putAside(line)
    }
    if !reading.missing.isEmpty, unwritten >= Self.flushInterval || freeFlushes > 0 {
      // What it refers to may be among the lines not yet written.
      freeFlushes -= 1
      unwritten = 0
      _ = try importer.finish()
      guard let again = try read(line, number) else { return }
      reading = again
    }
    guard reading.missing.isEmpty else {
      let spool = try self.spool ?? LineSpool(folder: temporaryFolder)
      self.spool = spool
      return try spool.append(line, number: number)
    }
    unwritten += 1
    try importer.add(reading.draft, line: number)
  }

  // MARK: Lines put aside

  private func takePutAside(_ first: LineSpool) throws {
    var rest = first
    // Each pass finds what the one before has brought; items that refer to one another in a
    // circle are taken in without the reference, which is set when all are there.
    for _ in 0..<Self.passLimit where rest.count > 0 {
      let left = try LineSpool(folder: temporaryFolder)
      try pass(rest) { line, number, reading in
        if reading.missing.isEmpty { return true }
        try left.append(line, number: number)
        return false
      }
      let isStuck = left.count == rest.count
      rest = left
      if isStuck { break }
    }
    let incomplete = try LineSpool(folder: temporaryFolder)
    try pass(rest) { line, number, reading in
      if let missing = reading.missing.first(where: { !$0.canWait }) {
        self.refusals.report(
          number, "`\(missing.property)`: there is no \(missing.text.prefix(80)) here")
        return false
      }
      if !reading.missing.isEmpty { try incomplete.append(line, number: number) }
      return true
    }
    try complete(incomplete)
  }

  /// Takes in those lines that `isReady` says, each before the next is read.
  private func pass(
    _ lines: LineSpool, isReady: (Value, Int, DraftReader.Reading) throws -> Bool
  ) throws {
    guard lines.count > 0 else { return }
    // In one transaction, since each would have to reach the disk by itself otherwise.
    try importer.transaction {
      try lines.readAll { line, number in
        guard let reading = try self.read(line, number), try isReady(line, number, reading) else {
          return
        }
        try self.importer.add(reading.draft, line: number)
        _ = try self.importer.finish()
      }
    }
  }

  /// Sets the references of items that were taken in without them.
  private func complete(_ lines: LineSpool) throws {
    guard lines.count > 0 else { return }
    let store = try context.store()
    try importer.transaction {
      try lines.readAll { line, number in
        guard let reading = try self.read(line, number) else { return }
        guard let uid = reading.draft.uid,
          let reference = try store.items.get(reading.draft.entity, uid: uid)?.reference
        else {
          // It was merged into an item that was here before, with a global id of its own.
          return self.observer.shortened(number, "what it refers to was left out")
        }
        let values = reading.draft.values.filter { reading.references.contains($0.name) }
        let isList = { (value: Value) in if case .list = value { true } else { false } }
        _ = try store.items.update(
          reference, set: values.filter { !isList($0.value) && !$0.value.isNull },
          add: values.filter { isList($0.value) })
        for missing in reading.missing {
          self.observer.shortened(
            number, "`\(missing.property)`: there is no \(missing.text) here, so it was left out")
        }
      }
    }
  }
}
