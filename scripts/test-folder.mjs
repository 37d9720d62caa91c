import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

// Linux keeps this folder in memory. Each test database is a copy of some 1,500 files, which takes 2 s on a disk and 0.07 s here.
const memory = '/dev/shm';
const typeOfMemory = 0x01021994;
/** Databases, backups and browsers of a whole run together take a little over 3 GB. */
const bytesNeeded = 6 * 1024 ** 3;
const prefix = 'gongdan-tests-';

/** True if a folder is in memory and has room for a run. @param {string} folder */
function hasRoom(folder) {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    const free = process.availableMemory?.() ?? freemem();
    return type === typeOfMemory && Math.min(bavail * bsize, free) >= bytesNeeded;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * A folder for everything that tests write during a run: in memory if there is room. It also removes the folders of runs that were
 * interrupted.
 * @returns {{ path: string, remove(): void }}
 */
export function openTestFolder() {
  const place = hasRoom(memory) ? memory : tmpdir();
  for (const name of readdirSync(place)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
  }
  const path = join(place, `${prefix}${process.pid}`);
  mkdirSync(path, { recursive: true });
  // As root, PostgreSQL runs under another account, which must be able to enter.
  chmodSync(path, 0o1777);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
