import ErrandKit
import TestSupport
import Testing

@testable import ErrandCLI

/// The clipboard and browser of the person's desktop.
@Suite struct DesktopTests {
  private let url = "https://swift.org/?a=1&b=%20'\"$(x)"

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([
      "copy.yaml": "shortcut: copy-it\ninput: string\nsteps:\n  - copy: '{{ input }}'\n",
      "paste.yaml": "shortcut: paste-it\nsteps: [paste]\n",
    ])
    sandbox.environment["ERRAND_CLIPBOARD"] = nil
    // Nothing of the machine's own desktop is reachable.
    sandbox.environment["PATH"] = sandbox.path + "/bin:/usr/bin:/bin"
    return sandbox
  }

  /// Writes a program that writes its arguments to a file, one per line.
  private func recorder(_ file: String, status: Int = 0) -> String {
    "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/\(file)\"\nexit \(status)\n"
  }

  @Test(
    arguments: [
      ([:], [.programs]),
      (["ERRAND_CLIPBOARD": "/tmp/c", "DISPLAY": ":0"], [.file("/tmp/c")]),
    ] as [([String: String], [ExpectedPlace])])
  func theFileStandsBeforeAll(_ environment: [String: String], _ expected: [ExpectedPlace]) {
    let places = Clipboard.places { environment[$0] }
    for case .file(let path) in expected { #expect(places == [.file(path)]) }
    if environment.isEmpty { #expect(places.isEmpty) }
  }

  /// Place where copied text is expected.
  enum ExpectedPlace {
    case file(String)
    case programs
  }

  @Test func programsTakeAndGiveTheClipboard() throws {
    let sandbox = try sandbox()
    sandbox.environment["DISPLAY"] = ":77"
    try sandbox.write(
      "#!/bin/sh\nif [ \"$3\" = -o ]; then cat \"$HOME/held\"; else cat > \"$HOME/held\"; fi\n",
      to: "bin/xclip", isProgram: true)
    #expect(try sandbox.run("run", "./copy.yaml", "a 'b' $c").status == 0)
    #expect(sandbox.read("held") == "a 'b' $c")
    #expect(try sandbox.run("run", "./paste.yaml").out == "a 'b' $c\n")
  }

  @Test func failingClipboardProgramIsSkipped() throws {
    let sandbox = try sandbox()
    sandbox.environment["DISPLAY"] = ":77"
    try sandbox.write("#!/bin/sh\nexit 1\n", to: "bin/xclip", isProgram: true)
    try sandbox.write("#!/bin/sh\ncat > \"$HOME/held\"\n", to: "bin/xsel", isProgram: true)
    #expect(try sandbox.run("run", "./copy.yaml", "kept").status == 0)
    #expect(sandbox.read("held") == "kept")
  }

  /// A hanging program, or one whose child holds the pipe, is ended with all its children.
  @Test(arguments: ["sleep 1000 & wait", "sleep 1000 &"])
  func aClipboardProgramThatHangsIsEndedWithItsGroup(_ hangs: String) throws {
    let sandbox = try sandbox()
    sandbox.environment["DISPLAY"] = ":77"
    let xclip = "#!/bin/sh\nps -o sid= -p $$ > \"$HOME/session\"\n\(hangs)\n"
    try sandbox.write(xclip, to: "bin/xclip", isProgram: true)
    try sandbox.write("#!/bin/sh\necho other\n", to: "bin/xsel", isProgram: true)
    #expect(try sandbox.run("run", "./paste.yaml").out == "other\n\n")
    let session = try #require(sandbox.read("session")).filter { $0.isNumber }
    // A killed process is over once it is scheduled again.
    let ended = "[ $(ps -o stat= -s \(session) | grep -cv Z) = 0 ]"
    let wait = "for i in $(seq 600); do if \(ended); then echo ended; break; fi; sleep 0.1; done"
    #expect(try sandbox.shell(wait).out == "ended\n")
  }

  /// Another user of the file's folder cannot redirect a write through a link.
  @Test func noLinkBesideTheClipboardFileIsFollowed() throws {
    let sandbox = try Sandbox([
      "copy.yaml": "shortcut: copy-it\ninput: string\nsteps: [{copy: '{{ input }}'}]\n"
    ])
    sandbox.environment["ERRAND_CLIPBOARD"] = sandbox.path + "/shared/clip"
    try sandbox.write("precious", to: "mine")
    _ = try sandbox.shell("mkdir shared && ln -s ../mine shared/clip")
    #expect(try sandbox.run("run", "./copy.yaml", "text").status == 0)
    #expect(sandbox.read("mine") == "precious")
    #expect(sandbox.read("shared/clip") == "text")
    #expect(try sandbox.shell("ls shared").out == "clip\n")
  }

  @Test func withoutAClipboardTheTextIsKept() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run("run", "./copy.yaml", "kept")
    #expect(run.status == 0)
    let place = sandbox.path + "/.local/state/errand/clipboard"
    #expect(run.err == "errand: no clipboard found; the text is in \(place)\n")
    #expect(sandbox.read(".local/state/errand/clipboard") == "kept")
    #expect(try sandbox.run("run", "./paste.yaml").out == "kept\n")
  }

  @Test func theBrowserGetsTheURLAsOneWord() throws {
    let sandbox = try sandbox()
    try sandbox.write(recorder("opened"), to: "bin/show", isProgram: true)
    _ = try sandbox.run("save", url)
    for (browser, words) in [
      ("show", [url]), ("show --new %s --end", ["--new", url, "--end"]),
      ("absent:show -x", ["-x", url]),
    ] {
      sandbox.environment["BROWSER"] = browser
      try sandbox.write("", to: "opened")
      let run = try sandbox.run("open", url)
      #expect(run.status == 0, "\(run)")
      #expect(sandbox.read("opened") == words.map { $0 + "\n" }.joined(), "\(browser)")
    }
  }

  @Test func failingBrowserIsSkipped() throws {
    let sandbox = try sandbox()
    try sandbox.write(recorder("first", status: 3), to: "bin/first", isProgram: true)
    try sandbox.write(recorder("opened"), to: "bin/xdg-open", isProgram: true)
    sandbox.environment["BROWSER"] = "first"
    _ = try sandbox.run("save", "https://swift.org")
    #expect(try sandbox.run("open", "https://swift.org").status == 0)
    #expect(sandbox.read("first") == "https://swift.org\n")
    #expect(sandbox.read("opened") == "https://swift.org\n")
  }

  @Test func withoutABrowserTheURLIsSaid() throws {
    let sandbox = try sandbox()
    for name in ["xdg-open", "open"] {
      try sandbox.write("#!/bin/sh\nexit 4\n", to: "bin/" + name, isProgram: true)
    }
    _ = try sandbox.run("save", "https://swift.org")
    let run = try sandbox.run("open", "https://swift.org")
    #expect(run.err.contains("https://swift.org"))
    #expect(run.err.contains("No program here can open it"))
  }

  @Test func theLogIsKept() throws {
    let sandbox = try Sandbox(["l.yaml": "shortcut: l\nsteps:\n  - log: \"a\\nb\"\n  - log: c\n"])
    #expect(try sandbox.run("run", "./l.yaml").status == 0)
    let lines = (sandbox.read(".local/state/errand/errand.log") ?? "").split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) } == ["a b", "c"])
  }
}
