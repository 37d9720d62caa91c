import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackDebian, unpackedAt } from './unpack-debian.ts';

const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', '/usr/local/bin/nginx'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of an nginx: NGINX_PATH, one on the path, one in its usual place, or the one unpacked here before. */
export function findNginx(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'nginx'));
  const own = unpackedAt('nginx', 'usr', 'sbin', 'nginx');
  return [env.NGINX_PATH, ...onPath, ...places, own].find((path) => path && isProgram(path));
}

/** Its shared libraries are part of every Debian. */
function unpackNginx(): string | undefined {
  unpackDebian('nginx');
  const found = findNginx();
  return found && spawnSync(found, ['-v']).status === 0 ? found : undefined;
}

/**
 * Returns an nginx for tests, downloaded if possible; undefined if the environment says WITHOUT_NGINX. Throws a sentence with advice if there is
 * none, because a run must not pass by skipping these tests.
 */
export function obtainNginx(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.WITHOUT_NGINX) {
    console.error('环境变量 WITHOUT_NGINX 已设置：经反向代理的测试全部跳过！');
    return undefined;
  }
  const found = findNginx(env) ?? unpackNginx();
  if (found) return found;
  throw new Error(
    '没有找到 nginx，也无法自动取得（只在 Debian 上自动取得，软件列表过期时需要 root）。请安装 nginx，或用环境变量 NGINX_PATH 指定它的路径；确需跳过经反向代理的测试时，请设置 WITHOUT_NGINX=1。',
  );
}
