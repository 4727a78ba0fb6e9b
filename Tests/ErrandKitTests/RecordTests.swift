import ErrandKit
import Testing

/// Runs, jobs, shares and activities through the public API.
@Suite struct RecordTests {
  private let home: Home

  init() throws { home = try Home() }

  @Test func jobsAreListedCancelledAndRetried() throws {
    let errand = try home.open([
      "later.yaml": "intent: later\nsteps: [{enqueue: {name: note-it, key: one}}]",
      "note.yaml": "intent: note-it\nsteps: [{create: {entity: Note, set: {text: Done}}}]",
    ])
    _ = try errand.start("later").result()
    let reader = try errand.reader()
    let job = try #require(try reader.jobs(["waiting"]).first)
    #expect(job["name"] == "note-it")
    let number = try #require(job["job"]?.int)
    let writer = try errand.writer(as: "test")
    #expect(try writer.cancel(jobs: [number]).count == 1)
    #expect(try reader.jobs().first?["state"] == "cancelled")
    #expect(try reader.jobs(["waiting"]).isEmpty)
    #expect(try writer.retry(jobs: [number]).first?["state"] == "waiting")
    #expect(try reader.jobs(of: "nothing").isEmpty)
  }

  @Test func aValueIsWrittenAsJSON() throws {
    let value: JSONValue = ["b": [1, 1.5, true, nil], "a": "x\"\n"]
    #expect(try value.text() == #"{"a":"x\"\n","b":[1,1.5,true,null]}"#)
    #expect(try JSONValue(parsing: value.text()) == value)
    let deep = (0..<200).reduce(JSONValue.null) { inner, _ in [inner] }
    let error = #expect(throws: ErrandError.self) { try deep.text() }
    #expect(error?.code == "invalid-value")
  }

  @Test func takesSharesIn() throws {
    let errand = try home.open([
      "take.yaml": "intent: take\naccepts: {types: [text]}\nsteps: [{say: '{{ input.text }}'}]"
    ])
    let name = try errand.share([.text("owls")], from: "test", for: "take")
    let other = try errand.share([
      .url("https://swift.org"), .data([1, 2], name: "a", mediaType: nil),
    ])
    let reader = try errand.reader()
    #expect(try reader.shares().map { $0["share"]?.string } == [name, other])
    let writer = try errand.writer(as: "test")
    try writer.discard(share: other)
    #expect(throws: ErrandError.self) { try writer.discard(share: other) }
    #expect(try writer.takeInShares() == 1)
    #expect(try reader.shares().first?["state"] == "queued")
    #expect(try reader.jobs(of: "take").count == 1)
    for wrong in [[], [.url("no url")], [.file("/nowhere")]] as [[SharedItem]] {
      #expect(throws: ErrandError.self) { try errand.share(wrong) }
    }
  }

  @Test func followsActivities() throws {
    let errand = try home.open([
      "show.yaml": """
      intent: show-it
      steps: [{activity: {key: it, title: Working, progress: 0.5}}, {ask: Go on?}]
      """
    ])
    #expect(errand.activities.isEmpty)
    let run = try errand.start("show-it")
    var title: String?
    while run.state != .waiting, try run.next() != nil {}
    #expect(run.state == .waiting)
    guard run.state == .waiting else { return }
    try errand.followActivities { activities in
      title = activities.first?["title"]?.string
      return title == nil
    }
    #expect(title == "Working")
    run.cancel()
  }
}
