import AppleShortcuts
import Testing

/// The actions that ask, show, and reach outside, with all that is outside faked.
@Suite struct OutsideActionTests {
  @Test(arguments: [
    (
      #"[["ask", {"WFAskActionPrompt": "Name?"}]]"#,
      "{answers: {Name?: Ada}, expect: {output: Ada}}"
    ),
    (
      #"[["ask", {"WFAskActionPrompt": "How many?", "WFInputType": "Number"}]]"#,
      "{answers: {How many?: '3'}, expect: {output: 3}}"
    ),
    (
      #"[["ask", {"WFAskActionPrompt": "When?", "WFInputType": "Date", "UUID": "d"}], ["format.date", {"WFDate": "‹d›", "WFDateFormatStyle": "Custom", "WFDateFormat": "d.M.y"}]]"#,
      "{answers: {When?: '2026-03-05'}, expect: {output: 5.3.2026}}"
    ),
    (
      #"[["ask", {"WFAskActionPrompt": "Name?", "WFAskActionDefaultAnswer": "Ada", "WFAskActionDefaultAnswerNumber": "7"}]]"#,
      "{answers: {Name?: Bob}, expect: {output: Bob}}"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"]}], ["choosefromlist", {"WFChooseFromListActionPrompt": "Which?"}]]"#,
      "{answers: {Which?: b}, expect: {output: b}}"
    ),
    (
      #"[["list", {"WFItems": ["a", "b", "c"]}], ["choosefromlist", {"WFChooseFromListActionPrompt": "Which?", "WFChooseFromListActionSelectMultiple": true}]]"#,
      "{answers: {Which?: [a, c]}, expect: {output: [a, c]}}"
    ),
    // A dictionary: shows keys, gives the value.
    (
      #"[["dictionary", {"WFItems": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 0, "WFKey": "one", "WFValue": "1"}, {"WFItemType": 0, "WFKey": "two", "WFValue": "2"}]}}}], ["choosefromlist", {"WFChooseFromListActionPrompt": "Which?"}]]"#,
      "{answers: {Which?: two}, expect: {output: '2'}}"
    ),
    (
      #"[["alert", {"WFAlertActionTitle": "T", "WFAlertActionMessage": "Go on?"}], ["gettext", {"WFTextActionText": "x"}]]"#,
      "{answers: {\"T\\nGo on?\": true}, expect: {output: x}}"
    ),
    (
      #"[["alert", {"WFAlertActionMessage": "Go on?"}], ["gettext", {"WFTextActionText": "x"}]]"#,
      "{answers: {Go on?: false}, expect: {error: declined}}"
    ),
    (
      #"[["alert", {"WFAlertActionTitle": "T", "WFAlertActionMessage": "M", "WFAlertActionCancelButtonShown": false}]]"#,
      "expect: {dialog: \"T\\nM\"}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a", "UUID": "t"}], ["showresult", {"Text": "‹t›!"}]]"#,
      "expect: {shown: [a!]}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a"}], ["showresult"], ["count", {"WFCountType": "Characters"}]]"#,
      "expect: {shown: [a], output: 1}"
    ),
    (#"[["list", {"WFItems": ["a", "b"]}], ["previewdocument"]]"#, "expect: {shown: [\"a\\nb\"]}"),
    (#"[["gettext", {"WFTextActionText": "a"}], ["viewresult"]]"#, "expect: {shown: [a]}"),
    (#"[["gettext", {"WFTextActionText": "a"}], ["share"]]"#, "expect: {shown: [a]}"),
    (#"[["notification"]]"#, "expect: {notifications: Hello World}"),
    (
      #"[["notification", {"WFNotificationActionTitle": "T", "WFNotificationActionBody": "B"}]]"#,
      "expect: {notifications: [{text: B, title: T}]}"
    ),
    (#"[["getclipboard"]]"#, "{fake: {clipboard: c}, expect: {output: c}}"),
    (
      #"[["gettext", {"WFTextActionText": "‹clipboard›!"}]]"#,
      "{fake: {clipboard: c}, expect: {output: c!}}"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"]}], ["setclipboard"]]"#,
      "expect: {clipboard: \"a\\nb\", output: [a, b]}"
    ),
    (
      #"[["delay"], ["delay", {"WFDelayTime": 0.5}], ["gettext", {"WFTextActionText": "x"}]]"#,
      "expect: {output: x}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "hi"}], ["speaktext", {"WFSpeakTextLanguage": "en-GB"}]]"#,
      "{fake: {exec: {spd-say *: ''}}, expect: {exec: [{command: {contains: hi}}]}}"
    ),
    (#"[["waittoreturn"], ["gettext", {"WFTextActionText": "x"}]]"#, "expect: {output: x}"),
    // Addresses and requests.
    (
      #"[["url", {"WFURLActionURL": "https://a.example/x y?q=ü"}], ["openurl"]]"#,
      "expect: {opened: ['https://a.example/x%20y?q=%C3%BC']}"
    ),
    (#"[["openurl", {"WFInput": "swift.org"}]]"#, "expect: {opened: ['http://swift.org']}"),
    (
      #"[["list", {"WFItems": ["https://a.example", "", "https://b.example"]}], ["openurl"]]"#,
      "expect: {opened: ['https://a.example', 'https://b.example']}"
    ),
    (
      #"[["showwebpage", {"WFURL": "https://a.example"}]]"#,
      "expect: {opened: ['https://a.example']}"
    ),
    (
      #"[["openxcallbackurl", {"WFXCallbackURL": "bear://x-callback-url/create"}]]"#,
      "expect: {opened: 'bear://x-callback-url/create'}"
    ),
    (
      #"[["searchweb", {"WFInputText": "a b", "WFSearchWebDestination": "Google"}]]"#,
      "expect: {opened: ['https://www.google.com/search?q=a%20b']}"
    ),
    (
      #"[["downloadurl", {"WFURL": "https://a.example/"}], ["getvalueforkey", {"WFDictionaryKey": "k"}]]"#,
      "{fake: {http: {'GET https://a.example/': {json: {k: v}}}}, expect: {output: v}}"
    ),
    (
      #"[["downloadurl", {"WFURL": "https://a.example/"}]]"#,
      "{fake: {http: {'GET https://a.example/': {status: 404, text: gone}}}, expect: {output: gone}}"
    ),
    (
      #"[["downloadurl", {"WFURL": "https://a.example/", "WFHTTPMethod": "POST", "WFJSONValues": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 0, "WFKey": "a", "WFValue": "b"}]}}}]]"#,
      "{fake: {http: {'POST https://a.example/': ok}}, expect: {http: [{body: '{\"a\":\"b\"}'}]}}"
    ),
    (
      #"[["downloadurl", {"WFURL": "https://a.example/", "WFHTTPMethod": "POST", "WFHTTPBodyType": "Form", "WFFormValues": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 0, "WFKey": "a", "WFValue": "b c"}]}}}]]"#,
      "{fake: {http: {'POST https://a.example/': ok}}, expect: {http: [{body: {where: 'string(self).contains(\"a\")'}}]}}"
    ),
    (
      #"[["downloadurl", {"WFURL": "https://a.example/", "WFHTTPHeaders": {"Value": {"WFDictionaryFieldValueItems": [{"WFItemType": 0, "WFKey": " X-Key ", "WFValue": "v"}]}}}]]"#,
      "{fake: {http: {'GET https://a.example/': ok}}, expect: {http: [{headers: {x-key: v}}]}}"
    ),
    (
      #"[["getwebpagecontents", {"WFInput": "https://a.example/"}]]"#,
      "{fake: {http: {'GET https://a.example/': '<nav>menu</nav><p>All there is.</p>'}}, expect: {output: All there is.}}"
    ),
    (
      #"[["getwebpagecontents", {"WFInput": "https://a.example/"}], ["gethtmlfromrichtext"]]"#,
      "{fake: {http: {'GET https://a.example/': '<p>All there is.</p>'}}, expect: {output: <p>All there is.</p>}}"
    ),
    (
      #"[["url.expand", {"URL": "https://t.example/x"}]]"#,
      "{fake: {http: {'HEAD https://t.example/x': ok}}, expect: {output: 'https://t.example/x'}}"
    ),
    (
      #"[["url.getheaders", {"WFInput": "https://a.example/"}], ["getvalueforkey", {"WFDictionaryKey": "x-a"}]]"#,
      "{fake: {http: {'GET https://a.example/': {text: ok, headers: {x-a: b}}}}, expect: {output: b}}"
    ),
    (
      #"[["rss", {"WFRSSFeedURL": "https://a.example/feed", "WFRSSItemQuantity": 1, "UUID": "r"}], ["properties.articles", {"WFInput": "=r", "WFContentItemPropertyName": "Title"}]]"#,
      "{fake: {http: {'GET https://a.example/feed': '<rss><channel><item><title>One</title></item><item><title>Two</title></item></channel></rss>'}}, expect: {output: One}}"
    ),
    (
      #"[["rss.extract", {"WFURLs": "https://a.example/"}]]"#,
      "{fake: {http: {'GET https://a.example/': '<link rel=alternate type=application/rss+xml href=/feed>'}}, expect: {output: ['https://a.example/feed']}}"
    ),
    (
      #"[["getarticle", {"WFWebPage": "https://a.example/"}], ["properties.articles", {"WFContentItemPropertyName": "Title"}]]"#,
      "{fake: {http: {'GET https://a.example/': '<title>Tea</title><p>x'}}, expect: {output: Tea}}"
    ),
    (
      #"[["getipaddress"]]"#,
      "{fake: {http: {'GET https://api.ipify.org': 192.0.2.1}}, expect: {output: 192.0.2.1}}"
    ),
    (
      #"[["getipaddress", {"WFIPAddressSourceOption": "Local"}]]"#,
      "{fake: {exec: {hostname -I: '10.0.0.2 fe80::1'}}, expect: {output: [10.0.0.2]}}"
    ),
    // Files.
    (
      #"[["documentpicker.open", {"WFGetFilePath": "/a/b.txt", "WFShowFilePicker": false}]]"#,
      "{fake: {files: {a/b.txt: hello}}, expect: {output: hello}}"
    ),
    (
      #"[["documentpicker.open", {"WFGetFilePath": "none.txt", "WFShowFilePicker": false, "WFFileErrorIfNotFound": false}], ["count"]]"#,
      "{fake: {files: {}}, expect: {output: 0}}"
    ),
    (
      #"[["documentpicker.open", {"WFGetFilePath": "none.txt", "WFShowFilePicker": false}]]"#,
      "{fake: {files: {}}, expect: {error: not-found}}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["documentpicker.save", {"WFAskWhereToSave": false, "WFFileDestinationPath": "/d/a.txt", "WFSaveFileOverwrite": true}]]"#,
      "{fake: {files: {d/: ''}}, expect: {files: {d/a.txt: x}}}"
    ),
    (
      #"[["file.append", {"WFFilePath": "log.txt", "WFInput": "two"}]]"#,
      "{fake: {files: {log.txt: \"one\\n\"}}, expect: {files: {log.txt: \"one\\ntwo\"}}}"
    ),
    (
      #"[["file.createfolder", {"WFFilePath": "/new/folder"}]]"#,
      "{fake: {files: {}}, expect: {output: new/folder}}"
    ),
    (
      #"[["file", {"WFFile": {"filename": "a.txt", "displayName": "a.txt", "fileLocation": {"relativeSubpath": "f/a.txt"}}}]]"#,
      "{fake: {files: {f/a.txt: hi}}, expect: {output: hi}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["properties.files", {"WFInput": "=f", "WFContentItemPropertyName": "File Extension"}]]"#,
      "{answers: {Which file?: x/a.PDF}, expect: {output: pdf}}"
    ),
    (
      #"[["folder", {"WFFolder": {"filename": "f", "fileLocation": {"relativeSubpath": "f"}}, "UUID": "f"}], ["file.getfoldercontents", {"WFFolder": "=f"}], ["count"]]"#,
      "{fake: {files: {f/a.txt: '1', f/b.txt: '2'}}, expect: {output: 2}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["file.delete", {"WFInput": "=f", "WFDeleteFileConfirmDeletion": false, "WFDeleteImmediatelyDelete": true}]]"#,
      "{answers: {Which file?: a.txt}, fake: {exec: {rm *: ''}}, expect: {exec: [rm -r -- a.txt]}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["file.getlink", {"WFFile": "=f"}]]"#,
      "{answers: {Which file?: /a.txt}, expect: {output: 'file:///a.txt'}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["file.rename", {"WFFile": "=f", "WFNewFilename": "b.txt"}]]"#,
      "{answers: {Which file?: d/a.txt}, fake: {files: {d/a.txt: x}}, expect: {files: {d/b.txt: x, d/a.txt: null}}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["file.move", {"WFFile": "=f", "WFFolder": {"filename": "e", "fileLocation": {"relativeSubpath": "e"}}}]]"#,
      "{answers: {Which file?: d/a.txt}, fake: {files: {d/a.txt: x, e/: ''}}, expect: {files: {e/a.txt: x}}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["file.reveal", {"WFFile": "=f"}]]"#,
      "{answers: {Which file?: d/a.txt}, fake: {files: {d/a.txt: x}}, expect: {opened: {size: 1}}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["makezip", {"WFInput": "=f", "WFZIPName": "all"}]]"#,
      "{answers: {Which file?: a.txt}, fake: {exec: {zip *: ''}}, expect: {exec: [zip -q -r -- all.zip a.txt], output: all.zip}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["unzip", {"WFArchive": "=f"}], ["count"]]"#,
      "{answers: {Which file?: a.zip}, fake: {exec: {mktemp -d: t, unzip *: ''}, files: {t/x.txt: '1'}}, expect: {output: 1}}"
    ),
    (
      #"[["gettext", {"WFTextActionText": "in"}], ["runshellscript", {"Script": "cat", "Shell": "/bin/zsh"}]]"#,
      "{fake: {exec: {sh *: out}}, expect: {output: out, exec: [{stdin: in}]}}"
    ),
    (
      #"[["runsshscript", {"WFSSHHost": "h.example", "WFSSHUser": "ada", "WFSSHScript": "uptime"}]]"#,
      "{fake: {exec: {ssh *: up}}, expect: {output: up, exec: [ssh -p 22 -- ada@h.example uptime]}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["print", {"WFInput": "=f"}]]"#,
      "{answers: {Which file?: a.pdf}, fake: {exec: {lp *: ''}}, expect: {exec: [lp -- a.pdf]}}"
    ),
    // Pictures and documents, by programs.
    (
      #"[["file.select", {"UUID": "f"}], ["image.resize", {"WFImage": "=f", "WFImageResizeWidth": "320"}]]"#,
      "{answers: {Which file?: a.png}, fake: {exec: {'*': b.png}}, expect: {output: b.png, exec: [{command: {contains: 320x}}]}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["properties.images", {"WFInput": "=f", "WFContentItemPropertyName": "Width"}]]"#,
      "{answers: {Which file?: a.png}, fake: {exec: {'identify *': '640'}}, expect: {output: 640}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["makeimagefrompdfpage", {"WFInput": "=f"}]]"#,
      "{answers: {Which file?: a.pdf}, fake: {exec: {'*': \"p1.jpg\\np2.jpg\"}}, expect: {output: [p1.jpg, p2.jpg]}}"
    ),
    (
      #"[["file.select", {"UUID": "f"}], ["splitpdf", {"WFInput": "=f"}], ["count"]]"#,
      "{answers: {Which file?: a.pdf}, fake: {exec: {'*': \"p1.pdf\\np2.pdf\"}}, expect: {output: 2}}"
    ),
    (
      #"[["generatebarcode", {"WFText": "hello"}]]"#,
      "{fake: {exec: {'*': q.png}}, expect: {output: q.png}}"
    ),
  ])
  func outsideActions(actions: String, test: String) throws {
    expectNone(try SampleShortcut(actions).problems(test))
  }

  @Test(arguments: [
    ("image.convert", #"{"WFInput": "=f", "WFImageFormat": "PNG"}"#),
    ("image.crop", #"{"WFInput": "=f"}"#),
    ("image.rotate", #"{"WFImage": "=f", "WFImageRotateAmount": "180"}"#),
    ("image.mask", #"{"WFInput": "=f", "WFMaskType": "Ellipse"}"#),
    ("image.combine", #"{"WFInput": "=f"}"#),
    ("overlayimageonimage", #"{"WFInput": "=f", "WFImage": "=f"}"#),
    ("overlaytext", #"{"WFImage": "=f", "WFText": "x"}"#), ("makegif", #"{"WFInput": "=f"}"#),
    ("makepdf", #"{"WFInput": "=f"}"#),
  ])
  func picturesAreMadeByPrograms(name: String, parameters: String) throws {
    let sample = try SampleShortcut(
      "[[\"file.select\", {\"UUID\": \"f\"}], [\"\(name)\", \(parameters)]]")
    expectNone(
      try sample.problems(
        "{answers: {Which file?: a.png}, fake: {exec: {'*': new}}, expect: {output: new, exec: {size: 1}}}"
      ))
  }
}
