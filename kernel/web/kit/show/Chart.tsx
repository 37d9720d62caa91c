import { theme } from 'antd';
import type { EChartsOption } from 'echarts';
import { useEffect, useRef } from 'react';

export interface Series {
  name: string;
  kind: 'bar' | 'line' | 'band';
  /** Null for a missing value, which interrupts the line. */
  values: readonly (number | null)[];
  /** The lower edge of a band that reaches up to `values`. */
  low?: readonly (number | null)[];
  /** A line with its area coloured. */
  filled?: boolean;
  /** Bars of one stack are stacked. */
  stack?: string;
}
interface Props {
  /** The accessible name; a table has the figures. */
  label: string;
  unit: string;
  names: readonly string[];
  series: readonly Series[];
  /** Indexes of highlighted names, where something was wrong. */
  shaded?: readonly number[];
  /** Names along the side, for long ones. */
  sideways?: boolean;
  /** Opens the details of a name, given its index. */
  onPick?: ((at: number) => void) | undefined;
}

const rowHeight = 28;
/** With more bars than this the figures are hidden, because they would overlap. */
const mostSaid = 40;

/** Bars or lines in the theme's colours. The library is loaded when the first chart is shown. */
export function Chart({ label, unit, names, series, sideways = false, shaded, onPick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const leads = onPick !== undefined;
  const { token } = theme.useToken();
  const text = token.colorText;
  useEffect(() => {
    let closed = false;
    let stop = () => {};
    void import('./chart.ts').then(({ init }) => {
      if (closed || !place.current) return;
      const chart = init(place.current);
      const option = optionOf(
        { unit, names, series, sideways, shaded: shaded ?? [], leads },
        {
          text,
          line: token.colorBorderSecondary,
          panel: token.colorBgElevated,
          colours: [token.colorPrimary, token.colorWarning, token.colorSuccess, token.colorError],
          still: !token.motion,
        },
      );
      chart.setOption(option);
      chart.on('click', ({ dataIndex, componentType, value }) => {
        const at = componentType === 'series' ? dataIndex : names.indexOf(String(value));
        if (at !== undefined && at >= 0) pick.current?.(at);
      });
      const watch = new ResizeObserver(() => chart.resize());
      watch.observe(place.current);
      stop = () => {
        watch.disconnect();
        chart.dispose();
      };
    });
    return () => {
      closed = true;
      stop();
    };
  }, [unit, names, series, sideways, shaded, leads, text, token]);
  const height = sideways ? Math.max(160, names.length * rowHeight + 80) : 280;
  return <div ref={place} role="img" aria-label={label} style={{ height }} />;
}

interface Look {
  text: string;
  line: string;
  panel: string;
  colours: string[];
  still: boolean;
}

type Drawn = Omit<Props, 'label' | 'onPick'> & { leads: boolean };

function optionOf({ unit, names, series, sideways, shaded = [], leads }: Drawn, look: Look): EChartsOption {
  const label = { color: look.text };
  const category = {
    type: 'category' as const,
    data: [...names],
    axisLabel: label,
    inverse: sideways ?? false,
    triggerEvent: leads,
  };
  const value = {
    type: 'value' as const,
    name: unit,
    // Counted things have no halves.
    minInterval: series.every(({ values }) => values.every((one) => Number.isInteger(one ?? 0))) ? 1 : 0,
    nameTextStyle: label,
    axisLabel: label,
    splitLine: { lineStyle: { color: look.line } },
  };
  return {
    animation: !look.still,
    color: look.colours,
    textStyle: { color: look.text },
    grid: { left: 8, right: 24, top: 48, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    legend: { textStyle: label, top: 0, data: series.map(({ name }) => name) },
    // Drawn on the canvas, because the content policy forbids styles from scripts.
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      backgroundColor: look.panel,
      borderColor: look.line,
      textStyle: label,
    },
    xAxis: sideways ? value : category,
    yAxis: sideways ? category : value,
    series: series.flatMap((one, index): object[] => (one.kind === 'band' ? bandOf(one) : [plainOf(one, index)])),
  };

  /** Two invisible lines with the area between them coloured. */
  function bandOf({ name, values, low = [] }: Series) {
    const hidden = { type: 'line', stack: name, symbol: 'none', lineStyle: { opacity: 0 } };
    const between = values.map((value, at) => (value === null ? null : value - (low[at] ?? 0)));
    return [
      {
        ...hidden,
        name: `${name} `,
        data: low.map((one, at) => (values[at] == null ? null : one)),
        tooltip: { show: false },
      },
      {
        ...hidden,
        name,
        data: between,
        areaStyle: { opacity: 0.25 },
        tooltip: { valueFormatter: (_value: unknown, at: number) => `${low[at] ?? 0}–${values[at] ?? 0}` },
      },
    ];
  }
  function plainOf({ name, kind, values, stack, filled }: Series, index: number) {
    return {
      name,
      type: kind,
      data: [...values],
      barMaxWidth: 28,
      cursor: leads ? 'pointer' : 'default',
      ...(kind === 'bar' && saysFigures(index) ? { label: figureOf(stack !== undefined) } : {}),
      ...(kind === 'line' && values.length > 60 ? { showSymbol: false } : {}),
      ...(filled ? { areaStyle: { opacity: 0.12 } } : {}),
      ...(index === 0 && shaded.length > 0
        ? {
            markArea: {
              silent: true,
              itemStyle: { color: look.colours[3]!, opacity: 0.15 },
              data: shaded.map((at): [object, object] => [
                { xAxis: at },
                { xAxis: Math.min(at + 1, names.length - 1) },
              ]),
            },
          }
        : {}),
      ...(stack ? { stack } : {}),
    };
  }
  /** Each bar shows its figure; in a stack the last one shows the total. */
  function saysFigures(index: number): boolean {
    return names.length <= mostSaid && (series[index]!.stack === undefined || index === series.length - 1);
  }
  function figureOf(stacked: boolean) {
    const said = ({ dataIndex }: { dataIndex: number }) => {
      const all = stacked ? series : [];
      const sum = all.reduce((total, { values }) => total + (values[dataIndex] ?? 0), 0);
      return sum.toLocaleString('zh-CN', { maximumFractionDigits: 1 });
    };
    const own = ({ value }: { value: unknown }) => Number(value).toLocaleString('zh-CN', { maximumFractionDigits: 1 });
    return {
      show: true,
      position: sideways ? 'right' : 'top',
      color: look.text,
      formatter: stacked ? said : own,
    };
  }
}
