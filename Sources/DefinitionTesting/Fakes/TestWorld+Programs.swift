import CEL
import Catalog
import Engine
import Program
import Synchronization
import YAML

extension TestWorld {
  /// What stands for a program ends at once, or after its delay.
  func run(_ request: ProcessRequest, _ bounds: WaitBounds) throws -> ProcessEnd {
    let line = request.command.joined(separator: " ")
    let program = request.command.first ?? ""
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let reply = state.withLock { state in
      state.commands.append(.object(Self.record(of: request, line)))
      return state.programs.take([line, program, name])
    }
    guard let reply else {
      throw reached("the program `\(line.shortened)`", remedy: "`exec: {\(name): {stdout: …}}`")
    }
    var left = reply.delay
    if let deadline = bounds.deadline { left = min(left, max(deadline - clock.monotonic, 0)) }
    clock.spend(left)
    if left < reply.delay { return ProcessEnd(reason: .interrupted, output: [], errors: []) }
    try reply.throwFailure(of: "`\(name)`")
    let output = Array(try reply.text("stdout").utf8)
    let errors = Array((reply["stderr"]?.scalar?.text ?? "").utf8)
    let reason: ProcessEnd.Reason =
      if let signal = reply.number("signal") {
        .signalled(Int32(clamping: signal))
      } else {
        .exited(Int32(clamping: reply.number("status") ?? 0))
      }
    guard let path = request.outputPath, reason == .exited(0) else {
      return ProcessEnd(reason: reason, output: output, errors: errors)
    }
    try state.withLock { try $0.files.write(path, output, .replace) }
    return ProcessEnd(reason: reason, output: [], errors: errors)
  }

  private static func record(of request: ProcessRequest, _ line: String) -> Record {
    Record(
      "program", line: line,
      [
        ("command", .list(request.command.map(Value.string))),
        ("stdin", .string(String(decoding: request.input, as: UTF8.self))),
        ("env", .map(MapValue(request.environment.map { ($0.name, .string($0.value)) }))),
        ("dir", request.folder.map(Value.string) ?? .null),
        ("save", request.outputPath.map(Value.string) ?? .null),
      ])
  }
}
