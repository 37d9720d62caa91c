/** The time since a server's `YYYY-MM-DD HH:mm:ss`, in the largest unit: 3 天. */
export function waitedSince(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(at.replace(' ', 'T')).getTime()) / 60_000);
  if (minutes < 1) return '不到 1 分钟';
  if (minutes < 60) return `${minutes} 分钟`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} 小时` : `${Math.floor(minutes / (24 * 60))} 天`;
}

export function Waited({ since }: { since: string }) {
  return (
    <span className="kit-figures" title={`${since} 到达`}>
      {waitedSince(since, new Date())}
    </span>
  );
}
