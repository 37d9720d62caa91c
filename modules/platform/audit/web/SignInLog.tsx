import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { signInActs, signInHow, signIns, type SignInRow } from '../contract/sign-ins.ts';
import { personText, resultTag } from './LogDrawer.tsx';

const optionsOf = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
const filters = [
  { key: 'how', kind: 'select' as const, options: optionsOf(signInHow), often: true },
  {
    key: 'result',
    kind: 'select' as const,
    often: true,
    options: [
      { value: 'ok', label: '成功' },
      { value: 'denied', label: '被拒绝' },
    ],
  },
  { key: 'act', kind: 'select' as const, options: optionsOf(signInActs) },
  { key: 'created_from', kind: 'date' as const },
  { key: 'created_to', kind: 'date' as const },
  { key: 'user', kind: 'text' as const },
  { key: 'ip', kind: 'text' as const },
];

/** Successful and refused sign-ins: time, means and origin. */
export default function SignInLog() {
  return (
    <ListPage<SignInRow>
      card={['result', 'how', 'gmt_created']}
      name="system/sign_in"
      title="登录日志"
      purpose="每一次登录、二次验证和找回密码，成功的与被拒绝的；与操作日志保留同样长的时间"
      call={signIns.list}
      filters={filters}
      columns={listColumns(rowOf(signIns.list), {
        gmt_created: { width: 140, sort: true },
        username: { heading: '用户', main: true, width: 160, render: personText },
        action: { width: 120 },
        how: { width: 110 },
        result: { width: 110, render: (row) => resultTag(row.result) },
        reason: { width: 240 },
        ip: { width: 140 },
        device: { width: 150 },
        title: { width: 240, hidden: true },
      })}
      empty={{ why: '还没有登录记录' }}
    />
  );
}
