import type { Db } from '#kernel/server/db.ts';
import { closeTodo, tell, type News } from '#modules/messages/service.ts';

import { stateOf, type Definition } from '#modules/workflows/engine/definition.ts';
import type { Changed, NewsEvent } from './engine/news.ts';
import { mainStateId, type TicketState } from './engine/state.ts';

const aboutTickets = 'tickets';
const todo = 2;
const system = 1;
const important = 1;

interface Told {
  id: number;
  sn: string;
  state: TicketState;
  definition: Definition;
  /** Name of whoever acted, and what they wrote. */
  actor: string;
  suggestion: string;
}

type Saying = Pick<News, 'title' | 'type'> & { level?: number };
const sayings: Record<NewsEvent, (title: string, actor: string) => Saying> = {
  TODO: (title) => ({ title: `待办：${title}`, type: todo }),
  RETURNED: (title, actor) => ({ title: `${actor} 退回了：${title}`, type: todo, level: important }),
  APPROVED: (title) => ({ title: `已办结：${title}`, type: system }),
  CLOSED: (title, actor) => ({ title: `${actor} 关闭了：${title}`, type: system }),
  WITHDRAWN: (title, actor) => ({ title: `${actor} 收回了，您无需再处理：${title}`, type: system }),
  URGE: (title, actor) => ({ title: `${actor} 催办：${title}`, type: todo, level: important }),
  CC: (title, actor) => ({ title: `${actor} 抄送：${title}`, type: system }),
  MENTION: (title, actor) => ({ title: `${actor} 在评论中提到您：${title}`, type: system }),
};
/** Messages that ask to do something, and go when it is done. */
const asking = ['TODO', 'RETURNED', 'URGE'] as const;

/** Tells people what a command did to a ticket, and takes away the messages of those who have nothing to do any more. */
export async function spread(tx: Db, told: Told, { news, relieved }: Changed): Promise<void> {
  const about = { module: aboutTickets, objectId: told.id };
  if (relieved.length > 0) for (const event of asking) await closeTodo(tx, { ...about, event }, relieved);
  const stateId = mainStateId(told.state);
  const at = stateId === null ? '' : stateOf(told.definition, stateId).name;
  const content = [`${told.sn}　${told.definition.name}　${at}`, told.suggestion && `${told.actor}：${told.suggestion}`]
    .filter(Boolean)
    .join('\n');
  for (const { event, to } of news)
    await tell(
      tx,
      {
        ...about,
        ...sayings[event](told.state.title, told.actor),
        event,
        content,
        webPath: `/ticket/detail/${told.id}`,
      },
      to,
    );
}
