import { Alert, Button, Modal, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import type { AudienceShown } from '#modules/platform/people/contract/audience.ts';
import { AudienceInput } from '#modules/platform/people/widgets.tsx';
import { tokens } from '../contract.ts';
import { AddressList } from './AddressList.tsx';

/** Applications that call us: their calls, addresses and validity. */
export default function TokenPage() {
  const [made, setMade] = useState<{ id: number; key: string } | null>(null);
  const { data: apis = [] } = useCall(tokens.grantableApis, {});
  const { data: flows = [] } = useCall(tokens.grantableWorkflows, {});
  const nameOf = (id: number) => flows.find((flow) => flow.id === id)?.name ?? `流程 ${id}`;
  return (
    <>
      <NounPage
        card={['status', 'creator_name', 'last_used_at']}
        calls={tokens}
        name="system/app_token"
        title="应用令牌"
        noun="应用令牌"
        purpose="其他系统凭令牌签名调用接口，权限不超过创建人"
        columns={[
          { key: 'app_name', width: 160 },
          { key: 'id', heading: '编号', width: 64 },
          { key: 'creator_name', width: 90 },
          { key: 'apis', heading: '接口数', number: true, width: 80, render: (token) => token.apis.length },
          { key: 'ip_whitelist', width: 120, render: (token) => token.ip_whitelist.join('、') || '不限' },
          { key: 'workflow_ids', render: (token) => token.workflow_ids.map(nameOf).join('、') || '不限' },
          { key: 'ticket_sn_prefix', hidden: true },
          { key: 'begins_for', width: 120, render: (token) => token.begins_for.called || '仅创建人' },
          { key: 'push_url', hidden: true },
          { key: 'rate_limit', number: true, hidden: true },
          { key: 'expire_at', width: 110, render: (token) => token.expire_at?.slice(0, 10) ?? '长期' },
          {
            key: 'status',
            heading: '状态',
            width: 70,
            render: (token) => (token.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
          },
          { key: 'last_used_at', width: 134 },
        ]}
        instead={{
          apis: { options: apis.map(({ api, summary }) => ({ value: api, label: `${summary} ${api}` })) },
          ip_whitelist: { render: AddressList },
          workflow_ids: { options: flows.map(({ id, name }) => ({ value: id, label: name })) },
          begins_for: {
            render: (control) => (
              <AudienceInput {...control} known={(control.value as AudienceShown | undefined)?.users_info} />
            ),
          },
          expire_at: { kind: 'date' },
        }}
        initial={{ status: true, rate_limit: 600 }}
        valuesOf={(row) => ({ ...row, expire_at: row.expire_at?.slice(0, 10) })}
        titleOf={(row) => row.app_name}
        actionsWidth={80}
        removal="使用它的应用立即失效，无法恢复"
        empty="还没有应用令牌，需要对接其他系统时再新增"
        onAdded={setMade}
      />
      <Modal
        title="请立即保存密钥"
        open={made !== null}
        closable={false}
        mask={{ closable: false }}
        keyboard={false}
        footer={
          <Button type="primary" onClick={() => setMade(null)}>
            我已保存
          </Button>
        }
      >
        {made && (
          <div className="kit-stack">
            <Alert type="warning" title="密钥只显示这一次，关闭后无法再次查看；遗失时请删除令牌重新新增" />
            <div>
              编号 <CopyText text={String(made.id)} />
            </div>
            <div style={{ overflowWrap: 'anywhere' }}>
              密钥 <CopyText text={made.key} />
            </div>
          </div>
        )}
      </Modal>
    </>
  );
}
