import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createToPdf, findOffice } from './office-pdf.ts';

const soffice = findOffice(undefined);
const open = 'http://schemas.openxmlformats.org';
const relations = `${open}/officeDocument/2006/relationships`;
const parts = `${open}/package/2006`;
const drawing = `${open}/drawingml/2006`;

/** A document with a picture that lies at another address. */
function linking(address: string): Uint8Array {
  const picture = `<w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic>
<a:graphicData uri="${drawing}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr>
<pic:blipFill><a:blip r:link="far"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>
<a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const part = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  return zipSync({
    '[Content_Types].xml': part(`<Types xmlns="${parts}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="${type}"/></Types>`),
    '_rels/.rels': part(`<Relationships xmlns="${parts}/relationships">
<Relationship Id="r" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`),
    'word/document.xml': part(`<w:document xmlns:w="${open}/wordprocessingml/2006/main" xmlns:r="${relations}"
 xmlns:wp="${drawing}/wordprocessingDrawing" xmlns:a="${drawing}/main" xmlns:pic="${drawing}/picture"><w:body>
<w:p><w:r><w:t>text</w:t></w:r></w:p><w:p><w:r>${picture}</w:r></w:p></w:body></w:document>`),
    'word/_rels/document.xml.rels': part(`<Relationships xmlns="${parts}/relationships">
<Relationship Id="far" Type="${relations}/image" Target="${address}" TargetMode="External"/></Relationships>`),
  });
}

test.skipIf(!soffice)('a document cannot make the office program contact a server', { timeout: 180_000 }, async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'gongdan-test-'));
  try {
    const source = join(folder, 'linking.docx');
    await writeFile(source, linking(`http://127.0.0.1:${(server.address() as AddressInfo).port}/inside.png`));
    const made = await createToPdf(soffice!)(source, (pdf) => readFile(pdf, 'latin1'));
    expect(made).toMatch(/^%PDF/);
    expect(asked).toEqual([]);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
