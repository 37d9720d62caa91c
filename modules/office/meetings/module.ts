import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { answeredInSchedule, holdMeeting } from './acts/answers.ts';
import { asksFor, meetingLeaves, meetingWaits } from './acts/duties.ts';
import { meetNews } from './acts/notice.ts';
import { meetStatus } from './contract/codes.ts';
import { clockSchedules, clockTask } from './held/clock.ts';
import { meetingFeed, meetingsBusy } from './looks/calendar.ts';
import { occupant, owners } from './record/brings.ts';
import { meetChanges, meetings as records } from './record/record.ts';
import { menus, seedMeetings } from './seed.ts';
import { meetingServers } from './server.ts';

/** Meetings: creation, approval, notices, answers, holding and minutes. Rooms are booked through `rooms`. */
export const meetings: ModuleDefinition = {
  logNames: { meetings: '会议' },
  news: [meetNews],
  menus,
  grants: {
    xld: 'meet/calendar:Retrieve meet/attend:Retrieve',
    dept_ld: 'meet/attend:Retrieve',
    dept_fzr: 'meet/list:Create,Retrieve,Update,Delete,chuli',
    secretary: 'meet/list:Create,Retrieve,Update,Delete',
    staff: 'meet/attend:Retrieve meet/list:Create,Retrieve,Update,Delete meet/calendar:Retrieve',
  },
  seed: seedMeetings,
  servers: () => meetingServers,
  tasks: (services) => [clockTask(services)],
  schedules: clockSchedules,
  feeds: { meetings: meetingFeed },
  busy: { meetings: meetingsBusy },
  records: { ...records.brings.records, ...meetChanges.brings.records },
  linked: records.brings.linked,
  started: records.brings.started,
  owners,
  occupants: { meetings: occupant },
  inDepts: {
    场未结束的会议: (id) =>
      sql`select count(*) from meet where dept_id = ${id} and not is_deleted and act_state = ${inSql(actState.finished)} and meet_status in (${inSql(meetStatus.coming, meetStatus.running)})`,
  },
  followed: { meetings: { hold: holdMeeting, answered: answeredInSchedule, asks: asksFor } },
  waits: [meetingWaits],
  leaves: [meetingLeaves],
  demos: [{ order: 160, load: async () => (await import('./demo.ts')).addDemoMeetings }],
};
