import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Runs the installation and packaging scripts.
@Suite struct ScriptTests {
  @Test func theDemoRunsToItsEnd() throws {
    let sandbox = try Sandbox()
    sandbox.environment["ERRAND_BIN"] = Sandbox.products
    let run = try sandbox.shell("sh '\(Page.root)/scripts/demo' 2>&1")
    #expect(run.status == 0)
    for part in [
      "link:1", "1 test passed.", "RE2 is on your list for ", "did you mean `tags`?", "3 errors",
      "automation=books", "Read The Rust book",
    ] {
      #expect(run.out.contains(part), "\(part) is missing in:\n\(run.out)")
    }
  }

  /// Stand-ins for the programs; stripping them takes no time.
  private func packed(in sandbox: Sandbox) throws -> ProgramRun {
    try sandbox.shell(
      """
      mkdir programs
      cp /usr/bin/echo programs/errand && cp /usr/bin/echo programs/errand-net || exit
      for to in one two; do
        SOURCE_DATE_EPOCH=1790000000 sh '\(Page.root)/scripts/dist' \\
          --from "$PWD/programs" --to "$PWD/$to" >$to.sums || exit
        sleep 1
      done
      cmp one.sums two.sums && (cd two && sha256sum --quiet -c SHA256SUMS) || exit
      tar -tzf two/errand-*.tar.gz | sed 's/[^/]*//' | grep -v /docs/
      dpkg-deb -c two/errand_*.deb | awk '{ print $1, $2, $4, $5, $6 }' | grep bin/
      dpkg-deb -f two/errand_*.deb Package Depends
      """)
  }

  @Test(
    .enabled(
      if: access("/usr/bin/dpkg-shlibdeps", X_OK) == 0, "dpkg-dev is not installed"))
  func packagesAreTheSameEachTime() throws {
    let run = try packed(in: Sandbox())
    #expect(run.err == "")
    #expect(run.status == 0)
    for part in [
      "/bin/errand\n", "/bin/errand-net\n", "/share/doc/errand/language.md\n",
      "-rwxr-xr-x root/root 2026-09-21 14:13 ./usr/bin/errand\n", "Package: errand\n",
      "Depends: libc6 ", "tzdata",
    ] {
      #expect(run.out.contains(part), "\(part) is missing in:\n\(run.out)")
    }
  }

  @Test func packingWithoutABuildSaysWhatToDo() throws {
    let run = try Sandbox().shell("sh '\(Page.root)/scripts/dist' --from /nonexistent")
    #expect(
      run
        == ProgramRun(
          out: "", err: "dist: /nonexistent/errand is missing; run make first\n", status: 1))
  }
}
