import CEL
import JSON
import LanguageServer
import TestSupport
import Testing

@Suite struct ProtocolTests {
  private func parts(_ bytes: [UInt8], chunk: Int) -> [String] {
    var reader = MessageReader()
    var found: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
      while let part = reader.next() {
        switch part {
        case .message(let value): found.append((try? JSONWriter().text(of: value)) ?? "?")
        case .malformed: found.append("malformed")
        }
      }
    }
    return found
  }

  private func framed(_ content: String) -> [UInt8] {
    Array("Content-Length: \(content.utf8.count)\r\n\r\n\(content)".utf8)
  }

  @Test(arguments: [1, 3, 7, 1000])
  func messagesAreCutWhereverTheirBytesCome(_ chunk: Int) {
    let bytes =
      framed(#"{"a":"é"}"#) + Array("Content-Type: x\r\ncontent-length:2\r\n\r\n{}".utf8)
      + framed("{") + Array("Nothing: 1\r\n\r\n".utf8) + framed("[1]")
    #expect(parts(bytes, chunk: chunk) == [#"{"a":"é"}"#, "{}", "malformed", "malformed", "[1]"])
  }

  @Test func whatCannotBeAnsweredIsRefusedByItsCode() throws {
    let session = try Session()
    #expect(throws: Session.Refusal.self) { try session.request("no/such", .null) }
    let server = session.server
    let answers = server.take(.message(Session.json(#"{"id": 1, "method": 3}"#)))
    #expect(answers.first?["error"]?["code"] == -32600)
    #expect(server.take(.malformed("x")).first?["error"]?["code"] == -32700)
    #expect(try session.request("shutdown", .null) == .null)
    #expect(throws: Session.Refusal.self) { try session.request("textDocument/hover", .null) }
    _ = server.take(.message(Session.json(#"{"method": "exit"}"#)))
    #expect(server.exitStatus == 0)
  }

  @Test func theProgramServesAClientOnItsStreams() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{sya: x}]\n"])
    let uri = "file://\(sandbox.path)/a.yaml"
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file://\#(sandbox.path)","capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","languageId":"yaml","version":1,"text":"shortcut: a\nsteps: [{sya: x}]\n"}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"no/such","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#,
    ]
    let input = messages.flatMap { framed($0) }
    let run = try sandbox.run(["lsp"], input: input + framed(#"{"jsonrpc":"2.0","method":"exit"}"#))
    #expect(run.status == 0 && run.err == "")
    #expect(run.out.contains(#""positionEncoding":"utf-16""#))
    #expect(run.out.contains("-32800"))
    let gone = try sandbox.run(["lsp"], input: input)
    #expect(gone.status == 1)
    #expect(gone.out.contains("unknown step `sya`"))
  }
}
