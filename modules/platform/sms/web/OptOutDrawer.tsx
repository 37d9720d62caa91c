import { App, Drawer, Table, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { defaultPerPage } from '#kernel/contract/shapes.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { sms } from '../contract.ts';
import { OptOut } from '../contract/logs.ts';

/** Numbers that opted out: they receive nothing, whoever sends. */
export function OptOutDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { message } = App.useApp();
  const narrow = useNarrow();
  const [page, setPage] = useState(1);
  const [turn, setTurn] = useState(0);
  const { data, isFetching } = useCall(sms.optOuts, { query: { page } }, { enabled: open });
  const added = () => {
    setTurn(turn + 1);
    void message.success(sms.optOut.message);
  };
  return (
    <Drawer title="退订名单" open={open} onClose={onClose} size={narrow ? '100%' : 520} destroyOnHidden>
      <div className="kit-stack">
        <WithCode code="chuli">
          <CallForm
            key={turn}
            name="sms:optout"
            secret
            call={sms.optOut}
            submit="加入退订名单"
            onDone={added}
            fields={[{ name: 'mobile' }, { name: 'reason', placeholder: '例如：来电要求' }]}
          />
        </WithCode>
        <Table<OptOut>
          size="small"
          rowKey="id"
          loading={isFetching}
          dataSource={data?.value ?? []}
          locale={{ emptyText: '没有退订的号码' }}
          pagination={paged(defaultPerPage, { current: page, total: data?.total ?? 0, onChange: setPage })}
          columns={[
            ...tableColumns(OptOut, {
              mobile: { render: (row) => (row.holds ? row.mobile : <Void number={row.mobile} />) },
              reason: {},
            }),
            {
              key: 'action',
              title: '操作',
              render: (_value, row) => (
                <CallButton
                  call={sms.optIn}
                  asked={{ params: { id: row.id } }}
                  size="small"
                  danger
                  confirm={{ title: `将 ${row.mobile} 移出退订名单`, content: '移出后可以再次向该号码发送短信' }}
                >
                  移出
                </CallButton>
              ),
            },
          ]}
        />
        <WithCode code="chuli">
          <ReplyAddress open={open} />
        </WithCode>
      </div>
    </Drawer>
  );
}

/** A number that is no longer protected from messages. */
function Void({ number }: { number: string }) {
  return (
    <>
      {number}{' '}
      <Tooltip title="会话密钥已更换，此条不再起作用：请核对号码后重新加入，再移出此条">
        <Tag color="warning">失效</Tag>
      </Tooltip>
    </>
  );
}

/** The address to which the provider must forward replies, without which they are lost. */
function ReplyAddress({ open }: { open: boolean }) {
  const { data } = useCall(sms.replyAddress, {}, { enabled: open });
  if (!data) return null;
  return (
    <section className="kit-stack" aria-label="回复退订">
      <h3>回复退订</h3>
      <p className="kit-muted">
        {'在阿里云或腾讯云的短信控制台把“上行短信（短信回复）”的推送地址设为下面的地址，' +
          '对方回复 R、TD、“退订”或退订提示中的字样后自动加入名单。' +
          '没有设置推送的，请在接口设置中把退订提示改为电话等其他方式。'}
      </p>
      {data.path !== '' && (
        <>
          <CopyText text={`${location.origin}${data.path}`} />
          <p className="kit-muted">知道这个地址的人可以替任何号码退订，请勿公开；泄露了就更换</p>
        </>
      )}
      <CallButton
        call={sms.renewReplyAddress}
        asked={{}}
        size="small"
        {...(data.path !== '' && {
          confirm: { title: '更换接收地址', content: '原地址立即失效，须在短信控制台改为新地址' },
        })}
      >
        {data.path === '' ? '生成接收地址' : '更换接收地址'}
      </CallButton>
    </section>
  );
}
