import CEL
import Engine
import Glibc
import Source

final class Console {
  struct Style {
    func bold(_ t: String) -> String { t }
    func accent(_ t: String) -> String { t }
  }
  init() {}
  func out(_ t: String) { print(t, terminator: "") }
  func err(_ t: String) {
    let b = Array(t.utf8)
    write(2, b, b.count)
  }
  func flush() { fflush(nil) }
  func setColor(_ t: String?) {}
  var stdoutIsTerminal: Bool { isatty(1) == 1 }
  var width: Int { 80 }
  var style: Style { Style() }
  var diagnosticStyle: DiagnosticStyle { .plain }
}
final class TerminalFront: Front {
  let console: Console
  init(console: Console) { self.console = console }
  var canAnswer: Bool { false }
  var observesSteps: Bool { false }
  func say(_ text: String) { console.err(text + "\n") }
  func show(_ p: Presentation) {
    switch p.layout {
    case .text(let t): console.out(t + "\n")
    case .cards(let c):
      for c in c { console.out("\(c.reference ?? "")  \(c.title)  \(c.subtitle ?? "")\n") }
    case .table(let c, let r):
      console.out("\(c)\n")
      for r in r { console.out("\(r)\n") }
    }
  }
  func ask(_ q: Question) throws -> Reply { .text("") }
  func step(_ path: [String]) {}
}
final class EventsFront: Front {
  init(console: Console) {}
  var canAnswer: Bool { false }
  var observesSteps: Bool { true }
  func say(_ text: String) {}
  func show(_ p: Presentation) {}
  func ask(_ q: Question) throws -> Reply { .text("") }
  func step(_ path: [String]) {}
  func result(_ t: String) {}
}
enum SystemHost {
  static func make(console: Console, linkBase: String, keyPath: String?) -> Host {
    Host(
      now: {
        var t = timespec()
        clock_gettime(CLOCK_REALTIME, &t)
        return Timestamp(seconds: Int64(t.tv_sec), nanoseconds: Int32(t.tv_nsec))
      },
      randomBytes: { n in (0..<n).map { _ in UInt8.random(in: 0...255) } },
      environment: Environment.value, clock: .utc,
      readClipboard: { nil }, writeClipboard: { _ in true }, open: { _ in false },
      linkBase: linkBase, keyPath: keyPath, log: { _ in })
  }
}
enum ImportCommand {
  static func run(path: String?, session: Session, console: Console) throws -> Int32 { 0 }
}
enum ExportCommand {
  static func run(entities: [String], session: Session, console: Console) throws -> Int32 { 0 }
}
final class StandardInputStream {
  func read(into b: UnsafeMutableRawBufferPointer) throws -> Int {
    Glibc.read(0, b.baseAddress, b.count)
  }
}
