import CEL
import Items
import Testing

@testable import Store

/// The recorded schema suffices to create the tables.
@Suite struct RecordedSchemaTests {
  @Test func schemaRoundTrips() throws {
    let types: [DataType] = [
      .string, .int, .double, .bool, .url, .timestamp, .date, .duration, .any,
      .enumeration(["a = b]", "c of d", "\"e\""]), .list(.string), .list(.url), .map(.int),
      .list(.entity("Link")), .entity("Link"),
    ]
    let schema = EntitySchema(
      name: "All",
      properties: types.enumerated().map { index, type in
        PropertySchema(
          name: "p\(index)", type: type, isOptional: index % 2 == 0,
          default: type == .string ? " = \n[x]" : nil, searchWeight: index % 3 == 0 ? 2 : nil,
          isIndexed: index % 5 < 2)
      }, identity: "p4")
    let definition = EntityTable(schema).definition
    let read = try #require(EntitySchema(recorded: definition, name: "All"))
    #expect(EntityTable(read).definition == definition)
    // A column of days may have moments, too.
    #expect(read.properties.map(\.type) == types.map { $0 == .date ? .when : $0 })
  }

  @Test func compressedTextRoundTrips() throws {
    let schema = EntitySchema(
      name: "Page",
      properties: [
        PropertySchema(name: "text", type: .string, default: "none", searchWeight: 0.2)
      ])
    let definition = EntityTable(schema).definition
    let read = try #require(EntitySchema(recorded: definition, name: "Page"))
    #expect(EntityTable(read).definition == definition)
    #expect(read.properties[0].isBody)
  }

  @Test(arguments: ["", "nothing", "identity - words 2\nurl", "identity -\nurl strange"])
  func invalidSchemaIsNil(text: String) {
    #expect(EntitySchema(recorded: text, name: "All") == nil)
  }
}
