import ErrandKit

/// The API as OpenAPI 3.1, made from the definitions in reach.
struct OpenAPIDocument {
  let value: JSONValue

  init(_ desk: Desk) throws {
    value = ["openapi": "3.1.0", "info": ["title": "Errand", "version": "1"], "paths": [:]]
  }
}
