import CEL

/// The device and its parts.
enum DeviceActions {
  private static let nothing = "nothing to do on this machine"

  static let rows: [ActionRow] = [
    ActionRow("vibrate", nothing) { _, _ in },
    ActionRow("dismisssiri", nothing) { _, _ in },
    ActionRow("returntohomescreen", nothing) { _, _ in },
    ActionRow("handoff", nothing) { _, _ in },
    ActionRow(deciding: "getdevicedetails", "details that this machine does not have") { t, a in
      let detail = a.choice("WFDeviceDetail", "Device Name")
      guard let code = DeviceActions.detail(detail) else {
        return .notHere("the \(detail.lowercased()) of a phone")
      }
      t.give(code, a, name: detail)
      return .approximated("details of this machine")
    },
    ActionRow("getipaddress") { t, a in
      let isNew = a.choice("WFIPAddressTypeOption", "IPv4") == "IPv6"
      if a.choice("WFIPAddressSourceOption", "External") == "Local" {
        let all = t.local(
          "exec", [(nil, .list([.word("hostname"), .word("'-I'")]))], .text, name: "addresses")
        t.give(
          .cel("\(all).split(\" \").filter(i, i.contains(\(.text(isNew ? ":" : "."))))", .list), a,
          name: "addresses")
      } else {
        t.give(
          "http",
          [("url", .text("https://api\(isNew ? "6" : "").ipify.org")), ("parse", .word("text"))],
          kind: .text, of: a, name: "address")
      }
    },
    ActionRow("getbatterylevel", "of the first battery") { t, a in
      let level = t.local(
        "exec", [("shell", .text("cat /sys/class/power_supply/BAT*/capacity | head -n 1"))], .text,
        name: "level")
      t.give(level.asNumber, a, name: "level")
    },
    ActionRow("getwifi", "by the program iwgetid") { t, a in
      t.give(
        "exec", [(nil, .list([.word("iwgetid"), .word("'-r'")]))], kind: .text, of: a,
        name: "network")
    },
    ActionRow("setvolume", "by the program pactl") { t, a in
      let volume = t.number(a, "WFVolume", 0.5)
      t.call(
        "exec",
        [
          (
            nil,
            .list([
              .word("pactl"), .text("set-sink-volume"), .text("@DEFAULT_SINK@"),
              .code(.cel("string(int(\(volume) * 100.0)) + \"%\"", .text)),
            ])
          )
        ])
    },
    ActionRow("setbrightness", "by the program brightnessctl") { t, a in
      let level = t.number(a, "WFBrightness", 0.5)
      t.call(
        "exec",
        [
          (
            nil,
            .list([
              .word("brightnessctl"), .word("set"),
              .code(.cel("string(int(\(level) * 100.0)) + \"%\"", .text)),
            ])
          )
        ])
    },
    ActionRow("lockscreen", "by the program loginctl") { t, _ in
      t.call("exec", [(nil, .list([.word("loginctl"), .text("lock-session")]))])
    },
    ActionRow("openin", "by the program for its kind") { t, a in
      t.call("open-url", [("file", .code(t.given(a, "WFInput").asText))])
    },
    ActionRow(deciding: "openapp", "applications of Apple's") { t, a in
      var bundle = a.word("WFAppIdentifier") ?? ""
      if case .map(let app)? = a.parameters["WFSelectedApp"],
        case .string(let id)? = app["BundleIdentifier"]
      {
        bundle = id
      }
      let programs = [
        "com.apple.mobilesafari": "https:", "com.apple.Safari": "https:",
        "com.apple.mobilemail": "mailto:", "com.apple.mail": "mailto:",
      ]
      guard let address = programs[bundle] else {
        return .notHere("the application \(bundle.isEmpty ? "that is not named" : bundle)")
      }
      t.steps.append(
        WebActions.opening(.text(address == "https:" ? "https://duckduckgo.com/" : address)))
      return .approximated("the program of this machine")
    },
    ActionRow("makespokenaudiofromtext", "by the program espeak-ng") { t, a in
      t.give(
        "exec",
        [
          (
            "shell",
            .text("out=$(mktemp --suffix .wav) && espeak-ng -w \"$out\" -- \"$1\" && echo \"$out\"")
          ), ("args", .list([.code(t.givenText(a, "WFInput"))])),
        ],
        kind: .text, of: a, name: "sound")
      t.note { $0.form = .file }
    },
  ]

  /// A detail of this machine; nil if it is unavailable.
  static func detail(_ name: String) -> Code? {
    switch name {
    case "Device Name", "Device Hostname": .cel("coalesce(env(\"HOSTNAME\"), \"Linux\")", .text)
    case "Device Model", "Device Type", "System Name", "Operating System": .text("Linux")
    case "System Version", "Build Number": .text("12")
    case "Current Appearance", "Appearance": .text("Light")
    case "Is Low Power Mode On", "Device Is Watch": .flag(false)
    default: nil
    }
  }
}
