import Engine
import ErrandKit
import Glibc
import POSIX
import Source

/// `errand desktop`: entries of the desktop's menus and file managers, and a menu of all that can be
/// done.
enum DesktopCommand {
  static let command = Command(
    "desktop", "add Errand to the menus of your desktop", usage: "install|remove|menu",
    discussion: """
      `install` writes an application entry with actions, the handler of errand: addresses, and \
      “Send to Errand” for the file managers Nautilus, Nemo, Caja, Dolphin and Thunar; `remove` \
      removes it all. `menu` shows items, intents and shortcuts in rofi, fuzzel, wofi, dmenu or \
      bemenu, and does what was chosen. With `--worker`, `install` has the desktop start a worker, \
      where `errand worker install` cannot, as without systemd.
      """,
    flags: [Flag("worker", .toggle, "with install: start a worker with the desktop")],
    serves: []
  ) { invocation, arguments in
    if arguments.isOn("worker"), arguments.words.first != "install" {
      throw UsageError("--worker is for `desktop install`")
    }
    switch (arguments.words.first, arguments.words.count) {
    case ("install", 1):
      try DesktopFiles(invocation).install(withWorker: arguments.isOn("worker"))
    case ("remove", 1): try DesktopFiles(invocation).remove()
    case ("menu", 1): try DesktopMenu(invocation).show()
    default: throw UsageError("`desktop` takes `install`, `remove` or `menu`")
    }
  }
}

/// The files that a desktop reads (freedesktop.org's Desktop Entry Specification 1.5).
private struct DesktopFiles {
  private let invocation: Invocation
  private let program: String
  /// The person's folder of application data.
  private let data: String
  private let home: String

