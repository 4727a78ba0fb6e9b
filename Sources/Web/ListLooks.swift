import ErrandKit

/// The looks that a person gave lists, remembered by the address of each.
struct ListLooks {
  /// A form of the items of a list.
  enum Look: String, CaseIterable {
    case rows, grid, cards

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    var icon: String { ["rows": "list", "grid": "grid", "cards": "image"][rawValue] ?? "list" }
  }

  private let file: JSONFile
  private var looks: [String: JSONValue] = [:]

  private static let limit = 1_000

  init(_ errand: Errand) {
    file = JSONFile("looks.json", in: errand.places?.data)
    if case .object(let members) = file.value { looks = members }
  }

  subscript(path: String) -> Look { looks[path]?.string.flatMap(Look.init) ?? .rows }

  mutating func set(_ look: Look, of path: String) throws(ErrandError) {
    guard looks.count < Self.limit || looks[path] != nil else { return }
    looks[path] = look == .rows ? nil : .string(look.rawValue)
    try file.write(.object(looks), "the looks of lists")
  }
}
