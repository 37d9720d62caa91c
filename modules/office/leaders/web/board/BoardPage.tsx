import { Button, Dropdown, Segmented, Skeleton, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { dayAfter, dayOf, mondayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { leaders } from '../../contract.ts';
import type { Board, BoardEntry } from '../../contract/board.ts';
import { attendType, type Half, halves, hoursText, isOfOneDay, timeText, trip } from '../../contract/codes.ts';
import { useMoving, type Moving } from './moving.tsx';
import { Publishing } from './Publishing.tsx';
import '../leaders.css';

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];
export const parts = Object.keys(halves) as Half[];

/** The week of the leaders: the entries in each part of each day, and the changes since publication. */
export default function BoardPage() {
  const narrow = useNarrow();
  const [address, setAddress] = useSearchParams();
  const [printing, setPrinting] = useState<'all' | 'open' | null>(null);
  const moving = useMoving();
  const today = dayOf(new Date());
  const date = mondayOf(address.get('date') ?? today);
  const mine = address.get('mine') === '1';
  const { data: board, error, refetch } = useCall(leaders.board, { query: { date, mine } }, { meta: live });
  const go = (to: { date?: string; mine?: boolean }) => {
    const next = { date: to.date ?? date, mine: to.mine ?? mine };
    setAddress({ date: next.date, ...(next.mine ? { mine: '1' } : {}) }, { replace: true });
  };
  if (error && !board) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <section className="kit-list leader-board" aria-label="一周安排">
      <header className="kit-row leader-board-head">
        <h1>一周安排</h1>
        <div className="kit-row">
          <Button aria-label="上一周" onClick={() => go({ date: dayAfter(date, -7) })}>
            ‹
          </Button>
          <strong className="kit-figures">
            {shortDate(date)} – {shortDate(dayAfter(date, 6))}
          </strong>
          <Button aria-label="下一周" onClick={() => go({ date: dayAfter(date, 7) })}>
            ›
          </Button>
          {date !== mondayOf(today) && <Button onClick={() => go({ date: mondayOf(today) })}>本周</Button>}
        </div>
        <Segmented
          aria-label="范围"
          options={[
            { value: 'all', label: '校领导' },
            { value: 'mine', label: '我的单位' },
          ]}
          value={mine ? 'mine' : 'all'}
          onChange={(value) => go({ mine: value === 'mine' })}
        />
        <span className="leader-board-space" />
        {board?.published && (
          <span className="kit-muted">
            第 {board.published.version} 版，{board.published.published_by}{' '}
            {board.published.published_at && shortDate(board.published.published_at)} 发布
            {board.published.changes > 0 && `，之后 ${board.published.changes} 处变更`}
          </span>
        )}
        {board?.published && <Button onClick={() => setPrinting(board.can_print_all ? 'all' : 'open')}>打印</Button>}
        {board?.can_publish && !mine && <Publishing board={board} date={date} />}
      </header>
      {!board && <Skeleton active className="kit-panel" title={false} paragraph={{ rows: 16 }} />}
      {board && (narrow ? <Days {...{ board, today, moving }} /> : <Grid {...{ board, today, moving }} />)}
      {moving.drawer}
      {printing && (
        <PdfDrawer
          title={`一周安排 ${date}`}
          about={`${date}:${board?.published?.version}:${printing}`}
          fetch={(signal) => download(leaders.weekPdf, { query: { date, scope: printing } }, { signal, quiet: true })}
          onClose={() => setPrinting(null)}
        />
      )}
    </section>
  );
}

