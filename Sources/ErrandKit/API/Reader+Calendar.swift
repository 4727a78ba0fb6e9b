import CEL
import Calendars
import Engine
import Items
import Program
import Store

extension Reader {
  /// The events, and the tasks that are open and due, as a calendar.
  ///
  /// - Throws: `store`, `busy`.
  package func calendar() throws(ErrandError) -> String {
    try reading { run in
      let mapping = CalendarMapping(
        zone: run.host.clock.zone, holidays: run.workspace.world.holidays() ?? .none)
      var zones: Set<String> = []
      var text = CalendarObject.beginning(name: "Errand")
      for (entity, _) in CalendarMapping.components {
        try run.store(for: entity).items.forEach(Query(entity)) { item in
          let isShown =
            entity == "Event" || item.field("done") != true && item.hasField("due")
          if isShown { text += mapping.object(of: item)?.text(declaring: &zones) ?? "" }
          return true
        }
      }
      return text + CalendarObject.ending
    }
  }
}
