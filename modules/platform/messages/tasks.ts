import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Way } from './contract/kinds.ts';
import { chase, chaseTask } from './notices/chase.ts';
import { digest } from './outside/digest.ts';
import { gatheredAgainTask, gatheredTask } from './outside/gathered.ts';
import { outsideTask, type Ways } from './outside/outside.ts';
import { publishTask } from './notices/publish.ts';

export interface MessageServices {
  databases: Pick<Databases, 'write'>;
  /** Channels to people besides the box. */
  ways: Ways;
  /** Returns the channels configured at present. */
  openWays(): Promise<Way[]>;
}

/** Background jobs for messages. */
export function messageTasks({ databases, ways }: Omit<MessageServices, 'openWays'>): Task[] {
  return [
    outsideTask(databases, ways) as Task,
    gatheredTask(databases, ways) as Task,
    gatheredAgainTask(databases, ways) as Task,
    publishTask(databases) as Task,
    chaseTask(databases),
  ];
}

export const messageSchedules: Schedule[] = [
  { task: digest, cron: '30 8 * * *', catchUpHours: 4 },
  { task: chase, cron: '5 * * * *', catchUpHours: 2 },
];
