package import CEL
import Catalog
import Glibc
import Inbox
import Items
import JSON
import Program
import Store
import YAML

/// Takes shares out of the inbox: what they hold goes to the folder of files, the receipt and the
/// jobs of what takes them into the store, and then the share is removed.
///
/// A share has its receipt and its jobs in one transaction, so it comes in once, whoever is killed
/// when: what was done before the transaction is done again, and what comes after it is a look at
/// the receipt.
package struct ShareIntake {
  /// A share that stays where it is.
  package struct Refused: Sendable {
    package let name: String
    /// What it is; empty where that can't be told.
    package let summary: String
    package let from: String?
    package let refusal: ShareRefusal
  }

  /// What became of the shares.
  package struct Result: Sendable {
    /// How many were taken in.
    package var taken = 0
    /// Those that stay.
    package var refused: [Refused] = []

    /// Nothing so far.
    package init() {}
  }

  /// A share with all that its transaction needs.
  private struct Prepared {
    let name: String
    let receipt: String
    let isBare: Bool
    let jobs: [NewJob]
  }

  private let run: Run
  private let router: ShareRouter
  private let inbox: InboxFolder
  private let blobs: BlobFolder

  /// How many shares are taken in by one transaction.
  private static let batchSize = 64
  /// From how many bytes on a text is a file.
  private static let largeText = 1 << 20
  /// How many files without use are removed in one sweep.
  private static let sweptFiles = 50
  /// After how many seconds the folders are swept again.
  private static let sweepInterval = 86_400
  /// How a job's origin names the share that it comes from.
  package static let origin = "share "

  /// Takes in for the store of a run.
  ///
  /// - Parameter base: The path of the store, beside which the folders are.
  package init(_ run: Run, besideStore base: String) {
    self.run = run
    router = ShareRouter(run.workspace)
    inbox = InboxFolder(besideStore: base)
    blobs = BlobFolder(besideStore: base)
  }

  /// Takes in all that waits.
  ///
  /// - Returns: nil when another process is doing so.
  /// - Throws: `InboxError` when a folder can't be used, `RunError` when the store can't.
  package func takeIn() throws -> Result? {
    let names = try inbox.names()
    if names.isEmpty, !inbox.isThere { return Result() }
    guard let lock = try InboxLock(inbox) else { return nil }
    return try withExtendedLifetime(lock) {
      var result = Result()
      var batch: [Prepared] = []
      // Others may have taken some in while this process waited for the lock.
      for name in try inbox.names() {
        if run.interrupt.isSet { break }
        do {
          if let prepared = try prepare(name) { batch.append(prepared) }
        } catch let refused as Refused {
          result.refused.append(refused)
        }
        if batch.count == Self.batchSize { try commit(&batch, &result) }
      }
      try commit(&batch, &result)
      try sweep(lock)
      return result
    }
  }

  /// Takes in a share for what the person names now, whatever it was for.
  ///
  /// - Throws: `invalid-value` when that does not take it, `busy` when another process takes in.
  package func take(_ name: String, to handler: String) throws {
    guard let lock = try InboxLock(inbox) else {
      throw RunError(.busy, "another process takes shares in at the moment")
    }
    try withExtendedLifetime(lock) {
      do {
        var result = Result()
        var batch = try prepare(name, to: handler).map { [$0] } ?? []
        try commit(&batch, &result)
      } catch let refused as Refused {
        throw RunError(
          .invalidValue, refused.refusal.reason, remedy: refused.refusal.remedy)
      }
    }
  }

  /// What a job of a handler is given of things that another one was given before.
  ///
  /// - Throws: `invalid-value` when it does not take them.
  package static func input(
    _ values: [Value], for handler: String, in run: Run
  ) throws -> String {
    do {
      let items = values.map(Share.Item.init)
      let accepts = try ShareRouter(run.workspace).handler(named: handler, for: items).accepts
      let takesMany = accepts.map { $0.max > 1 } ?? false
      guard takesMany || values.count == 1 else {
        throw ShareRefusal("`\(handler)` takes one thing at a time, and these are \(values.count)")
      }
      return try JSONWriter(escapesInvisible: false)
        .text(of: takesMany ? .list(values) : values.first ?? .null)
    } catch let refusal as ShareRefusal {
      throw RunError(.invalidValue, refusal.reason, remedy: refusal.remedy)
    }
  }

  /// What a share's transaction needs; nil when it is gone.
  ///
  /// - Throws: `Refused`.
  private func prepare(_ name: String, to handler: String? = nil) throws -> Prepared? {
    var summary = ""
    var from: String?
    do {
      guard let reader = try inbox.reader(of: name) else { return nil }
      var share = reader.share
      if let handler { share.to = handler }
      // A text of that size is of no use in an expression.
      for index in share.items.indices where share.items[index].size > Self.largeText {
        if share.items[index].kind == .text { share.items[index].kind = .file }
      }
      summary = share.summary
      from = share.from
      if try hasReceipt(share) {
        return Prepared(name: name, receipt: share.receipt, isBare: share.isBare, jobs: [])
      }
      guard reader.isWhole(at: run.host.now()) else { throw ShareRefusal.stillWritten }
      let routes = try router.routes(of: share)
      // Bytes are read once, whoever wants them.
      var known: [Int: Value] = [:]
      func value(of item: Share.Item) throws -> Value {
        if let offset = item.offset, let value = known[offset] { return value }
        let value = try self.value(of: item, reader)
        if let offset = item.offset { known[offset] = value }
        return value
      }
      var jobs = try routes.map { route in
        var values: [Value] = []
        for item in route.items { values.append(try value(of: item)) }
        let takesMany = route.handler.accepts.map { $0.max > 1 } ?? false
        let input: Value = takesMany ? .list(values) : values.first ?? .null
        var job = NewJob(
          handler: route.handler.name.text,
          input: try JSONWriter(escapesInvisible: false).text(of: input),
          origin: Self.origin + name)
        job.isExclusive = route.handler.runMode == .single
        return job
      }
      for (automation, item) in router.automations(for: share) {
        jobs.append(
          try automation.job(
            of: value(of: item), key: share.receipt, at: share.time, in: run))
      }
      guard reader.isUnchanged else { throw ShareRefusal.stillWritten }
      return Prepared(name: name, receipt: share.receipt, isBare: share.isBare, jobs: jobs)
    } catch let refusal as ShareRefusal {
      throw Refused(name: name, summary: summary, from: from, refusal: refusal)
    } catch let error as InboxError where error.code == .malformed {
      throw Refused(
        name: name, summary: summary, from: from,
        refusal: ShareRefusal(
          error.message, remedy: error.help.map(Remedy.advice) ?? .discardShare))
    }
  }

  private func hasReceipt(_ share: Share) throws -> Bool {
    try RunError.translating { try run.store().receipts.has(share.receipt) }
  }

  /// What a handler is given of a thing, whose bytes lie in the folder of files by now.
  private func value(of item: Share.Item, _ reader: borrowing ShareReader) throws -> Value {
    let share = reader.share
    if item.kind == .url || item.kind == .text { return item.value(in: share, path: nil) }
    let hash = try blobs.keep { add in try reader.read(item, add) }
    return item.value(in: share, path: run.host.machine.files.canonical(blobs.path(of: hash)))
  }

  private func commit(_ batch: inout [Prepared], _ result: inout Result) throws {
    if batch.isEmpty { return }
    let store = try run.store()
    result.taken += try RunError.translating {
      try store.database.transaction {
        var count = 0
        for share in batch where try store.receipts.keep(share.receipt) {
          for job in share.jobs { _ = try store.jobs.enqueue(job) }
          count += 1
        }
        return count
      }
    }
    for share in batch {
      if share.isBare {
        try inbox.remove(bare: share.name, receipt: share.receipt)
      } else {
        try inbox.remove(share.name)
      }
    }
    batch = []
  }

  /// Removes what was never finished, and files that nothing in the store names any more.
  private func sweep(_ lock: InboxLock) throws {
    let now = Int(run.host.now().seconds)
    guard lock.lastSweep < now - Self.sweepInterval else { return }
    lock.noteSweep()
    try inbox.sweep(now: now)
    let old = try blobs.old(now: now)
    let store = try run.store()
    try RunError.translating {
      try store.receipts.prune(keeping: receiptsInUse())
      let drafts = old.filter { $0.hasSuffix(".draft") }
      let hashes = old.filter { !$0.hasSuffix(".draft") }
      let unused = hashes.isEmpty ? [] : try store.items.unmentioned(hashes, limit: Self.sweptFiles)
      for name in drafts + unused { blobs.remove(name, now: now) }
    }
  }

  private func receiptsInUse() throws -> Set<String> {
    var receipts: Set<String> = []
    for name in try inbox.names() {
      if let reader = try? inbox.reader(of: name) { receipts.insert(reader.share.receipt) }
    }
    return receipts
  }
}

extension ShareIntake.Refused: Error {}
