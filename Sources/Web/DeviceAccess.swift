/// The signed-in browsers and devices, for the page of settings.
package struct DeviceAccess {
  /// A signed-in browser; expires in seconds since 1970.
  package typealias Entry = (id: String, name: String, isDevice: Bool, isThis: Bool, expires: Int64)
  /// A device that wants to sign in, with the number that it shows.
  package typealias Claim = (id: String, name: String, number: String)

  /// Whether the page is shown on a device.
  package var isDevice = false
  /// The secure address at which devices reach the page; nil for none.
  package var address: String?
  /// Returns all signed-in browsers.
  package var list: () -> [Entry]
  /// Signs a browser out by its id.
  package var remove: (String) throws -> Void
  /// Makes a code for a device; earlier ones are void.
  package var invite: () throws -> String
  /// Returns whether a code can still be used.
  package var isOpen: (String) -> Bool
  /// Returns the device that waits for the person.
  package var claim: () -> Claim?
  /// Allows or refuses a device by its id.
  package var settle: (_ id: String, _ isAllowed: Bool) throws -> Void

  package init(
    isDevice: Bool, address: String?, list: @escaping () -> [Entry],
    remove: @escaping (String) throws -> Void, invite: @escaping () throws -> String,
    isOpen: @escaping (String) -> Bool, claim: @escaping () -> Claim?,
    settle: @escaping (String, Bool) throws -> Void
  ) {
    (self.isDevice, self.address, self.list, self.remove) = (isDevice, address, list, remove)
    (self.invite, self.isOpen, self.claim, self.settle) = (invite, isOpen, claim, settle)
  }
}
