/// How much one share may hold; the same for every program that writes into the folder.
package enum ShareLimits {
  /// How many texts, addresses and files.
  package static let items = 10
  /// How many bytes of one of them.
  package static let itemBytes = 50 << 20
  /// How many bytes in all.
  package static let bytes = 100 << 20
  /// How long the first line may be, in bytes.
  static let header = 1 << 20
  /// From how many bytes on a text stands behind the first line.
  static let textInHeader = 32 << 10
  /// How long a name of an application, a handler or a file may be, in bytes.
  static let name = 1024
}
