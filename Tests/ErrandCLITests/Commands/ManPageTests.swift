import Glibc
import TestSupport
import Testing

@testable import ErrandCLI

/// The manual pages that `make install` installs.
struct ManPageTests {
  @Test(
    .enabled(if: access("/usr/bin/mandoc", X_OK) == 0, "mandoc is not installed"),
    arguments: ["errand.1", "errand-language.5"])
  func mandocHasNoWarnings(_ name: String) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell("errand __man \(name) > page && mandoc -T lint -W warning page")
    #expect(run == ProgramRun(out: "", err: ""))
  }

  @Test func explainsEveryCommandAndPage() throws {
    let text = ManPage.errand.text
    for command in CommandTable.all {
      #expect(text.contains("\nerrand \(command.name.replacing("-", with: "\\-"))"))
    }
    for page in GuidePage.all where !page.title.contains("`") {
      #expect(ManPage.language.text.contains(".SH \"\(page.title.replacing("-", with: "\\-"))"))
    }
  }
}
