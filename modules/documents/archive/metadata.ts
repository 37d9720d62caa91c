import { retentions } from '../contract/archived.ts';
import { docKinds, docTypes, levels, secretLevels } from '../contract/shapes.ts';
import type { Gathered } from './gathering.ts';

export interface Member {
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What a package says of itself, by the names archivists use. */
export function metadataOf({ doc, archive, ...known }: Gathered, members: readonly Member[], version: string) {
  return {
    软件: { 名称: '工单系统', 版本: version },
    公文: {
      题名: doc.title,
      类型: docKinds[doc.docKind as 1],
      文种: docTypes[doc.docType] ?? '',
      发文字号: doc.docNumber,
      收文编号: doc.receiptNo,
      来文单位: doc.fromOrg,
      来文字号: doc.fromNumber,
      收文日期: doc.receivedDate,
      责任者: doc.issueOrg,
      联合发文机关: doc.jointOrgs,
      主送: doc.mainSend.map((one) => one.name),
      抄送: doc.copySend.map((one) => one.name),
      签发人: known.issuer,
      签发日期: doc.signDate,
      成文日期: doc.writtenDate,
      密级: secretLevels[doc.secretLevel as 0],
      紧急程度: levels[doc.level as 0],
      公开属性: doc.publicity,
      主题词: doc.keywords,
      摘要: doc.summary,
      附注: doc.annotation,
      印发机关: doc.printOrg,
      印发日期: doc.printDate,
      印发份数: doc.printCopies,
      拟稿人: known.creator,
      拟稿部门: known.dept,
      拟稿时间: doc.created,
      提交时间: doc.submitted,
      办结时间: doc.finished,
      签发时正文摘要值: doc.bodySha256,
    },
    归档: {
      档号: archive.archiveNo,
      保管期限: retentions[archive.retention as 1],
      归档人: known.archivist,
      归档时间: archive.archived,
    },
    办理过程: known.handlings.map((one) => ({
      环节: one.state,
      办理人: one.who,
      部门: one.dept,
      ...(one.delegate ? { 代办人: one.delegate } : {}),
      操作: one.missed ? '逾期未回复' : one.did,
      意见: one.suggestion,
      ...(one.corrected ? { 更正前意见: one.corrected.before, 更正时间: one.corrected.at } : {}),
      到达时间: one.arrived,
      办理时间: one.handled,
    })),
    文件: members.map(({ path, size, sha256 }) => ({ 路径: path, 字节: size, 'SHA-256': sha256 })),
  };
}
