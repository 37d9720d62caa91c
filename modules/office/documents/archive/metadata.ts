import type { Member } from '#modules/platform/files/service.ts';
import { retentions } from '../contract/archived.ts';
import { docKind, docLevel, docType, secretLevel } from '../contract/shapes.ts';
import type { Gathered } from './gathering.ts';

/** The path of pages with handwritten marks. */
export const markedPath = (index: number): string => `手写批注/${String(index + 1).padStart(2, '0')}.pdf`;

/** The metadata of a package, with the field names that archivists use. */
export function metadataOf({ doc, archive, ...known }: Gathered, members: readonly Member[], version: string) {
  return {
    软件: { 名称: '工单系统', 版本: version },
    公文: {
      题名: doc.title,
      类型: docKind.label(doc.doc_kind),
      文种: docType.label(doc.doc_type),
      发文字号: doc.doc_number,
      收文编号: doc.receipt_no,
      来文单位: doc.from_org,
      来文字号: doc.from_number,
      收文日期: doc.received_date,
      责任者: doc.issue_org,
      联合发文机关: doc.joint_orgs,
      联合机关签发人: doc.joint_issuers,
      主送: doc.main_send.map((one) => one.name),
      抄送: doc.copy_send.map((one) => one.name),
      签发人: known.issuer,
      签发日期: doc.sign_date,
      成文日期: doc.written_date,
      密级: secretLevel.label(doc.secret_level),
      紧急程度: docLevel.label(doc.level),
      公开属性: doc.publicity,
      主题词: doc.keywords,
      摘要: doc.summary,
      附注: doc.annotation,
      印发机关: doc.print_org,
      印发日期: doc.print_date,
      印发份数: doc.print_copies,
      拟稿人: known.creator,
      拟稿部门: known.dept,
      拟稿时间: doc.gmt_created,
      提交时间: doc.submitted_at,
      办结时间: doc.finished_at,
      签发时正文摘要值: doc.body_sha256,
    },
    归档: {
      档号: archive.archive_no,
      保管期限: retentions[archive.retention as 1],
      归档人: known.archivist,
      归档时间: archive.archived_at,
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
    手写批注: known.marked.flatMap(({ layers }, index) =>
      layers.map((layer) => ({
        路径: markedPath(index),
        批注人: layer.user_info.alias,
        页: layer.pages,
        笔数: layer.strokes,
        最后批注时间: layer.last_at,
      })),
    ),
    文件: members.map(({ path, size, sha256 }) => ({ 路径: path, 字节: size, 'SHA-256': sha256 })),
  };
}
