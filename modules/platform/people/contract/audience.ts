import { z } from 'zod';
import { flag, id } from '#kernel/contract/shapes.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { PersonCard } from './cards.ts';

const someone = z.array(id).max(2000, '最多选择 2000 项').default([]);

/** An audience: everybody, or departments with all below them, holders of roles, and people, each once. */
export const Audience = z.object({ all: flag.default(false), depts: someone, roles: someone, users: someone });
export type Audience = z.output<typeof Audience>;

/** The same with its name, and the cards of its people as initial values of an input. */
export const AudienceShown = Audience.extend({ users_info: z.array(PersonCard), called: z.string() });
export type AudienceShown = z.output<typeof AudienceShown>;

export const nobody: Audience = { all: false, depts: [], roles: [], users: [] };

export const isNobody = ({ all, depts, roles, users }: Audience): boolean =>
  !all && depts.length + roles.length + users.length === 0;

export const someoneGone = refusal(codes.refused, () => '所选人员范围中有已撤销的部门、角色或已离职的人员，请重新选择');
