import { Button, Drawer, Segmented, Tag } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/CallButton.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import * as codes from '../contract/codes.ts';
import { superviseImport } from '../contract/import.ts';
import { superviseRuleCalls, superviseRules } from '../contract/rules.ts';
import type { ItemRow } from '../contract/shapes.ts';
import { items, subs } from '../contract/supervise.ts';
import { itemColumns, Light, options } from './parts/columns.tsx';
import { useActions } from './parts/actions.tsx';
import { Gantt } from './parts/Gantt.tsx';
import { ItemForm } from './ItemForm.tsx';
import { ChecksList, RequestsList, SheetsList } from './parts/panels.tsx';

const select = (key: string, label: string, names: Readonly<Record<number, string>>, often = false): ListFilter => ({
  key,
  label,
  kind: 'select',
  options: options(names),
  often,
});
const filters: ListFilter[] = [
  select('status', '状态', codes.itemStates, true),
  select('light', '灯', codes.lights, true),
  select('source', '来源', codes.sources),
  select('level', '级别', codes.levels),
  {
    key: 'lead_dept',
    label: '主办部门',
    kind: 'own',
    render: ({ value, set }) => (
      <DeptPicker
        placeholder="主办部门"
        value={Number(value) || undefined}
        onChange={(next) => set(next ? String(next) : '')}
      />
    ),
  },
  { key: 'due_from', label: '时限自', kind: 'date' },
  { key: 'due_to', label: '时限至', kind: 'date' },
];

/** 督办事项: what is supervised, and what of it waits for me. */
export default function SupervisePage() {
  const [asked, ask] = useSearchParams();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'form' | 'import' | 'rules' | null>(null);
  const { data: counts } = useCall(subs.count, {}, { meta: live });
  const { open: act, drawer } = useActions();
  const tab = asked.get('tab') ?? 'items';
  const gantt = asked.get('view') === 'gantt';
  const tabs = {
    value: tab,
    onChange: (next: string) => ask(next === 'items' ? {} : { tab: next }),
    categories: [
      { value: 'items', label: '事项' },
      { value: 'check', label: '待审核', ...(counts ? { count: counts.to_check } : {}) },
      { value: 'request', label: '申请', ...(counts ? { count: counts.requests } : {}) },
      { value: 'sheet', label: '督办单' },
      { value: 'leader', label: '我批示的' },
    ],
  };
  if (open === 'form')
    return (
      <ItemForm
        onClose={(id) => {
          setOpen(null);
          if (id) void navigate(`/supervise/detail/${id}`);
        }}
      />
    );
  if (tab === 'check') return <ChecksList tabs={tabs} query={{ scope: 'to_check' }} />;
  if (tab === 'request') return <RequestsList tabs={tabs} query={{ scope: 'to_decide' }} />;
  if (tab === 'sheet') return <SheetsList tabs={tabs} />;
  const view = (
    <Segmented
      options={[
        { value: '', label: '表格' },
        { value: 'gantt', label: '甘特' },
      ]}
      value={gantt ? 'gantt' : ''}
      onChange={(next) => ask(next ? { view: next } : {})}
    />
  );
  const tools = (
    <div className="kit-row">
      {view}
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
        <ListPage<ItemRow>
          name="supervise/list"
          title="督办事项"
          call={items.list}
          columns={itemColumns}
          filters={filters}
          tabs={tabs}
          query={tab === 'leader' ? { category: 'leader' } : {}}
          to={(row) => `/supervise/detail/${row.id}`}
          primary={tools}
          batch={(rows) =>
            rows.length === 1 && rows[0]!.actions.includes('sheet') ? (
              <Button onClick={() => act('sheet', { ...rows[0]! })}>下发督办单</Button>
            ) : (
              <span className="kit-muted">选一项可下发督办单</span>
            )
          }
          empty={{ why: '还没有督办事项；立项后分解子任务并交办' }}
        />
      )}
      {drawer}
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

/** Plans of what runs, at most a hundred items at once. */
function Plans({ tools }: { tools: React.ReactNode }) {
  const [light, setLight] = useState<number | null>(null);
  const query = { with_subs: true, per_page: 100, status: 1, ...(light ? { light } : {}) };
  const { data } = useCall(items.list, { query });
  return (
    <section className="kit-list" aria-label="督办甘特图">
      <header className="kit-row kit-list-head">
        <h1>督办事项</h1>
        {tools}
      </header>
      <div className="kit-row">
        {[4, 3, 2].map((one) => (
          <Tag.CheckableTag key={one} checked={light === one} onChange={(on) => setLight(on ? one : null)}>
            <Light light={one} /> {data?.lights?.[one] ?? 0}
          </Tag.CheckableTag>
        ))}
        <span className="kit-muted">灰影为原定计划，线框为现计划，填充为已认可进度，红尾为逾期；改期须提出申请</span>
      </div>
      <div className="kit-panel">{data && <Gantt rows={data.value} />}</div>
    </section>
  );
}
