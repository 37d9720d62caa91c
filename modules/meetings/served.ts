import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { Services } from '#kernel/server/services.ts';
import type { Feeds } from '#modules/feeds/service.ts';
import { calendarHandlers, meetingFeed } from './looks/calendar.ts';
import { clockSchedules, clockTask } from './acts/clock.ts';
import { seriesHandlers } from './repeats/dates.ts';
import { minutesHandlers } from './acts/minutes.ts';
import { signingHandlers } from './acts/signing.ts';
import { statistics } from './looks/statistics.ts';
import { calendar } from './contract/calendar.ts';
import { minutes } from './contract/minutes.ts';
import { series } from './contract/series.ts';
import { signing } from './contract/signing.ts';
import { meetStatistics } from './contract/statistics.ts';

/** Calls of meetings that were agreed to: who came, what was said, when else, and where it stands in calendars. */
export const moreMeetings = (_services: Services): readonly ServerModule[] => [
  implement('meetings', signing, signingHandlers),
  implement('meetings', minutes, minutesHandlers),
  implement('meetings', series, seriesHandlers),
  implement('meetings', calendar, calendarHandlers),
  implement('meetings', { statistics: meetStatistics.call }, { statistics }),
];
export const moreTasks = (services: Services): Task[] => [clockTask(services)];
export const moreSchedules: readonly Schedule[] = clockSchedules;
export const moreFeeds: Feeds = { meetings: meetingFeed };
