import CEL
import Items
import Store

/// A running import.
///
/// Lines are written to the store in batches. A line with an unresolved reference is set aside and retried at the end,
/// since its target may come later in the file.
package final class ImportRun {
  private let context: ExchangeContext
  private let observer: ImportObserver
  private let temporaryFolder: String
  private let drafts: NewItemReader
  private let importer: Importer
  private let feed: LineFeed
  private let format: ImportFormat
  /// Whether the detected format equals the chosen one.
  private let isAsGuessed: Bool
  private var lineCount = 0
  private var skippedCount = 0
  private var isDamaged = false
  /// The parts that the records and their reader left out.
  private var leftovers = Leftovers()
  /// Whether its caller keeps nothing, so that no file may be written.
  private let isTrial: Bool
  private let refusals: Refusals
  private var spool: LineSpool?
  /// The number of lines since the importer was last flushed.
  private var unwritten = 0
  /// The number of early flushes left, regardless of `flushInterval`.
  private var freeFlushes = 20

  /// Counts the lines rejected here or by the importer, and reports them.
  private final class Refusals {
    private(set) var count = 0
    private let observer: ImportObserver

    init(_ observer: ImportObserver) { self.observer = observer }

    func report(_ line: Int, _ reason: String) {
      count += 1
      observer.refused(line, reason)
    }
  }

  /// Number of lines between two progress reports.
  private static let progressInterval = 256
  /// Maximum number of passes over lines set aside.
  private static let passLimit = 50
  /// Minimum number of lines before the importer is flushed to resolve a reference.
  private static let flushInterval = 500

  /// Starts an import; reading begins at once on another thread.
  ///
  /// - Parameters:
  ///   - temporaryFolder: The folder for lines that are set aside.
  ///   - prefersTheirs: Whether values of the file replace what is stored; nil for the default of the format, which is
  ///     that only calendars do.
  ///   - isTrial: Whether the caller rolls all of it back.
  package init(
    _ source: ImportSource, _ context: ExchangeContext, observer: ImportObserver,
    temporaryFolder: String, prefersTheirs: Bool? = nil, isTrial: Bool = false
  ) throws {
    format = source.format
    isAsGuessed = source.format == source.guess
    self.context = context
    self.observer = observer
    self.temporaryFolder = temporaryFolder
    self.isTrial = isTrial
    feed = LineFeed(source)
    let refusals = Refusals(observer)
    self.refusals = refusals
    let importer = Importer(
      into: try context.store(), prefersGiven: prefersTheirs ?? (source.format == .ical)
    ) { line, error in
      refusals.report(line, error.message)
    }
    self.importer = importer
    drafts = NewItemReader(context) { entity in
      // An error of the store ends the import and is not about this line.
      do { try importer.settle() } catch let error as StoreError {
        throw ExchangeError.store(error)
      }
      return try context.preparedStore(entity)
    }
  }

  /// The counts so far.
  package var summary: ImportSummary {
    let counts = importer.counts
    var leftovers = leftovers
    for (property, kept) in counts.kept.sorted(by: { $0.key < $1.key }) {
      leftovers.note(.kept(property), line: kept.line, count: kept.count)
    }
    return ImportSummary(
      format: format, created: counts.created, merged: counts.merged, changed: counts.changed,
      added: counts.added.sorted { $0.key < $1.key }.map {
        .init(property: $0.key, count: $0.value)
      },
      skipped: skippedCount, bad: refusals.count, lines: lineCount, isDamaged: isDamaged,
      leftOut: leftovers.entries.sorted { $0.line < $1.line }.map {
        ImportSummary.LeftOut(what: $0.kind.text, line: $0.line, count: $0.count)
      })
  }

  /// Waits for pending writes, which are complete unless they failed.
  package func stop() { try? importer.settle() }

  /// Imports all records.
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
    if let spool { try takeSetAside(spool) }
  }

  private func take(_ record: ImportRecord) throws {
    for loss in record.losses { leftovers.note(.loss(loss), line: record.number) }
    switch record.content {
    case .damage(let reason):
      isDamaged = true
      return observer.shortened(record.number, reason)
    case .leftovers(let rest, let isAll):
      // For a wrongly chosen format there is a better message.
      guard isAsGuessed || lineCount > 0 else { return }
      leftovers.add(rest)
      if isAll { try take(.nothingUnderstood(record.number)) }
      return
    case .nothing(let reason):
      // For a wrongly chosen format there is a better message.
      guard isAsGuessed else { return }
      isDamaged = true
      return observer.shortened(record.number, reason)
    case .item, .bad, .skipped: break
    }
    lineCount += 1
    switch record.content {
    case .item(let value):
      if let bytes = record.bytes, !isTrial { try context.keepFile(bytes, "file") }
      try take(value, record.number)
    case .bad(let reason): refusals.report(record.number, reason)
    case .skipped(let reason):
      skippedCount += 1
      observer.shortened(record.number, "left out: " + reason)
    case .damage, .nothing, .leftovers: break
    }
  }

  /// Reads a line; reports a bad one and returns nil.
  private func read(_ line: Value, _ number: Int) throws -> NewItemReader.Reading? {
    do {
      return try drafts.read(line)
    } catch let problem as NewItemReader.Problem {
      refusals.report(number, problem.message)
    } catch let error as StoreError where error.code == .incompatible {
      refusals.report(number, error.message)
    }
    return nil
  }

  private func take(_ line: Value, _ number: Int) throws {
    guard var reading = try read(line, number) else { return }
    observer.previewed(line)
    if !reading.unknown.isEmpty {
      observer.shortened(number, drafts.note(on: reading))
      try observer.putAside(line)
    }
    if !reading.missing.isEmpty, unwritten >= Self.flushInterval || freeFlushes > 0 {
      // The referenced item may be among the unwritten lines.
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
    try importer.add(reading.newItem, line: number)
  }

  // MARK: Lines set aside

  private func takeSetAside(_ first: LineSpool) throws {
    var rest = first
    // Each pass resolves references to items of the previous one; items in a cycle are imported without the reference,
    // which is set when all exist.
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
          number, "`\(missing.property)`: there is no \(missing.text.prefix(80))")
        return false
      }
      if !reading.missing.isEmpty { try incomplete.append(line, number: number) }
      return true
    }
    try complete(incomplete)
  }

  /// Imports the lines for which `isReady` returns true, one at a time.
  private func pass(
    _ lines: LineSpool, isReady: (Value, Int, NewItemReader.Reading) throws -> Bool
  ) throws {
    guard lines.count > 0 else { return }
    // One transaction, since otherwise each item would be committed separately.
    try importer.transaction {
      try lines.readAll { line, number in
        guard let reading = try self.read(line, number), try isReady(line, number, reading) else {
          return
        }
        try self.importer.add(reading.newItem, line: number)
        _ = try self.importer.finish()
      }
    }
  }

  /// Sets the references of items that were imported without them.
  private func complete(_ lines: LineSpool) throws {
    guard lines.count > 0 else { return }
    let store = try context.store()
    try importer.transaction {
      try lines.readAll { line, number in
        guard let reading = try self.read(line, number) else { return }
        guard let uid = reading.newItem.uid,
          let reference = try store.items.get(reading.newItem.entity, uid: uid)?.reference
        else {
          // It was merged into an existing item with another uid.
          return self.observer.shortened(number, "its references were left out")
        }
        let values = reading.newItem.values.filter { reading.references.contains($0.name) }
        let isList = { (value: Value) in if case .list = value { true } else { false } }
        _ = try store.items.update(
          reference, set: values.filter { !isList($0.value) && !$0.value.isNull },
          add: values.filter { isList($0.value) })
        for missing in reading.missing {
          self.observer.shortened(
            number, "`\(missing.property)`: there is no \(missing.text), so it was left out")
        }
      }
    }
  }
}
