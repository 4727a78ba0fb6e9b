import CEL

/// Pictures, PDFs, sounds and codes; uses ImageMagick, poppler, ffmpeg, qrencode and zbar.
enum ImageActions {
  private static let magick = "by ImageMagick"

  static let rows: [ActionRow] = [
    ActionRow("image.resize", magick) { t, a in
      let width = t.text(a, "WFImageResizeWidth")
      let height = t.text(a, "WFImageResizeHeight")
      var size: Code
      if a.word("WFImageResizeKey") == "Percentage" {
        size = .joined([t.text(a, "WFImageResizePercentage", "50"), .text("%")])
      } else if a.word("WFImageResizeKey") == "Longest Edge" {
        size = .joined([
          t.text(a, "WFImageResizeLength", "640"), .text("x"),
          t.text(a, "WFImageResizeLength", "640"),
        ])
      } else {
        size = .joined([
          width.literal == "" && height.literal == "" ? .text("640") : width, .text("x"), height,
        ])
        if width.literal != "", height.literal != "", a.parameters["WFImageResizeHeight"] != nil {
          size = .joined([width, .text("x"), height, .text("!")])
        }
      }
      make(&t, of: a, by: "convert \"$1\" -resize \"$2\" \"$out\"", [size], name: "picture")
    },
    ActionRow("image.convert", magick) { t, a in
      let format = a.choice("WFImageFormat", "JPEG").lowercased()
      let ending =
        [
          "jpeg": "jpg", "tiff": "tiff", "png": "png", "gif": "gif", "bmp": "bmp", "heif": "heic",
          "pdf": "pdf",
        ][format] ?? "jpg"
      let quality: Code
      if case .number(let number)? = t.value(a.parameters["WFImageCompressionQuality"]),
        !number.isNaN
      {
        quality = .text(String(Int(min(max(number, 0), 1) * 100)))
      } else {
        quality = .text("75")
      }
      let strip = a.flag("WFImagePreserveMetadata", true) ? "" : "-strip "
      make(
        &t, of: a, by: "convert \"$1\" \(strip)-quality \"$2\" \"$out\"", [quality], ending: ending,
        name: "picture")
    },
    ActionRow("image.crop", magick) { t, a in
      let size: Code = .joined([
        t.text(a, "WFImageCropWidth", "100"), .text("x"), t.text(a, "WFImageCropHeight", "100"),
      ])
      let gravities = [
        "Center": "center", "Top Left": "northwest", "Top Right": "northeast",
        "Bottom Left": "southwest",
        "Bottom Right": "southeast",
      ]
      let position = a.choice("WFImageCropPosition", "Center")
      let offset: Code =
        position == "Custom"
        ? .joined([
          .text("+"), t.text(a, "WFImageCropX", "0"), .text("+"), t.text(a, "WFImageCropY", "0"),
        ]) : .text("+0+0")
      make(
        &t, of: a, by: "convert \"$1\" -gravity \"$3\" -crop \"$2\" +repage \"$out\"",
        [.joined([size, offset]), .text(gravities[position] ?? "northwest")], name: "picture")
    },
    ActionRow("image.rotate", magick) { t, a in
      make(
        &t, of: a, by: "convert \"$1\" -rotate \"$2\" \"$out\"",
        [t.text(a, "WFImageRotateAmount", "90")],
        name: "picture")
    },
    ActionRow("image.flip", magick) { t, a in
      let flag = a.choice("WFImageFlipDirection", "Horizontal") == "Horizontal" ? "-flop" : "-flip"
      make(&t, of: a, by: "convert \"$1\" \(flag) \"$out\"", [], name: "picture")
    },
    ActionRow("image.mask", magick) { t, a in
      switch a.choice("WFMaskType", "Rounded Rectangle") {
      case "Custom Image":
        make(
          &t, of: a,
          by: "convert \"$1\" \"$2\" -alpha off -compose CopyOpacity -composite \"$out\"",
          [(t.value(a.parameters["WFCustomMaskImage"]) ?? .text("")).asText],
          name: "picture")
      case "Ellipse":
        make(
          &t, of: a,
          by:
            "convert \"$1\" \\( +clone -alpha transparent -fill white -draw \"ellipse %[fx:w/2],%[fx:h/2] %[fx:w/2],%[fx:h/2] 0,360\" \\) -compose DstIn -composite \"$out\"",
          [], name: "picture")
      default:
        make(
          &t, of: a,
          by:
            "convert \"$1\" \\( +clone -alpha transparent -fill white -draw \"roundrectangle 0,0 %[fx:w-1],%[fx:h-1] $2,$2\" \\) -compose DstIn -composite \"$out\"",
          [t.text(a, "WFMaskCornerRadius", "0")], name: "picture")
      }
    },
    ActionRow("image.combine", magick) { t, a in
      let spacing = t.text(a, "WFImageCombineSpacing", "0")
      let mode = a.choice("WFImageCombineMode", "Horizontally")
      let script =
        mode == "In a Grid"
        ? "montage \"$@\" -geometry \"+$space+$space\" \"$out\""
        : "convert \"$@\" -bordercolor none -border \"$space\" \(mode == "Vertically" ? "-append" : "+append") \"$out\""
      many(&t, of: a, by: "space=$1; shift; " + script, [spacing], name: "picture")
    },
    ActionRow("overlayimageonimage", magick) { t, a in
      let position: Code =
        a.choice("WFImagePosition", "Center") == "Custom"
        ? .joined([.text("+"), t.text(a, "WFImageX", "0"), .text("+"), t.text(a, "WFImageY", "0")])
        : .text("+0+0")
      let gravities = [
        "Center": "center", "Top Left": "northwest", "Top Right": "northeast",
        "Bottom Left": "southwest", "Bottom Right": "southeast",
      ]
      let gravity = gravities[a.choice("WFImagePosition", "Center")] ?? "northwest"
      let size: Code = .joined([t.text(a, "WFImageWidth"), .text("x"), t.text(a, "WFImageHeight")])
      make(
        &t, of: a,
        by:
          "convert \"$1\" \\( \"$2\" ${3:+-resize \"$3\"} \\) -gravity \"$5\" -geometry \"$4\" -composite \"$out\"",
        [
          (t.value(a.parameters["WFImage"]) ?? .text("")).asText,
          a.parameters["WFImageWidth"] == nil && a.parameters["WFImageHeight"] == nil
            ? .text("") : size, position, .text(gravity),
        ],
        name: "picture")
    },
    ActionRow("overlaytext", magick) { t, a in
      make(
        &t, of: a,
        by:
          "convert \"$1\" -gravity \"$3\" -pointsize 48 -fill white -annotate +0+0 \"$2\" \"$out\"",
        [
          t.text(a, "WFText"),
          .text(a.choice("WFTextPosition", "Center").contains("Bottom") ? "south" : "center"),
        ], name: "picture")
    },
    ActionRow(deciding: "properties.images", "properties that ImageMagick does not know") { t, a in
      let image = t.given(a, "WFInput")
      let name = a.choice("WFContentItemPropertyName", "Width")
      guard
        let code = property(name, of: image, &t) ?? FileActions.knownProperty(name, of: image, &t)
          ?? ItemProperties.value(name, of: image, &t)
      else { return .notHere("the \(name.lowercased()) of a picture") }
      t.give(code, a, name: name)
      return .approximated(magick)
    },
    ActionRow("detect.images", "pictures as paths to files") { t, a in
      t.pass(t.given(a, "WFInput"), a, name: "images")
      t.note { $0.form = .media }
    },
    ActionRow("makegif", magick) { t, a in
      let delay = t.number(a, "WFMakeGIFActionDelayTime", 0.25)
      many(
        &t, of: a,
        by:
          "convert -delay \"$1\" -loop \(a.flag("WFMakeGIFActionLoopEnabled", true) ? 0 : 1) \"${@:2}\" \"$out\"",
        [.cel("string(int(\(delay) * 100.0))", .text)], ending: "gif", name: "gif")
    },
    ActionRow("makepdf", magick) { t, a in
      many(&t, of: a, by: "convert \"$@\" \"$out\"", [], ending: "pdf", name: "pdf")
    },
    ActionRow("splitpdf", "by poppler") { t, a in
      let pdf = t.given(a, "WFInput").asText
      let lines = t.local(
        "exec",
        [
          (
            "shell",
            .text("dir=$(mktemp -d); pdfseparate \"$1\" \"$dir/page-%03d.pdf\"; ls -d \"$dir\"/*")
          ), ("args", .list([.code(pdf)])), ("parse", .word("lines")),
        ],
        .list, name: "pages")
      t.give(lines, a, name: "pages")
      t.note { $0.form = .media }
    },
    ActionRow("makeimagefrompdfpage", "by poppler") { t, a in
      let pdf = t.given(a, "WFInput").asText
      let format =
        a.choice("WFMakeImageFromPDFPageImageFormat", "JPEG").lowercased() == "png" ? "png" : "jpeg"
      t.give(
        "exec",
        [
          (
            "shell",
            .text(
              "dir=$(mktemp -d); pdftoppm -\(format) -r \"$2\" \"$1\" \"$dir/page\"; ls -d \"$dir\"/*"
            )
          ),
          (
            "args",
            .list([.code(pdf), .code(t.text(a, "WFMakeImageFromPDFPageResolution", "300"))])
          ), ("parse", .word("lines")),
        ], kind: .list, of: a, name: "pictures")
      t.note { $0.form = .media }
    },
    ActionRow("generatebarcode", "by the program qrencode") { t, a in
      let text = t.givenText(a, "WFText", "WFInput")
      let levels = ["Low": "L", "Medium": "M", "Quartile": "Q", "High": "H"]
      t.give(
        "exec",
        [
          (
            "shell",
            .text(
              "out=$(mktemp --suffix .png) && qrencode -l \"$2\" -o \"$out\" -- \"$1\" && echo \"$out\""
            )
          ),
          (
            "args",
            .list([
              .code(text), .text(levels[a.choice("WFQRErrorCorrectionLevel", "Medium")] ?? "M"),
            ])
          ),
        ], kind: .text, of: a, name: "code")
      t.note { $0.form = .media }
    },
    ActionRow("scanbarcode", "in a picture, by the program zbarimg") { t, a in
      let path = t.local("ask", [(nil, .text("Which picture? (path)"))], .text, name: "picture")
      t.give(
        "exec",
        [
          (
            nil,
            .list([
              .word("zbarimg"), .word("'-q'"), .word("'--raw'"), .word("'--'"), .code(path),
            ])
          )
        ],
        kind: .text, of: a, name: "code")
    },
    ActionRow("extracttextfromimage", "by the program tesseract") { t, a in
      t.give(
        "exec",
        [
          (
            nil,
            .list([
              .word("tesseract"), .code(t.given(a, "WFImage", "WFInput").asText), .word("stdout"),
            ])
          )
        ], kind: .text, of: a, name: "text")
    },
    ActionRow("encodemedia", "by ffmpeg, without its metadata") { t, a in
      let ending = a.flag("WFMediaAudioOnly", false) ? "m4a" : "mp4"
      t.give(
        "exec",
        [
          (
            "shell",
            .text(
              "out=$(mktemp --suffix .\(ending)) && ffmpeg -v error -y -i \"$1\" \"$out\" && echo \"$out\""
            )
          ),
          ("args", .list([.code(t.given(a, "WFMedia", "WFInput").asText)])),
        ], kind: .text, of: a, name: "media")
      t.note { $0.form = .media }
    },
    ActionRow("playsound", "by ffplay") { t, a in
      if a.parameters["WFInput"] == nil {
        t.call("exec", [(nil, .list([.word("printf"), .text("\\a")]))])
      } else {
        t.call(
          "exec",
          [
            (
              nil,
              .list([
                .word("ffplay"), .word("'-v'"), .word("error"), .word("'-nodisp'"),
                .word("'-autoexit'"), .code(t.given(a, "WFInput").asText),
              ])
            )
          ])
      }
    },
    ActionRow("takescreenshot", "by ImageMagick, in an X session") { t, a in
      t.give(
        "exec",
        [
          (
            "shell",
            .text("out=$(mktemp --suffix .png) && import -window root \"$out\" && echo \"$out\"")
          )
        ], kind: .text, of: a, name: "picture")
      t.note { $0.form = .media }
    },
  ]

