import { Button, Drawer, Segmented } from 'antd';
import { useState, type ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { chosen, useActs, type Acts, type Chosen } from '#kernel/web/kit/press/acts.tsx';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import * as codes from '../contract/codes.ts';
import { sheets } from '../contract/hung.ts';
import { superviseImport } from '../contract/import.ts';
import { superviseRuleCalls, superviseRules } from '../contract/rules.ts';
import type { ItemRow, SubRow } from '../contract/shapes.ts';
import { items, subs } from '../contract/supervise.ts';
import { choiceFilter, deptFilter, dueFilters, itemColumns, lightFilter, subColumns } from './parts/columns.tsx';
import { Plans } from './parts/Gantt.tsx';
import { ItemForm } from './ItemForm.tsx';
import { ChecksList, RequestsList, SheetsList } from './parts/panels.tsx';

const itemFilters: ListFilter[] = [
  choiceFilter('status', codes.itemState.names, true),
  choiceFilter('source', codes.superviseSource.names),
  choiceFilter('level', codes.superviseLevel.names),
  deptFilter('lead_dept'),
  ...dueFilters,
];
const subFilters: ListFilter[] = [
  choiceFilter('status', codes.subState.names, true),
  {
    key: 'outcome',
    kind: 'select',
    options: codes.outcomes.map((value) => ({ value, label: codes.outcomeNames[value] })),
  },
  deptFilter('dept'),
  ...dueFilters,
];

/** 督办事项: supervised items, and those that wait for me. */
export default function SupervisePage() {
  const [asked, ask] = useSearchParams();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'form' | 'import' | 'rules' | null>(null);
  const { data: counts } = useCall(subs.count, {}, { meta: live });
  const tab = asked.get('tab') ?? 'items';
  const gantt = asked.get('view') === 'gantt';
  const tabs = {
    value: tab,
    onChange: (next: string) => ask(next === 'items' ? {} : { tab: next }),
    categories: [
      { value: 'items', label: '事项', of: { call: items.list, query: {} } },
      { value: 'parts', label: '任务', of: { call: subs.list, query: {} } },
      { value: 'check', label: '待审核', ...(counts ? { count: counts.to_check } : {}) },
      { value: 'request', label: '申请', ...(counts ? { count: counts.requests } : {}) },
      { value: 'sheet', label: '督办单', of: { call: sheets.list, query: {} } },
      { value: 'leader', label: '我批示的', of: { call: items.list, query: { category: 'leader' } } },
    ],
  };
  if (open === 'form' || asked.has('new'))
    return (
      <ItemForm
        onClose={(id) => {
          setOpen(null);
          if (asked.has('new')) ask({}, { replace: true });
          if (id) void navigate(`/supervise/detail/${id}`);
        }}
      />
    );
  if (tab === 'check') return <ChecksList tabs={tabs} query={{ scope: 'to_check' }} />;
  if (tab === 'request') return <RequestsList tabs={tabs} query={{ scope: 'to_decide' }} />;
  if (tab === 'sheet') return <SheetsList tabs={tabs} />;
  if (tab === 'parts') return <PartsList tabs={tabs} />;
  const tools = (
    <div className="kit-row">
      <Segmented
        aria-label="显示方式"
        options={[
          { value: '', label: '表格' },
          { value: 'gantt', label: '甘特' },
        ]}
        value={gantt ? 'gantt' : ''}
        onChange={(next) => ask(next ? { view: next } : {})}
      />
      <WithCode code="Update">
        <Button onClick={() => setOpen('rules')}>规则</Button>
      </WithCode>
      <WithCode code="Create">
        <Button onClick={() => setOpen('import')}>导入</Button>
        <Button type="primary" onClick={() => setOpen('form')}>
          立项
        </Button>
      </WithCode>
    </div>
  );
  return (
    <>
      {gantt ? (
        <Plans tools={tools} />
      ) : (
        <ItemsList tabs={tabs} primary={tools} query={tab === 'leader' ? { category: 'leader' } : {}} />
      )}
      {open === 'import' && (
        <SheetDialog
          of={superviseImport}
          refreshes={['supervise']}
          hint="每行一项子任务，事项相同的行合为一个事项；部门填名称，责任人填账号"
          onClose={() => setOpen(null)}
        />
      )}
      <Drawer title="督办规则" open={open === 'rules'} onClose={() => setOpen(null)} size={480} destroyOnHidden>
        <RulesPanel
          rules={superviseRules}
          read={superviseRuleCalls.rule}
          save={superviseRuleCalls.saveRule}
          readOnly={null}
          untitled
        />
      </Drawer>
    </>
  );
}

type Tabs = Pick<ListPageProps<never>, 'tabs'> & { primary?: ReactNode; query?: Record<string, unknown> };
const many: Acts<Chosen> = {
  sheets: {
    label: '下发督办单',
    title: ({ ids }) => `下发督办单：${ids.length} 个事项`,
    call: sheets.several,
    instead: { supervise_ids: null },
    initial: { whom: 3, colour: 2 },
    also: ({ ids }) => ({ supervise_ids: ids }),
  },
};

function ItemsList({ query, ...props }: Tabs) {
  const { buttons, drawer } = useActs(() => 'supervise:sheets', many);
  const { data } = useCall(items.list, { query: { ...query, per_page: 1 } }, { meta: live });
  return (
    <>
      <ListPage<ItemRow>
        card={['light', 'due_at', 'lead_dept_name']}
        {...props}
        name="supervise/list"
        title="督办事项"
        call={items.list}
        columns={itemColumns}
        filters={[lightFilter(data?.lights), ...itemFilters]}
        query={query ?? {}}
        to={(row) => `/supervise/detail/${row.id}`}
        choosable={(row) => row.actions.includes('sheet')}
        batch={(rows, clear) => buttons(chosen(rows, clear), ['sheets'])}
        empty={{ why: '还没有督办事项；立项后分解子任务并交办' }}
      />
      {drawer}
    </>
  );
}

/** Tasks of all items, to which figures of the statistics and the bulletin link. */
function PartsList(props: Tabs) {
  const { data } = useCall(subs.list, { query: { per_page: 1 } }, { meta: live });
  return (
    <ListPage<SubRow>
      card={['light', 'due_at', 'owner_info']}
      {...props}
      name="supervise/parts"
      title="督办事项"
      call={subs.list}
      columns={subColumns}
      filters={[lightFilter(data?.lights), ...subFilters]}
      to={(row) => `/supervise/detail/${row.supervise_id}`}
      empty={{ why: '还没有督办任务；立项并分解子任务后出现在这里' }}
    />
  );
}
