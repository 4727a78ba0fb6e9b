import Links
import Testing

@testable import Network

/// URLs as validated by our code and as parsed by libcurl.
@Suite struct AddressTests {
  @Test(arguments: [
    "http://a", "http://a:0/", "http://a:/x", "http://a:65536/", "http://a:b/", "http://a_b.c./",
    "http://a~b/", "http://a%41b/", "http://a%29b/", "http://a%2fb/", "http://a%00b/",
    "http://u:p@h/x?y#z", "http://u@v@h/", "http://[::1]:8080/", "http://[::g]/",
    "http://[1.2.3.4]/",
    "http://[::1", "https://c.example)", "http://bücher.example/", "http://1.2.3.4/", "http://-a/",
    "http://a b/", "ftp://a/", "https://",
  ])
  func libraryAndCurlAgreeOnURLs(address: String) {
    #expect(((try? WebURL(address)) != nil) == ((try? CurlURL(address)) != nil))
  }

  @Test(arguments: Array("!$&'()*+,;=\"<>^`{}|\\[]%~-_.0"))
  func libraryAndCurlAgreeOnHostCharacters(character: Character) {
    let address = "https://a\(character)b.example/"
    // libcurl would resolve `a|b.example` and `a%b.example`, which no name server knows.
    if character == "|" || character == "%" { return #expect((try? WebURL(address)) == nil) }
    #expect(((try? WebURL(address)) != nil) == ((try? CurlURL(address)) != nil))
  }
}
