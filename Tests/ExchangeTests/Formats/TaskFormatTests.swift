import CEL
import CSQLite
import ForeignText
import Glibc
import Testing

@testable import Exchange

/// Tasks of other programs.
@Suite struct TaskFormatTests {
  private func expect(
    _ text: String, name: String, is format: ImportFormat, _ items: [String],
    problems: [String] = [], zone: TimeZoneRules = .utc
  ) throws {
    let read = try ForeignItems.of(text, name: name, zone: zone)
    #expect(read.format == format)
    #expect(read.items == items)
    #expect(read.problems == problems)
  }

  @Test func todoTextHasDatesPrioritiesAndRules() throws {
    try expect(
      """
      (A) 2026-01-02 Call Mom +Family @phone due:2026-01-10 t:2026-01-05 rec:+1w
      x 2026-01-03 2026-01-01 Pay rent @money pri:B

      Water rec:3d +Home +Garden
      """, name: "todo.txt", is: .todotxt,
      [
        #"{"entity":"Task","title":"Call Mom","due":"2026-01-10","start":"2026-01-05","priority":"high","project":"Family","tags":["phone"],"repeat":"every week","createdAt":"2026-01-02"}"#,
        #"{"entity":"Task","title":"Pay rent","done":true,"priority":"medium","tags":["money"],"createdAt":"2026-01-01","updatedAt":"2026-01-03"}"#,
        #"{"entity":"Task","title":"Water","project":"Home","tags":["Garden"],"repeat":"3d after done"}"#,
      ])
  }

  @Test func todoTextKeepsWordsThatAreNoMarks() throws {
    try expect(
      """
      (D) Thank @mom for the +garden gloves
      x Read https://example.org/a key:value due:soon
      """, name: "list.txt", is: .todotxt,
      [
        #"{"entity":"Task","title":"Thank @mom for the +garden gloves","priority":"low","project":"garden","tags":["mom"]}"#,
        #"{"entity":"Task","title":"Read https://example.org/a key:value due:soon","done":true}"#,
      ], problems: ["1: priority (D) is read as low"])
  }

  @Test func equalLinesOfTodoTextAreTwoTasksAndTheSameWhenReadAgain() throws {
    let text = "2026-01-02 Call\n2026-01-02 Call\nx 2026-01-03 2026-01-02 Call\n"
    func ids(_ text: String) throws -> [Value?] {
      TodoTextRecords.records(ByteWindow(bytes: Array(text.utf8))).map {
        if case .item(.map(let map)) = $0.content { map["uid"] } else { nil }
      }
    }
    let found = try ids(text)
    #expect(Set(found).count == 3)
    #expect(try ids("x 2026-02-01 2026-01-02 Call @late\n") == [found[0]])
  }

  @Test func listsOfAddressesAreNotTasks() throws {
    #expect(try ForeignItems.of("https://example.org/x A\n", name: "l.txt").format == .urls)
  }

