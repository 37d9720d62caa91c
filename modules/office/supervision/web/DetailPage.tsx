import { Descriptions, Tag } from 'antd';
import { useNavigate, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { Links } from '#modules/platform/links/widgets.tsx';
import * as codes from '../contract/codes.ts';
import { itemState, superviseLight } from '../contract/codes.ts';
import { ItemDetail, type SubRow } from '../contract/shapes.ts';
import { items } from '../contract/supervise.ts';
import { Bar, Due, Light, Urges } from './parts/columns.tsx';
import { ofItem, ofPart, useSuperviseActs } from './parts/actions.tsx';
import { Gantt } from './parts/Gantt.tsx';
import { Print, Said } from './parts/panels.tsx';

const explained = (row: ItemDetail) => {
  if (row.status === itemState.draft) return '草稿，交办后开始计算';
  if (row.light === superviseLight.over) return '已结束';
  const plan = `应完成 ${row.expected}%，已认可 ${row.progress}%`;
  const worst = row.subs.filter((sub) => sub.light === row.light).map((sub) => sub.title);
  return `${plan}${worst.length > 0 && row.light > superviseLight.fine ? `；${codes.labelOf(codes.lightMeanings, row.light)}：${worst.join('、')}` : ''}`;
};

/** 督办详情: the item, its parts with their reports, and the open actions. */
export default function SuperviseDetail() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const { data, error, refetch } = useCall(items.get, { params: { id } }, { refetchOnWindowFocus: true });
  const { buttons, drawer } = useSuperviseActs(() => void navigate('/supervise/list'));
  const row = data?.value;
  const target = row && { ...row, parts: row.subs };
  return (
    <DetailPage
      title={row?.title ?? ''}
      sn={row?.sn ?? ''}
      loading={!row}
      error={error}
      retry={() => void refetch()}
      status={row && row.status > itemState.draft && <Light light={row.light} />}
      holder={
        row &&
        `${codes.itemState.label(row.status)} · ${codes.superviseLevel.label(row.level)} · 督办人 ${row.supervisor_info?.alias ?? '—'}`
      }
      side={row && <Side row={row} />}
      actions={
        target && (target.inside || target.actions.length > 0) ? (
          <>
            {buttons(target, target.actions, {
              among: ofItem,
              first: target.status === itemState.draft ? 'issue' : 'finish',
            })}
            {target.inside && <Print call={items.pdf} id={id} name="督办事项单" />}
          </>
        ) : undefined
      }
    >
      {row && (
        <>
          {row.inside && (
            <section className="kit-panel">
              <h2>要求</h2>
              <p style={{ whiteSpace: 'pre-wrap' }}>
                {[row.content, row.requirement].filter(Boolean).join('\n\n') || '—'}
              </p>
              {row.files.length > 0 && <FileLinks files={row.files} />}
              {row.finish_note && (
                <p>
                  {row.status === itemState.finished
                    ? '办结'
                    : row.status === itemState.applied
                      ? '提请办结'
                      : '上次办结'}
                  ：{row.finish_note}
                  {row.score !== null && `（${row.score} 分）`}
                  <span className="kit-muted"> {row.finish_info?.alias}</span>
                </p>
              )}
            </section>
          )}
          <section className="kit-panel">
            <h2>子任务</h2>
            <ul className="sup-parts">
              {row.subs.map((sub) => (
                <li key={sub.id}>
                  <Part
                    sub={sub}
                    buttons={buttons(sub, sub.actions, { among: ofPart, size: 'small' })}
                    draft={row.status === itemState.draft}
                  />
                </li>
              ))}
            </ul>
          </section>
          {row.inside && row.status > itemState.draft && <Said id={id} />}
          {row.status > itemState.draft && (
            <section className="kit-panel">
              <h2>计划</h2>
              <Gantt rows={[row]} />
            </section>
          )}
          {row.inside && <Links module="supervision" id={id} />}
        </>
      )}
      {drawer}
    </DetailPage>
  );
}

function Part({ sub, buttons, draft }: { sub: SubRow; buttons: React.ReactNode; draft: boolean }) {
  return (
    <>
      <div className="kit-row">
        <Light light={sub.light} />
        <b>{sub.title}</b>
        <Tag>{draft ? '待交办' : codes.subState.label(sub.status)}</Tag>
        {sub.rested_at && <Tag color="warning">异议待决定</Tag>}
        <span className="kit-grow" />
        {sub.urges.some(Boolean) && <Urges urges={sub.urges} />}
      </div>
      <div className="kit-row">
        <span className="kit-muted">
          {[
            sub.dept_name,
            sub.owner_info?.alias,
            sub.co_info.length > 0 && `协办 ${sub.co_info.map((card) => card.alias).join('、')}`,
            `权重 ${sub.weight}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="kit-grow" />
        <Due row={sub} />
        <div className="sup-part-bar">
          <Bar row={sub} />
        </div>
      </div>
      {sub.content && <p>{sub.content}</p>}
      {sub.stages.length > 0 && (
        <p className="kit-muted">
          {sub.stages
            .map(
              (stage) =>
                `${stage.done_at ? '●' : '○'} ${stage.title}（${stage.day}，${stage.weight}%${stage.evidence ? '，须佐证' : ''}）`,
            )
            .join('　')}
        </p>
      )}
      <div className="kit-row">{buttons}</div>
    </>
  );
}

function Side({ row }: { row: ItemDetail }) {
  const facts = factsOf(ItemDetail, {
    light: { heading: '灯况', shown: explained(row) },
    due_at: (
      <>
        <Due row={row} /> <Provisional inline day={row.due_at} />
      </>
    ),
    source: codes.superviseSource.label(row.source),
    lead_dept_name: row.lead_dept_name || '—',
    co_dept_names: row.co_dept_names.join('、'),
    owner_info: row.owner_info?.alias,
    leader_info: row.leader_info?.alias,
    feedback_cycle: codes.feedbackCycle.label(row.feedback_cycle),
    next_feedback: row.next_feedback?.slice(0, 16),
    reopened: row.reopened > 0 && `${row.reopened} 次`,
    unopened: row.unopened.map((card) => card.alias).join('、'),
  });
  const moved = row.plans.filter((plan) => plan.due_from);
  return (
    <>
      <section className="kit-panel">
        <Bar row={row} />
        <p className="kit-muted">进度为各子任务已认可比例按权重合计</p>
        <Descriptions column={1} size="small" items={facts} />
      </section>
      {moved.length > 0 && (
        <section className="kit-panel">
          <h2>时限变更</h2>
          <ul className="sup-says">
            {moved.map((plan) => (
              <li key={plan.id}>
                {plan.due_from!.slice(0, 16)} → {plan.due_at.slice(0, 16)}
                <p>
                  {plan.reason}
                  <span className="kit-muted">
                    {' '}
                    {plan.by_info?.alias} {plan.gmt_created.slice(0, 10)}
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
