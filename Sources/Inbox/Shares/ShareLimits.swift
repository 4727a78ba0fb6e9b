/// The limits of a share, for every program that writes into the folder.
package enum ShareLimits {
  /// The maximum number of items.
  package static let items = 10
  /// The maximum size of an item in bytes.
  package static let itemBytes = 50 << 20
  /// The maximum total size in bytes.
  package static let bytes = 100 << 20
  /// The maximum number of tags.
  static let tags = 50
  /// The maximum length of the header in bytes.
  static let header = 1 << 20
  /// The size in bytes from which text is stored after the header.
  static let textInHeader = 32 << 10
  /// The maximum length of an application's, handler's or file's name in bytes.
  package static let name = 1024
}
