import { codeSet } from '#kernel/contract/codes.ts';

/** Channels to a person besides the box, which always gets everything. */
export const ways = { sms: '短信', mail: '邮件', push: '推送' } as const;
export type Way = keyof typeof ways;
export const wayCodes = Object.keys(ways) as [Way, ...Way[]];

/**
 * The subject of a message, by which the inbox is filtered. What follows from a new one is generated: `npm run migration` writes it into the table's
 * constraint, and `apps/server/news.test.ts` tries it through the inbox.
 */
export const newsType = codeSet({
  system: [1, '系统'],
  toDo: [2, '待办'],
  document: [3, '公文'],
  meeting: [4, '会议'],
  supervision: [5, '督办'],
  stamp: [6, '用印'],
  contract: [7, '合同'],
  notice: [8, '通知公告'],
  alarm: [9, '告警'],
  schedule: [10, '日程'],
  activity: [11, '活动'],
  order: [12, '报修'],
  photo: [13, '相册'],
  key: [14, '钥匙'],
});

/** Groups in which people choose channels, in the order of the settings. */
export const newsGroups = [
  '待办',
  '工单进展',
  '公文',
  '制度文件',
  '会议',
  '活动',
  '领导日程',
  '值班',
  '督办',
  '合同',
  '印章',
  '报修',
  '客户与监测',
  '相册',
  '钥匙',
  '通知公告',
  '账号安全',
  '流程与委托',
  '系统',
] as const;
export type NewsGroup = (typeof newsGroups)[number];

/** The properties of a record in every message about it. */
export interface About {
  id: number;
  /** Follows the heading of the kind. */
  title?: string;
  /** The page that shows it, if it is not the kind's. */
  page?: string;
  /** The module that `id` belongs to, if it is not the kind's own. */
  module?: string;
  /** Distinguishes repeated events of the kind, such as due dates: people told of one are told of the next all the same. */
  occasion?: string;
  level?: number;
  /** The whole it is a part of, named before everything else. */
  within?: string;
  /** Channels the sender chose for all recipients, in addition to their own choices. */
  also?: readonly Way[];
}

/** When somebody is told of the same again: never, after ten minutes, or at once. Unless it is never, an act that says something else is not the same. */
export type Again = 'never' | 'later' | 'always';

interface Choice {
  /** Its name in the settings. */
  name: string;
  /** Channels for people who chose none: push by default, because mail is sent only on request. */
  ways?: readonly Way[];
}
interface Declared extends Choice {
  /** Precedes the title of the record. */
  head: string;
  level?: number;
  /** The page of the record it is about. */
  page?: (id: number) => string;
  type?: number;
  group?: NewsGroup;
  again?: Again;
  /** The actor is told too: it asks the same of them as of the others, or somebody else may have acted in their name. */
  own?: boolean;
  /** From this level on it is a separate choice in the settings. */
  urgent?: Choice & { from: number };
}
interface Declaration<R, K extends Readonly<Record<string, Declared>>> {
  module: string;
  /** One of `newsType`. */
  type: number;
  group: NewsGroup;
  page?: (id: number) => string;
  again?: Again;
  /** The topic that recipients' windows reload. */
  topic?: string;
  own?: boolean;
  /** The properties that follow from a record for all messages about it. */
  of?: (row: R) => About;
  kinds: K;
}

/** One kind of message, as its module declares it: there are no others. */
export interface NewsKind<in R = never> {
  readonly event: string;
  readonly module: string;
  readonly type: number;
  readonly head: string;
  readonly level: number;
  readonly again: Again;
  readonly topic: string | undefined;
  readonly own: boolean;
  page(id: number): string;
  readonly of: (row: R) => About;
  /** Its choices in the settings: one, and another from a level on. */
  readonly choices: readonly { event: string; name: string; ways: readonly Way[]; from: number }[];
  readonly group: NewsGroup;
}
interface Titled {
  id: number;
  title?: string;
}

/**
 * Declares a module's kinds of messages: each appears in everybody's settings under its name, and `announce` accepts no other. A module registers it
 * as `news`.
 */
export function newsKinds<const K extends Readonly<Record<string, Declared>>, R = Titled>(
  declaration: Declaration<R, K>,
): { readonly [E in keyof K]: NewsKind<R> } {
  const { kinds, of = ({ id, title }: R & Titled) => ({ id, ...(title === undefined ? {} : { title }) }) } =
    declaration;
  const made = Object.entries(kinds).map(([event, kind]): [string, NewsKind<R>] => {
    const choices = [{ event, name: kind.name, ways: kind.ways ?? (['push'] as const), from: 0 }];
    if (kind.urgent)
      choices.push({ ...kind.urgent, event: `${event}_URGENT`, ways: kind.urgent.ways ?? (['push'] as const) });
    const page = kind.page ?? declaration.page;
    if (!page) throw new Error(`news ${event} leads nowhere`);
    return [
      event,
      {
        event,
        module: declaration.module,
        type: kind.type ?? declaration.type,
        head: kind.head,
        level: kind.level ?? 0,
        again: kind.again ?? declaration.again ?? 'later',
        topic: declaration.topic,
        own: kind.own ?? declaration.own ?? false,
        page,
        of: of as (row: R) => About,
        choices,
        group: kind.group ?? declaration.group,
      },
    ];
  });
  return Object.fromEntries(made) as { readonly [E in keyof K]: NewsKind<R> };
}

/** The event under which people choose the channels for a kind and level. */
export const choiceOf = ({ choices }: NewsKind, level: number) => choices.findLast((one) => level >= one.from)!;

/** The kinds of messages of all modules, and their choices. */
export interface NewsChoices {
  groups: { title: NewsGroup; events: { event: string; name: string }[] }[];
  defaults: Record<string, Way[]>;
}
/** A kind that several modules use is one choice. */
export function choicesOf(kinds: readonly NewsKind[]): NewsChoices {
  const all = new Map(kinds.flatMap((kind) => kind.choices.map((one) => [one.event, { ...one, group: kind.group }])));
  const groups = newsGroups.map((title) => ({
    title,
    events: [...all.values()].filter((one) => one.group === title).map(({ event, name }) => ({ event, name })),
  }));
  return {
    groups: groups.filter(({ events }) => events.length > 0),
    defaults: Object.fromEntries(Array.from(all.values(), ({ event, ways: own }) => [event, [...own]])),
  };
}
