import type { PersonActs } from '#kernel/web/registry.ts';
import { writingTo } from '#modules/platform/people/widgets.tsx';

/** A message to somebody. */
const writeTo: PersonActs = ({ id, alias, actions }) =>
  actions.includes('notify')
    ? [{ key: `write-to-${id}`, title: `给 ${alias} 写消息`, hint: '写消息', to: writingTo('/notice', id) }]
    : [];
export default writeTo;
