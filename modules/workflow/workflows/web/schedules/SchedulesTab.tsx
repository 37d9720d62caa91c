import { Button, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { onOff } from '#kernel/contract/titles.ts';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { OnPage } from '#kernel/web/kit/permission.tsx';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { outcomeNames, schedules } from '../../contract/schedules.ts';
import type { Draft } from '../designer/state/draft.ts';
import { outcomeColors } from './outcomes.ts';
import { RunsDrawer } from './RunsDrawer.tsx';
import { StartValues } from './StartValues.tsx';

const weekly = 2;
const monthly = 3;
const is = (every: number) => (values: Record<string, unknown>) => values['every'] === every;

/** The workflow's schedules: times, the person in whose name, and values; changed at once, without publishing. */
export function SchedulesTab({ workflow, draft }: { workflow: number; draft: Draft }) {
  const [shown, setShown] = useState<{ id: number; name: string } | null>(null);
  return (
    <OnPage path="/workflow">
      <NounPage
        card={['when', 'next_at', 'last']}
        calls={schedules}
        name="workflow/schedules"
        title="定时发起"
        noun="定时发起"
        purpose="到时间由系统以指定人员的名义发起工单；没有发起成的会进入流程管理员的待办"
        list={{ query: { workflow_id: workflow } }}
        also={{ workflow_id: workflow }}
        columns={[
          'name',
          'when',
          'person',
          {
            key: 'next_at',
            sort: true,
            render: (row) => (row.next_at ? minuteOf(row.next_at) : row.status === onOff.on ? '已结束' : '已停用'),
          },
          {
            key: 'last',
            render: ({ last }) =>
              last && (
                <>
                  <Tag color={outcomeColors[last.outcome]}>{outcomeNames[last.outcome]}</Tag>
                  {last.ticket_id === null ? (
                    `${minuteOf(last.due_at)} ${last.message}`
                  ) : (
                    <Link to={`/ticket/detail/${last.ticket_id}`}>{minuteOf(last.due_at)}</Link>
                  )}
                </>
              ),
          },
        ]}
        instead={{
          person_id: { render: (control) => <PersonPicker by="id" {...(control as object)} /> },
          weekdays: { when: is(weekly), needed: true },
          month_days: { when: is(monthly), needed: true },
          at_time: { kind: 'time' },
          begins_on: { kind: 'date' },
          ends_on: { kind: 'date', notBefore: 'begins_on' },
          values: { render: (control) => <StartValues workflow={workflow} draft={draft} {...(control as object)} /> },
        }}
        initial={{ every: monthly, month_days: [1], at_time: '09:00', status: onOff.on }}
        rowActions={(row) => (
          <Button size="small" danger={row.open > 0} onClick={() => setShown(row)}>
            {row.open > 0 ? `${row.open} 次未发起` : '各次结果'}
          </Button>
        )}
        removal="以后不再发起；已经发起的工单不受影响"
        empty="还没有定时发起，需要每月、每周固定发起的工单可以在这里设置"
      />
      {shown && <RunsDrawer schedule={shown} onClose={() => setShown(null)} />}
    </OnPage>
  );
}
