import Resources

/// A file of the page that is the same for everybody, part of the program.
package struct Asset {
  package let type: String
  package let bytes: [UInt8]

  /// Finds a file by its name; nil if there is none.
  package init?(_ name: String) {
    guard let resource = Resource.named("Sources/Web/assets/" + name) else { return nil }
    type =
      switch name.split(separator: ".").last {
      case "css": "text/css; charset=utf-8"
      case "js": "text/javascript; charset=utf-8"
      case "svg": "image/svg+xml"
      case "html": "text/html; charset=utf-8"
      default: "application/manifest+json"
      }
    bytes = resource.bytes
  }
}
