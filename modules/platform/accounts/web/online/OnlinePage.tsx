import { App, Button, Modal, Tag } from 'antd';
import { useState } from 'react';
import { messageOf } from '#kernel/contract/call.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { online, signInWays, type SessionOfSomebody } from '../../contract/online.ts';

const ways = Object.entries(signInWays).map(([value, label]) => ({ value, label }));

/** Open sessions with device and place; each person may be signed out, everywhere or in one place. */
export default function OnlinePage() {
  const { data: depts = [] } = useCall(lookups.managedDepts, {});
  return (
    <ListPage<SessionOfSomebody>
      card={['device', 'last_seen', 'dept_name']}
      name="system/online"
      title="在线用户"
      purpose="现在登录着的用户，一处登录一行；退出后须重新登录，未保存的内容会丢失"
      call={online.list}
      filters={[
        {
          key: 'dept',
          kind: 'select',
          options: depts.map((dept) => ({ value: String(dept.id), label: dept.name })),
        },
        { key: 'way', kind: 'select', often: true, options: ways },
      ]}
      columns={listColumns(rowOf(online.list), {
        alias: {
          heading: '用户',
          main: true,
          width: 170,
          render: (row) => (
            <>
              {`${row.alias}（${row.username}）`} {row.current && <Tag color="processing">本机</Tag>}
            </>
          ),
        },
        dept_name: { width: 120 },
        device: { width: 160 },
        ip: { width: 140 },
        way: {
          width: 140,
          render: (row) => (
            <>
              {signInWays[row.way]} {row.half && <Tag>待二次验证</Tag>}
            </>
          ),
        },
        gmt_created: { width: 140, sort: true },
        last_seen: { width: 140, sort: true },
      })}
      acts={(row) => row.actions.includes('end')}
      rowActions={(row) => (
        <span className="kit-row">
          <CallButton
            call={online.end}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('end')}
            size="small"
            confirm={{ title: `退出“${row.alias}”在 ${row.device} 的登录`, content: '该设备上未保存的内容会丢失' }}
          >
            退出
          </CallButton>
          <CallButton
            call={online.endPerson}
            asked={{ params: { id: row.user_id } }}
            allowed={row.actions.includes('end')}
            size="small"
            danger
            confirm={{ title: `退出“${row.alias}”的所有登录`, content: '其所有设备上未保存的内容会丢失' }}
          >
            全部退出
          </CallButton>
        </span>
      )}
      primary={
        <WithCode code="Delete">
          <EndAll />
        </WithCode>
      }
      empty={{ why: '您管理的范围内现在没有人登录' }}
    />
  );
}

function EndAll() {
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button danger onClick={() => setOpen(true)}>
        退出所有用户
      </Button>
      <Modal open={open} title="退出所有用户的登录" footer={null} onCancel={() => setOpen(false)} destroyOnHidden>
        <p>您管理范围内的用户全部退出（您自己除外），各自未保存的内容会丢失。</p>
        <CallForm
          name="end-all"
          secret
          call={online.endAll}
          submit="全部退出"
          onDone={(reply) => {
            setOpen(false);
            void message.success(messageOf(online.endAll, reply));
          }}
          fields={[
            {
              name: 'password',
              kind: 'password',
              autoComplete: 'current-password',
              help: '确认是您本人；以单点登录或微信登录的不用填写',
            },
          ]}
        />
      </Modal>
    </>
  );
}
