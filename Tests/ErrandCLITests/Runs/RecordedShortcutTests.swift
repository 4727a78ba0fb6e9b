import TestSupport
import Testing

/// `errand runs --as shortcut`.
@Suite struct RecordedShortcutTests {
  @Test func makesStepsOfRuns() throws {
    let sandbox = try Sandbox([:])
    _ = try sandbox.run("save", "https://b.example", "--tags", "x,z", "--title", "It's: #1")
    _ = try sandbox.run("add-task", "Call", "Ada", "--due", "2026-11-24")
    _ = try sandbox.run("toggle-task", "task:1")
    _ = try sandbox.run("favourite", "link:1")
    let made = try sandbox.run("runs", "--as", "shortcut", "1", "2", "3", "4")
    #expect(
      made.out == """
        shortcut: runs-1-2-3-4
        parameters:
          url: {type: url, description: 'The URL, http or https.', default: 'https://b.example'}
          title: {type: string?, description: A title; the default is the URL., default: "It's: #1"}
          tags: {type: list<string>, description: 'Tags, separated by commas.', default: [x, z]}
          title2: {type: string, minLength: 1, description: What is to be done., default: Call Ada}
          due: {type: when?, description: 'Due day or time, such as `tomorrow`, `friday 17:00`, `+3d` or `2026-11-20`.', default: '2026-11-24'}
        steps:
          - save: {url: '{{ url }}', title: '{{ title }}', tags: '{{ tags }}'}
            as: save
          - add-task: {title: '{{ title2 }}', due: '{{ due }}'}
            as: addTask
          - toggle-task: {task: '{{ addTask }}'}
          - favourite: {link: '{{ save }}'}

        """)
    let other = try Sandbox(["again.yaml": made.out])
    let check = try other.run("check", "again.yaml")
    #expect(check.err == "1 definition: nothing found.\n", "\(check.out)")
    #expect(try other.run("run", "again.yaml").status == 0)
    let done = ["find", "task", "--where", "self.done && self.due == date('2026-11-24')"]
    #expect(try other.run(done).out == "Call Ada\n")
    let kept = ["find", "link", "--where", "self.favourite && self.tags == ['x', 'z']"]
    #expect(try other.run(kept).out == "https://b.example\n")
  }

  @Test func saysWhatItCannotDo() throws {
    let sandbox = try Sandbox([:])
    func error(_ words: String...) throws -> String { try sandbox.run(["runs"] + words).err }
    #expect(try error("--as", "shortcut").contains("--as shortcut takes numbers of runs"))
    #expect(try error("--as", "shortcut", "7").contains("there is no run 7"))
    #expect(try error("--as", "list", "7").contains("--as takes `shortcut`"))
    #expect(try error("7").contains("`runs` takes no words"))
  }
}
