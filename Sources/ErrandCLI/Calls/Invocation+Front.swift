import Engine
import ErrandKit
import Source

/// The front of a call.
extension Invocation {
  /// Pager for long output.
  var pager: Pager {
    Pager(console) { [settings, arguments] in
      let command = settings.value(of: .pager)
      return arguments.isOn("no-pager") || command == "none" ? nil : command
    }
  }

  /// Makes the front that the flags choose.
  ///
  /// - Throws: `UsageError` for an unknown or missing front.
  func makeFront() throws -> any Front {
    let progressed: (Progress) -> Void = { [activityBoard] in activityBoard?.progress($0) }
    if case .events = mode {
      let input = InputFile(descriptor: 0, name: "standard input")
      let form: EventsFront.Form =
        arguments.isOn("transcript") ? .entries : console.link.handed == nil ? .events : .both
      let events = EventsFront(
        form,
        write: { [console] line in
          console.result(line)
          console.flush()
        },
        read: { [isHanded = console.link.handed != nil] buffer in
          try Interruption.wait(forInput: input.descriptor)
          let count = try input.read(into: buffer)
          if count == 0, isHanded {
            // A front that leaves a question says so; this one has died.
            Interruption.run.set(isTermination: true)
            throw Cancellation(.interrupted)
          }
          return count
        })
      events.progressed = progressed
      events.ended = { [console] in console.endTranscript() }
      return events
    }
    let terminal = TerminalFront(
      console: console, isQuiet: arguments.isOn("quiet"), historyPath: places?.history)
    terminal.pager = pager
    terminal.words = words
    terminal.progressed = progressed
    switch arguments.last(Flag.front.name) {
    case nil: return DesktopFront.whereNoTerminal(console) { terminal.canAnswer } ?? terminal
    case "terminal": return terminal
    case "desktop":
      let desktop = try DesktopFront(console).expected(
        "--front desktop needs a dialog program", help: "install zenity, kdialog or rofi")
      return desktop
    case let name?:
      throw UsageError("--front must be terminal or desktop, not `\(name)`")
    }
  }
}
