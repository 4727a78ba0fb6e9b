package import CEL
import Catalog
import Glibc
package import Inbox
import Items
import JSON
import Links
import POSIX
import Program
import Store
import YAML

/// Imports shares from the inbox: stores their files, commits receipts and jobs, then removes the
/// shares.
///
/// The receipt and the jobs of a share are committed in one transaction, so each share is imported
/// exactly once, even after a crash: earlier work is repeated, and later work checks the receipt.
package struct ShareIntake {
  /// A share that stays in the inbox.
  package struct Refused: Sendable {
    package let name: String
    /// A summary of the content; empty when unknown.
    package let summary: String
    package let from: String?
    package let refusal: ShareRefusal
  }

  /// The result of an import.
  package struct Result: Sendable {
    /// Number of imported shares.
    package var taken = 0
    /// The shares that stay in the inbox.
    package var refused: [Refused] = []
    /// Number of sealed shares that wait for the vault to be unlocked.
    package var sealed = 0

    /// An empty result.
    package init() {}
  }

  /// A share ready for its transaction.
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

  /// Number of shares per transaction.
  private static let batchSize = 64
  /// Size from which a text is treated as a file, in bytes.
  private static let largeText = 1 << 20
  /// Maximum number of unused files removed in one sweep.
  private static let maxSweptFiles = 50
  /// Interval between sweeps.
  private static let sweepInterval = Duration.seconds(24 * 3_600)
  /// Prefix of job origins, followed by the name of the share.
  package static let origin = "share "

  /// An import into the store of a run.
  ///
  /// - Parameter base: the path of the store; the folder of files is beside it.
  package init(_ run: Run, _ inbox: InboxFolder, besideStore base: String) {
    self.run = run
    router = ShareRouter(run.workspace)
    self.inbox = inbox
    blobs = BlobFolder(besideStore: base)
  }

  /// Imports all shares in the inbox.
  ///
  /// - Returns: nil when another process is importing.
  /// - Throws: `InboxError` when a folder cannot be used, `RunError` when the store cannot.
  package func takeIn() throws -> Result? {
    let names = try inbox.names()
    if names.isEmpty, !inbox.isThere { return Result() }
    guard let lock = try InboxLock(inbox) else { return nil }
    return try withExtendedLifetime(lock) {
      var result = Result()
      var batch: [Prepared] = []
      if let vault = inbox.vault, vault.exists, !vault.isUnlocked {
        try inbox.sealClearShares(at: run.host.now())
      }
      // Other processes may have imported shares while this one waited for the lock.
      var names = try inbox.names()[...]
      while let name = names.popFirst() {
        if run.interrupt.isSet { break }
        do {
          let unpacked = try unpack(name)
          if !unpacked.isEmpty {
            names = unpacked + names
          } else if let prepared = try prepare(name) {
            batch.append(prepared)
          }
        } catch let refused as Refused {
          result.refused.append(refused)
        } catch let error as InboxError where error.code == .locked {
          result.sealed += 1
        }
        if batch.count == Self.batchSize { try commit(&batch, &result) }
      }
      try commit(&batch, &result)
      try sweep(lock)
      return result
    }
  }

  /// Imports one share with an explicitly chosen handler, overriding its `to`.
  ///
  /// - Throws: `invalid-value` when the handler does not accept it, `busy` when another process is
  ///   importing.
  package func take(_ name: String, to handler: String) throws {
    guard let lock = try InboxLock(inbox) else {
      throw RunError(.busy, "another process is importing shares; try again in a moment")
    }
    try withExtendedLifetime(lock) {
      do {
        var result = Result()
        var batch = try prepare(name, to: handler).map { [$0] } ?? []
        try commit(&batch, &result)
      } catch let refused as Refused {
        throw RunError(.invalidValue, refused.refusal.reason, remedy: refused.refusal.remedy)
      }
    }
  }

  /// The input of a job when shared items are given to another handler.
  ///
  /// - Throws: `invalid-value` when the handler does not accept them.
  package static func input(_ values: [Value], for handler: String, in run: Run) throws -> String {
    do {
      let items = values.map(Share.Item.init)
      let definition = try ShareRouter(run.workspace).handler(named: handler, for: items)
      guard acceptsSeveral(definition) || values.count == 1 else {
        throw ShareRefusal("`\(handler)` accepts one item at a time, not \(values.count)")
      }
      return try input(values, of: definition)
    } catch let refusal as ShareRefusal {
      throw RunError(.invalidValue, refusal.reason, remedy: refusal.remedy)
    }
  }

  private static func acceptsSeveral(_ handler: ActionDefinition) -> Bool {
    handler.accepts.map { $0.max > 1 } ?? false
  }

  private static func input(_ values: [Value], of handler: ActionDefinition) throws -> String {
    try JSONWriter(escapesInvisible: false)
      .text(of: acceptsSeveral(handler) ? .list(values) : values.first ?? .null)
  }

  /// Replaces a share with files of mails by shares of these mails, unless a definition of the user
  /// accepts such files; returns their names, and none for other shares.
  ///
  /// Their keys depend on the share only, so that a mail is imported once, even after a crash.
  private func unpack(_ name: String) throws -> [String] {
    guard let reader = try? inbox.reader(of: name) else { return [] }
    let share = reader.share
    let isMail = { (item: Share.Item) in
      item.kind == .file && ContentSignature.mailTypes.contains(item.mediaType)
    }
    guard share.to == nil, share.items.contains(where: isMail),
      reader.isWhole(at: run.host.now()), !router.hasRule(for: share),
      !(try RunError.translating { try run.store().receipts.has(share.receipt) })
    else { return [] }
    var rest: [NewShare.Item] = []
    var shares: [NewShare] = []
    for item in share.items {
      var bytes: [UInt8] = []
      if item.offset != nil { try reader.read(item) { bytes += $0 } }
      let mails = isMail(item) ? SharedMail.newShares(ofFile: bytes) : []
      shares += mails
      if mails.isEmpty { rest.append(NewShare.Item(item, bytes)) }
    }
    guard !shares.isEmpty, reader.isUnchanged else { return [] }
    if !rest.isEmpty { shares.append(NewShare(rest, from: share.from, title: share.title)) }
    let names = try shares.enumerated().map { index, newShare in
      var newShare = newShare
      newShare.details = share.details
      newShare.details.key = "\(share.receipt) mail \(index)"
      let hash = SHA256.hash(Array((newShare.details.key ?? "").utf8))
      let chance = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let name = ShareName.make(at: share.time, chance: chance)
      try inbox.put(newShare, named: name)
      return name
    }
    try inbox.remove(name)
    return names
  }

  /// The jobs and receipt of a share; nil when it no longer exists.
  ///
  /// - Throws: `Refused`.
  private func prepare(_ name: String, to handler: String? = nil) throws -> Prepared? {
    var summary = ""
    var from: String?
    do {
      guard let reader = try inbox.reader(of: name) else { return nil }
      var share = reader.share
      if let handler { share.to = handler }
      // A text of this size is too large for expressions.
      for index in share.items.indices where share.items[index].size > Self.largeText {
        if share.items[index].kind == .text { share.items[index].kind = .file }
      }
      summary = share.summary
      from = share.from
      if try RunError.translating({ try run.store().receipts.has(share.receipt) }) {
        return Prepared(name: name, receipt: share.receipt, isBare: share.isBare, jobs: [])
      }
      guard reader.isWhole(at: run.host.now()) else { throw ShareRefusal.stillWritten }
      // While the shelf is off, shares sent by other people are dropped.
      let routes = try router.routes(of: share).filter {
        run.host.allowsJob($0.handler.name.text)
      }
      // Read the content once, even if several handlers get it.
      var known: [Int: Value] = [:]
      func value(of item: Share.Item) throws -> Value {
        if let offset = item.offset, let value = known[offset] { return value }
        let value = try self.value(of: item, reader)
        if let offset = item.offset { known[offset] = value }
        return value
      }
      var jobs = try routes.map { route in
        var job = NewJob(
          handler: route.handler.name.text,
          input: try Self.input(route.items.map(value), of: route.handler),
          origin: Self.origin + name)
        job.isExclusive = route.handler.runMode == .single
        return job
      }
      for (action, trigger, item) in router.automations(for: share) {
        guard trigger.admits(share.time, in: run.host.clock) else { continue }
        let shared = trigger.value(time: .timestamp(share.time), item: try value(of: item))
        jobs.append(try run.job(of: action, shared, key: "\(share.receipt) \(trigger.key)"))
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

  /// The input value for an item, whose content is stored in the folder of files.
  private func value(of item: Share.Item, _ reader: ShareReader) throws -> Value {
    let share = reader.share
    if item.kind == .url || item.kind == .text { return item.value(in: share, path: nil) }
    let hash = try blobs.keep { add in try reader.read(item, add) }
    return item.value(in: share, path: run.host.machine.files.canonical(blobs.path(of: hash)))
  }

  private func commit(_ batch: inout [Prepared], _ result: inout Result) throws {
    if batch.isEmpty { return }
    result.taken += try run.transaction { store in
      var count = 0
      for share in batch where try store.receipts.keep(share.receipt) {
        for job in share.jobs { _ = try store.jobs.enqueue(job) }
        count += 1
      }
      return count
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

  /// Removes incomplete shares, and files that nothing in the store refers to.
  private func sweep(_ lock: InboxLock) throws {
    let now = Int(run.host.now().seconds)
    guard lock.lastSweep < now - Int(Self.sweepInterval.wholeSeconds) else { return }
    lock.noteSweep()
    try inbox.sweep(now: now)
    let old = try blobs.old(now: now)
    let store = try run.store()
    try RunError.translating {
      try store.receipts.prune(keeping: receiptsInUse())
      let drafts = old.filter { $0.hasSuffix(".draft") }
      let hashes = old.filter { !$0.hasSuffix(".draft") }
      let unused =
        hashes.isEmpty ? [] : try store.items.unmentioned(hashes, limit: Self.maxSweptFiles)
      for name in drafts + unused { blobs.remove(name, now: now) }
    }
  }

  private func receiptsInUse() throws -> Set<String> {
    Set(try inbox.names().compactMap { try? inbox.reader(of: $0)?.share.receipt })
  }
}

extension ShareIntake.Refused: Error {}

extension NewShare.Item {
  /// An item of a share that is written anew.
  fileprivate init(_ item: Share.Item, _ bytes: [UInt8]) {
    if let url = item.url {
      self = .url(url)
    } else if let text = item.text {
      self = .text(text, isPlain: true)
    } else {
      self = .bytes(bytes, name: item.name, mediaType: item.mediaType)
    }
  }
}
