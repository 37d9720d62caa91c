import { App, Button, Modal, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageOf } from '#kernel/contract/call.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { readState } from '#kernel/web/kit/list/listState.ts';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { online, SessionSearch, signInWays, type SessionOfSomebody } from '../../contract/online.ts';

const ways = Object.entries(signInWays).map(([value, label]) => ({ value, label }));

/** Keys of the filters, by which the page also says which sessions to end. */
const filterKeys = ['dept', 'way', 'ip'];

/** Open sessions with device and place; each person may be signed out, everywhere or in one place. */
export default function OnlinePage() {
  const { data: depts = [] } = useCall(lookups.managedDepts, {});
  const { search_value, filters } = readState(useSearchParams()[0], filterKeys);
  // With a filter that the list refuses there is nothing to end.
  const search = SessionSearch.safeParse({ search_value, ...filters });
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
        { key: 'ip', kind: 'text' },
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
      primary={<WithCode code="Delete">{search.success && <EndAll search={search.data} />}</WithCode>}
      empty={{ why: '您管理的范围内现在没有人登录' }}
    />
  );
}

function EndAll({ search }: { search: SessionSearch }) {
  const [open, setOpen] = useState(false);
  const { dept, way, ip, search_value } = search;
  const title = dept || way || ip || search_value ? '退出筛选出的登录' : '退出所有用户的登录';
  return (
    <>
      <Button danger onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Modal open={open} title={title} footer={null} onCancel={() => setOpen(false)} destroyOnHidden>
        <EndForm search={search} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}

/** Says whose sessions end before it asks for the password. */
function EndForm({ search, onDone }: { search: SessionSearch; onDone: () => void }) {
  const { message } = App.useApp();
  // An earlier preview is not shown again: others have signed in and out since.
  const { data, error, refetch } = useCall(online.previewEnd, { query: search }, { gcTime: 0 });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  const { count, people, names, kept, kept_names } = data;
  const stay = kept > 0 && (
    <p className="kit-muted">{named(kept_names, kept)}的权限超出您的权限，不会退出，请由权限更高的管理员操作。</p>
  );
  if (count === 0)
    return (
      <>
        <p>没有可以退出的登录（您自己的登录除外）。</p>
        {stay}
      </>
    );
  return (
    <>
      <p>
        将退出{named(names, people)}的 {count} 处登录（您自己的除外），各自未保存的内容会丢失。
      </p>
      {stay}
      <CallForm
        name="end-all"
        secret
        call={online.endAll}
        also={search}
        submit="全部退出"
        onDone={(reply) => {
          onDone();
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
    </>
  );
}

/** The first names in quotation marks, and the number of people if there are more. */
const named = (names: readonly string[], people: number) =>
  `“${names.join('、')}”${people > names.length ? `等 ${people} 人` : ''}`;
