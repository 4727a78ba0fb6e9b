import Engine
import Source
import System

/// Talks with a person through windows of the desktop, for a run that no terminal belongs to.
///
/// Questions go to `zenity`, `kdialog` or `rofi`, whichever is installed; what is said is a
/// notification.
final class DesktopFront: Front {
  private let dialog: DesktopDialog
  private let fallback: TerminalFront
  private let machine: Machine

  /// The front of a desktop; nil where no program could ask.
  init?(_ console: Console) {
    guard let dialog = DesktopDialog.installed() else { return nil }
    self.dialog = dialog
    fallback = TerminalFront(console: console)
    machine = .system(environment: Environment.value)
  }

  /// The front of a desktop where there is one, and no terminal.
  static func usual(_ console: Console, hasTerminal: () -> Bool) -> DesktopFront? {
    guard !console.stdinIsTerminal, !console.stdoutIsTerminal, !console.stderrIsTerminal,
      Environment.value("DISPLAY") != nil || Environment.value("WAYLAND_DISPLAY") != nil,
      !hasTerminal()
    else { return nil }
    return DesktopFront(console)
  }

  var canAnswer: Bool { true }
  var observesSteps: Bool { false }

  func say(_ text: String) {
    let notification = DesktopNotification(
      title: "Errand", text: text.harmless(keepsLines: true), urgency: .normal, actions: [])
    let end = try? machine.notify(notification, WaitBounds(deadline: nil, descriptors: []))
    if case .shown? = end { return }
    fallback.say(text)
  }

  func show(_ presentation: Presentation) { fallback.show(presentation) }
  func step(_ path: [String]) {}
  func progress(_ progress: Progress) {}
  func result(_ presentation: Presentation) { fallback.result(presentation) }

  /// A run that was started from a menu has no terminal on which its error would be seen.
  func failed(_ message: String) {
    let notification = DesktopNotification(
      title: "Errand", text: message.harmless(keepsLines: true), urgency: .critical, actions: [])
    _ = try? machine.notify(notification, WaitBounds(deadline: nil, descriptors: []))
  }

  func ask(_ question: Question) throws -> Reply {
    let bounds = WaitBounds(
      deadline: nil, descriptors: [Interruption.run.pollDescriptor].filter { $0 >= 0 })
    var prompt = question.prompt.harmless(keepsLines: true)
    if let problem = question.problem { prompt = problem.harmless() + "\n" + prompt }
    let command: [String]
    switch question.kind {
    case .text: command = dialog.text(prompt, question.defaultText ?? "", question.suggestions)
    case .choice(let choices, let many): command = dialog.choice(prompt, choices, many: many)
    case .confirmation: command = dialog.confirmation(prompt)
    }
    var request = ProcessRequest(command)
    if case .choice(let choices, _) = question.kind { request.input = dialog.input(choices) }
    let end = try machine.exec(request, bounds)
    if Interruption.run.isSet { throw Cancellation(.interrupted) }
    let answer = String(decoding: end.output, as: UTF8.self)
    switch (question.kind, end.reason) {
    case (.confirmation, .exited(0)): return .confirmed(true)
    case (.confirmation, .exited(1)): return .confirmed(false)
    case (.text, .exited(0)):
      return .text(answer.hasSuffix("\n") ? String(answer.dropLast()) : answer)
    case (.choice(let choices, _), .exited(0)):
      return .chosen(dialog.positions(answer, count: choices.count))
    default:
      throw RunError(.cancelled, "“\(question.prompt)” was left without an answer")
    }
  }
}
