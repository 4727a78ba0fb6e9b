/// Random bytes that were not used yet; to ask the system for each id would cost more than the rest.
struct RandomPool {
  /// How many bytes are asked for at once.
  private static let size = 320

  private var bytes: ArraySlice<UInt8> = []

  /// Ten bytes, which one id needs.
  mutating func take(from source: (Int) -> [UInt8]) -> ArraySlice<UInt8> {
    if bytes.count < 10 { bytes = source(Self.size)[...] }
    defer { bytes = bytes.dropFirst(10) }
    return bytes.prefix(10)
  }
}
