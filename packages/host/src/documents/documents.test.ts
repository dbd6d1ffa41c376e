/** Documents as other programs write them. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { strToU8, zipSync } from "fflate";
import { documents } from "./documents.ts";

const signal = new AbortController().signal;
const zip = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
const text = (kind: Parameters<typeof documents.text>[0], bytes: Uint8Array) =>
  documents.text(kind, bytes, signal);
const failure = (promise: Promise<string>) => promise.catch((error: unknown) => error);

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (content: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${content}</w:t></w:r></w:p>`;
const docx = (body: string) =>
  zip({
    "word/document.xml": `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
  });

let before: number;
beforeEach(() => {
  before = process.memoryUsage.rss();
});
afterEach(() => expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 2 ** 20));

test("a docx becomes headings, lists, tables and text; deleted text is none", async () => {
  const item = (level: number) =>
    `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
  const cell = (words: string) => `<w:tc>${paragraph(words)}</w:tc>`;
  const body = [
    paragraph("Report", '<w:pStyle w:val="Heading1"/>'),
    paragraph("First &amp; "),
    "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
    paragraph("one", item(0)),
    paragraph("two", item(1)),
    `<w:tbl><w:tr>${cell("h1")}${cell("h|2")}</w:tr><w:tr>${cell("x")}${cell("y")}</w:tr></w:tbl>`,
    '<w:p><w:hyperlink r:id="r1"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>',
  ].join("");
  expect(await text("docx", docx(body))).toBe(
    "# Report\n\nFirst &\n\na\tb\nc\n\n- one\n\n  - two\n\n| h1 | h\\|2 |\n| --- | --- |\n| x | y |\n\nlink",
  );
});

test("an xlsx becomes a table for each sheet, with strings, numbers, dates and gaps", async () => {
  const book = zip({
    "xl/workbook.xml":
      '<workbook><sheets><sheet name="One" r:id="r1"/><sheet name="Two" r:id="r2"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    "xl/sharedStrings.xml":
      "<sst><si><t>Name</t></si><si><r><t>Rich</t></r><r><t> text</t></r><rPh><t>no</t></rPh></si></sst>",
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/><numFmt numFmtId="171" formatCode="0.00 &quot;dm&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml":
      '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="A2"><v>1.5</v></c><c r="B2" s="1"><v>45000</v></c><c r="C2" s="2"><v>45000.5</v></c></row><row><c r="A3" t="b"><v>1</v></c><c r="B3" t="inlineStr"><is><t>inline</t></is></c><c r="C3" s="3"><v>2</v></c></row></sheetData></worksheet>',
    "xl/worksheets/sheet2.xml": "<worksheet><sheetData/></worksheet>",
  });
  expect(await text("xlsx", book)).toBe(
    [
      "## One",
      "",
      "| Name |  | Rich text |",
      "| --- | --- | --- |",
      "| 1.5 | 2023-03-15 | 2023-03-15 12:00:00 |",
      "| TRUE | inline | 2 |",
      "",
      "## Two",
      "",
      "(empty sheet)",
    ].join("\n"),
  );
});

test("a pptx becomes its slides in their order", async () => {
  const slide = (...lines: string[]) =>
    `<p:sld><p:cSld>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("")}</p:cSld></p:sld>`;
  const bytes = zip({
    "ppt/presentation.xml":
      '<p:presentation><p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    "ppt/_rels/presentation.xml.rels":
      '<Relationships><Relationship Id="a" Target="slides/slide1.xml"/><Relationship Id="b" Target="slides/slide2.xml"/></Relationships>',
    "ppt/slides/slide1.xml": slide("last"),
    "ppt/slides/slide2.xml": slide("first", "point"),
  });
  expect(await text("pptx", bytes)).toBe("## Slide 1\n\nfirst\n\npoint\n\n## Slide 2\n\nlast");
});

test("an epub becomes its chapters in their order", async () => {
  const bytes = zip({
    "META-INF/container.xml":
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf":
      '<package><manifest><item id="one" href="one.xhtml"/><item id="two" href="t%20wo.xhtml"/></manifest><spine><itemref idref="two"/><itemref idref="one"/></spine></package>',
    "OPS/one.xhtml": "<html><body><p>End</p></body></html>",
    "OPS/t wo.xhtml": "<html><body><h1>Start</h1><p>Words</p></body></html>",
  });
  expect(await text("epub", bytes)).toBe("# Start\n\nWords\n\nEnd");
});

/** The smallest PDF with a text on each page. */
function pdf(...pages: readonly string[]): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((words, at) => {
      const stream = `BT /F1 12 Tf 72 700 Td (${words}) Tj 0 -20 Td (second line) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return strToU8(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`,
  );
}

test("a PDF becomes its pages", async () => {
  expect(await text("pdf", Buffer.from(pdf("Hello", "World")))).toBe(
    "--- Page 1 ---\nHello\nsecond line\n\n--- Page 2 ---\nWorld\nsecond line",
  );
  const aborted = documents.text("pdf", pdf("a"), AbortSignal.abort());
  expect(await failure(aborted)).toMatchObject({ name: "AbortError" });
});

test("damaged documents, bombs and deep trees are refused in words", async () => {
  const laughs = Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  ).join("");
  const bad = [
    strToU8("nothing"),
    zip({ "other.xml": "<a/>" }),
    docx("<w:p>").subarray(0, 100),
    zip({ "word/document.xml": "<w:document><w:body>" }),
    zip({
      "word/document.xml": `<!DOCTYPE x [<!ENTITY e0 "ha">${laughs}]><w:document>&e12;</w:document>`,
    }),
    zip({ "word/document.xml": "<w:p>".repeat(200_000) + "</w:p>".repeat(200_000) }),
    zipSync({ "word/document.xml": new Uint8Array(33 * 2 ** 20) }),
  ];
  for (const bytes of bad) {
    expect(await failure(text("docx", bytes))).toMatchObject({
      name: "HostError",
      message: expect.stringMatching(/\w/),
    });
  }
  expect(await failure(text("pdf", strToU8("%PDF-1.4 nothing")))).toMatchObject({
    kind: "damaged",
  });
});
