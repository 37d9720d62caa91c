import type { Socket } from 'node:net';
import { Unresolved } from './names.ts';
import { NotAllowed, Unanswered } from './outgoing.ts';

export interface Probe {
  kind: 'http' | 'keyword' | 'tcp' | 'ping' | 'certificate';
  /** An address with http or https, or `host:port`, or a host. */
  target: string;
  seconds: number;
  /** For HTTP: the accepted statuses, e.g. `200-299,401`. */
  accepted?: string;
  /** A text that the answer must contain. */
  keyword?: string;
  /** An expired or untrusted certificate does not count as a failure. */
  ignoreTls?: boolean;
}
export interface Probed {
  /** `unsure`: the result could not be determined. `refused`: the target must not be asked, and was not. */
  outcome: 'ok' | 'fail' | 'unsure' | 'refused';
  /** The fault in words for people; '' if there is none. */
  msg: string;
  ms: number;
  http_code: number | null;
  /** Our own network may be to blame for the failure. */
  network: boolean;
  /** Milliseconds that each step took. */
  steps: { dns?: number; connect?: number; tls?: number; first?: number };
  certificate: Certificate | null;
}
/** The leaf certificate of the address that was asked. */
export interface Certificate {
  /** Milliseconds. */
  ends: number;
  subject: string;
  issuer: string;
  fingerprint: string;
}

const ownNetwork = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);
const reasons: Record<string, string> = {
  ECONNREFUSED: '拒绝连接',
  ECONNRESET: '连接被对方中断',
  EHOSTUNREACH: '主机不可达',
  ENETUNREACH: '网络不可达',
  UND_ERR_SOCKET: '连接被对方关闭',
  UND_ERR_HEADERS_OVERFLOW: '回答的头部过大',
};

/** One check: its time limit, its sockets and the duration of each step. */
export class Look {
  readonly probe: Probe;
  readonly signal: AbortSignal;
  readonly steps: Probed['steps'] = {};
  certificate: Certificate | null = null;
  httpCode: number | null = null;
  hops = 0;
  private readonly began = performance.now();
  private readonly sockets: Socket[] = [];

  constructor(probe: Probe) {
    this.probe = probe;
    this.signal = AbortSignal.timeout(probe.seconds * 1000);
  }

  keep<S extends Socket>(socket: S): S {
    // Errors after the check has ended concern nobody.
    socket.on('error', () => undefined);
    this.sockets.push(socket);
    return socket;
  }
  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async step<T>(name: keyof Probed['steps'], work: () => Promise<T>): Promise<T>;
  async step<T>(name: keyof Probed['steps'], work: Promise<T>): Promise<T>;
  async step<T>(name: keyof Probed['steps'], work: Promise<T> | (() => Promise<T>)): Promise<T> {
    const [began, before] = [performance.now(), this.spent()];
    const done = await (typeof work === 'function' ? work() : work);
    // The wait for the first byte runs in parallel with the steps that lead to it.
    this.steps[name] = Math.round((this.steps[name] ?? 0) + performance.now() - began - (this.spent() - before));
    return done;
  }
  private spent(): number {
    return Object.values(this.steps).reduce((sum, ms) => sum + ms, 0);
  }

  /** Work that cannot be cancelled is no longer waited for. */
  withinTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason as Error), { once: true });
      work.then(resolve, reject);
    });
  }

  result(outcome: Probed['outcome'], msg: string, network = false): Probed {
    const { httpCode: http_code, steps, certificate } = this;
    return {
      outcome,
      msg: msg.slice(0, 200),
      ms: Math.round(performance.now() - this.began),
      http_code,
      network,
      steps,
      certificate,
    };
  }

  failed(error: unknown): Probed {
    for (let at: unknown = error; at instanceof Error; at = at.cause) {
      if (at instanceof NotAllowed) return this.result('refused', at.message);
      if (at instanceof Unresolved) return this.result('unsure', at.message, true);
      if (at instanceof Unanswered) return this.result('fail', at.message);
    }
    if (this.signal.aborted) return this.result('fail', `${this.probe.seconds} 秒内没有回答`, true);
    const code = (error as { code?: string }).code ?? '';
    return this.result(
      'fail',
      reasons[code] ?? `连接失败（${code || (error as Error).message}）`,
      ownNetwork.has(code),
    );
  }
}
