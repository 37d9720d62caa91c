import { AboutForm } from './AboutForm.tsx';
import { GrantList } from './GrantList.tsx';
import { RunSettings } from './RunSettings.tsx';
import { StartForSettings } from './StartForSettings.tsx';
import { StartSettings } from './StartSettings.tsx';
import type { Design } from '../../contract/design.ts';
import type { Designer } from '../designer/state/useDesigner.ts';
import { changeSettings } from '../designer/state/edits.ts';
import type { Names } from '../names.ts';
import './settings.css';

interface Props {
  design: Design;
  designer: Designer;
  names: Names;
}

/** Settings of the workflow as a whole: those of the draft, and its name and administrators, which change at once. */
export function SettingsTab({ design, designer, names }: Props) {
  const { draft, edit } = designer;
  const change = (part: Partial<typeof draft.settings>) =>
    edit((now) => changeSettings(now, part), `settings:${Object.keys(part).join()}`);
  return (
    <div className="settings-columns">
      <section className="kit-panel" aria-label="工单">
        <h2 className="designer-h">工单</h2>
        <RunSettings draft={draft} onChange={change} />
      </section>
      <section className="kit-panel" aria-label="发起范围">
        <h2 className="designer-h">谁可以发起</h2>
        <StartSettings limit={draft.settings.limit} names={names} onChange={(limit) => change({ limit })} />
        <StartForSettings
          rules={draft.settings.start_for ?? []}
          names={names}
          onChange={(start_for) => change({ start_for })}
        />
      </section>
      <section className="kit-panel" aria-label="基本信息">
        <h2 className="designer-h">基本信息</h2>
        <AboutForm design={design} version={designer.version} onSaved={designer.noteVersion} />
      </section>
      <section className="kit-panel" aria-label="授权">
        <h2 className="designer-h">查看、干预与管理</h2>
        <GrantList design={design} version={designer.version} onSaved={designer.noteVersion} names={names} />
      </section>
    </div>
  );
}
