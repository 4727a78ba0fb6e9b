import CEL
import Engine
import Glibc
import JSON
import Links
import POSIX
import Program
import Source

/// Sends notifications through the configured channels: desktop, browsers, mail, ntfy, a program.
struct NotificationSender: Sendable {
  private let machine: Machine
  private let places: Places?
  private let settings: Settings
  private let secrets: KnownSecrets
  private let readSecret: @Sendable (String) throws(EvaluationError) -> String

  /// The timeout of a channel.
  private static let timeout = Duration.seconds(15)

  /// - Parameter machine: Shows desktop notifications, starts programs and makes requests.
  init(
    _ machine: Machine, _ places: Places?, _ settings: Settings, _ secrets: KnownSecrets,
    readSecret: @escaping @Sendable (String) throws(EvaluationError) -> String
  ) {
    self.machine = machine
    self.places = places
    self.settings = settings
    self.secrets = secrets
    self.readSecret = readSecret
  }

  /// The outcome of one channel.
  private enum Delivery {
    /// Sent, with what failed nevertheless, and the code of its ticket.
    case sent(problems: [String] = [], ticket: String? = nil)
    case notSetUp(String)
    case failed(String)
    case interrupted
  }

  /// Sends a notification through each of its configured channels; the desktop comes last, since it
  /// may wait for an answer.
  @Sendable
  func send(_ notification: DesktopNotification, _ bounds: WaitBounds) throws -> NotificationEnd {
    var isSent = false
    var failures: [String] = []
    var missing: [String] = []
    var ticket: String?
    for channel in notification.via where channel != .desktop {
      switch try deliver(notification, by: channel, bounds) {
      case .sent(let problems, let made):
        isSent = true
        failures += problems.map { "\(channel.rawValue): \($0)" }
        ticket = made ?? ticket
      case .notSetUp(let advice): missing.append(advice)
      case .failed(let reason): failures.append("\(channel.rawValue): \(reason)")
      case .interrupted: return .interrupted
      }
    }
    if notification.via.contains(.desktop) {
      switch try machine.notify(notification, bounds) {
      case .shown(let action, _):
        return .shown(action: isFirst(action, ticket) ? action : nil, problems: failures)
      case .interrupted: return .interrupted
      case .notShown: break
      }
    }
    return isSent
      ? .shown(action: nil, problems: failures) : .notShown(problems: failures + missing)
  }

  /// Whether an action on the desktop comes before one in a browser, which then comes too late.
  private func isFirst(_ action: Int?, _ ticket: String?) -> Bool {
    guard action != nil, let ticket, let places else { return true }
    return (try? PushTickets(places).take(ticket) { _ in }) != nil
  }

  private func deliver(
    _ notification: DesktopNotification, by channel: NotificationChannel, _ bounds: WaitBounds
  ) throws -> Delivery {
    let limit = machine.monotonic() &+ Self.timeout.nanoseconds
    let bounds = WaitBounds(
      deadline: min(limit, bounds.deadline ?? .max), descriptors: bounds.descriptors)
    do {
      switch channel {
      case .desktop: return .failed("it is shown, not sent")
      case .push: return try push(notification, bounds)
      case .mail: return try mail(notification, bounds)
      case .ntfy: return try ntfy(notification, bounds)
      case .program: return try program(notification, bounds)
      }
    } catch let error as RunError {
      return .failed(error.message)
    } catch let error as Diagnostic {
      return .failed(error.message)
    } catch let error as EvaluationError {
      return .failed(error.message)
    } catch let error as ErrandError {
      return .failed(error.message)
    } catch let error as JSONError {
      return .failed(error.description)
    }
  }

  // MARK: Browsers

  private func push(
    _ notification: DesktopNotification, _ bounds: WaitBounds
  ) throws -> Delivery {
    guard let push = places.map({ WebPush($0, settings, machine) }), !push.devices.isEmpty else {
      return .notSetUp("push: not set up; turn notifications on in the settings of the page")
    }
    let outcome = try push.send(notification, bounds)
    if outcome.isInterrupted { return .interrupted }
    return outcome.sent > 0
      ? .sent(problems: outcome.problems, ticket: outcome.ticket)
      : .failed(outcome.problems.joined(separator: "; "))
  }

