import CResources
import Glibc

/// A file of the project that is part of the program, so that a copied binary works alone.
///
/// Its row is in `CResources.c`; Swift's optimiser takes seconds for each array of bytes.
package struct Resource {
  private let row: errand_resource

  /// The file at a path in the project; nil if it is not part of the program.
  package static func named(_ path: String) -> Resource? {
    errand_resource(path).map { Resource(row: $0.pointee) }
  }

  /// The bytes of a file that is part of the program.
  package static func bytes(of path: String) -> [UInt8] { file(path).bytes }

  /// The text of a file that is part of the program.
  package static func text(of path: String) -> String { file(path).text }

  private static func file(_ path: String) -> Resource {
    guard let resource = named(path) else { preconditionFailure("CResources.c lacks \(path)") }
    return resource
  }

  /// All files; those of a folder are in the order of lists.
  package static var all: some Sequence<Resource> {
    sequence(first: errand_resources()) { $0.advanced(by: 1) }.lazy.map(\.pointee)
      .prefix { $0.path != nil }.map(Resource.init)
  }

  /// The path within a folder, which ends with `/`; nil for files of other folders.
  ///
  /// Compares bytes, because a start asks for each file.
  package func path(in folder: StaticString) -> String? {
    guard let path = row.path, strncmp(path, folder.utf8Start, folder.utf8CodeUnitCount) == 0
    else { return nil }
    return String(cString: path + folder.utf8CodeUnitCount)
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with the bytes, which are not copied.
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: row.bytes, count: row.count))
  }

  package var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: row.bytes, count: row.count)) }
}
