import ErrandKit
import Glibc
import POSIX
import Server
import TestSupport
import Testing

/// Devices that sign in with a code.
@Suite struct DeviceTests {
  private static let address = "https://errand.example"

  /// A browser at the address of the proxy, without cookies.
  private func phone(_ api: API) -> Browser {
    var phone = Browser(api)
    phone.origin = Self.address
    phone.host = "errand.example"
    return phone
  }

  private func computer(_ api: API) throws -> Browser {
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  /// The code that the settings show.
  private func code(_ computer: Browser) throws -> String {
    let sent = try computer.send("/settings/invite", "form=\(computer.form)")
    let place = try #require(sent["Location"])
    let code = try #require(place.split(separator: "=").last?.prefix { $0 != "#" })
    #expect(code.utf8.count == 22)
    let page = try computer.load(String(place.prefix { $0 != "#" })).text
    #expect(page.contains("\(Self.address)/pair/\(code)") && page.contains("class=\"qr\""))
    return String(code)
  }

  /// The phone with the cookie of one that waits.
  private func claimed(_ phone: Browser, _ code: String) throws -> Browser {
    let sent = try phone.send("/pair", "code=\(code)")
    #expect(sent["Location"] == "/pair")
    let cookie = try #require(sent["Set-Cookie"])
    #expect(cookie.hasSuffix("Secure; HttpOnly; SameSite=Strict"))
    var waiting = phone
    waiting.cookies = [String(cookie.prefix { $0 != ";" })]
    return waiting
  }

  private func settle(_ computer: Browser, allowed: Bool) throws -> Response {
    let page = try computer.load("/settings").text
    let start = try #require(page.firstRange(of: "action=\"/settings/device\"")).upperBound
    let name = try #require(page[start...].firstRange(of: "name=\"name\" value=\"")).upperBound
    let id = page[name...].prefix { $0 != "\"" }
    return try computer.send(
      "/settings/device", "form=\(computer.form)&name=\(id)&allowed=\(allowed ? "yes" : "no")")
  }

  @Test func aCodeSignsOneDeviceInOnceThePersonConfirms() throws {
    let api = try API(proxy: Self.address)
    let computer = try computer(api)
    let phone = phone(api)
    let code = try code(computer)
    #expect(try phone.load("/pair/\(code)").text.contains("Sign in this device?"))
    #expect(try phone.load("/list/Task").status == 401)
    var waiting = try claimed(phone, code)
    // Neither the code nor the look of another device leads anywhere now.
    #expect(try phone.send("/pair", "code=\(code)").status == 403)
    #expect(try phone.load("/pair/\(code)").status == 403)
    #expect(try phone.load("/pair").status == 403)
    let shown = try waiting.load("/pair").text
    #expect(shown.contains("Confirm on the computer"))
    let number = try #require(shown.firstRange(of: "<b>")).upperBound
    #expect(
      try computer.load("/settings").text.contains(
        "<b class=\"num\">\(shown[number...].prefix(4))</b>"))
    #expect(try settle(computer, allowed: true).status == 303)
    let entered = try waiting.load("/pair")
    #expect(entered["Location"] == "/")
    let set = entered.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    #expect(set.count == 2 && set.allSatisfy { $0.contains("; Secure; HttpOnly;") })
    #expect(try waiting.load("/pair").status == 403)
    waiting.cookies = [set.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")]
    #expect(try waiting.load("/list/Task").status == 200)
    // The computer sees it, and signs it out.
    let page = try computer.load("/settings").text
    #expect(page.contains("A browser on this machine") && page.contains("a device"))
    let start = try #require(
      page.firstRange(of: "aria-label=\"Sign out: A browser on a device\"")
    ).lowerBound
    let id = try #require(page[..<start].ranges(of: "name=\"name\" value=\"").last).upperBound
    _ = try computer.send(
      "/settings/sign-out", "form=\(computer.form)&name=\(page[id...].prefix { $0 != "\"" })")
    #expect(try waiting.load("/list/Task").status == 401)
    #expect(try computer.load("/list/Task").status == 200)
  }

  @Test func refusedAndLateDevicesStayOut() throws {
    let api = try API(proxy: Self.address)
    let computer = try computer(api)
    let refused = try claimed(phone(api), code(computer))
    #expect(try settle(computer, allowed: false).status == 303)
    #expect(try refused.load("/pair").status == 403)
    let late = try claimed(phone(api), code(computer))
    let folder = api.options.folder + "/devices"
    let name = try #require(Folder.names(in: folder)?.first { $0.hasSuffix(".claimed") })
    let text = try #require(api.sandbox.read(".local/state/errand/serve/devices/\(name)"))
    let began = try #require(text.split(separator: "\n").first.flatMap { Int($0) })
    try api.sandbox.write(
      "\(began - Pairings.validity)" + text.dropFirst(String(began).count),
      to: ".local/state/errand/serve/devices/\(name)")
    #expect(api.options.pairings.claim == nil)
    #expect(try late.load("/pair").status == 403)
    // A new code makes an earlier one void.
    let first = try code(computer)
    _ = try code(computer)
    #expect(try phone(api).send("/pair", "code=\(first)").status == 403)
  }

  @Test(arguments: [nil, "http://errand.example"])
  func devicesNeedHTTPS(_ proxy: String?) throws {
    let api = try API(proxy: proxy)
    let computer = try computer(api)
    #expect(try computer.load("/settings").text.contains("--behind-proxy https://"))
    #expect(try computer.send("/settings/invite", "form=\(computer.form)").status == 404)
    let code = try api.options.pairings.invite()
    #expect(try computer.load("/pair/\(code)").status == 404)
    #expect(try computer.send("/pair", "code=\(code)").status == 404)
  }

  @Test func devicesLeaveAccessSecretsAndDefinitionsToTheComputer() throws {
    let api = try API(
      """
      shortcut: greet
      steps:
        - say: Hello.
      """, proxy: Self.address)
    let computer = try computer(api)
    var device = try claimed(phone(api), code(computer))
    #expect(try settle(computer, allowed: true).status == 303)
    let set = try device.load("/pair").headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    device.cookies = [set.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")]
    let page = try device.load("/item/Task/1").text
    let start = try #require(page.firstRange(of: "name=\"form\" value=\"")).upperBound
    device.form = String(page[start...].prefix { $0 != "\"" })
    func status(_ path: String, _ fields: String = "") throws -> Int {
      try device.send(path, "form=\(device.form)&" + fields).status
    }
    for path in [
      "/settings/token", "/settings/set", "/settings/invite", "/settings/device",
      "/settings/assistant", "/settings/storage", "/settings/worker", "//settings/token",
      "/settings//token", "/source/greet", "/make/shortcut", "/check",
      "/gallery/add", "/automations/nightly/on", "/run/greet/x/allow", "/run/greet/x/secret",
      "/mcp", "/elsewhere",
    ] { #expect(try status(path, "name=x&scope=all&text=x") == 403, "\(path)") }
    #expect(try status("/run/greet") == 303)
    #expect(try status("/item/Task/1/delete") == 303)
  }
}
