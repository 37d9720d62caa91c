import { Tag } from 'antd';
import { onOff } from '#kernel/contract/titles.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { noticeCalls, customNotices, noticeTypes } from '../../contract/notices.ts';

const only = (...types: number[]) => ({
  when: (values: Record<string, unknown>) => types.includes(Number(values['type_id'])),
});
const { hook, wecom, dingtalk, feishu, wecom_app, ding_app, feishu_app } = noticeTypes;

/** Channels for notices about a workflow's tickets; their settings depend on the type. Secrets are never kept in drafts. */
export default function NoticePage() {
  return (
    <NounPage
      card={['status', 'type_name']}
      calls={customNotices}
      name="workflow/notice"
      title="通知方式"
      noun="通知方式"
      purpose="工单有进展时，除站内消息外还通知到哪里；在流程的“设置”中选用"
      filters={[
        {
          key: 'type_id',
          kind: 'select',
          often: true,
          options: Object.entries(noticeTypes.names).map(([value, label]) => ({ value, label })),
        },
      ]}
      columns={[
        'name',
        'type_name',
        'hook_url',
        'description',
        {
          key: 'status',
          render: (row) => (row.status === onOff.on ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
        },
        { key: 'gmt_modified', width: 134 },
      ]}
      instead={{
        hook_url: { placeholder: 'https://', ...only(hook, wecom, dingtalk, feishu, wecom_app, ding_app, feishu_app) },
        hook_token: only(hook, dingtalk, feishu),
        corpid: only(wecom_app),
        corpsecret: only(wecom_app),
        appkey: only(ding_app, feishu_app),
        appsecret: only(ding_app, feishu_app),
        agent_id: only(wecom_app, ding_app),
        card_decides: only(wecom_app, ding_app, feishu_app),
      }}
      initial={{ type_id: hook, status: onOff.on, card_decides: 0 }}
      rowActions={(row) => (
        <CallButton
          call={noticeCalls.testNotice}
          asked={{ params: { id: row.id } }}
          allowed={row.actions.includes('test')}
          size="small"
        >
          测试
        </CallButton>
      )}
      removal="删除后无法恢复；流程正在使用的不能删除"
      empty="还没有通知方式，工单的进展只发站内消息"
      secret
    />
  );
}