  private static let export = #"""
    [
    {"id":1,"description":"Pay rent","due":"20260101T230000Z","entry":"20251201T080000Z","modified":"20251202T080000Z","status":"pending","tags":["money"],"uuid":"11111111-2222-3333-4444-555555555555","priority":"H","project":"Home.Bills","urgency":9.5,"annotations":[{"entry":"20251202T080000Z","description":"call the bank"}],"depends":["11111111-2222-3333-4444-555555555556"],"size":"XL"},
    {"id":0,"description":"Get money","entry":"20251201T080000Z","status":"completed","end":"20251205T100000Z","uuid":"11111111-2222-3333-4444-555555555556"},
    {"id":2,"description":"Water","entry":"20251201T080000Z","status":"recurring","recur":"weekly","due":"20260105T000000Z","uuid":"21111111-2222-3333-4444-555555555556"},
    {"id":3,"description":"Water","entry":"20251201T080000Z","status":"pending","recur":"weekly","parent":"21111111-2222-3333-4444-555555555556","imask":0,"due":"20260105T000000Z","uuid":"31111111-2222-3333-4444-555555555556"},
    {"id":4,"description":"Water","entry":"20251201T080000Z","status":"waiting","wait":"20260111T000000Z","recur":"weekly","parent":"21111111-2222-3333-4444-555555555556","imask":1,"due":"20260112T000000Z","uuid":"41111111-2222-3333-4444-555555555556"},
    {"id":0,"description":"Gone","entry":"20251201T080000Z","status":"deleted","uuid":"51111111-2222-3333-4444-555555555556"}
    ]
    """#

  @Test func taskwarriorsExportHasSeriesAndDependences() throws {
    try expect(
      Self.export, name: "t.json", is: .taskwarrior,
      [
        #"{"entity":"Task","title":"Pay rent","notes":"call the bank","due":"2026-01-01T23:00:00Z","priority":"high","project":"Home.Bills","tags":["money"],"createdAt":"2025-12-01T08:00:00Z","updatedAt":"2025-12-02T08:00:00Z","after":["Get money"]}"#,
        #"{"entity":"Task","title":"Get money","done":true,"createdAt":"2025-12-01T08:00:00Z","updatedAt":"2025-12-05T10:00:00Z"}"#,
        #"{"entity":"Task","title":"Water","due":"2026-01-05","createdAt":"2025-12-01T08:00:00Z"}"#,
        #"{"entity":"Task","title":"Water","due":"2026-01-12","start":"2026-01-11","repeat":"every week","createdAt":"2025-12-01T08:00:00Z"}"#,
      ],
      problems: [
        "2: left out: the member `size`",
        "4: left out: the template of a series, whose tasks are read: “Water”",
        "7: left out: a deleted task: “Gone”",
      ])
  }

  @Test func midnightOfThePersonIsADay() throws {
    let zone = try #require(TimeZoneRules.named("Europe/Berlin"))
    let read = try ForeignItems.of(Self.export, name: "t.json", zone: zone)
    #expect(read.items[0].contains(#""due":"2026-01-02","#))
    #expect(read.items[2].contains(#""due":"2026-01-05T00:00:00Z","#))
  }

  @Test(arguments: [
    ("daily", "every day"), ("weekdays", "every weekday"), ("2wks", "every 2 weeks"),
    ("3 days", "every 3 days"), ("P1M", "every month"), ("quarterly", "every 3 months"),
    ("yearly", "every year"),
  ])
  func taskwarriorsRules(_ written: String, _ rule: String) throws {
    let text =
      #"{"uuid":"a","description":"A","entry":"20251201T080000Z","status":"pending","recur":"\#(written)"}"#
    #expect(
      try ForeignItems.of(text).items == [
        #"{"entity":"Task","title":"A","repeat":"\#(rule)","createdAt":"2025-12-01T08:00:00Z"}"#
      ])
  }

  @Test func rulesThatAreNotUnderstoodAreNamed() throws {
    let text =
      #"{"uuid":"a","description":"A","entry":"x","status":"pending","recur":"hourly"}"#
    let read = try ForeignItems.of(text)
    #expect(read.items == [#"{"entity":"Task","title":"A"}"#])
    #expect(
      read.problems == [
        "1: “x” is not a date",
        "1: the rule “hourly” is not understood and was left out",
      ])
  }

  @Test func taskwarriorsFilesAndDatabaseHoldTheSame() throws {
    let line =
      #"[annotation_1764662400:"call the &dquot;bank&dquot;" depends:"b" dep_b:"x" description:"Pay &open;rent&close; \"now\"" due:"1767308400" entry:"1764576000" priority:"L" status:"pending" tags:"money,home" tags_money:"x" uuid:"a"]"#
    let item =
      #"{"entity":"Task","title":"Pay [rent] \"now\"","notes":"call the \"bank\"","due":"2026-01-01T23:00:00Z","priority":"low","tags":["money","home"],"createdAt":"2025-12-01T08:00:00Z","after":["Next"]}"#
    let next =
      #"[description:"Next" entry:"1764576000" status:"completed" uuid:"b"]"#
    let done =
      #"{"entity":"Task","title":"Next","done":true,"createdAt":"2025-12-01T08:00:00Z"}"#
    try expect(line + "\n" + next + "\n", name: "pending.data", is: .taskwarrior, [item, done])

    let path = "/tmp/errand-tasks-\(UInt64.random(in: 0 ... .max)).sqlite3"
    defer { unlink(path) }
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    let rows = [
      (
        "a",
        #"{"annotation_1764662400":"call the \"bank\"","dep_b":"","description":"Pay [rent] \"now\"","due":"1767308400","entry":"1764576000","priority":"L","status":"pending","tag_money":"","tag_home":""}"#
      ),
      ("b", #"{"description":"Next","entry":"1764576000","status":"completed"}"#),
    ]
    sqlite3_exec(handle, "CREATE TABLE tasks (uuid STRING PRIMARY KEY, data STRING)", nil, nil, nil)
    for (id, data) in rows {
      sqlite3_exec(handle, "INSERT INTO tasks VALUES ('\(id)', '\(data)')", nil, nil, nil)
    }
    sqlite3_close(handle)
    let bytes = try #require(Self.bytes(path))
    let read = try ForeignItems.of(bytes, path: path)
    #expect(read == ForeignItems(format: .taskwarrior, items: [item, done]))
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  @Test func todoistsTablesHaveSectionsSubtasksAndComments() throws {
    try expect(
      """
      TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT
      meta,view_style=list,,,,,,,,,,
      section,Errands,,,,,,,,,,
      task,Buy bread @shop,the dark one,1,1,Ada (1),Bob,2026-01-10,en,Europe/Berlin,30,minute
      task,Ask the baker,,4,2,Ada (1),,every monday at 9,en,Europe/Berlin,,
      note,She is nice,,,,Ada (1),,,,,,
      ,,,,,,,,,,,
      task,Water,,2,1,Ada (1),,every! 3 days,en,,,
      task,Meet,,3,1,Ada (1),,next week,en,,,
      """, name: "backup/Work [123].csv", is: .todoist,
      [
        #"{"entity":"Task","title":"Buy bread","notes":"the dark one","due":"2026-01-10","priority":"high","project":"Work","tags":["shop","Errands"],"estimate":"1800s"}"#,
        #"{"entity":"Task","title":"Ask the baker","notes":"She is nice","project":"Work","tags":["Errands"],"repeat":"every monday","parent":"Buy bread"}"#,
        #"{"entity":"Task","title":"Water","priority":"medium","project":"Work","tags":["Errands"],"repeat":"3d after done"}"#,
        #"{"entity":"Task","title":"Meet","priority":"low","project":"Work","tags":["Errands"]}"#,
      ],
      problems: [
        "4: left out: the member `responsible`", "5: “at 9” of its rule was left out",
        "9: “next week” is not a date and was left out",
      ])
  }

  @Test func googleTasksAreDaysWithParents() throws {
    try expect(
      #"""
      {"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","id":"L","title":"My Tasks","items":[
      {"id":"a","title":"Parent","status":"needsAction","due":"2026-01-10T00:00:00Z","created":"2026-01-01T10:00:00.000Z","updated":"2026-01-01T10:00:00Z","notes":"with milk","starred":true},
      {"id":"b","title":"Child","status":"completed","parent":"a","completed":"2026-01-02T10:00:00Z","color":"red"},
      {"id":"c","title":"Gone","deleted":true}]}]}
      """#, name: "Tasks.json", is: .googletasks,
      [
        #"{"entity":"Task","title":"Parent","notes":"with milk","due":"2026-01-10","project":"My Tasks","pinned":true,"createdAt":"2026-01-01T10:00:00Z","updatedAt":"2026-01-01T10:00:00Z"}"#,
        #"{"entity":"Task","title":"Child","done":true,"project":"My Tasks","updatedAt":"2026-01-02T10:00:00Z","parent":"Parent"}"#,
      ],
      problems: [
        "1: left out: the member `items.color`", "3: left out: a deleted task: “Gone”",
      ])
  }
}
