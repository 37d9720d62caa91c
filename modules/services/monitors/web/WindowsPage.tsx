import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { monitorCalls } from '../contract/monitors.ts';
import { windowNoun } from '../contract/windows.ts';

const days = ['一', '二', '三', '四', '五', '六', '日'].map((name, at) => ({ value: at + 1, label: `周${name}` }));
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** 维护窗口: probing goes on within them, but the results do not count. */
export default function WindowsPage({ tabs }: Pick<ListPageProps<never>, 'tabs'>) {
  return (
    <NounPage
      card={['project_names', 'starts_at']}
      calls={windowNoun}
      name="customer/maintenance"
      title="维护窗口"
      noun="维护窗口"
      purpose="按北京时间；窗口内照常检测，结果不作告警，也不计入可用率"
      list={tabs ? { tabs } : {}}
      columns={[
        { key: 'title', width: 180 },
        { key: 'project_names', width: 260 },
        {
          key: 'starts_at',
          heading: '时间',
          width: 300,
          render: (row) =>
            row.weekly
              ? `${row.weekdays.length === 7 ? '每天' : `每${row.weekdays.map((day) => days[day - 1]!.label).join('、')}`} ${clock(row.from_minute)} 起 ${row.minutes} 分钟`
              : `${row.starts_at.slice(0, 16)} 至 ${row.ends_at?.slice(0, 16)}`,
        },
      ]}
      instead={{
        project_ids: { render: (control) => <Projects control={control as object} /> },
        starts_at: { kind: 'datetime-local' },
        ends_at: { kind: 'datetime-local' },
        weekdays: {
          render: (control) => <Select {...(control as object)} mode="multiple" className="kit-wide" options={days} />,
        },
      }}
      titleOf={(row) => row.title}
      removal="窗口内的项目随即恢复告警。"
      empty="没有维护窗口"
    />
  );
}

function Projects({ control }: { control: object }) {
  const { data } = useCall(monitorCalls.list, { query: { per_page: 100 } });
  return (
    <Select
      {...control}
      mode="multiple"
      className="kit-wide"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择监测中的项目"
      options={(data?.value ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
