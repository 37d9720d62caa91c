import { Alert, Button, Select } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { Calendar, rangeOf, type CalendarView } from '#kernel/web/kit/Calendar.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { feeds } from '../contract.ts';

const all: string[] = [];

/** 我的日程: my entries of all modules, in one calendar. */
export default function MinePage() {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const narrow = useNarrow();
  const date = search.get('date') ?? dayOf(new Date());
  const view = (search.get('view') ?? (narrow ? 'list' : 'week')) as CalendarView;
  const [hidden, hide] = usePreference<string[]>('calendar:hidden', all);
  const { from, to } = rangeOf(view, date);
  const { data, error, refetch } = useCall(feeds.mine, { query: { start: from, end: to } }, { meta: live });
  const shown = data?.value.filter(({ key }) => !hidden.includes(key));
  const idOf = ({ key, id }: { key: string; id: string }) => `${key}/${id}`;
  return (
    <section className="kit-list" aria-label="我的日程">
      <header className="kit-row">
        <h1>我的日程</h1>
        <Select
          aria-label="显示的内容"
          mode="multiple"
          className="kit-grow"
          maxTagCount="responsive"
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="没有选择内容"
          value={data?.kinds.flatMap(({ key }) => (hidden.includes(key) ? [] : [key]))}
          options={data?.kinds.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={(keys: string[]) => hide(data!.kinds.flatMap(({ key }) => (keys.includes(key) ? [] : [key])))}
        />
        <Button onClick={() => void navigate('/user/profile?tab=feeds')}>订阅到手机</Button>
      </header>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data?.more && <Alert type="warning" showIcon title="这段时间的日程过多，只显示一部分。请改看一周或一天。" />}
          <Calendar
            label="日历"
            views={['month', 'week', 'day', 'list']}
            view={view}
            date={date}
            onChange={(next) => setSearch({ view: next.view, date: next.date }, { replace: true })}
            entries={shown?.map((entry) => ({
              id: idOf(entry),
              title: `${entry.cancelled ? '已取消：' : ''}${entry.title}${entry.place && `（${entry.place}）`}`,
              start: entry.start,
              end: entry.end,
              look: entry.cancelled || entry.free ? ('grey' as const) : ('solid' as const),
            }))}
            onOpen={(id) => {
              const path = shown?.find((entry) => idOf(entry) === id)?.path;
              if (path) void navigate(path);
            }}
          />
        </>
      )}
    </section>
  );
}
