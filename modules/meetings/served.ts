import type { ServerModule } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Services } from '#kernel/server/services.ts';
import type { Feeds } from '#modules/feeds/service.ts';

export const moreMeetings = (_services: Services): readonly ServerModule[] => [];
export const moreTasks = (_services: Services): Task[] => [];
export const moreSchedules: readonly Schedule[] = [];
export const moreFeeds: Feeds = {};
