import ErrandKit
import POSIX

/// The part of the settings about the browsers that show notifications.
extension SettingsPage {
  /// - Parameter settings: The rows of the settings about notifications.
  func notifications(_ settings: [HTML]) -> HTML {
    let rows: [HTML] = (context.push?.devices ?? []).map { device in
      let created = Day(Errand.day(atSecond: device.created))
      let since = created.flatMap { day in Day(context.today).map { day.words(from: $0) } }
      func button(_ action: String, _ label: String, kind: String) -> HTML {
        form(
          "/settings/\(action)", with: ["name": device.id],
          "<button class=\"b small\(kind)\" aria-label=\"\(label): \(device.name)\">\(label)</button>"
        )
      }
      return """
        <li class="kv" data-device="\(device.id)"><div><b dir="auto">\(device.name)</b> <span class="badge green" hidden>This device</span>\
        <p class="hint">\(since ?? "")</p></div><span class="line no">\(button("push-test", "Send a test", kind: ""))\
        \(button("push-remove", "Remove", kind: " bad"))</span></li>

        """
    }
    return """
      <section class="section" id="notifications"><h2>Notifications</h2><div class="cut stack tight">\
      <p class="hint">Reminders, and what your automations send by <code>push</code>, appear on these devices, also while the page is closed. \
      The browser’s maker passes them on, encrypted.</p>\
      <div class="line" id="push">\
      <button class="b" type="button" hidden>\(HTML.icon("device"))Notifications on this device</button><output class="hint">To turn them on here, the browser needs scripts.</output></div></div>\
      \(rows.isEmpty ? "" : "<ul>\(rows)</ul>" as HTML)\(settings)</section>

      """
  }

  /// The time limit of a test, in which a page waits.
  private static let testLimit = Duration.seconds(15)

  /// The public key for a subscription, as data for the script.
  func pushKey() throws -> Reply {
    guard let push = context.push else { throw ErrandError.missingPage("push-key") }
    return .json(.object(["key": .string(try push.publicKey())]))
  }

  /// Adds, tries or removes a browser.
  func changePush(_ action: String) throws -> Reply {
    guard let push = context.push else { throw ErrandError.missingPage(action) }
    let id = context.field("name") ?? ""
    do {
      switch action {
      case "push":
        try push.subscribe(
          id, browser: context.browser, endpoint: context.field("endpoint") ?? "",
          key: context.field("p256dh") ?? "", secret: context.field("auth") ?? "")
      case "push-remove": try push.remove(id)
      default:
        let end = MonotonicClock.nanoseconds + Self.testLimit.nanoseconds
        let outcome = try push.test(id, until: end)
        if let problem = outcome.problems.first {
          throw ErrandError(code: "http", message: problem)
        }
        return try render(
          notice: Self.notice(
            "good", icon: "check", title: "A test is on its way",
            "<p>It appears on the device within a moment.</p>"))
      }
    } catch let error as ErrandError {
      return try render(
        notice: Self.notice(
          "warn", icon: "alert", title: "That did not work", "<p>\(Self.sentence(error))</p>"),
        status: 422)
    }
    return .redirect("/settings#notifications")
  }
}
