import CEL
import Glibc
import JSON
import TestSupport
import Testing

@testable import Links

/// The canonical form of 125,722 collected links.
@Suite struct RealLinksTests {
  private static let file: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/../shared/data/links/awesome.jsonl.gz"
  }()

  @Test(.enabled(if: access(file, R_OK) == 0, "the file of real links is not there"))
  func realURLsParseAndTheirCanonicalFormIsIdempotent() throws {
    let pipe = try #require(popen("gzip -dc '\(Self.file)'", "r"))
    defer { pclose(pipe) }
    var reader = JSONLinesReader { target in fread(target.baseAddress, 1, target.count, pipe) }
    var refused: [String: Int] = [:]
    var count = 0
    var pages: Set<String> = []
    let wanted = Amount.of("ERRAND_REAL_LINKS", quick: 10_000, whole: .max)
    while count < wanted, let line = try reader.next() {
      guard case .success(.map(let fields)) = line.value, case .string(let text)? = fields["url"]
      else { continue }
      count += 1
      do {
        let url = try WebURL(text)
        let canonical = url.canonical
        pages.insert(canonical)
        if try WebURL(canonical).canonical != canonical { Issue.record("\(text)") }
        if url.text != text { Issue.record("\(text)") }
      } catch {
        refused[error.description, default: 0] += 1
      }
    }
    #expect(count > min(wanted, 100_000) - 1)
    // One of the collected links has no host.
    #expect(refused.isEmpty || refused == ["it has no host": 1])
    #expect(pages.count < count)
  }
}
