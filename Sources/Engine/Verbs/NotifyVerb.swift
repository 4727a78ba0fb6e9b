import CEL
import Catalog
import Items
import Program

/// `notify`: tells the person who may look elsewhere; gives the action taken.
enum NotifyVerb {
  static let text = Argument<String>("text", at: 0, .value(.any), required: true)
  static let title = Argument<String>("title", at: 1, .value(.string))
  static let urgency = Argument<ArgumentName>(
    "urgency", at: 2, .choice(DesktopNotification.Urgency.allCases.map(\.rawValue)))
  static let actions = Argument<[Value]>("actions", at: 3, .value(.list(.string)))

  static let spec = VerbSpec(
    "notify",
    [text.declaration, title.declaration, urgency.declaration, actions.declaration],
    effect: .outside, onResume: .skip, resultType: .fixed(.optional(.string))
  ) { arguments, step in
    let runner = arguments.runner
    let run = runner.run
    let labels = (try arguments.list(actions) ?? []).map { runner.renderer.text(of: $0) }
    let notification = DesktopNotification(
      title: run.host.secrets.masked(
        try arguments.text(title) ?? runner.action.definition.displayTitle),
      text: run.host.secrets.masked(try arguments.text(text) ?? ""),
      urgency: arguments.name(urgency).flatMap(DesktopNotification.Urgency.init) ?? .normal,
      actions: labels)
    let bounds = run.bounds(of: runner.strand)
    switch try run.outside({ try run.host.machine.notify(notification, bounds) }) {
    case .shown(let action):
      return action.flatMap { labels.indices.contains($0) ? .string(labels[$0]) : nil } ?? .null
    case .interrupted:
      try runner.strand.check(run.host.machine.monotonic)
      return .null
    case .noDesktop:
      return try onTerminal(notification, run, step)
    }
  }

  /// Where there is no desktop the terminal tells it, else the log.
  private static func onTerminal(
    _ notification: DesktopNotification, _ run: Run, _ step: CompiledStep
  ) throws -> Value {
    let line = "\(notification.title): \(notification.text)"
    guard run.front.canAnswer else {
      run.host.log(line)
      return .null
    }
    run.front.say(line)
    guard !notification.actions.isEmpty else { return .null }
    let choices = notification.actions.map { Question.Choice(title: $0) }
    let chosen = try run.asker.choose(
      choices, prompt: "What next?", keys: step.answerKeys, many: false)
    return chosen.first.map { .string(notification.actions[$0]) } ?? .null
  }
}
