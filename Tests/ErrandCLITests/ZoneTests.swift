import FoundationEssentials
import TestSupport
import Testing

/// A `where` on days and hours means the same in SQL as item by item, in every zone.
@Suite struct ZoneTests {
  /// Steps of an hour and a half across both clock changes of the zones below, and the day Apia
  /// skipped.
  private static let beginnings = [
    1_325_116_800,  // 2011-12-29 00:00 UTC
    1_774_656_000,  // 2026-03-28
    1_775_260_800,  // 2026-04-04
    1_791_072_000,  // 2026-10-04
    1_792_800_000,  // 2026-10-24
    1_772_841_600,  // 2026-03-07
    1_793_404_800,  // 2026-10-31
  ]

  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC",
  ])
  func conditionsOfTimeAreThoseOfTheZone(_ zone: String) throws {
    let sandbox = try Sandbox([
      ".config/errand/moment.yaml": "entity: Moment\nproperties: {at: timestamp}\n"
    ])
    sandbox.environment["TZ"] = zone
    let lines = Self.beginnings.flatMap { beginning in
      (0..<36).map { step in
        let moment = Date(timeIntervalSince1970: Double(beginning + step * 5_400))
        return #"{"entity":"Moment","at":"\#(moment.formatted(.iso8601))"}"#
      }
    }
    let taken = try sandbox.run("import", "-", input: lines.joined(separator: "\n") + "\n")
    #expect(taken.out.hasPrefix("created \(lines.count)"), "\(taken)")
    for condition in [
      "#.getHours() == 2", "#.getDate() == 25", "#.getHours() == 1 && #.getMinutes() == 30",
      "#.getDayOfWeek() == 0", "#.startOf(\"day\") == date(\"2026-10-25\")",
      "#.addDays(1).getHours() != #.getHours()", "date(#) == date(\"2011-12-31\")",
      "# >= date(\"2026-04-05\") && # < date(\"2026-04-06\")", "#.getHours(\"UTC\") == 12",
    ] {
      try sandbox.write(
        """
        shortcut: compare
        steps:
          - find: {entity: Moment, sort: id}
            as: all
          - find: {entity: Moment, where: '\(condition.replacing("#", with: "at"))', sort: id}
            as: found
        output: '{{ found.map(t, t.id) == all.filter(t, \(condition.replacing("#", with: "t.at")))
          .map(t, t.id) }}'
        """, to: "compare.yaml")
      let run = try sandbox.run("run", "compare.yaml")
      #expect(run.out == "true\n" && run.status == 0, "\(condition) in \(zone): \(run)")
    }
  }

  /// What a dry run would set is shown as a day where the property is one.
  @Test(arguments: ["Europe/Berlin", "America/New_York"])
  func dryRunsShowDays(_ zone: String) throws {
    let sandbox = try Sandbox([
      "d.yaml": """
      shortcut: d
      steps:
        - create: {entity: Task, set: {title: x, due: '{{ date("2026-12-24") }}'}}
        - update: {item: '{{ it }}', set: {due: '{{ date("2026-12-25") }}'}}
        - update: {item: 'task:1', set: {due: 2026-12-26}}

      """
    ])
    sandbox.environment["TZ"] = zone
    let run = try sandbox.run("run", "d.yaml", "--dry-run")
    for day in 24...26 { #expect(run.err.contains("\"due\":\"2026-12-\(day)\""), "\(run)") }
  }
}
