import { Tabs } from 'antd';
import { Suspense } from 'react';
import { CalendarSample } from './CalendarSample.tsx';
import { CameraSample } from './CameraSample.tsx';
import { MoneySample } from './MoneySample.tsx';

/** One tab for each part. */
export function Showcase() {
  return (
    <main className="kit-panel" style={{ minHeight: '100%' }}>
      <h1 style={{ margin: 0, fontSize: '1.125rem' }}>组件</h1>
      <Suspense fallback={null}>
        <Tabs
          destroyOnHidden
          items={[
            { key: 'calendar', label: '日历', children: <CalendarSample /> },
            { key: 'camera', label: '扫码与拍照', children: <CameraSample /> },
            { key: 'money', label: '金额', children: <MoneySample /> },
          ]}
        />
      </Suspense>
    </main>
  );
}
