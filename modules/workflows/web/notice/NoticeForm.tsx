import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { optionsOf } from '#kernel/web/kit/form/options.ts';
import { noticeCalls, noticeTypeNames, noticeTypes, type NoticeRow } from '../../contract/notices.ts';

const only =
  (...types: number[]) =>
  (values: Record<string, unknown>) =>
    types.includes(Number(values['type_id']));
const secretHelp = '显示为 ****** 表示已经保存，不改就不会变；清空则删除';

const fields: FormField[] = [
  { name: 'name', label: '名称' },
  {
    name: 'type_id',
    label: '类型',
    kind: 'select',
    options: optionsOf(noticeTypeNames),
  },
  {
    name: 'hook_url',
    label: '回调地址',
    placeholder: 'https://',
    help: '工单有进展时发送到这个地址；企业微信、钉钉和飞书请填写群机器人的地址',
    when: only(noticeTypes.hook, noticeTypes.wecom, noticeTypes.dingtalk, noticeTypes.feishu),
  },
  {
    name: 'hook_token',
    label: '回调密钥',
    kind: 'password',
    help: secretHelp,
    when: only(noticeTypes.hook, noticeTypes.dingtalk, noticeTypes.feishu),
  },
  { name: 'corpid', label: '企业 ID', when: only(noticeTypes.wecom) },
  { name: 'corpsecret', label: '企业密钥', kind: 'password', help: secretHelp, when: only(noticeTypes.wecom) },
  { name: 'appkey', label: '应用标识', when: only(noticeTypes.dingtalk, noticeTypes.service_account) },
  {
    name: 'appsecret',
    label: '应用密钥',
    kind: 'password',
    help: secretHelp,
    when: only(noticeTypes.dingtalk, noticeTypes.service_account),
  },
  { name: 'description', label: '描述' },
  {
    name: 'status',
    label: '状态',
    kind: 'select',
    options: [
      { value: 1, label: '启用' },
      { value: 0, label: '停用' },
    ],
  },
];

/** Adds or changes one channel; what it needs depends on its type. Secrets are never kept as drafts. */
export function NoticeForm({ row, onClose }: { row: NoticeRow | 'new'; onClose: () => void }) {
  return (
    <EditDrawer
      noun="通知方式"
      name="notice"
      open={row}
      onClose={onClose}
      titleOf={({ name }) => name}
      add={noticeCalls.addNotice}
      change={noticeCalls.changeNotice}
      initial={{ type_id: noticeTypes.hook, status: 1 }}
      fields={fields}
      secret
    />
  );
}
