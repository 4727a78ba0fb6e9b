import CEL
import Calendars
package import Engine
import ForeignText
import Items
import Links
import POSIX
import Program
package import Store

/// The sync of the library with a calendar, in both directions.
///
/// An entry is merged by property with what both sides last had. What is written there is recorded here afterwards, so
/// that a sync that was cut off is repeated without harm.
package struct CalendarSync {
  /// The numbers of changes.
  package struct Outcome {
    /// Items that were created, changed or deleted here.
    package var received = 0
    /// Entries that were created, changed or deleted there.
    package var sent = 0
    package var conflicts = 0
    /// Entries that are left alone, since they cannot be read.
    package var unread: [String] = []
    /// Entries that are left alone, since another one has their identifier.
    package var twins: [(name: String, other: String)] = []
    /// Entries that were changed there while they were written, so that the next sync merges them.
    package var postponed = 0
    /// Deletions that were not made, as they were too many.
    package var heldBack = 0
    /// Entries that the calendar does not take, with its reasons.
    package var refused: [(name: String, reason: String)] = []
  }

  /// Whether many deletions may be made.
  ///
  /// - Parameter isHere: Whether items here would be deleted, and not entries there.
  package typealias Question = (_ count: Int, _ all: Int, _ isHere: Bool) throws -> Bool

  let store: Database
  private(set) var calendar: CalendarStore.Calendar
  private let place: any CalendarPlace
  let mapping: CalendarMapping
  private let mayDelete: Question
  private let interrupt: Interrupt
  /// Called with the number of entries that are done, of all.
  package var didMerge: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  var outcome = Outcome()
  /// The state that the last list had.
  private var state: String?
  /// The global ids of known entries that cannot be read now.
  private var unreadable: Set<String> = []

  /// The cause in the change log.
  private static let cause = "calendar sync"

  package init(_ calendar: CalendarStore.Calendar, _ run: Run, mayDelete: @escaping Question) throws
  {
    self.calendar = calendar
    self.mayDelete = mayDelete
    (interrupt, state) = (run.interrupt, calendar.state)
    place = try calendar.open(run)
    mapping = CalendarMapping(
      zone: run.host.clock.zone, holidays: run.workspace.world.holidays() ?? .none)
    for (entity, _) in CalendarMapping.components { _ = try run.store(for: entity) }
    store = try run.store()
  }

  /// An entry of the calendar with all that is known of it.
  struct Entry {
    let href: String
    /// The global id of its item.
    var uid: String { CalendarObject.globalID(of: object.uid) }
    var known: CalendarStore.Entry?
    /// The version there; nil if it is gone.
    var etag: String?
    /// The entry there, or as it last was.
    let object: CalendarObject
    /// The values of the object.
    let fields: CalendarMapping.Fields
    let text: String
    var item: Item?
    var entity: String { CalendarMapping.entity(of: object) ?? "" }
    /// Whether it was there, but is not known here.
    var isNew: Bool { known == nil }
    /// Whether it has another version there, perhaps with the same values.
    var isChangedThere: Bool { etag != known?.etag }
  }

  /// The most passes of a sync.
  private static let mostPasses = 3

  /// The time to wait for another sync of the calendar.
  private static let patience = Duration.seconds(2)

  /// Sends and merges all changes, while it holds a lock of the calendar beside the store.
  ///
  /// - Throws: `busy` if another process is syncing it.
  package mutating func sync() throws -> Outcome {
    var lock: FileLock?
    if case .file(let file) = store.location {
      let path = "\(file).calendar-\(SHA256.hex(of: calendar.name).prefix(16))"
      do { lock = try FileLock.wait(for: path, patience: Self.patience) } catch {
        throw RunError(.io, "cannot lock \(path): \(error.reason)")
      }
      guard lock != nil else {
        throw RunError(
          .busy, "another process is syncing the calendar \(calendar.name); try again in a moment")
      }
    }
    defer { lock?.release() }
    // What another process has just done.
    calendar = try store.calendars.all().first { $0.name == calendar.name } ?? calendar
    state = calendar.state
    let before = store.session.cause
    store.session.cause = Self.cause
    defer { store.session.cause = before }
    var passes = 0
    var sent = -1
    // A state does not tell of an entry that was sent after it and deleted there since (RFC 6578 §3.5), so it is kept
    // only if nothing was sent.
    while sent != outcome.sent, passes == 0 || state != nil && passes < Self.mostPasses {
      sent = outcome.sent
      try pass()
      passes += 1
    }
    calendar.synced = store.context.world.now()
    // What was held back or left alone must be told again.
    let isComplete = outcome.heldBack == 0 && outcome.twins.isEmpty && unreadable.isEmpty
    calendar.state = isComplete && sent == outcome.sent ? state : nil
    try store.calendars.put(calendar)
    return outcome
  }

  /// Sends and merges the changes since the last pass.
  private mutating func pass() throws {
    outcome.postponed = 0
    let known = try store.calendars.entries(of: calendar.name)
    let versions = Dictionary(
      known.map { ($0.href, $0.etag) }, uniquingKeysWith: { first, _ in first })
    let (list, state) = try place.list(since: known.isEmpty ? nil : state, versions)
    var entries: [Entry] = []
    for old in known where list[old.href] == old.etag || list[old.href] == nil {
      if let entry = try entry(old.href, old, list[old.href], old.base) { entries.append(entry) }
    }
    let byHref = Dictionary(known.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    let changed = list.filter { versions[$0.key] != $0.value }.keys.sorted()
    let texts = try place.entries(changed)
    for href in changed {
      guard let new = texts[href] else { continue }
      if let entry = try entry(href, byHref[href], new.version, new.text) { entries.append(entry) }
    }
    entries = try oneOfEach(entries)
    let goneThere = entries.filter { $0.etag == nil && $0.item != nil }.count
    let goneHere = entries.filter { $0.etag != nil && !$0.isNew && $0.item == nil }.count
    let mayDeleteHere = try isFine(goneThere, of: known.count, isHere: true)
    let mayDeleteThere = try isFine(goneHere, of: known.count, isHere: false)
    for (number, entry) in parentsFirst(entries).enumerated() {
      if interrupt.isSet { throw Cancellation(.interrupted) }
      didMerge(number, entries.count)
      switch (entry.etag, entry.item) {
      case (nil, nil): try store.calendars.remove(entry.href, from: calendar.name)
      case (nil, let item?):
        try delete(item, of: entry, mayDelete: mayDeleteHere)
      case (let etag?, nil) where isAsKnown(entry):
        try delete(entry, at: etag, mayDelete: mayDeleteThere)
      case (let etag?, _): try merge(entry, etag)
      }
    }
    if mayWrite { try sendNew(besides: unreadable.union(entries.map(\.uid))) }
    self.state = state
  }

  /// The entries with one for each identifier: one that has another name now is the same entry, and of several with
  /// an identifier one is left that is known.
  private mutating func oneOfEach(_ entries: [Entry]) throws -> [Entry] {
    var places: [String: Int] = [:]
    var all: [Entry] = []
    for entry in entries {
      guard let place = places[entry.uid] else {
        places[entry.uid] = all.count
        all.append(entry)
        continue
      }
      let other = all[place]
      guard entry.etag != nil, other.etag == nil, let known = other.known else {
        if entry.etag != nil, !outcome.twins.contains(where: { $0.name == entry.href }) {
          outcome.twins.append((entry.href, other.href))
        }
        continue
      }
      var moved = entry
      let new = entry.known ?? .init(href: entry.href, etag: "", base: known.base)
      moved.known = new
      try store.transaction {
        try store.calendars.remove(known.href, from: calendar.name)
        try store.calendars.put(new, in: calendar.name)
      }
      all[place] = moved
    }
    return all
  }

  /// Forgets the kept state before something is sent, for a sync that is cut off then.
  private mutating func willSend() throws {
    guard calendar.state != nil else { return }
    calendar.state = nil
    try store.calendars.put(calendar)
  }

  var mayWrite: Bool { !calendar.isReadOnly && !place.isReadOnly }

  /// Whether deletions may be made: no more than a tenth of all at once without a question.
  private func isFine(_ count: Int, of all: Int, isHere: Bool) throws -> Bool {
    try count <= 1 || count * 10 <= all || mayDelete(count, all, isHere)
  }

  /// Reads an entry; nil for one that is left alone.
  private mutating func entry(
    _ href: String, _ known: CalendarStore.Entry?, _ etag: String?, _ text: String
  ) throws -> Entry? {
    let objects = objects(in: text)
    let fields = objects.first.map(mapping.fields) ?? [:]
    guard objects.count == 1, let entity = CalendarMapping.entity(of: objects[0]),
      entity != "Event" || fields["start"] != .null
    else {
      if !outcome.unread.contains(href) { outcome.unread.append(href) }
      // One that is being written just now is still there.
      unreadable.formUnion(
        known.map { self.objects(in: $0.base).map { CalendarObject.globalID(of: $0.uid) } } ?? [])
      return nil
    }
    let uid = CalendarObject.globalID(of: objects[0].uid)
    var item = try store.items.get(entity, uid: uid)
    // One that was moved to another calendar is not in this one.
    if known != nil, let other = item?.field("calendar"), other != .string(calendar.name),
      etag == known?.etag, etag != nil
    {
      item = nil
    }
    return Entry(
      href: href, known: known, etag: etag, object: objects[0], fields: fields, text: text,
      item: item)
  }

  func objects(in text: String) -> [CalendarObject] {
    CalendarObject.all(in: CalendarComponent.all(in: Array(text.utf8))).map { object in
      var object = object
      object.calendar = calendar.name
      return object
    }
  }

  /// The entries in an order in which a task comes after those that it refers to.
  private func parentsFirst(_ entries: [Entry]) -> [Entry] {
    var rest = entries.map { entry in
      let others = references(entry.fields).filter { $0 != entry.uid }
      return (entry: entry, own: entry.uid, others: others)
    }
    var waiting = Set(rest.map(\.own))
    var order: [Entry] = []
    while !rest.isEmpty {
      let ready = rest.filter { waiting.isDisjoint(with: $0.others) }
      // A circle is broken anywhere.
      let next = ready.isEmpty ? Array(rest.prefix(1)) : ready
      let taken = Set(next.map(\.entry.href))
      order += next.map(\.entry)
      rest.removeAll { taken.contains($0.entry.href) }
      waiting.subtract(next.map(\.own))
    }
    return order
  }

  private func references(_ fields: CalendarMapping.Fields) -> [String] {
    let after: [Value] = if case .list(let list)? = fields["after"] { list } else { [] }
    return ([fields["parent"] ?? .null] + after).compactMap {
      if case .string(let id) = $0 { id } else { nil }
    }
  }

  // MARK: - Deletions

  /// The entry was deleted there: so is the item, unless it was changed here since.
  private mutating func delete(_ item: Item, of entry: Entry, mayDelete: Bool) throws {
    let object = object(of: entry, with: known(mapping.fields(of: item)))
    if object.ical != entry.object.ical {
      if mayWrite { try write(object, entry, over: nil) }
      return
    }
    guard mayDelete else {
      outcome.heldBack += 1
      return
    }
    try store.transaction {
      if let reference = item.reference { try store.items.delete(reference) }
      try store.calendars.remove(entry.href, from: calendar.name)
    }
    outcome.received += 1
  }

  /// Whether an entry has the values that both sides last had.
  private func isAsKnown(_ entry: Entry) -> Bool {
    guard let known = entry.known else { return false }
    return !entry.isChangedThere
      || objects(in: known.base).first.map(mapping.fields) == entry.fields
  }

  /// The item was deleted here: so is the entry, which was not changed there.
  private mutating func delete(_ entry: Entry, at etag: String, mayDelete: Bool) throws {
    guard mayWrite else { return }
    guard mayDelete else {
      outcome.heldBack += 1
      return
    }
    try willSend()
    guard try isDone(place.delete(entry.href, at: etag), entry) != nil else { return }
    try store.calendars.remove(entry.href, from: calendar.name)
    outcome.sent += 1
  }

  // MARK: - Writing

  mutating func write(_ object: CalendarObject, _ entry: Entry, over etag: String?) throws {
    try willSend()
    let text = object.text(replacing: entry.text)
    // Changed there meanwhile: the next sync merges it.
    let answer = try place.write(entry.href, text, over: etag)
    guard let new = isDone(answer, entry) else { return }
    var href = entry.href
    if case .moved(_, let name) = answer { href = name }
    try store.transaction {
      try store.calendars.put(.init(href: href, etag: new, base: text), in: calendar.name)
      if let reference = try store.items.get(entry.entity, uid: entry.uid)?.reference {
        _ = try store.items.update(reference, set: [("ical", .string(object.ical))])
      }
    }
    outcome.sent += 1
  }

  /// The version of an entry after a change there; nil for one that was not made.
  private mutating func isDone(_ answer: CalendarAnswer, _ entry: Entry) -> String? {
    switch answer {
    case .done(let version), .moved(let version, _): return version
    case .changed:
      outcome.postponed += 1
      return nil
    case .refused(let reason):
      let name = entry.object.main["SUMMARY"]?.text ?? entry.href
      if !outcome.refused.contains(where: { $0.name == name }) {
        outcome.refused.append((name, reason))
      }
      return nil
    }
  }

  /// Sends the items of this calendar that are not in it yet.
  private mutating func sendNew(besides known: Set<String>) throws {
    var others: Set<String> = []
    for other in try store.calendars.all() where other.name != calendar.name {
      for entry in try store.calendars.entries(of: other.name) {
        others.formUnion(objects(in: entry.base).map { CalendarObject.globalID(of: $0.uid) })
      }
    }
    var new: [Item] = []
    try store.items.forEach(Query("Event")) { item in
      if item.field("calendar") == .string(calendar.name) { new.append(item) }
      return true
    }
    if calendar.takesTasks {
      try store.items.forEach(Query("Task")) { item in
        if !others.contains(item.uid ?? "") { new.append(item) }
        return true
      }
    }
    for item in new where !known.contains(item.uid ?? "") {
      if interrupt.isSet { throw Cancellation(.interrupted) }
      guard var object = mapping.object(of: item) else { continue }
      object.calendar = calendar.name
      object.main.set("X-ERRAND-CALENDAR", [])
      let plain = object.uid.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
          || "-_.@".utf8.contains(byte)
      }
      let name = plain && !object.uid.hasPrefix(".") ? object.uid : item.uid ?? ""
      let entry = Entry(
        href: name + ".ics", known: nil, etag: nil, object: object,
        fields: mapping.fields(of: object), text: object.calendarText, item: item)
      try write(object, entry, over: nil)
    }
  }
}
