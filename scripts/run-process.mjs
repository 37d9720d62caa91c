import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A reason to stop that needs no stack: one sentence for people. */
export class Stop extends Error {}

/** Ends this process with the code that a program resolves to; of a `Stop` only the sentence is printed. @param {() => Promise<number>} program */
export async function runProgram(program) {
  try {
    process.exitCode = await program();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** The environment for a child: the chosen runtime and the installed programs come first on its path. */
function environmentFor(root, runtime, extra = {}) {
  const path = [dirname(runtime), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  // Cached between runs, because compiling the program takes a large part of a start.
  const cache = join(root, 'node_modules', '.cache', 'compile');
  return { NODE_COMPILE_CACHE: cache, ...process.env, PATH: path, ...extra };
}

/**
 * Runs a program on the runtime and resolves to its exit code. With `quiet` its output is only shown if it fails.
 * @param {string} root
 * @param {string} runtime
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string> }} [options]
 */
export function runStep(root, runtime, args, { quiet = false, env } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(runtime, args, {
      cwd: root,
      env: environmentFor(root, runtime, env),
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    const stopForwarding = forwardSignals(child);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      stopForwarding();
      if (quiet && code !== 0) process.stderr.write(Buffer.concat(output));
      done(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/**
 * Runs the program of this command and forwards SIGINT, SIGTERM and SIGHUP, at most once in two seconds, because a Ctrl-C reaches us both
 * from the terminal and from npm. The child has its own process group, so only we forward it a Ctrl-C, and it stops when we vanish.
 */
export function runForeground(root, runtime, args) {
  const follow = new URL('follow-parent.mjs', import.meta.url).href;
  return new Promise((done, fail) => {
    const child = spawn(runtime, ['--import', follow, ...args], {
      cwd: root,
      env: environmentFor(root, runtime),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
    });
    const stopForwarding = forwardSignals(child);
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      stopForwarding();
      done(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** The shell in which npm runs us, and npm itself, if the system reports them. */
function parents() {
  const { ppid } = process;
  try {
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8');
    return `${ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return `${ppid}`;
  }
}

/** Calls back once when npm is gone: when npm is stopped, it ends its shell and leaves us running without a signal. */
function watchNpm(gone) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const before = parents();
  const timer = setInterval(() => {
    if (parents() === before) return;
    clearInterval(timer);
    gone();
  }, 250);
  return () => clearInterval(timer);
}

function forwardSignals(child) {
  const last = new Map();
  const forward = (signal) => {
    if (Date.now() - (last.get(signal) ?? 0) < 2000) return;
    last.set(signal, Date.now());
    // On systems without signals, forwarding one would kill the child at once; it notices when we disconnect.
    if (process.platform === 'win32' && child.connected) child.disconnect();
    else child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const stopWatching = watchNpm(() => forward('SIGTERM'));
  return () => {
    stopWatching();
    signals.forEach((signal) => process.off(signal, forward));
  };
}

/** Runs a phase and prints how long it took. */
export async function timed(title, phase) {
  const start = performance.now();
  const result = await phase();
  console.log(`${title}：用时 ${((performance.now() - start) / 1000).toFixed(1)} 秒`);
  return result;
}
