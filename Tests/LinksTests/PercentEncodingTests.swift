import Testing

@testable import Links

struct PercentEncodingTests {
  @Test(arguments: [
    ("a-b._~9", "", "a-b._~9"), ("a b+c&d=ü", "", "a%20b%2Bc%26d%3D%C3%BC"),
    ("a/b%\u{7}", "", "a%2Fb%25%07"), ("/a b/(1)", "/", "/a%20b/%281%29"),
  ])
  func encodesAndDecodes(_ text: String, keeping kept: String, _ encoded: String) {
    #expect(PercentEncoding.encode(text, keeping: kept) == encoded)
    #expect(PercentEncoding.decode(encoded, plusIsSpace: true) == text)
  }
}
