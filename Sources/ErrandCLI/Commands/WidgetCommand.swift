import Engine
import ErrandKit
import Glibc
import POSIX
import Source
import Web

/// `errand widget`: shows or follows a widget, and runs the actions of its buttons.
enum WidgetCommand {
  static let command: Command = .init(
    "widget", "show a glance of the library, for bars, corners and screens",
    usage:
      "[WIDGET | WIDGET press BUTTON|REF [ACTION] | install waybar|tmux|polybar|i3blocks [WIDGET]]",
    discussion: """
      Without a name, lists the widgets. `--family` chooses the size, `--as` the form: text, a box for \
      a terminal, JSON, HTML, SVG, or what waybar, tmux and polybar read. `--follow` prints it again when it \
      changes, at most once a second. `--cached` shows what was kept, without opening the library. \
      `press` does what a click on a button or an item does. `install` prints what a bar's \
      configuration needs.
      """,
    flags: [
      Flag(
        "family", .value("small|medium|large|rectangular|circular|inline"), "the size"),
      Flag("as", .value(forms.joined(separator: "|")), "the form"),
      Flag("follow", .toggle, "print it again on each change"),
      Flag("cached", .toggle, "show what was kept, without opening the library"),
      Flag("bedside", .toggle, "with html and svg: large, for the night"),
    ],
    serves: [.json]
  ) { invocation, arguments in
    var options = Errand.Options()
    options.store = arguments.last("store")
    options.catalog = arguments.last("catalog")
    let errand = try Errand.open(options)
    let words = arguments.words
    switch (words.first, words.count) {
    case (nil, _): try list(errand, invocation)
    case ("install", 2...3): try install(words[1], words.count > 2 ? words[2] : "tasks", invocation)
    case ("install", _): throw command.misuse(words)
    case (let name?, 1): try show(name, of: errand, arguments: arguments, in: invocation)
    case (let name?, 3...4) where words[1] == "press":
      let said = try errand.press(
        words[2], action: words.count > 3 ? words[3] : nil, of: name)
      invocation.say("\(said)")
    default: throw command.misuse(words)
    }
  }

  private static let forms = [
    "terminal", "text", "json", "html", "svg", "waybar", "tmux", "polybar",
  ]
  private static let bars = ["waybar", "tmux", "polybar", "i3blocks"]

  private static func list(_ errand: Errand, _ invocation: Invocation) throws {
    let widgets = errand.definitions.filter { $0.kind == "widget" }
    let report = Report<Errand.DefinitionSummary>(
      columns: ["widget": \.name, "shows": \.description], value: \.value,
      empty: "No widgets.")
    try report.write(widgets, to: invocation)
  }

  private static func show(
    _ name: String, of errand: Errand, arguments: Arguments, in invocation: Invocation
  ) throws {
    let form = try choice(
      "as",
      arguments.last("as")
        ?? (invocation.mode.isPlain
          ? invocation.console.stdoutIsTerminal ? "terminal" : "text" : "json"),
      of: forms)
    let isBar = bars.contains(form)
    let word = try choice(
      "family", arguments.last("family") ?? (isBar ? "inline" : "medium"),
      of: WidgetEntry.Family.allCases.map(\.rawValue))
    let family = WidgetEntry.Family(rawValue: word) ?? .medium
    let isCached = arguments.isOn("cached")
    if form != "json" { errand.languages = invocation.languages }
    let console = invocation.console
    func rendered() throws -> (text: String, box: TerminalText?) {
      let entry = try errand.widget(name, cached: isCached)
      let text = WidgetText(entry, family)
      let isBedside = arguments.isOn("bedside")
      switch form {
      case "terminal":
        let box = WidgetText(entry, family, columns: console.width).terminal(console.style)
        return (box.text, box)
      case "json": return (try entry.json.text(), nil)
      case "html": return (WidgetMarkup(entry, family).document(isBedside: isBedside), nil)
      case "svg": return (WidgetMarkup(entry, family).svg(isBedside: isBedside), nil)
      case "waybar": return (text.waybar, nil)
      case "tmux": return (text.tmux, nil)
      case "polybar": return (text.polybar, nil)
      default: return (text.text, nil)
      }
    }
    func write(_ shown: (text: String, box: TerminalText?)) {
      if let box = shown.box { console.out("\(box)\n") } else { console.result(shown.text + "\n") }
    }
    guard arguments.isOn("follow") else { return write(try rendered()) }
    var last: String?
    while !Interruption.run.isSet {
      let shown = try rendered()
      if shown.text != last {
        write(shown)
        console.flush()
        last = shown.text
      }
      _ = Interruption.run.poll(-1, for: .seconds(1))
      try errand.reload()
    }
  }

  private static func choice(_ flag: String, _ word: String, of words: [String]) throws -> String {
    guard words.contains(word) else {
      throw UsageError(
        "--\(flag) must be one of \(words.joined(separator: ", ")), not “\(word)”",
        help: Suggestion.choice(word, in: words))
    }
    return word
  }

  /// Prints the part of a bar's configuration.
  private static func install(_ bar: String, _ name: String, _ invocation: Invocation) throws {
    let call = "errand widget \(name)"
    let text: String
    switch try choice("install", bar, of: bars) {
    case "waybar":
      text = """
        "custom/errand-\(name)": {
          "exec": "\(call) --as waybar --follow",
          "return-type": "json",
          "on-click": "errand serve --open"
        }
        """
    case "tmux": text = "set -g status-interval 5\nset -ga status-right ' #(\(call) --as tmux)'"
    case "polybar":
      text = """
        [module/errand-\(name)]
        type = custom/script
        exec = \(call) --as polybar --follow
        tail = true
        """
    default:
      text = "[errand-\(name)]\ncommand=\(call) --family inline\ninterval=5\nmarkup=none"
    }
    invocation.console.result(text + "\n")
  }
}
