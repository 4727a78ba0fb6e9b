import ErrandKit

/// The pane of a day or a week: its events and the open tasks that are due then, overdue ones today.
struct CalendarPane: PagePart {
  let context: PageContext
  /// Whether it shows the week of the day.
  let isWeek: Bool
  /// The day of the path; by default today.
  private let day: Day
  private let now: Day
  /// The reference of the item beside it; nil for none.
  private let open: String?

  /// The path of the current week.
  static let today = "/week"

  /// The maximum number of events, and of tasks.
  private static let limit = 500

  /// Reads a path such as `/week` or `/day/2026-12-01`; nil for that of another page.
  init?(context: PageContext, path: [String], open: String? = nil) {
    guard let view = path.first, ["day", "week"].contains(view), path.count <= 2,
      let now = Day(context.today),
      let day = Errand.day(path.last == view ? now.text : path[1], adding: 0),
      let shown = Day(day), (2...9998).contains(shown.year)
    else { return nil }
    (self.context, self.open, self.now) = (context, open, now)
    (isWeek, self.day) = (view == "week", shown)
  }

  private var unit: String { isWeek ? "week" : "day" }

  /// The path of it.
  var place: String { "/\(unit)/\(day.text)" }

  /// The days that it shows; a week begins on Monday.
  private var days: [Day] {
    guard isWeek else { return [day] }
    return (0..<7).compactMap { moved($0 - day.daysSinceMonday) }
  }

  private func moved(_ days: Int) -> Day? {
    Errand.day(day.text, adding: days).flatMap { Day($0) }
  }

  /// The day, or the first and the last day of the week, in words.
  var title: String {
    guard isWeek, let first = days.first, let last = days.last else { return day.title }
    return "\(first.date) – \(last.date) \(last.year)"
  }

  func html() throws -> HTML {
    let days = days
    let entries = try entries(days)
    let isEmpty = entries.allSatisfy(\.isEmpty)
    let sections: [HTML] = zip(days, entries).map(section)
    let content: HTML =
      isEmpty
      ? Self.empty(
        "Nothing is planned.", icon: "calendar",
        next: "<a class=\"b\" href=\"\(adding(on: day))\">New event</a>")
      : "<div class=\"\(unit)\">\(sections)</div>"
    return """
      <div class="head">\(Self.sidebarLink)<h1>Calendar</h1><span class="grow"></span>\(pill())\
      <a class="ib" href="\(adding(on: day))" aria-label="New event" title="New event">\(HTML.icon("plus"))</a></div>
      \(tools(isEmpty: isEmpty))
      <div class="days in-pad" id="rows" data-list="\(place)">\(content)</div>
      """
  }

  /// The address of the form of a new event on a day.
  private func adding(on day: Day) -> String {
    "/run/add-event?start=\(day.text)&back=\(place.pathEncoded)"
  }

  /// The way to other days, and to the other view.
  private func tools(isEmpty: Bool) -> HTML {
    let mark = isEmpty && days.contains(now) ? badgeOfToday : nil
    let step = isWeek ? 7 : 1
    func link(_ days: Int, _ icon: String, _ word: String, key: String) -> HTML? {
      moved(days).map { day in
        """
        <a class="ib" href="/\(unit)/\(day.text)" aria-label="\(word) \(unit)" title="\(word) \(unit)" \
        aria-keyshortcuts="\(key)">\(HTML.icon(icon))</a>
        """
      }
    }
    let views: [HTML] = ["day", "week"].map { view in
      """
      <a href="/\(view)/\(day.text)" aria-keyshortcuts="\(view.prefix(1))"\
      \(view == unit ? " aria-current=\"true\"" : "" as HTML)>\(Self.sentenceCase(view))</a>
      """
    }
    return """
      <div class="line tools"><h2>\(title) \(mark)</h2><nav class="line no" aria-label="Days">\(link(-step, "left flip", "Previous", key: "h"))\
      <a class="b" href="/\(unit)" aria-keyshortcuts="t">Today</a>\(link(step, "right flip", "Next", key: "l"))</nav>\
      <nav class="segs" aria-label="View">\(views)</nav>\
      <form class="line no" action="/\(unit)"><label class="sr" for="day">Go to a day</label>\
      <input class="in" type="date" id="day" name="day" value="\(day.text)" required><button class="b">Go</button></form></div>
      """
  }

  private var badgeOfToday: HTML { "<span class=\"badge acc\">Today</span>" }

