/// A file of the page that is the same for everybody, part of the program.
package struct Asset: Sendable {
  package let type: String
  package let bytes: [UInt8]

  /// Finds a file by its name; nil if there is none.
  package init?(_ name: String) {
    switch name {
    case "style.css": self.init("text/css; charset=utf-8", PackageResources.style_css)
    case "page.js": self.init("text/javascript; charset=utf-8", PackageResources.page_js)
    case "list.js": self.init("text/javascript; charset=utf-8", PackageResources.list_js)
    case "forms.js": self.init("text/javascript; charset=utf-8", PackageResources.forms_js)
    case "run.js": self.init("text/javascript; charset=utf-8", PackageResources.run_js)
    case "offline.js": self.init("text/javascript; charset=utf-8", PackageResources.offline_js)
    case "waiting.js": self.init("text/javascript; charset=utf-8", PackageResources.waiting_js)
    case "worker.js": self.init("text/javascript; charset=utf-8", PackageResources.worker_js)
    case "app.webmanifest":
      self.init("application/manifest+json", PackageResources.app_webmanifest)
    case "icons.svg": self.init("image/svg+xml", PackageResources.icons_svg)
    case "icon.svg": self.init("image/svg+xml", PackageResources.icon_svg)
    default: return nil
    }
  }

  private init(_ type: String, _ bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}
