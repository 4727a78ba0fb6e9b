import ErrandKit
import Glibc
import POSIX

/// The body of a request, in memory or, above 1 MiB, in a file that is deleted with it.
package final class Body: @unchecked Sendable {
  private var bytes: [UInt8] = []
  private var file: TemporaryFile?
  /// The number of bytes received.
  package private(set) var count = 0
  private let folder: String

  /// The size above which bytes go to a file, in bytes.
  private static let memoryLimit = 1 << 20

  /// Creates an empty body.
  ///
  /// Filled by the serving thread, then read by one worker.
  /// - Parameter folder: The folder of large bodies.
  package init(spooledIn folder: String) { self.folder = folder }

  /// Adds received bytes; false if they cannot be stored.
  package func append(_ more: UnsafeRawBufferPointer) -> Bool {
    count += more.count
    bytes += more
    guard count > Self.memoryLimit else { return true }
    do {
      if file == nil { file = try TemporaryFile(for: folder + "/body") }
      try file?.file.write(bytes)
      bytes.removeAll(keepingCapacity: true)
      return true
    } catch {
      return false
    }
  }

  /// Calls `body` with all bytes; those of a file are mapped.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard let file else { return try bytes.withUnsafeBytes(body) }
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Problem(500, "io", "the upload cannot be read") }
    defer { close(descriptor) }
    let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else {
      throw Problem(500, "io", "the upload cannot be read")
    }
    defer { munmap(start, count) }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The fields of a sent form.
  ///
  /// - Throws: A problem if it is not valid.
  func form() throws -> [(name: String, value: String)] {
    guard let form = RequestHead.parameters(try text()) else {
      throw Problem(400, "invalid-value", "the form is not valid")
    }
    return form
  }

  /// The body as text.
  ///
  /// - Throws: A problem if it is not UTF-8.
  func text() throws -> String {
    try withBytes { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Problem(400, "invalid-value", "the body is not UTF-8")
      }
      return text
    }
  }

  /// The members of a JSON object; empty for an empty body.
  ///
  /// - Throws: A problem if it is not a JSON object.
  func object() throws -> [String: JSONValue] {
    if count == 0 { return [:] }
    let value: JSONValue
    do { value = try JSONValue(parsing: text()) } catch {
      throw Problem(400, "invalid-value", "the body is not JSON: \(Problem(error).detail)")
    }
    guard case .object(let members) = value else {
      throw Problem(422, "invalid-value", "the body must be a JSON object")
    }
    return members
  }
}
