import { custodyKind, stampStatus } from '../contract/seal-codes.ts';
import type { Powers } from '../seals/visibility.ts';

const { inUse, out, suspended, lost, destroyed } = stampStatus;
const { handOver, caretaker, caretakerEnds, inventory, suspend, resume, collect, destroy, reappoint, found } =
  custodyKind;

/** The rule of a custody event: who may begin it, and for seals in which status; `signed` events wait for signatures. */
export interface Rule {
  may(powers: Powers, keeperLeft: boolean): boolean;
  who: string;
  of: readonly number[];
  /** The status of the seal once in effect; unchanged if absent. */
  becomes?: number;
  signed?: 'receiver' | 'witnesses';
  pictures?: true;
}
const office = '印章管理人员';
const owner = '归口部门负责人或印章管理人员';

export const custodyRules: Readonly<Record<number, Rule>> = {
  [handOver]: {
    may: (powers, left) => powers.keeps || (powers.manages && left),
    who: '保管人（保管人离岗的由印章管理人员）',
    of: [inUse, suspended],
    signed: 'receiver',
    pictures: true,
  },
  [caretaker]: { may: (powers) => powers.keeps, who: '保管人', of: [inUse, out], signed: 'receiver' },
  [caretakerEnds]: {
    may: (powers) => powers.keeps || powers.hasNow || powers.manages,
    who: '保管人、代管人或印章管理人员',
    of: [inUse, out, suspended, lost],
  },
  [inventory]: {
    may: (powers) => powers.keeps || powers.hasNow || powers.manages,
    who: '保管人或印章管理人员',
    of: [inUse, suspended],
    pictures: true,
  },
  [suspend]: { may: (powers) => powers.owns || powers.manages, who: owner, of: [inUse], becomes: suspended },
  [resume]: { may: (powers) => powers.owns || powers.manages, who: owner, of: [suspended], becomes: inUse },
  [custodyKind.lost]: {
    may: (powers) => powers.keeps || powers.hasNow || powers.owns || powers.manages,
    who: `保管人、${owner}`,
    of: [inUse, out, suspended],
    becomes: lost,
  },
  // A found seal is inspected before it is used again: 启封.
  [found]: { may: (powers) => powers.manages, who: office, of: [lost], becomes: suspended },
  [collect]: {
    may: (powers) => powers.manages,
    who: office,
    of: [inUse, suspended],
    becomes: destroyed,
    signed: 'witnesses',
    pictures: true,
  },
  [destroy]: {
    may: (powers) => powers.manages,
    who: office,
    of: [inUse, suspended, lost, destroyed],
    becomes: destroyed,
    signed: 'witnesses',
    pictures: true,
  },
  [reappoint]: { may: (powers) => powers.manages, who: office, of: [inUse, out, suspended, lost] },
};
