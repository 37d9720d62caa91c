/** Releases of Node with a known vulnerability that matters to this server: those of line `major` before `fixed`. */
const brotli = { id: 'CVE-2026-111497', concerns: 'Brotli 解码（本系统不接收 br 编码的请求）' };
const hostnames = { id: 'CVE-2026-105482、105483、106069', concerns: '域名解析与 TLS 主机名校验' };

/** The vulnerabilities of the security release of 2026-10-21 that are rated high. */
export const knownHoles = [
  { major: 24, fixed: '24.22.1', ...brotli },
  { major: 24, fixed: '24.22.1', ...hostnames },
  { major: 26, fixed: '26.12.1', ...brotli },
  { major: 26, fixed: '26.12.1', ...hostnames },
] as const;

const parts = (version: string) => version.replace(/^v/, '').split('.').map(Number);

/** Orders two versions as numbers: negative when `a` is the older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  const differing = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return differing === -1 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

/** The known vulnerabilities of a Node release, e.g. `24.21.0`. */
export function holesOf(version: string): readonly (typeof knownHoles)[number][] {
  return knownHoles.filter(({ major, fixed }) => parts(version)[0] === major && compareVersions(version, fixed) < 0);
}

/** Lists the vulnerabilities of a release, and how to remove them from this machine. */
export const holesSaid = (holes: readonly { id: string; fixed: string }[]): string => {
  const fixed = holes
    .map((hole) => hole.fixed)
    .toSorted(compareVersions)
    .at(-1);
  return `${holes.map(({ id }) => id).join('，')}；本机装有 ${fixed} 后，重新启动即自动改用`;
};
