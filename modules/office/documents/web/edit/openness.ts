import { optionsOf } from '#kernel/contract/titles.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { publicity, request, secretLevel } from '../../contract/shapes.ts';

/** Fields on openness, and on requests addressed to a person. */
export const openness: readonly FormField[] = [
  { name: 'publicity', kind: 'select', group: '行文', options: optionsOf(publicity.names) },
  {
    name: 'publicity_reason',
    group: '行文',
    when: (values) => Number(values['publicity']) === publicity.closed,
  },
  {
    name: 'leader_assigned',
    kind: 'switch',
    group: '行文',
    when: ({ doc_type }) => Number(doc_type) === request,
    help: '请示只送机关；领导交办的才可以主送个人',
  },
];

const isSecret = ({ secret_level }: Record<string, unknown>) => Number(secret_level) > secretLevel.none;
/** Fields of a secret document, if the site allows them. */
export const secrecy: readonly FormField[] = [
  { name: 'secret_level', kind: 'select', group: '基本', options: optionsOf(secretLevel.names) },
  { name: 'secret_period', group: '基本', when: isSecret, placeholder: '例如：5年' },
  { name: 'copy_no', group: '基本', when: isSecret, placeholder: '6 位数字' },
];