/** Leaders as rows, days as columns, each cell in the parts of its day. */
interface Shown {
  board: Board;
  today: string;
  moving: Moving;
}
function Grid({ board, today, moving }: Shown) {
  if (board.leaders.length === 0) return <EmptyState why="还没有校领导，请先在用户管理中设置“校领导”角色" />;
  return (
    <div className="leader-grid kit-panel">
      <table aria-label="校领导一周安排">
        <thead>
          <tr>
            <th scope="col">领导</th>
            {board.days.map(({ date, works }, index) => (
              <th key={date} scope="col" data-today={date === today || undefined} data-rest={!works || undefined}>
                星期{weekdays[index]} <span className="kit-figures">{date.slice(5)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {board.leaders.map((leader) => (
            <tr key={leader.id}>
              <th scope="row">
                {leader.alias}
                {leader.post && <span className="kit-muted">{leader.post}</span>}
              </th>
              {board.days.map(({ date, works }) => (
                <td
                  key={date}
                  data-today={date === today || undefined}
                  data-rest={!works || undefined}
                  {...moving.over(leader.id, date)}
                >
                  {parts.map((half) => {
                    const before = parts.slice(0, parts.indexOf(half));
                    // A trip is one bar a day.
                    const places = leader.cells[date]![half].filter(
                      (place) =>
                        board.entries[place]!.type_id !== trip ||
                        !before.some((one) => leader.cells[date]![one].includes(place)),
                    );
                    return (
                      places.length > 0 && (
                        <div key={half} className="leader-half">
                          <span className="kit-muted">{halves[half]}</span>
                          {places.map((place) => (
                            <Entry
                              key={place}
                              entry={board.entries[place]!}
                              leaders={[leader.id]}
                              day={date}
                              half={half}
                              moving={moving}
                            />
                          ))}
                        </div>
                      )
                    );
                  })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {board.duty.length > 0 && (
          <tfoot>
            <tr>
              <th scope="row">值班</th>
              {board.days.map(({ date }) => (
                <td key={date}>
                  <OnDuty board={board} day={date} />
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** The people on duty on a day. */
function OnDuty({ board, day }: { board: Board; day: string }) {
  return board.duty
    .filter((one) => one.day === day)
    .map((one) => (
      <div key={one.id} className="leader-entry">
        <Link to={`/schedule/duty/detail/${one.id}`}>{one.name}</Link>
        <span className="kit-muted">{[one.people.join('、') || '缺人', one.phone].filter(Boolean).join('，')}</span>
      </div>
    ));
}

/** The view on a phone: one day at a time, each entry with its leaders. */
function Days({ board, today, moving }: Shown) {
  const [chosen, setChosen] = useState(board.days.some((one) => one.date === today) ? today : board.days[0]!.date);
  const day = board.days.some((one) => one.date === chosen) ? chosen : board.days[0]!.date;
  const there = board.entries.flatMap((entry, place) => {
    const who = board.leaders.filter((leader) => parts.some((half) => leader.cells[day]![half].includes(place)));
    return who.length > 0 ? [{ entry, who }] : [];
  });
  return (
    <>
      <Segmented
        block
        className="leader-days"
        aria-label="日期"
        options={board.days.map(({ date }, index) => ({
          value: date,
          label: `${weekdays[index]} ${Number(date.slice(8))}`,
        }))}
        value={day}
        onChange={setChosen}
      />
      {there.length === 0 && <EmptyState why="这一天没有安排" />}
      {there.map(({ entry, who }) => (
        <section key={`${entry.start_time} ${entry.title} ${who[0]!.id}`} className="kit-panel leader-day">
          <div className="kit-row">
            {who.map((leader) => (
              <Tag key={leader.id}>{leader.alias}</Tag>
            ))}
          </div>
          <Entry entry={entry} leaders={who.map((leader) => leader.id)} day={day} moving={moving} />
        </section>
      ))}
      {board.duty.some((one) => one.day === day) && (
        <section className="kit-panel leader-day" aria-label="值班">
          <OnDuty board={board} day={day} />
        </section>
      )}
    </>
  );
}

/** `half` is the part of the day from which it can be dragged. */
function Entry({
  entry,
  leaders: whose,
  day,
  half,
  moving,
}: {
  entry: BoardEntry;
  leaders: readonly number[];
  day: string;
  half?: Half;
  moving: Moving;
}) {
  const away = entry.type_id === trip;
  const one = entry.start_time.startsWith(day) && isOfOneDay(entry);
  const words = (
    <>
      {(one || !away || entry.start_time.startsWith(day)) && (
        <span className="kit-figures">{one ? hoursText(entry) : timeText(entry, shortDate)} </span>
      )}
      {away && !entry.masked && '外出：'}
      {entry.title}
      {entry.attend_type === attendType.hosts && '（主持）'}
    </>
  );
  return (
    <div
      className="leader-entry"
      data-away={away || undefined}
      data-masked={entry.masked || undefined}
      data-cancelled={entry.cancelled || undefined}
      {...(half ? moving.from({ entry, leader: whose[0]!, day, half }) : {})}
    >
      {entry.unseen && <span className="leader-dot" role="img" aria-label="新" />}
      {entry.id === null ? (
        <span>{words}</span>
      ) : (
        <Link to={`/schedule/detail/${entry.id}`} draggable={false}>
          {words}
        </Link>
      )}
      {entry.address && <span className="kit-muted">{entry.address}</span>}
      {entry.acting && <span className="kit-muted">{entry.acting}代行</span>}
      <span className="leader-marks">
        {entry.waiting.some((one) => whose.includes(one)) && <Tag>待答复</Tag>}
        {entry.clash.some((one) => whose.includes(one)) && <Tag color="error">冲突</Tag>}
        {entry.changed_at && (
          <Tooltip title={entry.was}>
            <Tag color="warning" tabIndex={0} aria-label={`${shortDate(entry.changed_at)} 变更，${entry.was}`}>
              {entry.changed_at.startsWith(dayOf(new Date()))
                ? entry.changed_at.slice(11, 16)
                : shortDate(entry.changed_at)}{' '}
              {entry.was === '新增' ? '新增' : entry.cancelled ? '取消' : '变更'}
            </Tag>
          </Tooltip>
        )}
        {!away &&
          entry.attend_type !== attendType.hosts &&
          entry.attend_type !== attendType.attends &&
          !entry.masked &&
          entry.attend_type !== attendType.other && <Tag>{attendType.label(entry.attend_type)}</Tag>}
        {entry.can_move && (
          <Dropdown
            trigger={['click']}
            menu={{ items: [{ key: 'move', label: '移到…', onClick: () => moving.open(entry) }] }}
          >
            <Button size="small" type="text" className="leader-more" aria-label={`“${entry.title}”的操作`}>
              ⋯
            </Button>
          </Dropdown>
        )}
      </span>
    </div>
  );
}