  /// A property that ImageMagick reads; nil if it does not support the name.
  static func property(_ name: String, of image: Code, _ t: inout Translation) -> Code? {
    let formats = [
      "Width": "%w", "Height": "%h", "Orientation": "%[orientation]",
      "Date Taken": "%[EXIF:DateTimeOriginal]",
    ]
    guard let format = formats[name] else { return nil }
    let command: [Step.Argument] = [
      .word("identify"), .word("'-format'"), .text(format), .code(image.asText),
    ]
    let found = t.local("exec", [(nil, .list(command))], .text, name: "found")
    switch name {
    case "Width", "Height": return found.asNumber
    // The date of a picture has colons between year, month and day.
    case "Date Taken":
      return .cel(
        "toDate(regex.replace(\(found), \"^(\\\\d+):(\\\\d+):\", \"\\\\1-\\\\2-\"))", .date)
    default: return found
    }
  }

  /// Gives a new file that a script makes from one picture, `$1`, and further arguments.
  private static func make(
    _ t: inout Translation, of a: ActionTree.Action, by script: String, _ arguments: [Code],
    ending: String = "png", name: String
  ) {
    let image =
      a.parameters["WFInput"] == nil && a.name != "overlayimageonimage"
      ? t.given(a, "WFImage") : t.given(a, "WFInput")
    t.give(
      "exec",
      [
        ("shell", .text("out=$(mktemp --suffix .\(ending)) && \(script) && echo \"$out\"")),
        ("args", .list([.code(image.asText)] + arguments.map { .code($0) })),
      ], kind: .text, of: a, name: name)
    t.note { $0.form = .media }
  }

  /// Gives a new file that a script makes from several files, which follow further arguments.
  private static func many(
    _ t: inout Translation, of a: ActionTree.Action, by script: String, _ arguments: [Code],
    ending: String = "png", name: String
  ) {
    let list: Code = .cel("\(t.given(a, "WFInput").asList).map(f, toText(f))", .list)
    let all: Code = arguments.isEmpty ? list : .cel("[\(arguments[0].asText)] + \(list)", .list)
    t.give(
      "exec",
      [
        ("shell", .text("out=$(mktemp --suffix .\(ending)) && { \(script); } && echo \"$out\"")),
        ("args", .code(all)),
      ], kind: .text, of: a,
      name: name)
    t.note { $0.form = .media }
  }
}
