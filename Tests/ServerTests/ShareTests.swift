import ErrandKit
import FoundationEssentials
import Glibc
import Server
import TestSupport
import Testing

@Suite struct ShareTests {
  private func shares(_ api: API) -> [String] {
    let folder = api.sandbox.path + "/.local/share/errand/library.db.inbox/new"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  @Test func storesTextsURLsAndFiles() throws {
    let api = try API()
    let secret = try api.token(.share)
    let text = try api.request(
      "POST", "/shares", "Hello", token: secret,
      headers: [("Content-Type", "text/plain; charset=utf-8")])
    #expect(text.status == 202)
    let form = """
      --b\r\nContent-Disposition: form-data; name="title"\r\n\r\nA page\r
      --b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nfrom a file\r\n--b--\r\n
      """
    let headers = [(name: "Content-Type", value: "multipart/form-data; boundary=\"b\"")]
    let file = try api.request("POST", "/shares", form, token: secret, headers: headers)
    let name = try #require(file.json["share"]?.string)
    let share = try String(
      contentsOfFile: api.sandbox.path + "/.local/share/errand/library.db.inbox/new/" + name,
      encoding: .utf8)
    #expect(share.contains("from a file") && share.contains("A page"))
    #expect(shares(api).count == 2)
    // Nothing of the upload is left.
    let rest = try FileManager.default.contentsOfDirectory(atPath: api.service.spoolFolder)
    #expect(rest.filter { $0.hasPrefix("upload") || $0.hasPrefix("body") } == [])
  }

  @Test func storesAgainAfterACrash() throws {
    let api = try API()
    func share() throws -> Response {
      try api.request(
        "POST", "/shares", #"{"text": "Hello"}"#, headers: [("Idempotency-Key", "k")])
    }
    let name = try #require(try share().json["share"]?.string)
    // As if the server had been killed while it wrote the share.
    let inbox = api.sandbox.path + "/.local/share/errand/library.db.inbox"
    #expect(rename("\(inbox)/new/\(name)", "\(inbox)/tmp/\(name)") == 0)
    #expect(unlink("\(api.options.folder)/keys/\(name)") == 0)
    #expect(try share().status == 202)
    #expect(shares(api) == [name])
  }

  @Test func storesOnceForEachKey() throws {
    let api = try API()
    func share(_ key: String, _ body: String, _ token: String? = nil) throws -> Response {
      try api.request("POST", "/shares", body, token: token, headers: [("Idempotency-Key", key)])
    }
    let first = try share("k", #"{"text":"a"}"#)
    #expect(try share("k", #"{"text":"a"}"#).json == first.json)
    #expect(try share("k", #"{"text":"b"}"#).status == 422)
    #expect(try share("other", #"{"text":"b"}"#).status == 202)
    // Another token's key is another key.
    #expect(try share("k", #"{"text":"b"}"#, api.token(.share)).status == 202)
    #expect(shares(api).count == 3)
    // Also after it was imported.
    _ = try api.sandbox.run("inbox")
    #expect(try share("k", #"{"text":"a"}"#).json == first.json)
    #expect(shares(api).count == 0)
  }

  @Test(arguments: [("text/plain", ""), ("text/plain", " \n"), ("application/json", "{}")])
  func refusesNothing(_ type: String, _ body: String) throws {
    let api = try API()
    let headers = [(name: "Content-Type", value: type)]
    #expect(try api.request("POST", "/shares", body, headers: headers).status == 422)
    #expect(shares(api) == [])
  }

  @Test func refusesLargeFilesWithoutNamingFolders() throws {
    let api = try API()
    let form =
      "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"big\"\r\n\r\n"
      + String(repeating: "x", count: 51 << 20) + "\r\n--b--"
    let refused = try api.request(
      "POST", "/shares", form,
      headers: [(name: "Content-Type", value: "multipart/form-data; boundary=b")])
    #expect(refused.status == 413)
    #expect(refused.json["detail"] == "the file has 51 MiB; the limit is 50 MiB")
  }

  @Test func refusesEmptyFiles() throws {
    let api = try API()
    func share(_ parts: [(head: String, content: String)]) throws -> Response {
      let form = parts.map {
        "--b\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.content)\r\n"
      }
      return try api.request(
        "POST", "/shares", form.joined() + "--b--\r\n",
        headers: [("Content-Type", "multipart/form-data; boundary=b")])
    }
    let text = (head: #"name="text""#, content: "Hello")
    let empty = try share([text, (#"name="f"; filename="a.txt""#, "")])
    #expect(empty.status == 422)
    #expect(empty.json["detail"] == "the file “a.txt” is empty")
    // A browser's input without a file.
    let unset = (head: #"name="f"; filename="""#, content: "")
    #expect(try share([unset]).status == 422)
    #expect(shares(api) == [])
    #expect(try share([unset, text]).status == 202)
    #expect(shares(api).count == 1)
  }

  @Test(arguments: [
    "", "x", "--b", "--b\r\n", "--b--", "--b\r\n\r\n\r\n--b--",
    "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
    "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nx",
    "--b\r\nContent-Disposition: form-data; name=\"nothing\"\r\n\r\nx\r\n--b--",
    String(
      repeating: "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\r\n",
      count: 80),
  ])
  func refusesForms(_ form: String) throws {
    let api = try API()
    let headers = [(name: "Content-Type", value: "multipart/form-data; boundary=b")]
    let status = try api.request("POST", "/shares", form, headers: headers).status
    #expect([400, 422].contains(status))
    #expect(shares(api) == [])
  }
}
