import CEL
import Engine
import ErrandKit
import Glibc
import Platform
import Source

/// Front for a desktop session without a terminal.
///
/// Questions are asked with the first installed of `zenity`, `kdialog` and `rofi`; messages become
/// notifications. Shown items open a window that waits for the person, and so does the result,
/// unless another program reads it.
final class DesktopFront: Front {
  private let console: Console
  private let dialog: DesktopDialog
  private let fallback: TerminalFront
  private let machine: Machine

  /// Creates the front; nil if no dialog program is installed.
  init?(_ console: Console) {
    guard let dialog = DesktopDialog.installed() else { return nil }
    self.dialog = dialog
    self.console = console
    fallback = TerminalFront(console: console)
    machine = .system(environment: ProcessEnvironment.value)
  }

  /// Returns the front if there is a desktop but no terminal.
  static func whereNoTerminal(_ console: Console, hasTerminal: () -> Bool) -> DesktopFront? {
    guard !console.stdinIsTerminal, !console.stdoutIsTerminal, !console.stderrIsTerminal,
      ProcessEnvironment.value("DISPLAY") != nil
        || ProcessEnvironment.value("WAYLAND_DISPLAY") != nil,
      !hasTerminal()
    else { return nil }
    return DesktopFront(console)
  }

  var canAnswer: Bool { true }

  /// The value shown last; a result is not shown twice.
  private var lastShown: Value?

  func say(_ text: String) {
    if !notify(text) { fallback.say(text) }
  }

  @discardableResult
  private func notify(_ text: String, urgency: DesktopNotification.Urgency = .normal) -> Bool {
    let notification = DesktopNotification(
      title: "Errand", text: text.harmless(keepsLines: true), urgency: urgency, actions: [])
    let end = try? machine.notify(notification, WaitBounds(deadline: nil, descriptors: []))
    return if case .shown? = end { true } else { false }
  }

  func show(_ presentation: Presentation) {
    lastShown = presentation.value
    // A log gets it as before.
    fallback.show(presentation)
    open(PresentationText(presentation).text)
  }

  /// Longest result shown as a notification, in characters.
  private static let noticeLimit = 200

  func wroteResult(_ presentation: Presentation) {
    guard lastShown != presentation.value, !isRead else { return }
    let text = PresentationText(presentation).text
    let isNotice = text.count <= Self.noticeLimit && text.split(separator: "\n").count <= 3
    if !isNotice || !notify(text) { open(text) }
  }

  /// Whether another program reads standard output and may wait for its end.
  private var isRead: Bool {
    var status = stat()
    return fstat(1, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Opens a window with text until the person closes it.
  private func open(_ text: String) {
    console.flush()
    var request = ProcessRequest(dialog.window(text))
    request.input = dialog.input(ofWindow: text)
    // It has been written in any case.
    _ = try? machine.exec(request, bounds)
  }

  private var bounds: WaitBounds {
    WaitBounds(deadline: nil, descriptors: [Interruption.run.pollDescriptor].filter { $0 >= 0 })
  }

  func result(_ presentation: Presentation) { fallback.result(presentation) }

  /// Notifies of a failure, since a run started from a menu has no terminal.
  func failed(_ message: String) { notify(message, urgency: .critical) }

  func ask(_ question: Question) throws -> Reply {
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
      throw RunError.left(question.prompt)
    }
  }
}
