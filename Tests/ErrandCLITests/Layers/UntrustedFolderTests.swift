import Glibc
import TestSupport
import Testing

/// Cost and output of a folder that came with a clone or was put there by anyone.
@Suite struct UntrustedFolderTests {
  private let hello = "shortcut: hello\nsteps: [{say: Hello}]\n"

  /// Messages about a folder before it is trusted.
  private func untrusted(_ path: String) -> String {
    "errand: \(path) is not trusted and was not loaded; look at it, then run `errand trust`\n"
  }

  @Test func linksToFoldersAreNotFollowed() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    let links = "for i in 0 1 2 3 4 5 6 7 8 9; do ln -s . l$i; done"
    let run = try sandbox.shell(
      "cd p/.errand && \(links) && cd .. && errand trust && errand call hello")
    #expect(run == ProgramRun(err: "Trusted \(sandbox.path)/p/.errand (1 file).\nHello\n"))
  }

  @Test func linkedFolderIsIgnored() throws {
    let sandbox = try Sandbox(["elsewhere/a.yaml": hello])
    let run = try sandbox.shell("mkdir p && ln -s ../elsewhere p/.errand && cd p && errand hello")
    #expect(run.status == 2, "\(run)")
    #expect(run.err.hasPrefix("errand: error: unknown command `hello` [usage]\n"), "\(run)")
    let trust = try sandbox.run("trust", "p")
    #expect(
      trust.err == """
        errand: error: \(sandbox.path)/p has no .errand folder [usage]
          help: links to folders are not followed

        """)
  }

  /// Nothing is read before the folder is trusted; then it is rejected as a whole.
  @Test func manyLargeFilesCostNothing() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    _ = try sandbox.shell("cd p/.errand && for i in $(seq 40); do truncate -s 4M $i.yaml; done")
    let folder = sandbox.path + "/p/.errand"
    #expect(
      try sandbox.shell("cd p && errand version; errand list > /dev/null").err == untrusted(folder))
    #expect(
      try sandbox.run("trust", "p")
        == ProgramRun(
          err: """
            errand: error: \(folder) has more than 8 MiB of YAML files, so nothing in it was loaded [folder-too-large]
              help: keep definitions in a folder of their own

            """, status: 2))
  }

  @Test func foldersAreLookedAtInBounds() throws {
    let sandbox = try Sandbox([".config/errand/1/2/3/4/5/6/a.yaml": hello])
    let deep =
      "errand: \(sandbox.path)/.config/errand has folders more than 6 levels deep, so nothing in it was loaded\n"
    #expect(try sandbox.shell("errand list > /dev/null").err == deep)
    let many = try Sandbox()
    _ = try many.shell("mkdir c && cd c && seq 20001 | xargs touch && touch a.yaml")
    let run = try many.run("--catalog", "c", "list")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: c has more than 20000 files and folders, so nothing in it was loaded [folder-too-large]
              help: keep definitions in a folder of their own

            """, status: 2))
    _ = try many.shell("rm -r c && mkdir c && cd c && seq -f %g.yaml 5001 | xargs touch")
    #expect(
      try many.run("--catalog", "c", "list").err.hasPrefix(
        "errand: error: c has more than 5000 YAML files, so nothing in it was loaded"))
  }

  @Test func theWholeFileSystemIsNoCatalog() throws {
    let run = try Sandbox().run("--catalog", "/", "list")
    #expect(run.status == 2, "\(run)")
    #expect(run.out == "")
    #expect(run.err.contains("[folder-too-large]"), "\(run)")
  }

  @Test func foldersWritableByOthersAreReported() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    let folder = sandbox.path + "/p/.errand"
    let run = try sandbox.shell(
      "chmod o+w p/.errand && cd p && errand list > /dev/null; errand trust")
    #expect(
      run.err == """
        errand: \(folder) is not trusted and was not loaded; it can be written by others; look at it, then run `errand trust`
        errand: \(folder) can be written by others
        Trusted \(folder) (1 file).

        """)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func folderOfAnotherUserIsReported() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    let folder = sandbox.path + "/p/.errand"
    let run = try sandbox.shell(
      "chown 4711 p/.errand && cd p && errand list > /dev/null; errand trust")
    #expect(
      run.err == """
        errand: \(folder) is not trusted and was not loaded; it belongs to another user (uid 4711); look at it, then run `errand trust`
        errand: \(folder) belongs to another user (uid 4711)
        Trusted \(folder) (1 file).

        """)
  }

  /// A file inside counts as much as the folder.
  @Test func fileWritableByOthersIsReported() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    let run = try sandbox.shell("chmod o+w p/.errand/a.yaml && errand trust p")
    #expect(
      run.err.hasPrefix("errand: \(sandbox.path)/p/.errand can be written by others\n"), "\(run)")
  }

  @Test func linksToFilesAreReadOnlyInOnesOwnFolder() throws {
    let sandbox = try Sandbox([
      "dotfiles/hello.yaml": hello, "p/.errand/b.yaml": "shortcut: bye\nsteps: [{say: Bye}]\n",
    ])
    _ = try sandbox.shell(
      "mkdir -p .config/errand && ln -s ../../dotfiles/hello.yaml .config/errand")
    #expect(try sandbox.run("call", "hello") == ProgramRun(err: "Hello\n"))
    let run = try sandbox.shell(
      "rm -r .config && ln -s ../../dotfiles/hello.yaml p/.errand && cd p && errand trust && errand call hello"
    )
    #expect(run.err.hasPrefix("Trusted \(sandbox.path)/p/.errand (1 file).\n"), "\(run)")
    #expect(run.status == 2)
  }
}
