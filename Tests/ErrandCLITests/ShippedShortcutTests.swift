import FoundationEssentials
import TestSupport
import Testing

/// The shipped shortcuts that use programs and files, with stand-in programs.
@Suite struct ShippedShortcutTests {
  @Test func pomodoroTellsEachBeginning() throws {
    let run = try Sandbox().terminal(
      "pomodoro", "Write", "--rounds", "2", "--work", "1ms", "--rest", "1ms", columns: 100)
    #expect(try run.finish() == 0)
    let lines = run.text.split(separator: "\n").map {
      $0.prefix { !$0.isNumber || $0 == "1" || $0 == "2" }
    }
    #expect(lines.count == 4)
    #expect(run.text.contains("Round 1 of 2: Write until "))
    #expect(run.text.contains("Take a break: Until "))
    #expect(run.text.contains("Round 2 of 2: Write until "))
    #expect(run.text.contains("Well done: All rounds are over."))
  }

  @Test func backupsAreCheckedOnAllHosts() throws {
    let sandbox = try Sandbox()
    // The other hosts are folders here; one does not answer.
    try sandbox.write(
      """
      #!/bin/sh
      while [ "$1" != -- ]; do shift; done
      host=$2
      [ "$host" = down ] && { echo "ssh: no route to host" >&2; exit 255; }
      cd "$HOME/hosts/$host" && exec sh -c "$3"

      """, to: "bin/ssh", isProgram: true)
    try sandbox.write("x", to: "hosts/fresh/it's here/a")
    try sandbox.write("x", to: "hosts/old/it's here/a")
    try FileManager.default.createDirectory(
      atPath: sandbox.path + "/hosts/none/it's here", withIntermediateDirectories: true)
    _ = try sandbox.shell("touch -d '10 days ago' \"hosts/old/it's here/a\"")
    let good = try sandbox.run("check-backups", "fresh", "--folder", "it's here")
    #expect(good.status == 0)
    #expect(good.err.hasSuffix("All backups are fresh.\n"))
    let bad = try sandbox.run(
      "check-backups", "fresh", "old", "none", "down", "--folder", "it's here")
    #expect(bad.status == 1)
    #expect(bad.err.contains("No fresh backup: old, none, down"))
    let told = bad.out + bad.err
    #expect(told.contains("The latest is from 1 week ago."))
    #expect(told.contains("There is no backup."))
    #expect(told.contains("no route to host"))
  }

  @Test func filesAreRenamedAfterALook() throws {
    let sandbox = try Sandbox(["p/IMG_1.jpg": "1", "p/IMG_2.jpg": "2", "p/note.txt": "n"])
    let words = ["rename-files", "p", "--pattern", #"IMG_([0-9]+)"#, "--by", #"beach-\1"#]
    #expect(try sandbox.run(words).status == 3)
    #expect(sandbox.read("p/IMG_1.jpg") == "1")
    let run = try sandbox.run(words + ["--yes"])
    #expect(run.status == 0)
    #expect(run.err.hasSuffix("Renamed 2 files.\n"))
    #expect(sandbox.read("p/beach-1.jpg") == "1")
    #expect(sandbox.read("p/beach-2.jpg") == "2")
    #expect(sandbox.read("p/note.txt") == "n")
    #expect(try sandbox.run(words + ["--yes"]).err == "No name would change.\n")
    let same = try sandbox.run("rename-files", "p", "--pattern", "[12]", "--by", "x", "--yes")
    #expect(same.err.contains("Two files would get the same name."))
    #expect(sandbox.read("p/beach-1.jpg") == "1")
  }

  @Test func namesAreSwappedAndTakenBack() throws {
    let sandbox = try Sandbox(["p/ab": "1", "p/ba": "2", "p/c": "3"])
    let run = try sandbox.run(
      "rename-files", "p", "--pattern", "^(.)(.)$", "--by", #"\2\1"#, "--yes")
    #expect(run.status == 0, "\(run)")
    #expect(run.err.contains("that file is renamed, too"))
    #expect(sandbox.read("p/ab") == "2")
    #expect(sandbox.read("p/ba") == "1")
    #expect(try sandbox.run("undo").status == 0)
    #expect(sandbox.read("p/ab") == "1")
    #expect(sandbox.read("p/ba") == "2")
    let taken = try sandbox.run(
      "rename-files", "p", "--pattern", "^c$", "--by", "ab", "--only", "c", "--yes")
    #expect(taken.status == 1)
    #expect(taken.err.contains("already exists"))
    #expect(taken.err.contains("nothing was renamed"))
    #expect(sandbox.read("p/c") == "3")
    #expect(sandbox.read("p/ab") == "1")
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "git is not here"))
  func repositoriesAreFetchedAndShown() throws {
    let sandbox = try Sandbox()
    let made = try sandbox.shell(
      """
      set -e
      export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
      git init -q --bare origin.git
      for name in clean ahead; do
        git clone -q origin.git src/$name 2>/dev/null
      done
      cd src/clean; git commit -q --allow-empty -m one; git push -q origin HEAD; cd ../ahead
      git pull -q origin; git commit -q --allow-empty -m two; echo x > new
      cd ..; git init -q alone; git -C alone remote add origin /no/such/repository
      """)
    #expect(made.status == 0, "\(made)")
    let run = try sandbox.run("fetch-repositories", "src")
    #expect(run.status == 0, "\(run)")
    #expect(run.err.hasSuffix("Fetched 2 of 3 repositories, 2 to look at.\n"))
    let told = run.out + run.err
    #expect(told.contains("./ahead"))
    #expect(told.contains("./alone"))
    #expect(!told.contains("./clean"))
  }

  @Test func theReportIsMarkdown() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    _ = try sandbox.run("add-note", "A thought")
    _ = try sandbox.run("add-task", "Write")
    _ = try sandbox.run("add-task", "Read")
    _ = try sandbox.run("toggle-task", "Write")
    let run = try sandbox.run("weekly-report")
    #expect(run.status == 0, "\(run)")
    for line in [
      "## Done (1)", "- [x] Write", "- [ ] Read", "- [Swift](https://swift.org)", "- A thought",
    ] {
      #expect(run.out.contains(line + "\n"), "\(line)")
    }
    let written = try sandbox.run("weekly-report", "--to", "report.md")
    #expect(written.err == "Wrote report.md.\n")
    #expect(sandbox.read("report.md") == run.out)
    #expect(try sandbox.run("weekly-report", "--ago", "2").out.contains("## Saved (0)"))
  }

  @Test func numbersAreTakenOnce() throws {
    let sandbox = try Sandbox()
    // Several at the same time.
    let run = try sandbox.shell(
      "for n in 1 2 3 4 5 6; do errand invoice-number --quiet > out$n & done; wait; cat out*")
    let numbers = run.out.split(separator: "\n").map { $0.split(separator: "-").last ?? "" }
    #expect(numbers.sorted() == (1...6).map { "000\($0)" })
    let other = try sandbox.run("invoice-number", "--series", "offer", "--quiet").out
    #expect(other.hasSuffix("-0001\n"))
    #expect(sandbox.read("clipboard").map { $0 + "\n" } == other)
  }
}