  // MARK: Mail

  private func mail(
    _ notification: DesktopNotification, _ bounds: WaitBounds
  ) throws -> Delivery {
    let address = settings.value(of: .mailTo)
    guard !address.isEmpty else {
      return .notSetUp("mail: not set up; errand settings set mailTo ada@example.com")
    }
    guard let program = Self.sendmail() else {
      return .notSetUp("mail: no sendmail program was found; install one, such as msmtp-mta")
    }
    var request = ProcessRequest([program, "-i", "--", address])
    request.input = Array(NotificationMail(notification, to: address).text.utf8)
    return try run(request, bounds)
  }

  /// The path of `sendmail`, also searched for outside of `PATH`.
  private static func sendmail() -> String? {
    let folders = (ProcessEnvironment.value("PATH") ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin", "/usr/lib"]).map { $0 + "/sendmail" }
      .first { access($0, X_OK) == 0 }
  }

  // MARK: Program

  private func program(
    _ notification: DesktopNotification, _ bounds: WaitBounds
  ) throws -> Delivery {
    guard let command = try SettingsFile.command(.notifyCommand, in: settings.path) else {
      return .notSetUp(
        "program: not set up; write notifyCommand: [PROGRAM, '{title}', '{text}'] into settings.yaml"
      )
    }
    // A substituted text is not searched for further placeholders.
    let parts = [
      "{title}": notification.title, "{text}": notification.text,
      "{urgency}": notification.urgency.rawValue,
    ]
    var request = ProcessRequest(command.map { Self.filled($0, parts) })
    request.input = Array((notification.text + "\n").utf8)
    return try run(request, bounds)
  }

  private static func filled(_ word: String, _ parts: [String: String]) -> String {
    var result = ""
    var rest = word[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if let part = parts.first(where: { rest.hasPrefix($0.key) }) {
        result += part.value
        rest = rest.dropFirst(part.key.count)
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  private func run(_ request: ProcessRequest, _ bounds: WaitBounds) throws -> Delivery {
    let end = try machine.exec(request, bounds)
    let name = request.command[0]
    switch end.reason {
    case .exited(0): return .sent()
    case .interrupted:
      guard machine.monotonic() >= bounds.deadline ?? .max else { return .interrupted }
      return .failed("\(name) took too long")
    case .exited(let status):
      let line = String(decoding: end.errors, as: UTF8.self).split(whereSeparator: \.isNewline)
        .last.map { ": \($0)" }
      return .failed("\(name) ended with status \(status)\(line ?? "")")
    case .signalled, .tooMuchOutput: return .failed("\(name) did not end as it should")
    }
  }

  // MARK: ntfy

  private func ntfy(
    _ notification: DesktopNotification, _ bounds: WaitBounds
  ) throws -> Delivery {
    guard let topic = NtfyTopic(settings.value(of: .ntfy)) else {
      return .notSetUp("ntfy: not set up; errand settings set ntfy https://ntfy.sh/TOPIC")
    }
    guard let http = machine.http else {
      return .failed("this program is without the network; install errand-net beside errand")
    }
    var request = HTTPRequest("POST", topic.server)
    request.headers = [.init("Content-Type", "application/json")]
    let name = settings.value(of: .ntfyToken)
    if !name.isEmpty {
      let token = try secrets.secret(name) { () throws(EvaluationError) in try readSecret(name) }
      request.headers.append(.init("Authorization", "Bearer " + token.text, isSecret: true))
    }
    request.body = .bytes(Array(try JSONWriter().text(of: topic.message(notification)).utf8))
    guard case .reply(let reply) = try http(request, bounds) else {
      guard machine.monotonic() >= bounds.deadline ?? .max else { return .interrupted }
      return .failed("\(topic.server) did not answer in time")
    }
    guard (200...299).contains(reply.status) else {
      return .failed("\(topic.server) answered with status \(reply.status)")
    }
    return .sent()
  }
}
