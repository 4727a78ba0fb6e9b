import CEL
import Calendars
import ForeignText
import Items
import Store

/// The merge of an entry with its item.
extension CalendarSync {
  mutating func merge(_ entry: Entry, _ etag: String) throws {
    let remote = known(entry.fields)
    var fields = remote
    var losses: [(name: String, lost: Value, kept: Value)] = []
    if let item = entry.item {
      let base = known(
        entry.known.flatMap { objects(in: $0.base).first }.map(mapping.fields) ?? entry.fields)
      let local = known(mapping.fields(of: item))
      (fields, losses) = merged(
        base, local, remote, isLocalLater: isLater(item, than: entry.object))
    }
    fields["calendar"] = remote["calendar"]
    var object = entry.object
    if mayWrite { object = self.object(of: entry, with: fields) }
    // What is written there is given to the item then.
    let ical = object.ical == entry.object.ical ? object.ical : nil
    let changes = try changes(to: entry, fields, ical: ical)
    if !changes.isEmpty || entry.isChangedThere {
      try store.transaction {
        if !changes.isEmpty { try apply(changes, to: entry) }
        for loss in losses { try record(loss, entry) }
        try store.calendars.put(
          .init(href: entry.href, etag: etag, base: entry.text), in: calendar.name)
      }
      if !changes.isEmpty { outcome.received += 1 }
      outcome.conflicts += losses.count
    }
    if object.ical != entry.object.ical { try write(object, entry, over: etag) }
  }

  /// The object of an entry with the values of an item.
  func object(of entry: Entry, with fields: CalendarMapping.Fields) -> CalendarObject {
    let remote = known(entry.fields)
    // References to tasks that are not here stay.
    var fields = fields
    for name in ["parent", "after"] where fields[name] == remote[name] {
      fields[name] = entry.fields[name]
    }
    return mapping.object(
      entity: entry.entity, fields, uid: entry.object.uid,
      created: nil, updated: entry.item?.updatedAt, changing: entry.object)
  }

  /// Whether the item was changed after the entry.
  private func isLater(_ item: Item, than object: CalendarObject) -> Bool {
    let stamp = (object.main["LAST-MODIFIED"] ?? object.main["DTSTAMP"])
      .flatMap { CalendarStamp($0.value) }
    guard let stamp, let own = item.updatedAt else { return false }
    return own > stamp.time.timestamp()
  }

  /// Merges by property, lists by element; of a property that both sides changed, the later value stays.
  private func merged(
    _ base: CalendarMapping.Fields, _ local: CalendarMapping.Fields,
    _ remote: CalendarMapping.Fields,
    isLocalLater: Bool
  ) -> (CalendarMapping.Fields, losses: [(name: String, lost: Value, kept: Value)]) {
    var fields = remote
    var losses: [(name: String, lost: Value, kept: Value)] = []
    for (name, theirs) in remote {
      guard let own = local[name], own != theirs, let old = base[name], own != old else { continue }
      if case .list(let own) = own, case .list(let theirs) = theirs, case .list(let old) = old {
        let added = own.filter { !old.contains($0) && !theirs.contains($0) }
        let removed = old.filter { !own.contains($0) }
        fields[name] = .list(theirs.filter { !removed.contains($0) } + added)
        continue
      }
      if theirs == old || isLocalLater { fields[name] = own }
      if theirs != old {
        losses.append((name, isLocalLater ? theirs : own, isLocalLater ? own : theirs))
      }
    }
    return (fields, losses)
  }

  /// The values without references to tasks that are not here.
  func known(_ fields: CalendarMapping.Fields) -> CalendarMapping.Fields {
    var fields = fields
    func isHere(_ value: Value) -> Bool {
      if case .string(let id) = value {
        (try? store.items.get("Task", uid: id)) != nil
      } else {
        false
      }
    }
    if let parent = fields["parent"], !isHere(parent) { fields["parent"] = .null }
    if case .list(let ids)? = fields["after"] { fields["after"] = .list(ids.filter(isHere)) }
    return fields
  }

  /// The values that the item of an entry must be given.
  private func changes(
    to entry: Entry, _ fields: CalendarMapping.Fields, ical: String?
  ) throws -> [(name: String, value: Value)] {
    let item = entry.item
    let table = try store.table(entry.entity)
    let old = item.map { known(mapping.fields(of: $0)) } ?? [:]
    var changed = fields.filter { old[$0.key] != $0.value && (item != nil || !$0.value.isNull) }
    if let ical, item?.field("ical") != .string(ical) { changed["ical"] = .string(ical) }
    var values = mapping.values(of: changed, in: table.schema)
    for name in ["parent", "after"] {
      guard let value = changed[name] else { continue }
      func task(_ id: Value) -> Value {
        guard case .string(let id) = id, let task = try? store.items.get("Task", uid: id) else {
          return .null
        }
        return .object(task)
      }
      if case .list(let ids) = value {
        values.append((name, .list(ids.map(task))))
      } else {
        values.append((name, task(value)))
      }
    }
    return values
  }

  private func apply(_ changes: [(name: String, value: Value)], to entry: Entry) throws {
    if let reference = entry.item?.reference {
      _ = try store.items.update(reference, set: changes, isMerged: true)
      return
    }
    _ = try store.items.create(
      NewItem(
        entry.entity, changes, uid: entry.uid), isMerged: true)
  }

  private func record(_ loss: (name: String, lost: Value, kept: Value), _ entry: Entry) throws {
    guard let uid = GlobalID(text: entry.uid) else { return }
    try store.hub.conflicts.record(
      entry.entity, uid, property: loss.name, lost: loss.lost,
      kept: loss.kept)
  }
}