  private func section(_ day: Day, _ entries: [Entry]) -> HTML {
    let mark = day == now ? badgeOfToday : nil
    let rows = entries.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map(row)
    let content: HTML = rows.isEmpty ? "<p class=\"quiet small\">Nothing.</p>" : "<ul>\(rows)</ul>"
    let name = "\(day.weekday.prefix(3)) \(day.date)"
    return """
      <section aria-labelledby="d-\(day.text)"\(day == now ? " class=\"now\" aria-current=\"date\"" : "" as HTML)>\
      <div class="sec"><h2 id="d-\(day.text)"><a class="ink" href="/day/\(day.text)">\(name)</a></h2>\(mark)<span class="grow"></span>\
      <a class="ib" href="\(adding(on: day))" aria-label="New event on \(name)">\(HTML.icon("plus", isSmall: true))</a></div>\(content)</section>

      """
  }

  // MARK: Entries

  /// An event or a task on a day.
  private struct Entry {
    let item: ItemSnapshot
    /// The time on this day; nil for a task that is due on the day.
    let time: String?
    var isLate = false
    /// The place in the day: whole days, tasks without a time, then by time.
    let order: String
    let index: Int
  }

  /// The entries of each day.
  private func entries(_ days: [Day]) throws -> [[Entry]] {
    guard let first = days.first, let last = days.last else { return [] }
    let events = try reader.find(
      "Event", during: "\(first.text)/\(last.text)", limit: Self.limit)
    let tasks = try tasks(first, last)
    return days.map { day in
      events.enumerated().compactMap { entry(of: $1, at: $0, on: day) }
        + tasks.enumerated().compactMap { entry(ofTask: $1, at: $0, on: day) }
    }
  }

  /// The open tasks that are due on some days, and those that are overdue if one of them is today.
  private func tasks(_ first: Day, _ last: Day) throws -> [ItemSnapshot] {
    guard last >= now, let end = Errand.day(last.text, adding: 1) else { return [] }
    let start = first > now ? " && due >= date('\(first.text)')" : ""
    return try reader.find(
      "Task", where: "!done && due < date('\(end)')\(start)",
      sort: ["rank", "due", "priority", "-createdAt"], limit: Self.limit)
  }

  private func entry(of event: ItemSnapshot, at index: Int, on day: Day) -> Entry? {
    guard let start = event["start"]?.string.map(errand.localTime), let first = Day(start) else {
      return nil
    }
    let end = event["end"]?.string.map(errand.localTime) ?? start
    let from = event["allDay"] == true ? nil : Day.time(start)
    let until = Day.time(end)
    // What ends at midnight is not on the day that begins then.
    let endsAtMidnight = from != nil && until == "00:00" && end > start
    let endDay = endsAtMidnight ? Errand.day(end, adding: -1) : end
    let last = max(endDay.flatMap { Day($0) } ?? first, first)
    guard (first...last).contains(day) else { return nil }
    var time = "All day"
    if let from, day == first {
      time = last > first ? "From \(from)" : end > start ? "\(from)–\(until ?? from)" : from
    } else if from != nil, day == last, let until, !endsAtMidnight {
      time = "Until \(until)"
    }
    let order = time == "All day" ? "0" : day == first ? "2" + (from ?? "") : "2"
    return Entry(item: event, time: time, order: order, index: index)
  }

  private func entry(ofTask task: ItemSnapshot, at index: Int, on day: Day) -> Entry? {
    guard let due = due(of: task), let dueDay = Day(due), day == max(dueDay, now) else {
      return nil
    }
    let time = Day.time(due)
    guard dueDay == day else {
      return Entry(item: task, time: dueDay.due(from: now), isLate: true, order: "1", index: index)
    }
    return Entry(
      item: task, time: time, isLate: isOver(due), order: time.map { "2" + $0 } ?? "1", index: index
    )
  }

  private func row(_ entry: Entry) -> HTML {
    let item = entry.item
    let path = Self.path(item)
    let isOpen = item.reference == open
    let isTask = item.entity == "Task"
    let details = ["place", "calendar", "project"].compactMap { item[$0]?.string }
    let meta: HTML? =
      details.isEmpty
      ? nil : "<span class=\"meta\">\(details.map { "<bdi>\($0)</bdi>" as HTML })</span>"
    let time: HTML? = entry.time.map {
      "<span class=\"due\(entry.isLate ? " red" : "")\">\(entry.isLate ? HTML.icon("alert", isSmall: true) : nil)\($0)</span>"
    }
    return """
      <li class="todo entry\(isOpen ? " on" : "")" data-item="\(path)"><div class="line no">\(isTask ? circle(of: item, back: place) : nil)\(time)</div>\
      <div><a class="title ink" dir="auto" href="\(path)?list=\(place.pathEncoded)"\(isOpen ? " aria-current=\"true\"" : "" as HTML)>\
      \(item.shownTitle.prefix(300))</a>\(meta)</div></li>

      """
  }
}
