import { z } from 'zod';
import { call, everyone, signedIn } from '#kernel/contract/call.ts';
import { done, id, idParams, localMoment, text, timestamp } from '#kernel/contract/shapes.ts';
import { signState } from './codes.ts';
import { Decisions } from './minutes.ts';

const one = '/api/meet/{id}/' as const;
const int = z.number().int();
/** Identifies a browser, which generates and keeps it. */
const device = z.string().regex(/^[\w-]{16,64}$/, '设备标识不正确，请刷新后重试');

/** Signing in, and the check-in of the room. */
export const signing = {
  code: call({
    method: 'GET',
    path: `${one}code/`,
    access: signedIn,
    summary: '查看签到码',
    params: idParams,
    reply: z.object({
      value: z.object({
        title: z.string(),
        start_time: timestamp,
        end_time: timestamp,
        /** `image` to scan and `short` to type. Empty if the recorder signs people in. */
        image: z.string(),
        short: z.string(),
        /** Seconds until the codes are renewed; null for a fixed code. */
        left: int.nullable(),
        asked: int,
        signed: int,
        late: int,
        /** The latest sign-ins, the last first. */
        last: z.array(z.object({ alias: z.string(), at: timestamp })),
        open: z.boolean(),
      }),
    }),
    fresh: true,
  }),
  scan: call({
    method: 'POST',
    path: `${one}scan/`,
    access: everyone,
    summary: '扫描签到码',
    params: idParams,
    body: z.object({ code: z.string().max(40).meta({ title: '签到码' }), device }),
    reply: z.object({ ticket: z.string(), minutes: int }),
    quiet: true,
    shownOnce: true,
  }),
  sign: call({
    method: 'POST',
    path: `${one}sign/`,
    access: signedIn,
    summary: '会议签到',
    params: idParams,
    /** The ticket of a scanned code, or the typed code; or the people whom those who run the meeting sign in. */
    body: z
      .object({
        ticket: z.string().max(80).optional(),
        code: z.string().trim().max(40).optional().meta({ title: '签到码' }),
        device: device.optional(),
        users: z.array(id).min(1).max(500).optional().meta({ title: '参会人员' }),
        guests: z.array(id).min(1).max(200).optional().meta({ title: '校外人员' }),
      })
      .refine(({ ticket, code, users, guests }) => [ticket ?? code, users ?? guests].filter(Boolean).length === 1, {
        path: ['code'],
        message: '请填写屏幕上的签到码',
      }),
    reply: z.object({ sign_state: int, sign_time: timestamp.nullable(), signed: int }),
    says: ({ sign_state }: { sign_state: number }) => (sign_state === signState.late ? '已签到，记为迟到' : '已签到'),
  }),
  checkin: call({
    method: 'POST',
    path: `${one}checkin/`,
    access: signedIn,
    summary: '到场确认',
    params: idParams,
    reply: done,
    message: '已确认到场，会议室为您保留',
  }),
  end: call({
    method: 'POST',
    path: `${one}end/`,
    access: signedIn,
    summary: '结束会议',
    params: idParams,
    body: z.object({
      /** Not in the future; defaults to now. */
      actual_end: localMoment.optional().meta({ title: '实际结束时间' }),
      minutes: text(50_000).optional().meta({ title: '会议纪要' }),
      decisions: Decisions.optional(),
    }),
    reply: z.object({ meet_status: int }),
    message: '会议已结束，会议室余下的时间已释放',
  }),
};
