import CEL
import Testing

@testable import Engine
@testable import Items

/// A refined type is defined by its row: parser, base type and display text.
@Suite struct RefinedTypeTests {
  private static let percent = DataType.refined(
    RefinedType(
      "percent", of: .double, noun: "a percentage", examples: "40, 12.5%",
      show: { $0.text + "%" }
    ) { text in
      let number = Double(text.hasSuffix("%") ? String(text.dropLast()) : text)
      return number.flatMap { (0...100).contains($0) ? .double($0) : nil }
    })

  private static func item(_ done: Value, _ parts: Value = .null) -> Item {
    let schema = EntitySchema(
      name: "Job",
      properties: [
        PropertySchema(name: "done", type: percent, isOptional: true),
        PropertySchema(name: "parts", type: .list(percent), isOptional: true),
      ])
    return Item(Record(id: 1, values: [done, parts]), layout: ItemLayout(schema))
  }

  @Test func itsTextIsShownInTables() throws {
    let renderer = try TestRun().session.renderer
    let items = Value.list([
      .object(Self.item(.double(12.5), .list([.double(1.5), .double(2.5)]))),
      .object(Self.item(.null)),
    ])
    let expected = [["job:1", "12.5%", "1.5%, 2.5%"], ["job:1", "", ""]]
    guard case .table(let columns, let rows) = renderer.table(of: items).layout else {
      Issue.record("no table")
      return
    }
    #expect(columns == ["ref", "done", "parts"])
    #expect(rows == expected)
    let names = ["ref", "done", "parts"]
    guard case .table(_, let chosen) = try renderer.table(of: items, columns: names).layout else {
      Issue.record("no table")
      return
    }
    #expect(chosen == expected)
  }

  @Test func itsReaderJudgesNumbersToo() throws {
    guard case .refined(let type) = Self.percent else { return }
    #expect(type.value(of: .string("12.5%")) == .double(12.5))
    #expect(type.value(of: .int(40)) == .double(40))
    #expect(type.value(of: .double(101)) == nil)
    #expect(type.value(of: .bool(true)) == nil)
  }
}
