import { Tag, theme } from 'antd';
import { useEffect, useRef } from 'react';
import { dayMs, momentOf } from '#kernel/contract/moment.ts';
import { beatOf, monitorState } from '../contract/codes.ts';

export const StateLight = ({ status }: { status: number }) => (
  <Tag color={monitorState.tones[status]}>{monitorState.label(status)}</Tag>
);

const [step, height] = [5, 22];
/** The last sixty beats on a canvas, so that thousands of rows need no elements. */
export function Beats({ recent }: { recent: readonly number[] }) {
  const place = useRef<HTMLCanvasElement>(null);
  const { token } = theme.useToken();
  const beats = recent.slice(-60).map(beatOf);
  useEffect(() => {
    const canvas = place.current;
    const pen = canvas?.getContext('2d');
    if (!canvas || !pen) return;
    const scale = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: 60 * step * scale, height: height * scale });
    pen.scale(scale, scale);
    const fills = [token.colorError, token.colorSuccess, token.colorWarning, token.colorTextQuaternary];
    const drawn = recent.slice(-60).map(beatOf);
    for (let at = 0; at < 60; at++) {
      const beat = drawn[at - 60 + drawn.length];
      pen.fillStyle = beat ? fills[beat.status]! : token.colorFillSecondary;
      pen.fillRect(at * step, 2, step - 1.5, height - 4);
    }
  }, [recent, token]);
  const counts = Object.entries(monitorState.names).flatMap(([status, name]) => {
    const count = beats.filter((beat) => beat.status === Number(status)).length;
    return count > 0 ? [`${name} ${count}`] : [];
  });
  const last = beats.at(-1);
  const said =
    counts.length > 0 ? `最近 ${beats.length} 次：${counts.join('，')}；最近一次 ${last!.ms} 毫秒` : '还没有检测';
  return (
    <canvas
      ref={place}
      role="img"
      aria-label={said}
      title={said}
      style={{ width: '100%', maxWidth: 60 * step, height }}
    />
  );
}

export const percent = (value: number | null) => (value === null ? '—' : `${value}%`);
/** Days until a moment, coloured by urgency. */
export function DaysLeft({ at }: { at: string | null }) {
  if (!at) return <>—</>;
  const days = Math.floor((momentOf(at).getTime() - Date.now()) / dayMs);
  return (
    <span title={at}>
      {days < 0 ? <Tag color="error">已到期</Tag> : days <= 14 ? <Tag color="warning">{days} 天</Tag> : `${days} 天`}
    </span>
  );
}
export function lasting(seconds: number): string {
  if (seconds < 60) return `${seconds} 秒`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} 分钟`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} 小时` : `${Math.round(minutes / 1440)} 天`;
}
