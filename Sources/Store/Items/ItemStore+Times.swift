import CEL
import Items

extension ItemStore {
  /// Checks changed times of an item that says when it takes place: it does not end before it starts, and its zone
  /// exists.
  ///
  /// - Throws: `invalidValue`.
  func expectTimes(_ stored: Record?, _ changed: Record, in table: EntityTable) throws {
    guard let places = table.schema.occurrence else { return }
    func isChanged(_ index: Int) -> Bool {
      stored.map { !isSame($0.values[index], changed.values[index]) } ?? true
    }
    func name(_ index: Int) -> String { "`\(table.schema.properties[index].name)`" }
    if let zone = places.zone, isChanged(zone), case .string(let text) = changed.values[zone],
      TimeZoneRules.named(text) == nil
    {
      let near = TimeZoneRules.nearestName(to: text).map { ": did you mean \($0)?" }
      throw StoreError(
        .invalidValue,
        "\(name(zone)): unknown time zone\(near ?? "; write a name such as Europe/Berlin")")
    }
    guard let last = places.end, isChanged(last) || isChanged(places.start),
      case .timestamp(let start) = changed.values[places.start],
      case .timestamp(let end) = changed.values[last],
      // A day ends at its end.
      end.seconds + (end.isDay ? 86_399 : 0) < start.seconds
    else { return }
    throw StoreError(
      .invalidValue,
      "\(name(last)): this \(table.name) would end before it starts: set it together with "
        + name(places.start))
  }

  /// Checks that an event is not put into a calendar that is only read, which would never get it.
  ///
  /// - Throws: `invalidValue`.
  func expectWritableCalendar(_ stored: Record?, _ changed: Record, in table: EntityTable) throws {
    guard table.name == "Event", let index = table.layout.index(of: "calendar"),
      case .string(let name) = changed.values[index],
      stored.map({ !isSame($0.values[index], changed.values[index]) }) ?? true,
      try database.calendars.all().contains(where: { $0.name == name && $0.isReadOnly })
    else { return }
    throw StoreError(
      .invalidValue,
      "`calendar`: \(name) is only read, so that it would not get this event: name another one")
  }
}
