import type { Task } from '#kernel/server/jobs/jobs.ts';
import { menus } from '#modules/notices/seed.ts';
import { noticesModule } from '#modules/notices/server.ts';
import { documentNoticeTask } from '#modules/notices/tasks.ts';
import { noticeWaits } from '#modules/notices/waiting.ts';
import type { Part } from '../part.ts';

export const noticesPart: Part = {
  menus,
  servers: () => [noticesModule],
  waits: [noticeWaits],
  tasks: ({ databases }) => [documentNoticeTask(databases) as Task],
};
