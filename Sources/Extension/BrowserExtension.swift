/// The browser extension: its files, which are part of the program, and its names.
package enum BrowserExtension {
  /// The files of its folder.
  package static let files: [(name: String, bytes: [UInt8])] = [
    ("manifest.json", PackageResources.manifest_json),
    ("background.js", PackageResources.background_js), ("host.js", PackageResources.host_js),
    ("sheet.html", PackageResources.sheet_html), ("sheet.css", PackageResources.sheet_css),
    ("sheet.js", PackageResources.sheet_js), ("style.css", PackageResources.style_css),
    ("icon.png", PackageResources.icon_png),
  ]

  /// The id in Chromium and its relatives, from the `key` in the manifest: the first 32 digits of its
  /// SHA-256, with letters from `a` on.
  package static let chromiumID = "ffjjldflhfkflajhokblnlgmonebgfkg"
  /// The id in Firefox.
  package static let firefoxID = "errand@errand.localhost"
  /// The name of the program that it talks to.
  package static let host = "errand"
}
