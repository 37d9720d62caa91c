import { Drawer, Progress } from 'antd';
import { FiguresPanels } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { smsFigures } from '../contract/statistics.ts';
import type { PageOf } from '#kernel/contract/figures.ts';

/** The remaining quotas, and the messages sent by month and department. */
export function StatisticsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const narrow = useNarrow();
  return (
    <Drawer title="配额与统计" open={open} onClose={onClose} size={narrow ? '100%' : 640} destroyOnHidden>
      <div className="kit-stack">
        <Quotas />
        <FiguresPanels figures={smsFigures} asked={{}} />
        <p className="kit-muted">近六个月；送达率按已有回执计算，费用按短信规则中的单价计算，没有被服务商接收的不计</p>
      </div>
    </Drawer>
  );
}

function Quotas() {
  const { data } = useCall(smsFigures.call, { query: {} });
  if (!data) return null;
  const { today, depts } = (data.value as PageOf<typeof smsFigures>).summary;
  const quotas = [
    { name: '我今天', ...today },
    ...depts.map(({ dept_name, ...used }) => ({ name: `${dept_name} 本月`, ...used })),
  ];
  return (
    <section aria-label="配额">
      {quotas.map(({ name, used, limit }) => (
        <div key={name}>
          <span className="kit-figures">
            {name}：已用 {used} 条，共 {limit} 条
          </span>
          <Progress
            percent={limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100))}
            status={used >= limit ? 'exception' : 'normal'}
            aria-label={`${name}已用`}
          />
        </div>
      ))}
    </section>
  );
}
