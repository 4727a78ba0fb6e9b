package import CEL
package import Items

/// Items as the values of objects, and back.
extension CalendarMapping {
  /// Returns the values of an item in the form of `fields(of:)` of an object.
  package func fields(of item: Item) -> Fields {
    var fields: Fields = [:]
    for property in item.schema.properties where property.name != "ical" {
      fields[property.name] = plain(item.field(property.name) ?? .null)
    }
    if fields["allDay"] == .bool(true) {
      for name in ["start", "end"] {
        if case .string(let text)? = fields[name], let moment = moment(text) {
          fields[name] = .string(zone.civilTime(at: moment).date.iso8601)
        }
      }
    } else if case .string(let text)? = fields["start"], CivilDate(iso8601: text) != nil {
      fields["allDay"] = .bool(item.entity == "Event")
    }
    // One day is written without its end, and a day has no zone.
    if fields["allDay"] == .bool(true) {
      if fields["end"] == fields["start"] { fields["end"] = .null }
      fields["zone"] = .null
    }
    return fields
  }

  private func plain(_ value: Value) -> Value {
    switch value {
    case .timestamp(let moment):
      .string(
        moment.isDay
          ? zone.civilTime(at: moment).date.iso8601 : Timestamp(seconds: moment.seconds).text)
    case .duration(let duration): .string(duration.text)
    case .object(let object): (object as? Item)?.uid.map(Value.string) ?? .null
    case .list(let values): .list(values.map(plain))
    case .string(let text) where text.isEmpty: .null
    default: value
    }
  }

  /// Returns the object of an item: what it came from with what has changed since, or a new one; nil for an
  /// item of another entity without a day.
  package func object(of item: Item, changing old: CalendarObject? = nil) -> CalendarObject? {
    var fields = fields(of: item)
    var entity = item.entity
    if !Self.components.contains(where: { $0.key == entity }) {
      entity = "Event"
      fields = eventFields(of: item, fields)
      if fields["start"]?.isNull ?? true { return nil }
    }
    var known = old
    if known == nil, case .string(let text)? = item.field("ical") {
      known = CalendarObject(ical: text)
    }
    return object(
      entity: entity, fields, uid: item.uid ?? "", created: item.createdAt,
      updated: item.updatedAt, changing: known)
  }

  /// The values of an item of another entity as those of an event on its day.
  private func eventFields(of item: Item, _ fields: Fields) -> Fields {
    func first(_ names: [String]) -> Value {
      names.lazy.compactMap { fields[$0] }.first { !$0.isNull } ?? .null
    }
    let texts = item.schema.properties.filter { $0.type == .string && !$0.isBody }.map(\.name)
    let title = first(["title", "name"] + texts)
    let start =
      item.schema.occurrence.flatMap { fields[item.schema.properties[$0.start].name] } ?? .null
    return [
      "title": title.isNull ? .string(item.entity) : title, "start": start,
      "notes": first(["notes", "summary", "description"]), "url": first(["url"]),
      "place": first(["place"]), "tags": fields["tags"] ?? .list([]),
    ]
  }

  /// Returns values of a component as those of an item; a reference is left out.
  package func values(of fields: Fields, in schema: EntitySchema) -> [(name: String, value: Value)]
  {
    schema.properties.compactMap { property in
      guard let value = fields[property.name] else { return nil }
      switch (property.type, value) {
      case (.when, .string(let text)):
        return moment(text).map { (property.name, .timestamp($0)) }
      case (.duration, .string(let text)):
        return DurationValue(text: text).map { (property.name, .duration($0)) }
      case (.entity, _), (.list(.entity), _): return nil
      default: return (property.name, value)
      }
    }
  }
}
