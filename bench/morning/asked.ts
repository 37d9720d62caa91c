// What `main.ts` and the process of `crowd.ts` say to each other.

/** One call of a morning, and how many of a hundred it is. */
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
  /** Whose tickets go to whom. */
  pairs: { starter: string; head: string }[];
  /** Calls a second at the peak. */
  perSecond: number;
  seconds: number;
}
export interface Morning {
  calls: Record<Kind, { count: number; failed: number; p50: number; p95: number }>;
  /** What was said instead of an answer. */
  strange: string[];
}
/** Windows that came back in each ten seconds, and how often one asked for everything anew. */
export interface Back {
  inTen: number[];
  asked: number;
}
export type Asked = { do: 'open'; crowd: Crowd } | { do: 'work' } | { do: 'watch'; seconds: number } | { do: 'end' };
