import { Alert, Button, Descriptions, Steps, Table, Tag } from 'antd';
import { Link } from 'react-router';
import { dayOf, daysBetween } from '#kernel/contract/moment.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { download } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { FileLinks, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activities as calls, activityCalls } from '../contract/activities.ts';
import { activityAudience, activityStatus, needs, typeText } from '../contract/codes.ts';
import { ActivityDetail, FieldChange } from '../contract/shapes.ts';
import { Marks } from './columns.tsx';
import { EditActivity } from './declare/DeclarePage.tsx';
import { activityFields } from './declare/fields.tsx';
import { activityRules } from '../contract/rules.ts';
import './activities.css';

/** 活动详情: the plan, its unusual features and its outcome; reviewers decide here. */
export default function ActivityPage() {
  return (
    <RecordPage
      call={calls.get}
      of={(reply) => reply.value}
      module="activities"
      list="/activity/list"
      ticketOf={(row) => row.change?.ticket_id ?? row.ticket_id}
      head={(row) => {
        const head = headOf(row);
        const days = row.start_time ? daysBetween(dayOf(new Date()), row.start_time) : 0;
        const left = row.activity_status === activityStatus.coming && days > 0 ? ` · 还有 ${days} 天` : '';
        return {
          ...head,
          holder: `${head.holder}${left}`,
          status: (
            <>
              {row.act_state !== actState.finished && head.status}
              <Marks row={row} />
            </>
          ),
        };
      }}
      form={(row, close) => <EditActivity row={row} onClose={close} />}
      opens={{ edit: '修改申报', change: '申请变更' }}
      side={(row) => <Rounds row={row} />}
      actions={(row) => <Actions row={row} />}
    >
      {(row) => <Content row={row} />}
    </RecordPage>
  );
}

/** Lists unusual features, on which a leader decides. */
function unusual(row: ActivityDetail): string[] {
  const verdict = row.rounds.at(-1)?.verdict;
  return [
    ...(row.urgent ? [`急办：${row.urgent_reason}`] : []),
    ...Object.values(verdict?.why ?? {}),
    ...(row.late_summaries > 0 ? [`主办部门有 ${row.late_summaries} 场活动逾期未总结`] : []),
    ...(verdict?.warnings ?? []),
  ];
}
const yes = (is: boolean | undefined, label: string) => is && label;

