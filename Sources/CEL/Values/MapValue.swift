/// A map that keeps the order in which its keys came.
public struct MapValue: Sendable {
  /// The entries in order.
  public private(set) var entries: [(key: Value, value: Value)] = []

  public init() {}

  /// A map with text keys, such as a record; a key given twice keeps its last value.
  public init(_ fields: some Sequence<(String, Value)>) {
    for (key, value) in fields { self[.string(key)] = value }
  }

  public var count: Int { entries.count }

  /// The value of a key; assigning nil removes the key.
  public subscript(key: Value) -> Value? {
    get { index(of: key).map { entries[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// The value of a text key.
  public subscript(name: String) -> Value? {
    get { self[.string(name)] }
    set { self[.string(name)] = newValue }
  }

  private func index(of key: Value) -> Int? {
    entries.firstIndex { entry in
      switch (entry.key, key) {
      case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
      case (.int(let a), .int(let b)): a == b
      case (.bool(let a), .bool(let b)): a == b
      default: false
      }
    }
  }
}
