import { Drawer, Segmented, Switch } from 'antd';
import type { ReactNode } from 'react';
import { cookie, keepCookie } from '../cookies.ts';
import { shellSettings, themeColours } from '../stored.ts';
import type { ShellSettings } from '../stored.ts';
import './settings.css';

/** Appearance of the office, stored in this browser. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const kept = shellSettings.use();
  const change = (part: Partial<ShellSettings>) => shellSettings.set({ ...kept, ...part });
  return (
    <Drawer title="界面设置" open onClose={onClose} size={320}>
      <div className="settings">
        <Line label="主题颜色">
          <div className="swatches" role="radiogroup" aria-label="主题颜色">
            {themeColours.map((colour) => (
              <button
                key={colour}
                type="button"
                role="radio"
                aria-checked={kept.theme === colour}
                aria-label={colour}
                style={{ background: colour }}
                onClick={() => change({ theme: colour })}
              />
            ))}
          </div>
        </Line>
        <Line label="明暗">
          <Segmented<ShellSettings['dark']>
            aria-label="明暗"
            value={kept.dark}
            options={[
              { value: 'follow', label: '跟随系统' },
              { value: 'light', label: '浅色' },
              { value: 'dark', label: '深色' },
            ]}
            onChange={(dark) => change({ dark })}
          />
        </Line>
        <Line label="文字大小">
          <Segmented<ShellSettings['text']>
            aria-label="文字大小"
            value={kept.text}
            options={[
              { value: 'normal', label: '标准' },
              { value: 'large', label: '大' },
              { value: 'larger', label: '特大' },
            ]}
            onChange={(text) => change({ text })}
          />
        </Line>
        <Line label="控件大小">
          <Segmented
            aria-label="控件大小"
            defaultValue={cookie('size') || 'medium'}
            options={[
              { value: 'small', label: '小' },
              { value: 'medium', label: '中' },
              { value: 'large', label: '大' },
            ]}
            onChange={(size) => {
              keepCookie('size', size);
              location.reload();
            }}
          />
        </Line>
        <Line label="标签栏">
          <Switch aria-label="标签栏" checked={kept.tagsView} onChange={(tagsView) => change({ tagsView })} />
        </Line>
        <Line label="固定顶栏">
          <Switch
            aria-label="固定顶栏"
            checked={kept.fixedHeader}
            onChange={(fixedHeader) => change({ fixedHeader })}
          />
        </Line>
        <Line label="显示标志">
          <Switch
            aria-label="显示标志"
            checked={kept.sidebarLogo}
            onChange={(sidebarLogo) => change({ sidebarLogo })}
          />
        </Line>
      </div>
    </Drawer>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <span>{label}</span>
      {children}
    </div>
  );
}