function Content({ row }: { row: ActivityDetail }) {
  const facts = factsOf(ActivityDetail, {
    start_time: {
      heading: '时间',
      shown: row.start_time && `${row.start_time.slice(0, 16)} 至 ${row.end_time?.slice(0, 16)}`,
    },
    location: [row.room_name, row.location !== row.room_name && row.location].filter(Boolean).join('，'),
    type_id: [typeText(row.type_id), yes(row.is_social_science, '哲学社会科学类')].filter(Boolean).join('，'),
    in_count: {
      heading: '规模',
      shown: `校内 ${row.in_count ?? '—'} 人，校外 ${row.out_count ?? '—'} 人${row.has_overseas ? '，有境外人员' : ''}`,
    },
    dept_name: [row.dept_name, row.co_orgs].filter(Boolean).join('；'),
    undertaker_info: row.undertaker_info && `${row.undertaker_info.alias} ${row.phone}`,
    audience: row.audience && activityAudience.label(row.audience),
    leaders:
      row.leader_answers.length === 0
        ? row.leader_names.join('、')
        : row.leader_answers.map((one) => `${one.alias}（${one.words}）`).join('、'),
    is_online: {
      heading: '线上',
      shown: row.is_online && `${row.online_platform}，${row.online_link}，入场审核 ${row.online_admits}`,
    },
    safety_officer_info: row.safety_officer_info && `${row.safety_officer_info.alias} ${row.safety_phone}`,
    budget: row.budget ? `${moneyText(row.budget)} 元，${row.fund_source}` : null,
    need: row.need?.map((key) => needs[key]).join('、'),
    publicity_plan: {
      heading: '宣传',
      shown: [row.publicity_plan, yes(row.media_report, '须新闻报道')].filter(Boolean).join('；'),
    },
    content: row.content,
  });
  const declined = row.leader_answers.filter((one) => one.declined);
  return (
    <>
      {unusual(row).length > 0 && row.act_state === actState.ongoing && (
        <section className="kit-panel kit-row" aria-label="须留意">
          {unusual(row).map((one) => (
            <Tag key={one} color="error" className="activity-tag">
              {one}
            </Tag>
          ))}
        </section>
      )}
      {declined.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${declined.map((one) => `${one.alias}${one.words}`).join('、')}，请联系秘书或调整出席领导`}
        />
      )}
      {row.cancel_reason && <Alert type="warning" showIcon title={`活动已取消：${row.cancel_reason}`} />}
      {row.summary_return && <Alert type="warning" showIcon title={`总结被退回：${row.summary_return}`} />}
      {row.change && (
        <section className="kit-panel" aria-label="变更">
          <h2>变更：{row.change.reason}</h2>
          <Table
            size="small"
            rowKey="label"
            pagination={false}
            dataSource={row.change.fields}
            scroll={{ x: 'max-content' }}
            columns={tableColumns(FieldChange, { label: {}, was: {}, becomes: {} })}
          />
          {row.change.own && (
            <CallButton
              call={activityCalls.withdrawChange}
              asked={{ params: { id: row.id } }}
              confirm={{ title: '撤回变更', content: '原来的安排不变' }}
            >
              撤回变更
            </CallButton>
          )}
        </section>
      )}
      <section className="kit-panel activity-text" aria-label="活动">
        <Descriptions size="small" column={{ xs: 1, md: 2 }} items={facts} />
      </section>
      {row.guests.length > 0 && (
        <section className="kit-panel" aria-label="嘉宾">
          <h2>嘉宾</h2>
          <ul className="kit-lines">
            {row.guests.map((guest) => (
              <li key={guest.id}>
                <strong>{guest.name}</strong>
                <span>{[guest.org, guest.title, guest.topic && `《${guest.topic}》`].filter(Boolean).join('，')}</span>
                {guest.nationality !== 'CN' && <Tag color="error">外国籍</Tag>}
                <span className="kit-muted">
                  {[guest.phone, guest.background || (guest.noted && `背景说明${guest.noted}`)]
                    .filter(Boolean)
                    .join('；')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {row.files.length > 0 && (
        <section className="kit-panel" aria-label="附件">
          <h2>附件</h2>
          <FileLinks files={row.files} />
        </section>
      )}
      {row.summary && (
        <section className="kit-panel" aria-label="总结">
          <h2>总结</h2>
          <p className="activity-text">{row.summary}</p>
          <span className="kit-muted">
            实到校内 {row.actual_in} 人，校外 {row.actual_out} 人；申报校内 {row.in_count} 人，校外 {row.out_count} 人
          </span>
          {row.news_link && <a href={row.news_link}>新闻报道</a>}
        </section>
      )}
    </>
  );
}

/** The steps of the activity, and the verdict of each round. */
function Rounds({ row }: { row: ActivityDetail }) {
  return (
    <section className="kit-panel" aria-label="审核依据">
      <h2>审核依据</h2>
      <Steps
        orientation="vertical"
        size="small"
        current={-1}
        items={row.steps.map(({ key, name, why }) => ({ key, title: name, content: why }))}
      />
      {row.rounds.map((one, at) => (
        <p key={at} className="kit-muted">
          {one.of_change ? '变更' : `第 ${one.round} 轮`}，{one.judged_at.slice(0, 16)} 按
          {one.rule_version > 0 ? `第 ${one.rule_version} 版` : '初始'}规则判定：
          {Object.values(one.verdict.why).join('；') || '不须另外审核'}
        </p>
      ))}
    </section>
  );
}

const free = ['phone', 'safety_officer', 'safety_phone', 'poster', 'publicity_plan', 'attachments'];
/** The fields that may be changed after the approval: each once, in its last form, whatever it depends on. */
function freeFields(row: ActivityDetail) {
  const known = activityFields(activityRules.defaults, row);
  return known
    .filter(({ name }, at) => free.includes(name) && known.findLastIndex((one) => one.name === name) === at)
    .map(({ group: _group, when: _when, needed: _needed, ...field }) => field);
}
const reason: FormField[] = [{ name: 'reason', kind: 'textarea' }];
const versioned = ({ version }: ActivityDetail) => ({ version });
const acts: Acts<ActivityDetail> = {
  summarise: {
    label: '提交总结',
    call: activityCalls.summarise,
    look: { type: 'primary' },
    also: versioned,
    initial: (row) => ({
      summary: row.summary,
      actual_in: row.actual_in ?? undefined,
      actual_out: row.actual_out ?? undefined,
      news_link: row.news_link,
    }),
    fields: [
      { name: 'summary', kind: 'textarea' },
      { name: 'actual_in', kind: 'number' },
      { name: 'actual_out', kind: 'number' },
      { name: 'news_link' },
      { name: 'no_photos', kind: 'switch', help: '照片上传到本活动的相册（见“关联”）；没有照片的打开此项' },
    ],
  },
  amend: { label: '修改联系与宣传', call: calls.update, also: versioned, initial: (row) => row, fields: freeFields },
  return_summary: { label: '退回总结', call: activityCalls.returnSummary, fields: reason },
  sheet: {
    label: '打印审批表',
    offered: (row) => row.act_state !== actState.draft,
    opens: (row, close) => (
      <PdfDrawer
        title={`审批表：${row.title}`}
        about={`${row.id}:${row.version}`}
        fetch={(signal) => download(activityCalls.sheet, { params: { id: row.id } }, { signal, quiet: true })}
        onClose={close}
      />
    ),
  },
  cancel: { label: '取消活动', call: activityCalls.cancel, danger: true, fields: reason },
};

function Actions({ row }: { row: ActivityDetail }) {
  const { buttons, drawer } = useActs('activity', acts);
  return (
    <>
      {buttons(row, row.actions)}
      {row.act_state > actState.draft && (
        <Link to={`/activity/declare?copy=${row.id}`}>
          <Button>复制为新申报</Button>
        </Link>
      )}
      {drawer}
    </>
  );
}
