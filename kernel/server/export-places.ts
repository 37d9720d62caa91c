import { codes, refusal } from '#kernel/contract/refusal.ts';

/** Each export keeps one of a node's ten reading connections until its reader has taken the last byte; most are left to the lists. */
const atOnce = { person: 2, node: 4 } as const;

export const tooManyOfYours = refusal(
  codes.tooMany,
  (running: number) => `您有 ${running} 个导出正在进行，请等其中一个完成，或关闭不需要的下载后再导出`,
);
export const tooManyOfAll = refusal(
  codes.tooMany,
  (running: number) => `系统正在进行 ${running} 个导出，没有多余的位置，请几分钟后再导出`,
);

/** Answers a place for one more export of a person, to be given back by calling it; refuses when there is none. */
export type TakeExportPlace = (person: number) => () => void;

/** The places for exports of one node. */
export function createExportPlaces(): TakeExportPlace {
  const running = new Map<number, number>();
  return (person) => {
    const own = running.get(person) ?? 0;
    const all = [...running.values()].reduce((sum, one) => sum + one, 0);
    if (own >= atOnce.person) throw tooManyOfYours(own);
    if (all >= atOnce.node) throw tooManyOfAll(all);
    running.set(person, own + 1);
    return () => {
      const left = running.get(person)! - 1;
      if (left > 0) running.set(person, left);
      else running.delete(person);
    };
  };
}
