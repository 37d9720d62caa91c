// The messages between `main.ts` and the process of `crowd.ts`.

/** The calls of a morning, with their shares in percent. */
export const mix = {
  登录: 4,
  首页: 24,
  列表: 24,
  详情: 22,
  办理: 8,
  发起: 8,
  搜索: 8,
  上传: 2,
} as const;
export type Kind = keyof typeof mix;

export interface Crowd {
  urls: [string, string];
  password: string;
  workflow: number;
  windows: { username: string; token: string }[];
  /** The starters of tickets and the heads who decide them. */
  pairs: { starter: string; head: string }[];
  /** Calls per second at the peak. */
  perSecond: number;
  seconds: number;
}
export interface Morning {
  calls: Record<Kind, { count: number; failed: number; p50: number; p95: number }>;
  /** Answers that were not as expected. */
  strange: string[];
}
/** The number of windows that reconnected in each ten seconds, and of those that queried everything again. */
export interface Back {
  inTen: number[];
  asked: number;
}
export type Asked = { do: 'open'; crowd: Crowd } | { do: 'work' } | { do: 'watch'; seconds: number } | { do: 'end' };
