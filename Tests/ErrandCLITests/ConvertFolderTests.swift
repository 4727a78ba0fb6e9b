import FoundationEssentials
import TestSupport
import Testing

/// `errand convert` into folders, and back.
@Suite struct ConvertFolderTests {
  private static let tea = ConvertTests.file([
    ("addnewevent", ConvertTests.text("WFCalendarItemTitle", "Tea")),
    ("showresult", ConvertTests.text("Text", "Tea")),
  ])

  private func content(_ path: String, _ sandbox: Sandbox) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(filePath: sandbox.path + "/" + path)), as: UTF8.self)
  }

  @Test func whatWasConvertedGoesBackAsItCame() throws {
    let sandbox = try Sandbox(["Tea.shortcut": Self.tea])
    #expect(try sandbox.run("convert", "Tea.shortcut", "-o", "in").status == 0)
    let back = try sandbox.run("convert", "in/tea.yaml", "--to", "shortcut", "-o", "out")
    #expect(back.status == 0 && !back.err.contains("cannot be said"), "\(back)")
    #expect(try content("out/tea.shortcut", sandbox) == Self.tea)
    let binary = try sandbox.run("convert", "in/tea.yaml", "--to", "shortcut", "--binary")
    #expect(binary.out.hasPrefix("bplist00"), "\(binary)")
  }

  /// A changed file is translated, and its comments keep the actions that are not here.
  @Test func aChangedFileKeepsWhatIsNotHere() throws {
    let sandbox = try Sandbox(["Tea.shortcut": Self.tea])
    #expect(try sandbox.run("convert", "Tea.shortcut", "-o", "in").status == 0)
    let text = try content("in/tea.yaml", sandbox).replacing("show: Tea", with: "show: Cake")
    try sandbox.write(text, to: "in/tea.yaml")
    let back = try sandbox.run("convert", "in/tea.yaml", "--to", "shortcut").out
    #expect(back.contains("is.workflow.actions.addnewevent"), "\(back)")
    #expect(back.contains("<key>WFCalendarItemTitle</key>"), "\(back)")
    #expect(back.contains("<string>Cake</string>"), "\(back)")
  }

  @Test func aFolderIsKeptInStep() throws {
    let sandbox = try Sandbox([
      "Tea.shortcut": Self.tea,
      "Day.shortcut": ConvertTests.file([("showresult", ConvertTests.text("Text", "1"))]),
    ])
    let first = try sandbox.run("convert", "--into", "lib", "Tea.shortcut", "Day.shortcut")
    #expect(first.status == 0, "\(first)")
    // The same again: names stay, and nothing is refused.
    let second = try sandbox.run(
      "convert", "--into", "lib", "--sync", "Tea.shortcut", "Day.shortcut")
    #expect(second.status == 0 && second.err.contains("Wrote lib/tea.yaml."), "\(second)")
    try sandbox.write(try content("lib/day.yaml", sandbox) + "# mine\n", to: "lib/day.yaml")
    let third = try sandbox.run("convert", "--into", "lib", "--sync", "Day.shortcut")
    #expect(third.err.contains("lib/day.yaml was changed, and stays as it is."), "\(third)")
    #expect(third.err.contains("Removed lib/tea.yaml."), "\(third)")
    #expect(throws: (any Error).self) { try content("lib/tea.yaml", sandbox) }
    #expect(try content("lib/day.yaml", sandbox).hasSuffix("# mine\n"))
    #expect(try sandbox.run("convert", "--sync", "Day.shortcut").status == 2)
  }

  @Test func aPictureIsAFileBeside() throws {
    let picture = "iVBORw0KGgoA" + String(repeating: "AAAA", count: 1_000)
    let sandbox = try Sandbox([
      "Icon.shortcut": ConvertTests.file([
        ("gettext", ConvertTests.text("WFTextActionText", picture)),
        ("base64encode", ConvertTests.text("WFEncodeMode", "Decode")),
        (
          "documentpicker.save",
          ConvertTests.text("WFFileDestinationPath", "icon.png")
            + "<key>WFAskWhereToSave</key><false/>"
        ),
      ])
    ])
    #expect(try sandbox.run("convert", "Icon.shortcut", "-o", "in").status == 0)
    let run = try sandbox.run("run", "in/icon.yaml", "--allow", "all")
    #expect(run.status == 0, "\(run)")
    let bytes = try Data(contentsOf: URL(filePath: sandbox.path + "/icon.png"))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count == 3_009)
  }

  @Test func anAddressIsFetchedOnlyIfItIsAllowed() throws {
    let run = try Sandbox().run("convert", "https://www.icloud.com/shortcuts/0f1e2d3c")
    #expect(
      run.status != 0 && run.err.contains("https://www.icloud.com/shortcuts/0f1e2d3c"), "\(run)")
  }

  @Test func whatIsReachedAndHiddenIsReported() throws {
    let sandbox = try Sandbox([
      "a.shortcut": ConvertTests.file([
        (
          "gettext",
          ConvertTests.text(
            "WFTextActionText", "IyEvYmluL3NoCmN1cmwgaHR0cHM6Ly9hLmV4YW1wbGUvIHwgc2gK")
        ), ("downloadurl", ConvertTests.text("WFURL", "https://b.example/x")),
      ])
    ])
    let report = try sandbox.run("convert", "--report", "a.shortcut").out
    #expect(report.contains("  reaches: http b.example\n"), "\(report)")
    #expect(report.contains("  names the servers: b.example\n"), "\(report)")
    #expect(report.contains("  1  hides a script in Base64\n"), "\(report)")
  }
}
