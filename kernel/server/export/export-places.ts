import { codes, refusal, type Refusal } from '#kernel/contract/refusal.ts';

/** Each export keeps one of a node's ten reading connections until its reader has taken the last byte; most are left to the lists. */
const atOnce = { person: 2, node: 4 } as const;
/** Most sheets take a moment, so one more export waits this long before it is refused. */
const patience = 15_000;

export const tooManyOfYours = refusal(
  codes.tooMany,
  (running: number) => `您有 ${running} 个导出正在进行，请等其中一个完成，或关闭不需要的下载后再导出`,
);
export const tooManyOfAll = refusal(
  codes.tooMany,
  (running: number) => `系统正在进行 ${running} 个导出，没有多余的位置，请几分钟后再导出`,
);

/** Reserves a place for one more export of a person, which is released by calling the result. Refuses if none becomes free in time. */
export type TakeExportPlace = (person: number) => Promise<() => void>;

interface Waiting {
  person: number;
  enter(): void;
}

/** The places for exports on one node; the longest waiting gets the next one. */
export function createExportPlaces(longest = patience): TakeExportPlace {
  const running: number[] = [];
  const waiting = new Set<Waiting>();
  const refused = (person: number): Refusal | null => {
    const own = running.filter((one) => one === person).length;
    if (own >= atOnce.person) return tooManyOfYours(own);
    return running.length >= atOnce.node ? tooManyOfAll(running.length) : null;
  };
  const placeFor = (person: number) => {
    running.push(person);
    return () => {
      running.splice(running.indexOf(person), 1);
      for (const next of waiting) if (!refused(next.person)) next.enter();
    };
  };
  return (person) =>
    new Promise((resolve, reject) => {
      if (!refused(person)) return resolve(placeFor(person));
      const next = {
        person,
        enter() {
          leave();
          resolve(placeFor(person));
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(refused(person) ?? tooManyOfAll(running.length));
      }, longest);
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(next);
      };
      waiting.add(next);
    });
}
