import Testing

@testable import CEL

@Suite struct FreeNamesTests {
  @Test(arguments: [
    ("status == 'ready'", "self.status == \"ready\""),
    ("tags.all(t, t in vars.tags)", "self.tags.all(t, t in vars.tags)"),
    ("tags.all(status, status == 'x')", "self.tags.all(status, status == \"x\")"),
    (
      "tags.exists(i, status, status == 'x' && tags[i] == status)",
      "self.tags.exists(i, status, status == \"x\" && self.tags[i] == status)"
    ),
    ("cel.bind(status, status + 'x', status)", "cel.bind(status, self.status + \"x\", status)"),
    ("[status].map(status, status, [status])", "[self.status].map(status, status, [status])"),
    ("has(status.x) && !(status in tags)", "has(self.status.x) && !(self.status in self.tags)"),
    ("other.status", "other.status"),
    ("{'status': status, status: 1}", "{\"status\": self.status, self.status: 1}"),
    ("status ? tags[0] : -status", "self.status ? self.tags[0] : -self.status"),
    (".status", ".status"),
    ("math.abs(status)", "math.abs(self.status)"),
    ("tags.sortBy(status, status)", "self.tags.sortBy(status, status)"),
  ])
  func replacesFreeNames(_ text: String, _ wanted: String) throws {
    let expression = try Environment().replacingFreeNames(in: Expression.parse(text)) { free in
      ["status", "tags"].contains(free.name)
        ? .select(Expression(.identifier("self")), field: free.name) : nil
    }
    #expect(expression.description == wanted)
  }

  @Test func freeNamesHaveRanges() throws {
    let text = "a.b + xs.map(x, x + c) + math.abs(d) + type(int)"
    let names = Environment().freeNames(of: try Expression.parse(text))
    #expect(names.map(\.name) == ["a", "xs", "c", "d"])
    #expect(names.map(\.range) == [0..<1, 6..<8, 20..<21, 34..<35])
  }
}
