internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct TextTests {
  @Test(arguments: [
    ("Just a line.", "text/plain"),
    ("", "application/octet-stream"),
    // Cards and calendars, whatever the case and whatever blank lines stand before.
    ("BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n", "text/vcard"),
    ("\n begin:vcard\nEND:VCARD", "text/vcard"),
    ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "text/calendar"),
    ("BEGIN:VJOURNEY\r\n", "text/plain"),
    // Markup.
    ("<!DOCTYPE html><p>Hello", "text/html"),
    ("<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "text/html"),
    ("  <HTML><BODY>", "text/html"),
    ("<!-- a comment -->\n<script>alert(1)</script>", "text/html"),
    ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">", "application/xhtml+xml"),
    ("<?xml version=\"1.0\"?><!-- x --><svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
    ("<svg/>", "image/svg+xml"),
    ("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\"><svg/>", "image/svg+xml"),
    ("<smil><head/></smil>", "application/smil+xml"),
    ("<?xml version=\"1.0\"?><kml/>", "application/xml"),
    ("<note xmlns=\"urn:x\"><to/></note>", "application/xml"),
    ("<?php echo 1;", "text/x-php"),
    ("<b>bold</b> words in Markdown", "text/plain"),
    ("<- an arrow", "text/plain"),
    ("<3", "text/plain"),
    ("<!-- a comment that never ends", "text/plain"),
    // JSON.
    ("{\"a\": [1, 2.5e3, true, null, \"\\\"\"]}", "application/json"),
    ("[]", "application/json"),
    (" [ { } , { } ] \n", "application/json"),
    ("{\"a\": 1", "text/plain"),
    ("{\"a\" 1}", "text/plain"),
    ("[1] a footnote", "text/plain"),
    ("[2024-01-01] a log", "text/plain"),
    ("[2024-01-01]", "text/plain"),
    ("[yes]", "text/plain"),
    ("{a: 1}", "text/plain"),
    ("[1, 2,]", "text/plain"),
    ("[}", "text/plain"),
    ("{\"a\": 1}\n{\"a\": 2}\n", "text/plain"),
    ("\"a word\"", "text/plain"),
    ("42", "text/plain"),
    // Mail.
    ("From: a@b.c\r\nTo: d@e.f\r\nSubject: Hi\r\n\r\nText", "message/rfc822"),
    ("Received: from x\n by y\nMessage-ID: <1@x>\nFrom: a@b.c\nX-A: b\n\nText", "message/rfc822"),
    ("Message-ID: <1@x>\nX-A: b\nSubject: Hi\n\nText", "message/rfc822"),
    ("   \t  \r\n \r\nDelivered-To: a@b.c\r\nSubject: Hi\r\n\r\nText", "message/rfc822"),
    ("From ana@b.c Mon Nov 23 09:30:00 2026\nFrom: a@b.c\nSubject: Hi\n\nText", "application/mbox"),
    ("From ana@b.c Mon Nov 23 09:30:00 2026\nX-A: b\n\nText", "text/plain"),
    ("From 09:30 on\nwe are open.\n", "text/plain"),
    ("From ana with: From: and To: and\nDate: x\nSubject: y\n", "text/plain"),
    ("From: me\nTo: you\n\nA note.", "text/plain"),
    ("Subject: one\nis not: enough\n\n", "text/plain"),
    ("Dear all:\nFrom: x\nTo: y\nDate: z\n", "text/plain"),
    // Comma separated values.
    ("a,b,c\n1,2,3\n", "text/csv"),
    ("a;b;c\r\n1;2;3", "text/csv"),
    ("a\tb\tc\n1\t2\t3\n", "text/csv"),
    ("\"one, two\",b,c\n\"x\"\"y\n,z\",2,3\n", "text/csv"),
    ("a,b\n1,2\n3,4\n", "text/csv"),
    ("Hello, Anna\nBye, Bob\n", "text/plain"),
    ("One, two, three.\nFour, five, six.\n", "text/plain"),
    ("a,b,c\n1,2\n", "text/plain"),
    ("a,b,c\n", "text/plain"),
    // Programs.
    ("#!/bin/sh\necho", "text/x-shellscript"),
    ("#!/usr/bin/env python3\n", "text/x-script.python"),
    ("#! /usr/bin/perl -w\n", "text/x-perl"),
    ("#!/usr/bin/env -S node --x\n", "text/x-shellscript"),
    ("#!shebang in prose", "text/plain"),
    ("import Foundation\n\nlet x = 1\n", "text/plain"),
    ("int main(void) { return 0; }\n", "text/plain"),
    // Others.
    ("WEBVTT\n\n00:00.000 --> 00:01.000\nHi", "text/vtt"),
    ("WEBVTTX", "text/plain"),
    ("#EXTM3U\n#EXTINF:1,\na.ts\n", "application/vnd.apple.mpegurl"),
    ("P6 and no image", "text/plain"),
  ])
  func `The kind of a text is detected`(_ text: String, _ type: String) throws {
    let info = MediaProber().facts(of: try MediaInput(bytes: Array(text.utf8)))
    #expect(info.type.rawValue == type)
  }

  @Test(
    arguments: [
      ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF] + Array("é".utf8)),
      ("a mark alone", [0xEF, 0xBB, 0xBF]),
      ("UTF-16, little end first", [0xFF, 0xFE, 0x41, 0x00, 0x42, 0x00]),
      ("UTF-16, big end first", [0xFE, 0xFF, 0x00, 0x41, 0x00, 0x42]),
      ("Latin 1", Array("Gr".utf8) + [0xFC, 0xDF] + Array("e aus K".utf8) + [0xF6] + Array("ln\n".utf8)),
      ("Windows 1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0, 0x0A]),
      ("Control-Z at the end", Array("DOS\r\n".utf8) + [0x1A]),
      ("escape sequences", Array("\u{1B}[1mbold\u{1B}[0m\n".utf8)),
    ] as [(String, [UInt8])])
  func `Every usual encoding is text`(_ name: String, _ bytes: [UInt8]) throws {
    #expect(MediaProber().facts(of: try MediaInput(bytes: bytes)).type == .plainText, "\(name)")
  }

  @Test(
    arguments: [[0x41, 0x00, 0x42], [0x41, 0x01], [0x7F, 0x41], Array("abc".utf8) + [0x1A] + Array("abc".utf8)]
      as [[UInt8]])
  func `Control characters are not text`(_ bytes: [UInt8]) {
    #expect(TextSample(ByteReader(bytes)) == nil)
  }

  @Test func `Markup in UTF-16 is detected`() {
    let html = Array("<html>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(TypeDecider.type(of: ByteReader([0xFF, 0xFE] + html)) == .html)
  }

  @Test func `A sample may end inside a character`() throws {
    for shift in 0..<4 {
      let text = String(repeating: "x", count: shift) + String(repeating: "日", count: 40_000)
      let sample = try #require(TextSample(ByteReader(Array(text.utf8))))
      #expect(sample.isUnicode)
      #expect(!sample.isWhole)
    }
  }

  @Test func `A long file is detected by its start`() {
    let json = "[" + String(repeating: "{\"key\": \"value\"},\n", count: 10_000)
    #expect(TypeDecider.type(of: ByteReader(Array(json.utf8))) == .json)
    let csv = String(repeating: "a,b,c,d\n", count: 20_000)
    #expect(TypeDecider.type(of: ByteReader(Array(csv.utf8))) == .csv)
  }

  @Test func `Nesting is limited without recursion`() {
    #expect(!JSONSignature.matches([UInt8](repeating: UInt8(ascii: "["), count: 60_000), isWhole: false))
    #expect(JSONSignature.matches([UInt8](repeating: UInt8(ascii: "["), count: 1_000), isWhole: false))
  }
}
