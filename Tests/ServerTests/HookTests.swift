import ErrandKit
import Server
import Testing

/// Requests to webhooks.
@Suite struct HookTests {
  private static let yaml = """
    automation: deployed
    on: [{webhook: deploy, body: {status: string}}]
    steps: [{create: {entity: Note, set: {text: '{{ trigger.body.status }}'}}}]
    """

  private func hook(_ api: API, access: [String: String] = ["deployed": "[]"]) throws -> String {
    try api.tokens.create(
      "ci", .hook, only: ["deploy"], access: access, at: API.now, expires: nil)
  }

  @Test func requestPutsAJobIntoTheQueue() throws {
    let api = try API(Self.yaml)
    let secret = try hook(api)
    let path = "//hooks/deploy/" + secret
    let response = try api.request("POST", path, #"{"status": "green"}"#, token: "")
    #expect(response.status == 202 && response.text == #"{"jobs":[1]}"#, "\(response.text)")
    let misfit = try api.request("POST", path, #"{"state": "green"}"#, token: "")
    #expect(misfit.status == 422 && misfit.text.contains("`state`"), "\(misfit.text)")
    #expect(try api.request("POST", path, "no JSON", token: "").status == 400)
    #expect(try api.request("GET", path, token: "").status == 405)
    // It opens nothing else.
    #expect(try api.request("GET", "/items/Note", token: secret).status == 403)
    #expect(try api.request("POST", "//hooks/other/" + secret, "{}", token: "").status == 404)
    #expect(try api.request("POST", "//hooks/deploy/" + api.secret, "{}", token: "").status == 404)
    #expect(try api.tokens.revoke("ci"))
    #expect(try api.request("POST", path, #"{"status": "green"}"#, token: "").status == 404)
  }

  @Test func whatWasNotAllowedIsRefused() throws {
    let api = try API(Self.yaml)
    let path = "//hooks/deploy/" + (try hook(api, access: [:]))
    #expect(try api.request("POST", path, #"{"status": "green"}"#, token: "").status == 403)
  }

  @Test func requestsHaveARate() throws {
    let api = try API(Self.yaml)
    let path = "//hooks/deploy/" + (try hook(api))
    for _ in 1...60 { _ = try api.request("POST", path, "{}", token: "") }
    let response = try api.request("POST", path, "{}", token: "")
    #expect(response.status == 429 && response["Retry-After"] != nil)
  }
}
