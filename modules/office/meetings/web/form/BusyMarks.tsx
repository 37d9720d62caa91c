import { keepPreviousData } from '@tanstack/react-query';
import { Button, Skeleton, Tag } from 'antd';
import { dropYear } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { useFill } from '#kernel/web/kit/form/parts/fill.ts';
import { calendar } from '../../contract/calendar.ts';
import { periodText } from '../../contract/refusals.ts';

type Values = Record<string, unknown>;
const most = 200;

/** The distinct people that a form names one by one. */
function chosenIn({ host_id: host, audience, observers, recorder_id: recorder }: Values): number[] {
  const { users = [] } = (audience ?? {}) as { users?: number[] };
  const all = [host, ...users, ...((observers as number[] | undefined) ?? []), recorder];
  return [...new Set(all.filter((one) => typeof one === 'number'))];
}
const momentIn = (value: unknown) =>
  typeof value === 'string' && value.length >= 16 ? `${value.slice(0, 16).replace('T', ' ')}:00` : '';

/** The query for the people and time of a form; null while it is incomplete. */
function askedIn(values: Values, except: number | undefined) {
  const users = chosenIn(values).slice(0, most);
  const [start_time, end_time] = [momentIn(values['start_time']), momentIn(values['end_time'])];
  if (users.length === 0 || start_time === '' || start_time >= end_time) return null;
  return { users, start_time, end_time, suggest: false, ...(except && { exclude_id: except }) };
}

/** True if departments or roles are invited besides the named people. */
function unnamed({ audience }: Values): boolean {
  const { depts = [], roles = [] } = (audience ?? {}) as { depts?: number[]; roles?: number[] };
  return depts.length + roles.length > 0;
}

/** Free and busy people among those chosen, and the first common free times. */
export function BusyMarks({ values, except }: { values: Values; except?: number | undefined }) {
  const fill = useFill();
  const asked = askedIn(values, except);
  const body = { users: [1], start_time: '', end_time: '', ...asked, suggest: true };
  const { data, error, isPlaceholderData } = useCall(
    calendar.busy,
    { body },
    {
      enabled: asked !== null,
      placeholderData: keepPreviousData,
      quiet: true,
    },
  );
  if (!asked) return <span className="kit-muted">选好时间和人员后，这里显示每个人有没有安排</span>;
  if (error) return <span className="kit-muted">暂时查不到有没有安排，不影响提交</span>;
  if (!data || isPlaceholderData) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  const taken = data.value.filter((one) => one.busy.length > 0);
  return (
    <div className="kit-stack" role="group" aria-label="人员忙闲" aria-live="polite">
      <ul className="kit-lines meet-people">
        {data.value.map(({ user_id, alias, busy }) => (
          <li key={user_id}>
            <Tag color={busy.length > 0 ? 'warning' : 'success'}>{busy.length > 0 ? '有安排' : '空闲'}</Tag>
            {alias}
            <span className="kit-muted">
              {busy
                .map((one) => `${dropYear(periodText(one.start_time, one.end_time), new Date())} ${one.label}`)
                .join('；')}
            </span>
          </li>
        ))}
      </ul>
      {unnamed(values) && <span className="kit-muted">按部门、角色邀请的人员不逐一显示</span>}
      {chosenIn(values).length > most && <span className="kit-muted">只核对前 {most} 人</span>}
      {taken.length > 0 && (
        <div className="kit-row meet-ways">
          {data.free.length > 0 ? '所选人员都空闲的时间' : '之后两周的工作时间内，所选人员没有共同的空闲时间'}
          {data.free.map((one) => (
            <Button
              key={one.start_time}
              size="small"
              onClick={() => fill({ start_time: one.start_time.slice(0, 16), end_time: one.end_time.slice(0, 16) })}
            >
              {dropYear(periodText(one.start_time, one.end_time), new Date())}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The confirmation before sending a meeting for which somebody has no time; null if everybody is free, or it is saved as a draft. */
export async function askIfBusy(values: Values, except: number | undefined) {
  const asked = values['submit'] === false ? null : askedIn(values, except);
  if (!asked) return null;
  // A failed query must not prevent the meeting.
  const { value } = await send(calendar.busy, { body: asked }, { quiet: true }).catch(() => ({ value: [] }));
  const taken = value.filter((one) => one.busy.length > 0);
  if (taken.length === 0) return null;
  const said = taken.slice(0, 10).map((one) => `${one.alias}（${one.busy.map(({ label }) => label).join('，')}）`);
  return {
    title: `有 ${taken.length} 人当时有安排`,
    content: `${said.join('、')}${taken.length > said.length ? ` 等 ${taken.length} 人` : ''}。仍可提交，或返回换一个时间`,
  };
}
