const hour = 60;
const day = 24 * hour;

/** Minutes in words: `不到 1 分钟`, `35 分钟`, `2 小时 5 分钟`, `3 天 4 小时`. */
export function spanText(minutes: number): string {
  if (minutes < 1) return '不到 1 分钟';
  const parts: [number, string][] = [
    [Math.floor(minutes / day), '天'],
    [Math.floor((minutes % day) / hour), '小时'],
    [minutes % hour, '分钟'],
  ];
  const said = parts.filter(([count]) => count > 0).slice(0, 2);
  return said.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