  /// The line that marks a file as generated.
  private static let mark = "# Written by `errand desktop install`."

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    guard let home = ProcessEnvironment.value("HOME"), !home.isEmpty else {
      throw UsageError("HOME is not set")
    }
    self.home = home
    let given = ProcessEnvironment.value("XDG_DATA_HOME") ?? ""
    data = given.hasPrefix("/") ? given : home + "/.local/share"
    program = try Folder.resolved("/proc/self/exe").expected("cannot locate the program")
  }

  /// The program as an argument of an `Exec` line: in quotes, with its special signs escaped.
  private var entryProgram: String {
    var text = program
    for sign in ["\\", "\"", "`", "$"] { text = text.replacing(sign, with: "\\" + sign) }
    // The value of a key escapes backslashes once more, and a percent sign begins a field code.
    return "\"" + text.replacing("\\", with: "\\\\").replacing("%", with: "%%") + "\""
  }

  private var shellProgram: String { "'" + program.replacing("'", with: "'\\''") + "'" }

  /// The files by path; scripts are programs.
  private var files: [(path: String, text: String, isProgram: Bool)] {
    let script = """
      #!/bin/sh
      \(Self.mark)
      exec \(shellProgram) share-in --from files -- "$@"

      """
    let menus = ["nautilus", "nemo", "caja"].map { manager in
      let folder = manager == "caja" ? home + "/.config/caja" : data + "/" + manager
      return (folder + "/scripts/Send to Errand", script, true)
    }
    return [
      (data + "/applications/errand.desktop", entry, false),
      (data + "/icons/hicolor/scalable/apps/errand.svg", Self.icon, false),
      (data + "/kio/servicemenus/errand.desktop", serviceMenu, true),
    ] + menus
  }

  private var entry: String {
    """
    [Desktop Entry]
    \(Self.mark)
    Type=Application
    Version=1.5
    Name=Errand
    Comment=Links, notes, tasks and shortcuts
    Icon=errand
    Exec=\(entryProgram) serve --open
    Terminal=true
    Categories=Utility;
    Keywords=bookmarks;links;tasks;notes;shortcuts;
    Actions=menu;clipboard;

    [Desktop Action menu]
    Name=Menu
    Exec=\(entryProgram) desktop menu

    [Desktop Action clipboard]
    Name=Save from the clipboard
    Exec=\(entryProgram) share-in --clipboard

    """
  }

  /// The desktop entry of the `errand:` address handler; separate because it opens no page.
  private var handler: String {
    """
    [Desktop Entry]
    \(Self.mark)
    Type=Application
    Name=Errand addresses
    Exec=\(entryProgram) follow %u
    NoDisplay=true
    MimeType=x-scheme-handler/errand;

    """
  }

  private var serviceMenu: String {
    """
    [Desktop Entry]
    \(Self.mark)
    Type=Service
    MimeType=all/allfiles;
    Actions=errand;

    [Desktop Action errand]
    Name=Send to Errand
    Icon=errand
    Exec=\(entryProgram) share-in --from files -- %F

    """
  }

  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="4.5" fill="#0b6871"/>\
    <g transform="translate(2.2 2.2) scale(.78)" fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round">\
    <circle cx="4.6" cy="15.4" r="1.8"/><path d="M6.6 15.4h6a2.7 2.7 0 0 0 0-5.4H7.4a2.7 2.7 0 0 1 0-5.4h5.9"/>\
    <circle cx="15.3" cy="4.6" r="2" fill="#fff" stroke="none"/></g></svg>

    """

  private var handlerPath: String { data + "/applications/errand-address.desktop" }

  private var actionsPath: String { home + "/.config/Thunar/uca.xml" }

  /// The entry that starts a worker with the desktop (Desktop Application Autostart Specification).
  private var autostart: String {
    """
    [Desktop Entry]
    \(Self.mark)
    Type=Application
    Name=Errand worker
    Exec=\(entryProgram) worker
    NoDisplay=true

    """
  }

  private var autostartPath: String {
    let given = ProcessEnvironment.value("XDG_CONFIG_HOME") ?? ""
    return (given.hasPrefix("/") ? given : home + "/.config") + "/autostart/errand-worker.desktop"
  }

  func install(withWorker: Bool) throws {
    let worker = withWorker ? [(autostartPath, autostart, false)] : []
    for (path, text, isProgram) in files + [(handlerPath, handler, false)] + worker {
      do { _ = try Folder.make(Folder.parent(of: path)) } catch { throw failure(path) }
      guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
        throw failure(path)
      }
      chmod(path, isProgram ? 0o755 : 0o644)
    }
    try changeThunar(adding: true)
    // Caches of the desktop; without these programs it reads the folder itself.
    for words in [
      ["update-desktop-database", data + "/applications"],
      ["xdg-mime", "default", "errand-address.desktop", "x-scheme-handler/errand"],
    ] { _ = ChildProcess(words, output: 2)?.wait(.seconds(10)) }
    invocation.say("Installed: an application, errand: addresses, and “Send to Errand”.")
  }

  func remove() throws {
    var count = 0
    for path in files.map(\.path) + [handlerPath, autostartPath] where unlink(path) == 0 {
      count += 1
    }
    try changeThunar(adding: false)
    _ = ChildProcess(["update-desktop-database", data + "/applications"], output: 2)?
      .wait(.seconds(10))
    invocation.say(count == 0 ? "It was not installed." : "Removed.")
  }

  /// Adds or removes the action of Thunar, which keeps all of a person's actions in one file.
  private func changeThunar(adding: Bool) throws {
    let (start, end) = ("<!-- errand -->", "<!-- /errand -->")
    guard let bytes = try? FileReader.bytes(of: actionsPath, limit: 1 << 20) else { return }
    var text = String(decoding: bytes, as: UTF8.self)
    if let from = text.firstRange(of: start), let to = text.firstRange(of: end) {
      text.removeSubrange(from.lowerBound..<to.upperBound)
    }
    if adding, let close = text.firstRange(of: "</actions>")?.lowerBound {
      let command = (shellProgram + " share-in --from files -- %F")
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      text.insert(
        contentsOf: """
          \(start)<action><icon>errand</icon><name>Send to Errand</name><command>\(command)</command>\
          <patterns>*</patterns><directories/><audio-files/><image-files/><other-files/><text-files/>\
          <video-files/></action>\(end)
          """, at: close)
    }
    guard PrivateFile(path: actionsPath).replace(Array(text.utf8), isDurable: true) else {
      throw failure(actionsPath)
    }
  }

  private func failure(_ path: String) -> RunError {
    RunError(.io, "\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// The menu of items, intents and shortcuts in a program that shows lines to choose from.
private struct DesktopMenu {
  private let invocation: Invocation

  /// The programs in the order in which they are tried.
  private static let programs = [
    ["rofi", "-dmenu", "-i", "-p", "Errand"], ["fuzzel", "--dmenu", "--prompt", "Errand "],
    ["wofi", "--dmenu", "--prompt", "Errand"], ["bemenu", "-i", "-p", "Errand"],
    ["dmenu", "-i", "-l", "20", "-p", "Errand"],
  ]
  /// The number of items in the menu.
  private static let limit = 500

  init(_ invocation: Invocation) { self.invocation = invocation }

  func show() throws {
    let run = try invocation.openRun()
    let errand = try Errand.open()
    let actions = errand.definitions.filter {
      ["intent", "shortcut"].contains($0.kind) && ["built in", "your own"].contains($0.origin)
    }
    let items = try errand.reader().find("Link", limit: Self.limit)
    var targets: [String: [String]] = [:]
    var lines: [String] = []
    func add(_ line: String, _ words: [String]) {
      let line = line.split(whereSeparator: \.isNewline).joined(separator: " ")
      if targets.updateValue(words, forKey: line) == nil { lines.append(line) }
    }
    // What is probably wanted comes first.
    for entry in (try? errand.suggestions()) ?? [] {
      add("★ \(entry.title)  \(entry.reason)", ["call", entry.name])
    }
    for action in actions { add("▸ \(action.name)  \(action.description)", ["call", action.name]) }
    for item in items {
      add(
        "\(item.title)  \(item.subtitle ?? "")  \(item.reference)",
        ["call", "open", item.reference])
    }
    for program in Self.programs {
      var request = ProcessRequest(program)
      request.input = Array((lines.joined(separator: "\n") + "\n").utf8)
      let end: ProcessEnd
      do {
        end = try run.host.machine.exec(request, WaitBounds(deadline: nil, descriptors: []))
      } catch { continue }
      // Leaving the menu is an answer, too.
      guard case .exited(0) = end.reason else { return }
      let chosen = String(decoding: end.output, as: UTF8.self).prefix { !$0.isNewline }
      guard let words = targets[String(chosen)] else { return }
      let program = try Folder.resolved("/proc/self/exe").expected("cannot locate the program")
      var pointers = ([program] + words).map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      execv(program, &pointers)
      throw RunError(.exec, "cannot start \(program)")
    }
    throw RunError(
      .exec, "no program shows a menu here", help: "install rofi, fuzzel, wofi, bemenu or dmenu")
  }
}
