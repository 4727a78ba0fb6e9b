import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// `notify`: shows or sends a notification, and returns the chosen action.
enum NotifyVerb: Verb {
  static let word = "notify"
  static let text = Argument<String>("text", at: 0, .value(.any), required: true)
  static let title = Argument<String>("title", at: 1, .value(.string))
  static let urgency = Argument<ArgumentName>(
    "urgency", at: 2, .choice(DesktopNotification.Urgency.allCases.map(\.rawValue)))
  static let actions = Argument<[Value]>("actions", at: 3, .value(.list(.string)))

  static let via = Argument<Value>(
    "via", at: 4, .value(.any), trial: ArgumentTrials.value { _ = try channels($0) })
  static let once = Argument<String>("once", at: 5, .value(.string))
  static let later = Argument<Bool>("later", at: 6, .value(.bool))

  static let signature = VerbSignature(
    word,
    [text, title, urgency, actions, via, once, later],
    effect: .outside, traits: .onlyTells, capabilities: capabilities, onResume: { _ in .skip },
    resultType: .fixed(.optional(.string)))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let run = runner.run
    let labels = (try arguments.list(actions) ?? []).map(runner.renderer.text)
    var notification = DesktopNotification(
      title: run.host.secrets.masked(
        try arguments.text(title) ?? runner.action.definition.displayTitle),
      text: run.host.secrets.masked(try arguments.text(text) ?? ""),
      urgency: arguments.name(urgency).flatMap(DesktopNotification.Urgency.init) ?? .normal,
      actions: labels,
      via: try arguments.value(via).map(channels) ?? [.desktop])
    let trigger = runner.trigger
    if case .object(let item as Item)? = trigger?.asMap?[.string("item")] {
      notification.item = item.reference
    }
    if try arguments.flag(later) {
      guard let trigger else {
        throw RunError(
          .invalidValue, "`later` needs an automation, which it starts again with the action",
          help: "leave it out, and use the value of the step")
      }
      notification.later = DesktopNotification.Later(
        automation: runner.action.definition.name.text,
        trigger: try run.jobCoder.text(of: trigger),
        permissions: run.access.isHeld ? try run.jobCoder.text(of: run.keptPermissions) : nil)
    }
    for channel in notification.via where channel != .desktop {
      try runner.permit(.notify, channel.rawValue)
    }
    if let key = try arguments.text(once),
      !run.host.isNews("\(runner.action.definition.name.text) \(key)", notification.line)
    {
      return .null
    }
    let bounds = run.bounds(of: runner.task)
    switch try run.outside({ try run.host.machine.notify(notification, bounds) }) {
    case .shown(let action, let problems):
      for problem in problems { run.front.say("not sent via \(problem)") }
      return .text(action.flatMap { labels.indices.contains($0) ? labels[$0] : nil })
    case .interrupted:
      try runner.task.check(run.host.machine.monotonic)
      return .null
    case .notShown(let problems):
      return try onTerminal(notification, problems.map(run.host.secrets.masked), run, step: step)
    }
  }

  /// Shows the notification on the terminal when no channel reached the person; without a terminal
  /// it is stored for later.
  private static func onTerminal(
    _ notification: DesktopNotification, _ problems: [String], _ run: Run, step: CompiledStep
  ) throws -> Value {
    guard run.front.canAnswer else {
      run.front.notify(notification)
      if !run.host.keepNotification(notification, problems) { run.host.log(notification.line) }
      return .null
    }
    for problem in problems { run.front.say("not sent via \(problem)") }
    run.front.say(notification.line)
    guard !notification.actions.isEmpty else { return .null }
    let choices = notification.actions.map { Question.Choice(title: $0) }
    let chosen = try run.asker.choose(
      choices, prompt: run.words.whatNext, keys: step.answerKeys, many: false)
    return .text(chosen.first.map { notification.actions[$0] })
  }

  /// The channels of a value: one, or a list.
  ///
  /// - Throws: `invalid-value`.
  private static func channels(_ value: Value) throws -> [NotificationChannel] {
    let values = value.elements
    let names = NotificationChannel.allCases.map(\.rawValue)
    guard !values.isEmpty else {
      throw RunError(
        .invalidValue, "`via` is empty", help: "name some of \(names.joined(separator: ", "))")
    }
    return try values.reduce(into: []) { channels, value in
      guard let channel = value.asText.flatMap(NotificationChannel.init) else {
        throw RunError(
          .invalidValue, "`via`: unknown channel “\(value.text.shortened)”",
          help: Suggestion.nearest(to: value.text, in: names).map { "did you mean `\($0)`?" }
            ?? "the channels are \(names.joined(separator: ", "))")
      }
      if !channels.contains(channel) { channels.append(channel) }
    }
  }

  /// Channels other than the desktop send data elsewhere or start a configured program.
  private static func capabilities(_ call: VerbCall) -> [Capability] {
    guard case .value(let value, _, _)? = call[via] else { return [] }
    guard let known = value.known, let channels = try? channels(known) else {
      return [Capability(any: .notify, because: "the channels are named when the step runs")]
    }
    return channels.filter { $0 != .desktop }.map { Capability(.notify, $0.rawValue) }
  }
}
