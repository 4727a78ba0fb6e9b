import Engine
import ErrandKit
import Platform
import Server
import Synchronization
import TestSupport
import Testing

/// Notifications in browsers: setting them up, and choosing their actions.
@Suite struct PushTests {
  /// A machine whose push service takes what it is sent, and that does not encrypt.
  private final class Service: Sendable {
    let messages = Mutex<[String]>([])

    var machine: Machine {
      var machine = Machine.system(environment: { _ in nil })
      machine.http = { [self] request, _ in
        if case .bytes(let bytes) = request.body {
          messages.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        return .reply(
          HTTPReply(status: 201, headers: [], url: request.url, body: [], isSaved: false))
      }
      machine.pushCipher = PushCipher(
        makeKeys: {
          PushCipher.KeyPair(
            secret: [UInt8](repeating: 1, count: 32), point: [UInt8](repeating: 4, count: 65))
        },
        seal: { message, _, _, _ in message }, sign: { _, _ in [] })
      return machine
    }
  }

  private let keys =
    "&p256dh=BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    + "&auth=BTBZMqHH6r4Tts7J_aSIgg"

  /// A signed-in browser of a server with a push service.
  private func signedIn(_ definitions: String = "") throws -> (Browser, Service) {
    let service = Service()
    let api = try API(definitions) { $0.webPush(service.machine) }
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return (browser, service)
  }

  @Test func aBrowserIsSetUpTriedAndRemoved() throws {
    let (browser, service) = try signedIn()
    let form = "form=\(browser.form)"
    #expect(try !browser.load("/settings").text.contains("Send a test"))
    let key = try browser.send("/settings/push-key", form)
    #expect(key.status == 200 && key.text.contains(#""key":"BAQEBAQ"#), "\(key.text)")
    #expect(try browser.send("/settings/push-key", "form=x").status == 403)
    let subscription = form + "&name=Firefox%20on%20Android&endpoint=https://"
    let refused = try browser.send("/settings/push", subscription + "evil.example/x" + keys)
    #expect(refused.status == 422)
    #expect(refused.text.contains("The push service evil.example is not known."))
    #expect(
      try browser.send("/settings/push", subscription + "fcm.googleapis.com/x&p256dh=x&auth=x")
        .status == 422)
    let added = try browser.send("/settings/push", subscription + "fcm.googleapis.com/x" + keys)
    #expect(added.status == 303 && added["Location"] == "/settings#notifications")
    let page = try browser.load("/settings").text
    #expect(page.contains("Firefox on Android") && page.contains("Send a test"))
    let start = try #require(page.firstRange(of: "data-device=\"")).upperBound
    let id = String(page[start...].prefix { $0 != "\"" })
    let tried = try browser.send("/settings/push-test", form + "&name=\(id)")
    #expect(tried.status == 200 && tried.text.contains("A test is on its way"))
    #expect(
      service.messages.withLock { $0 } == [
        #"{"text":"Notifications appear here.","title":"Errand","url":"/activity"}"#
      ])
    // Only a browser that is signed in is notified.
    let sessions = try #require(browser.api.sandbox.read(".local/state/errand/serve/browsers"))
    try browser.api.sandbox.write("", to: ".local/state/errand/serve/browsers")
    #expect(try !browser.load("/settings").text.contains("Firefox on Android"))
    try browser.api.sandbox.write(sessions, to: ".local/state/errand/serve/browsers")
    #expect(try browser.send("/settings/push-remove", form + "&name=\(id)").status == 303)
    #expect(try !browser.load("/settings").text.contains("Firefox on Android"))
  }

  private static let automation = """
    automation: tell
    on: {every: 100 days}
    steps:
      - if: trigger.answer != null
        then:
          - create: {entity: Note, set: {text: 'Chosen: {{ trigger.answer }}'}}
    """

  /// Sends a notification with actions, and returns its path.
  private func notify(_ browser: Browser, _ service: Service) throws -> String {
    let added = try browser.send(
      "/settings/push",
      "form=\(browser.form)&name=A&endpoint=https://fcm.googleapis.com/x" + keys)
    #expect(added.status == 303)
    var notification = DesktopNotification(
      title: "Reminder", text: "<b>Call</b>", urgency: .normal, actions: ["Done", "Tomorrow"])
    notification.later = DesktopNotification.Later(
      automation: "tell",
      trigger:
        #"{"kind":"every","id":"every","item":null,"before":null,"path":null,"time":null,"missed":false}"#,
      permissions: nil)
    let errand = try Errand.open(browser.api.options.errand)
    let push = try #require(errand.webPush(service.machine))
    let outcome = try push.send(notification, WaitBounds(deadline: nil, descriptors: []))
    #expect(outcome.sent == 1 && outcome.problems.isEmpty)
    let message = try JSONValue(parsing: service.messages.withLock { $0.last ?? "" })
    #expect(message["actions"] == ["Done", "Tomorrow"])
    return try #require(message["url"]?.string)
  }

  private func chosen(_ browser: Browser) throws -> String {
    let worker = try browser.api.sandbox.run("worker", "--once", "-q")
    #expect(worker.status == 0, "\(worker)")
    return try browser.api.sandbox.run("find", "Note", "--format", "{{ self.text }}").out
  }

  @Test func anActionIsChosenOnce() throws {
    let (browser, service) = try signedIn(Self.automation)
    let path = try notify(browser, service)
    var foreign = browser
    foreign.origin = "http://127.0.0.1:7717"
    #expect(try foreign.send("\(path)/0", "").status == 403)
    var stranger = browser
    stranger.cookies = []
    #expect(try stranger.send("\(path)/0", "").status == 401)
    #expect(try browser.send("\(path)/2", "").status == 404)
    #expect(try browser.send("\(path)x/0", "").status == 409)
    #expect(try browser.send("\(path)/1", "").status == 200)
    let second = try browser.send("\(path)/0", "")
    #expect(second.status == 409 && second.text.contains("answered already"), "\(second.text)")
    #expect(try browser.load("\(path)").text.contains("answered already"))
    #expect(try chosen(browser) == "Chosen: Tomorrow\n")
  }

  @Test func thePageOfANotificationHasItsActions() throws {
    let (browser, service) = try signedIn(Self.automation)
    let path = try notify(browser, service)
    let page = try browser.load("\(path)").text
    #expect(page.contains("&lt;b&gt;Call&lt;/b&gt;") && page.contains(">Tomorrow</button>"))
    #expect(page.contains("action=\"\(path)\""))
    #expect(try browser.send("\(path)", "form=x&action=0").status == 403)
    #expect(try browser.send("\(path)", "form=\(browser.form)&action=0").status == 303)
    #expect(try browser.send("\(path)", "form=\(browser.form)&action=0").status == 422)
    #expect(try chosen(browser) == "Chosen: Done\n")
  }
}
