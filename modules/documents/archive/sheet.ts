import sharp from 'sharp';
import { buffer } from 'node:stream/consumers';
import type { Shelf } from '#modules/files/service.ts';
import { contentOf } from '#modules/files/service.ts';
import { docKinds, docTypes, levels, type Party } from '../contract/shapes.ts';
import { retentions } from '../contract/archived.ts';
import type { SheetFact, SheetInput, SheetOpinion } from '../layout/input.ts';
import type { Gathered } from './gathering.ts';

const sheetNames: Readonly<Record<number, string>> = { 1: '发文稿纸', 2: '文件处理单', 3: '签报单' };
const namesOf = (parties: readonly Party[]) => parties.map((one) => one.name).join('、');

/** The processing sheet of an archived document: its facts, and what everybody said, in order. */
export async function sheetOf(gathered: Gathered, shelf: Shelf): Promise<SheetInput> {
  const { doc, archive, handlings, issuer } = gathered;
  const facts: SheetFact[] = [
    { label: '标题', value: doc.title, wide: true },
    { label: '类型', value: docKinds[doc.docKind as 1] },
    { label: '文种', value: docTypes[doc.docType] ?? '' },
    { label: '字号', value: doc.docNumber || doc.receiptNo },
    { label: '紧急程度', value: levels[doc.level as 0] },
    { label: doc.docKind === 2 ? '来文单位' : '发文机关', value: doc.docKind === 2 ? doc.fromOrg : doc.issueOrg },
    { label: doc.docKind === 2 ? '来文字号' : '签发人', value: doc.docKind === 2 ? doc.fromNumber : issuer },
    { label: '成文日期', value: doc.writtenDate ?? doc.receivedDate ?? '' },
    { label: '拟稿人', value: `${gathered.creator}（${gathered.dept}）` },
    { label: '主送', value: namesOf(doc.mainSend), wide: true },
    { label: '抄送', value: namesOf(doc.copySend), wide: true },
    { label: '拟办意见', value: doc.proposeOpinion, wide: true },
    { label: '领导批示', value: doc.leaderOpinion, wide: true },
    { label: '办理结果', value: doc.handleResult, wide: true },
    { label: '保管期限', value: retentions[archive.retention as 1] },
    { label: '档号', value: archive.archiveNo },
  ];
  const opinions = await Promise.all(
    handlings.map(async (one): Promise<SheetOpinion> => {
      const signed = one.signatureSha256;
      return {
        state: one.state,
        who: one.agent ? `${one.agent}（代 ${one.who}）` : one.who,
        dept: one.dept,
        did: one.missed ? '逾期未回复' : one.corrected ? `${one.deed}（意见已更正）` : one.deed,
        words: one.suggestion,
        at: one.handled ?? '',
        signature: signed === null ? null : await sharp(await buffer(await contentOf(shelf, signed))).png().toBuffer(),
      };
    }),
  );
  return {
    name: sheetNames[doc.docKind] ?? '文件处理单',
    org: doc.issueOrg,
    facts: facts.filter((fact) => fact.value !== ''),
    opinions,
  };
}
