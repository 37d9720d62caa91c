import { Alert, Button, Modal, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import { tokens, type TokenRow } from '../contract.ts';
import { AddressList } from './AddressList.tsx';

/** Applications that call us: what they may call, from where and until when. */
export default function TokenPage() {
  const [open, setOpen] = useState<TokenRow | 'new' | null>(null);
  const [made, setMade] = useState<{ id: number; key: string } | null>(null);
  const { data: apis = [] } = useCall(tokens.grantableApis, {});
  const { data: flows } = useCall(workflows.list, { query: { per_page: 100 } });
  const nameOf = (id: number) => flows?.value.find((flow) => flow.id === id)?.name ?? `流程 ${id}`;
  const fields = [
    { name: 'app_name', label: '应用名称' },
    {
      name: 'apis',
      label: '可用接口',
      kind: 'select' as const,
      multiple: true,
      help: '应用以您的权限调用这些接口，不能改动账号与权限',
      options: apis.map(({ api, summary }) => ({ value: api, label: `${summary} ${api}` })),
    },
    { name: 'ip_whitelist', label: 'IP 白名单', render: AddressList, help: '不填则不限；可填网段，如 10.0.0.0/8' },
    {
      name: 'workflow_ids',
      label: '限定流程',
      kind: 'select' as const,
      multiple: true,
      help: '只能发起和查看这些流程的工单，不填则与您相同',
      options: (flows?.value ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'ticket_sn_prefix', label: '工单编号前缀', help: '加在该应用发起的工单编号之前，如 OA' },
    { name: 'rate_limit', label: '每分钟次数', help: '超过后该应用须等待，不影响其他人' },
    { name: 'expire_at', label: '有效期至', kind: 'date' as const, help: '不填则长期有效' },
    { name: 'status', label: '启用', kind: 'switch' as const },
  ];
  return (
    <>
      <ListPage<TokenRow>
        name="system/app_token"
        title="应用令牌"
        purpose="其他系统凭令牌签名调用接口，权限不超过创建人"
        call={tokens.tokens}
        numbered
        columns={[
          { key: 'app_name', title: '应用名称', main: true, sort: true, width: 160 },
          { key: 'id', title: '编号', number: true, width: 64 },
          { key: 'creator_name', title: '创建人', width: 90 },
          { key: 'apis', title: '接口数', number: true, width: 80, render: (token) => token.apis.length },
          {
            key: 'ip_whitelist',
            title: 'IP 白名单',
            width: 120,
            render: (token) => token.ip_whitelist.join('、') || '不限',
          },
          {
            key: 'workflow_ids',
            title: '限定流程',
            render: (token) => token.workflow_ids.map(nameOf).join('、') || '不限',
          },
          { key: 'ticket_sn_prefix', title: '编号前缀', hidden: true },
          { key: 'rate_limit', title: '每分钟次数', number: true, hidden: true },
          {
            key: 'expire_at',
            title: '有效期至',
            sort: true,
            width: 110,
            render: (token) => token.expire_at?.slice(0, 10) ?? '长期',
          },
          {
            key: 'status',
            title: '状态',
            width: 70,
            render: (token) => (token.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>),
          },
          {
            key: 'last_used_at',
            title: '最近使用',
            sort: true,
            width: 134,
            render: (token) => <Moment at={token.last_used_at} />,
          },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增应用令牌
            </Button>
          </WithCode>
        }
        onOpen={(token) => token.actions.includes('update') && setOpen(token)}
        actionsWidth={80}
        rowActions={(token) => (
          <CallButton
            call={tokens.removeToken}
            asked={{ params: { id: token.id } }}
            allowed={token.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除“${token.app_name}”的令牌`, content: '使用它的应用立即失效，无法恢复' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: '还没有应用令牌，需要对接其他系统时再新增' }}
      />
      <EditDrawer
        noun="应用令牌"
        name="token"
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.app_name}
        add={tokens.addToken}
        change={tokens.changeToken}
        initial={{ status: true, rate_limit: 600 }}
        valuesOf={(row) => ({ ...row, expire_at: row.expire_at?.slice(0, 10) })}
        onAdded={setMade}
        fields={fields}
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
