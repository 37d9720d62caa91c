import { Alert, App, Button, Tabs } from 'antd';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { FormTab } from '../form/FormTab.tsx';
import type { Names } from '../names.ts';
import { PrintTab } from '../print/PrintTab.tsx';
import { SchedulesTab } from '../schedules/SchedulesTab.tsx';
import { SettingsTab } from '../settings/SettingsTab.tsx';
import { SimulatePanel } from '../simulate/SimulatePanel.tsx';
import { VersionsTab } from '../versions/VersionsTab.tsx';
import type { Design } from '../../contract/design.ts';
import type { Problem } from '../../contract/shapes.ts';
import type { Draft } from './state/draft.ts';
import { EditorHead } from './EditorHead.tsx';
import { FlowTab } from './FlowTab.tsx';
import { ProblemList } from './parts/ProblemList.tsx';
import { PublishDialog } from './parts/PublishDialog.tsx';
import type { Selection } from './state/selection.ts';
import { useDesigner } from './state/useDesigner.ts';
import { useDesignKeys } from './state/useDesignKeys.ts';

interface Props {
  design: Design;
  initial: Draft;
  names: Names;
  /** Fetches the server's present version. */
  fresh: () => Promise<{ draft: Draft; version: number } | null>;
}

/** The workflow being edited: drawing, form, settings, versions; saved, tested and published from the head. */
export function Editor({ design, initial, names, fresh }: Props) {
  const designer = useDesigner(design, initial);
  const { message } = App.useApp();
  const [search, setSearch] = useSearchParams();
  const [selection, setSelection] = useState<Selection>(null);
  const [field, setField] = useState<number | null>(null);
  const [publishing, setPublishing] = useState(false);
  const [simulating, setSimulating] = useState(false);
  const { save, undo, redo, draft, problems } = designer;
  const { held, hold, present } = useHeld();
  useDesignKeys({ save: () => void save(), undo, redo, refuse: (says) => void message.warning(says) }, present);
  const tab = search.get('tab') ?? 'flow';
  const show = useCallback((next: string) => setSearch({ tab: next }, { replace: true }), [setSearch]);
  const go = ({ kind, key }: Problem) => {
    setPublishing(false);
    const inFlow = kind === 'state' ? draft.states : kind === 'transition' ? draft.transitions : [];
    const part = inFlow.find((one) => one.key === key);
    if (part && kind === 'state') setSelection({ kind: 'state', id: part.id });
    if (part && kind === 'transition') setSelection({ kind: 'transition', id: part.id, branch: null });
    if (kind === 'field') setField(draft.fields.find((one) => one.key === key)?.id ?? null);
    show(kind === 'field' ? 'form' : kind === 'workflow' && key !== null ? 'settings' : 'flow');
  };
  const takeFresh = async () => {
    const found = await fresh();
    if (!found) return;
    designer.take(found.draft, found.version);
    setSelection(null);
  };
  const overwrite = async () => {
    const found = await fresh();
    if (found) await save(found.version);
  };
  const { left } = designer;
  return (
    <section className="designer" aria-label={`设计流程“${design.name}”`}>
      <EditorHead
        design={design}
        designer={designer}
        stopped={held[0]?.says ?? ''}
        onSimulate={() => void save().then((done) => done && setSimulating(true))}
        onPublish={() => void save().then((done) => done && setPublishing(true))}
      />
      {designer.behind && (
        <Alert
          type="warning"
          showIcon
          title="这个流程刚被其他人保存过，您看到的不是最新内容"
          action={
            <>
              <Button size="small" onClick={() => void takeFresh()}>
                载入最新内容
              </Button>
              {designer.dirty && (
                <Button size="small" type="text" danger onClick={() => void overwrite()}>
                  用我的内容覆盖
                </Button>
              )}
            </>
          }
        />
      )}
      {left && (
        <Alert
          type="info"
          showIcon
          title={`有一份 ${minuteOf(left.at)} 未保存的设计`}
          action={
            <>
              <Button
                size="small"
                onClick={() => {
                  designer.edit(() => left.definition);
                  designer.dismissLeft();
                }}
              >
                恢复
              </Button>
              <Button size="small" type="text" onClick={designer.dropLeft}>
                丢弃
              </Button>
            </>
          }
        />
      )}
      <HoldContext value={hold}>
        <Tabs
          activeKey={tab}
          onChange={show}
          className="designer-tabs"
          destroyOnHidden
          items={[
            {
              key: 'flow',
              label: '流程图',
              children: <FlowTab designer={designer} names={names} selection={selection} onSelect={setSelection} />,
            },
            {
              key: 'form',
              label: `表单（${draft.fields.length}）`,
              children: (
                <FormTab designer={designer} names={names} open={field} onOpen={setField} covered={simulating} />
              ),
            },
            { key: 'print', label: '打印', children: <PrintTab designer={designer} /> },
            {
              key: 'settings',
              label: '设置',
              children: <SettingsTab design={design} designer={designer} names={names} />,
            },
            ...(design.module
              ? []
              : [
                  {
                    key: 'schedules',
                    label: '定时发起',
                    children: <SchedulesTab workflow={design.id} draft={draft} />,
                  },
                ]),
            { key: 'versions', label: '版本', children: <VersionsTab design={design} names={names} /> },
          ]}
        />
      </HoldContext>
      {tab !== 'versions' && tab !== 'schedules' && <ProblemList problems={problems} onGo={go} />}
      {publishing && (
        <PublishDialog
          design={design}
          designer={designer}
          names={names}
          onGo={go}
          onClose={() => setPublishing(false)}
          onPublished={(no) => {
            setPublishing(false);
            void message.success(`已发布为第 ${no} 版`);
          }}
        />
      )}
      {simulating && <SimulatePanel design={design} draft={draft} names={names} onClose={() => setSimulating(false)} />}
    </section>
  );
}
