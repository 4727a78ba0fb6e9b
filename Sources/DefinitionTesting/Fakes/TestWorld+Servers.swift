import CEL
import Catalog
import Engine
import Program
import Synchronization
import YAML

extension TestWorld {
  /// What stands for a server answers at once, or after its delay.
  func answer(_ request: HTTPRequest, _ bounds: WaitBounds) throws -> HTTPEnd {
    let line = "\(request.method) \(request.url)"
    let reply = state.withLock { state in
      state.requests.append(.object(Self.record(of: request, line)))
      return state.servers.take([line, request.url])
    }
    guard let reply else {
      throw reached(
        "the address `\(line.shortened)`", remedy: "`http: {'\(line.shortened)': {json: …}}`")
    }
    var left = reply.delay
    if let deadline = bounds.deadline { left = min(left, max(deadline - clock.monotonic, 0)) }
    clock.spend(left)
    if left < reply.delay { return .interrupted }
    try reply.throwFailure(of: "`\(line.shortened)`")
    let status = reply.number("status") ?? 200
    var headers = (reply["headers"]?.mapping?.entries ?? []).map { entry in
      (name: entry.key.text.lowercased(), value: entry.value.scalar?.text ?? "")
    }
    if reply["json"] != nil, !headers.contains(where: { $0.name == "content-type" }) {
      headers.append(("content-type", "application/json"))
    }
    let body = Array(try reply.text("text").utf8)
    let saved = request.outputPath.flatMap { request.accepts(status) ? $0 : nil }
    if let saved { try state.withLock { try $0.files.write(saved, body, .replace) } }
    return .reply(
      HTTPReply(
        status: status, headers: headers, url: request.url, body: saved == nil ? body : [],
        isSaved: saved != nil))
  }

  private static func record(of request: HTTPRequest, _ line: String) -> Record {
    let body: Value =
      switch request.body {
      case .none: .null
      case .bytes(let bytes): .string(String(decoding: bytes, as: UTF8.self))
      case .file(let path): .map(MapValue([("file", .string(path))]))
      case .parts(let parts):
        .map(
          MapValue(
            parts.map { part in
              let content: Value =
                switch part.content {
                case .bytes(let bytes): .string(String(decoding: bytes, as: UTF8.self))
                case .file(let path): .string(path)
                }
              return (part.name, content)
            }))
      }
    return Record(
      "request", line: line,
      [
        ("method", .string(request.method)), ("url", .string(request.url)),
        (
          "headers",
          .map(
            MapValue(
              request.headers.map {
                ($0.name.lowercased(), .string($0.isSecret ? "•••" : $0.value))
              }))
        ),
        ("body", body), ("save", request.outputPath.map(Value.string) ?? .null),
      ])
  }
}
