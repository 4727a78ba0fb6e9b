import ForeignText

/// The names of shortcuts and values in Latin letters, since names of the language have only those.
enum Transliteration {
  /// A text with Latin letters for those of other scripts; a letter of an unknown script is a space.
  static func latin(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x80: result.unicodeScalars.append(scalar)
      case 0x300...0x36F, 0x200B...0x200D, 0xFE0F: break
      case 0xAC00...0xD7A3: result += syllable(Int(scalar.value) - 0xAC00)
      case 0x30A1...0x30F6: result += letters[String(kana(scalar))] ?? " "
      case 0x3041...0x3096, 0xA0...0x52F, 0x1E00...0x1EFF: result += letter(scalar)
      case 0x4E00...0x9FFF: result += hanzi[scalar].map { " \($0) " } ?? " "
      case 0xFF01...0xFF5E: result.unicodeScalars.append(ascii(scalar))
      default: result += " "
      }
    }
    return result
  }

  private static func letter(_ scalar: Unicode.Scalar) -> String {
    let known = letters[String(scalar)]
    if let known { return known }
    guard let small = letters[scalar.properties.lowercaseMapping] else { return " " }
    return small.prefix(1).uppercased() + small.dropFirst()
  }

  private static func kana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(scalar.value - 0x60) ?? scalar
  }

  private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  /// A syllable of Hangul (Revised Romanization, letter by letter).
  private static func syllable(_ index: Int) -> String {
    let first = "g kk n d tt r m b pp s ss - j jj ch k t p h".split(separator: " ")
    let middle = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(
      separator: " ")
    let last = "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(separator: " ")
    return [first[index / 588], middle[index / 28 % 21], last[index % 28]]
      .filter { $0 != "-" }.joined()
  }

  /// Letters of Latin with marks, Greek, Cyrillic and Hiragana.
  private static let letters: [String: String] = {
    let groups = """
      a:àáâãäåāăąаαあぁ b:бβ c:çćč d:ďđðдδ e:èéêëēėęěеэёεηえぇ f:фφ g:ğгγ h:хχ i:ìíîïīįıиіιいぃ j:йј \
      k:кκ l:łлλ m:мμ n:ñńňнνん o:òóôõöøōőоωοおぉ p:пπ r:řрρ s:śşšșсσς t:ťţțтτ u:ùúûüūůűуυうぅ v:в \
      w:ŵ x:ξ y:ýÿыў z:źżžзζ ss:ß ae:æ oe:œ th:þθ ya:яやゃ yu:юゆゅ yo:よょ zh:ж ch:ч sh:ш sch:щ ts:ц \
      ps:ψ yi:ї ye:є ka:か ki:き ku:く ke:け ko:こ ga:が gi:ぎ gu:ぐ ge:げ go:ご sa:さ shi:し su:す se:せ so:そ \
      za:ざ ji:じぢ zu:ずづ ze:ぜ zo:ぞ ta:た chi:ち tsu:つ te:て to:と da:だ de:で do:ど na:な ni:に nu:ぬ ne:ね \
      no:の ha:は hi:ひ fu:ふ he:へ ho:ほ ba:ば bi:び bu:ぶ be:べ bo:ぼ pa:ぱ pi:ぴ pu:ぷ pe:ぺ po:ぽ ma:ま mi:み \
      mu:む me:め mo:も ra:ら ri:り ru:る re:れ ro:ろ wa:わ wo:を
      """
    var letters = ["ь": "", "ъ": "", "っ": ""]
    for group in groups.split(separator: " ") {
      let parts = group.split(separator: ":")
      for letter in parts[1] { letters[String(letter)] = String(parts[0]) }
    }
    // Vowels with an accent.
    for (marked, plain) in zip("άέήίόύώ", "aeiiouo") { letters[String(marked)] = String(plain) }
    return letters
  }()

  /// The common characters of Chinese in Pinyin without tones.
  ///
  /// GB 2312 has its first 3,755 characters in the order of Pinyin: each syllable is followed by the
  /// number of its characters.
  private static let hanzi: [Unicode.Scalar: Substring] = {
    var bytes: [UInt8] = []
    for row in 16...55 as ClosedRange<UInt8> {
      for column in 1...(row == 55 ? 89 : 94) as ClosedRange<UInt8> {
        bytes += [0xA0 + row, 0xA0 + column]
      }
    }
    guard let charset = Charset(label: "gbk"), let text = DecodedText.exact(bytes, charset) else {
      return [:]
    }
    var readings: [Unicode.Scalar: Substring] = [:]
    var scalars = text.unicodeScalars[...]
    for entry in syllables.split(separator: " ") {
      let syllable = entry.prefix { $0.isLetter }
      for _ in 0..<(Int(entry.dropFirst(syllable.count)) ?? 0) {
        if let scalar = scalars.popFirst() { readings[scalar] = syllable }
      }
    }
    return readings
  }()

  private static let syllables = """
    a2 ai13 an9 ang3 ao9 ba18 bai8 ban15 bang12 bao17 bei15 ben4 beng6 bi24 bian12 biao4 bie4 \
    bin6 bing9 bo19 bu11 ca1 cai11 can7 cang5 cao5 ce5 ceng2 cha11 chai3 chan10 chang13 chao9 \
    che6 chen10 cheng15 chi16 chong5 chou12 chu16 chuai1 chuan7 chuang6 chui5 chun7 chuo2 ci12 \
    cong6 cou1 cu4 cuan3 cui8 cun3 cuo6 da6 dai12 dan15 dang5 dao12 de3 deng7 di19 dian16 diao9 \
    die7 ding9 diu1 dong10 dou8 du14 duan6 dui4 dun9 duo12 e13 en1 er8 fa8 fan17 fang11 fei12 \
    fen15 feng15 fo1 fou1 fu45 ga2 gai6 gan11 gang9 gao10 ge17 gei1 gen2 geng7 gong15 gou9 gu18 \
    gua6 guai3 guan11 guang3 gui16 gun3 guo6 ha1 hai7 han19 hang3 hao9 he18 hei2 hen4 heng5 \
    hong9 hou7 hu18 hua9 huai5 huan14 huang14 hui21 hun6 huo10 ji53 jia17 jian40 jiang13 jiao28 \
    jie27 jin20 jing25 jiong2 jiu17 ju25 juan7 jue10 jun11 ka4 kai5 kan6 kang7 kao4 ke15 ken4 \
    keng2 kong4 kou4 ku7 kua5 kuai4 kuan2 kuang8 kui11 kun4 kuo4 la7 lai3 lan15 lang7 lao9 le2 \
    lei11 leng3 li34 lia1 lian14 liang11 liao13 lie5 lin12 ling14 liu11 long9 lou6 lu34 luan6 \
    lue2 lun7 luo12 ma9 mai6 man9 mang6 mao12 me1 mei16 men3 meng8 mi14 mian9 miao8 mie2 min6 \
    ming6 miu1 mo17 mou3 mu15 na7 nai5 nan3 nang1 nao5 ne1 nei2 nen1 neng1 ni11 nian7 niang2 \
    niao2 nie7 nin1 ning6 niu4 nong4 nu4 nuan1 nue2 nuo4 o1 ou7 pa6 pai6 pan8 pang5 pao7 pei9 \
    pen2 peng14 pi17 pian4 piao4 pie2 pin5 ping9 po8 pou1 pu15 qi36 qia3 qian22 qiang8 qiao15 \
    qie5 qin11 qing13 qiong2 qiu8 qu13 quan11 que8 qun2 ran4 rang5 rao3 re2 ren10 reng2 ri1 \
    rong10 rou3 ru10 ruan2 rui3 run2 ruo2 sa3 sai4 san4 sang3 sao4 se3 sen1 seng1 sha9 shai2 \
    shan16 shang8 shao11 she12 shen16 sheng11 shi47 shou10 shu33 shua2 shuai4 shuan2 shuang3 \
    shui4 shun4 shuo4 si16 song8 sou4 su12 suan3 sui11 sun3 suo8 ta9 tai9 tan18 tang13 tao11 te1 \
    teng4 ti15 tian8 tiao5 tie3 ting10 tong13 tou4 tu11 tuan2 tui6 tun3 tuo11 wa7 wai2 wan17 \
    wang10 wei33 wen10 weng3 wo9 wu29 xi35 xia13 xian26 xiang20 xiao18 xie21 xin10 xing15 xiong7 \
    xiu9 xu19 xuan10 xue6 xun14 ya16 yan33 yang17 yao15 ye15 yi53 yin16 ying18 yo1 yong15 you20 \
    yu45 yuan20 yue10 yun12 za3 zai7 zan4 zang3 zao14 ze4 zei1 zen1 zeng4 zha14 zhai6 zhan17 \
    zhang15 zhao10 zhe10 zhen16 zheng15 zhi43 zhong11 zhou14 zhu26 zhua2 zhuai1 zhuan6 zhuang7 \
    zhui6 zhun2 zhuo11 zi15 zong7 zou4 zu8 zuan2 zui4 zun2 zuo8
    """
}
