import type { ModuleDefinition } from '../definition.ts';
import { meetingLeaves, meetingWaits } from './acts/duties.ts';
import { meetChanges, meetings as records, occupant, owners } from './record/record.ts';
import { menus, seedMeetings } from './seed.ts';
import { moreFeeds, moreMeetings, moreSchedules, moreTasks } from './served.ts';
import { meetingsModule } from './server.ts';

/** Meetings: called, agreed to, told of, answered, held and minuted. What they take of rooms is the rooms' to give. */
export const meetings: ModuleDefinition = {
  menus,
  seed: seedMeetings,
  servers: (services) => [meetingsModule, ...moreMeetings(services)],
  tasks: moreTasks,
  schedules: moreSchedules,
  feeds: moreFeeds,
  records: { ...records.brings.records, ...meetChanges.brings.records },
  linked: records.brings.linked,
  owners,
  occupants: { meetings: occupant },
  waits: [meetingWaits],
  leaves: [meetingLeaves],
};
