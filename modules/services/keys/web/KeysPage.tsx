import type { Instead } from '#kernel/web/kit/form/fields.ts';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { keyCalls } from '../contract.ts';

/** The picker of the keeper; a row that is edited knows the present one. */
const keeper: Instead[string] = {
  render: (control, { keeper_info: known }) => (
    <PersonPicker by="id" known={known ? [known as PersonCard] : []} {...(control as object)} />
  ),
};

/** The keys of rooms, their keepers, and which are out. */
export default function KeysPage() {
  return (
    <NounPage
      calls={keyCalls}
      name="key/list"
      title="钥匙管理"
      noun="钥匙"
      purpose="登记房间钥匙和保管人；借用由保管人审批（保管人自己借用的由其上级审批），领出和归还由保管人、其代办人或钥匙管理员登记"
      columns={['number', 'place', 'keeper_info', 'state', 'borrower_info']}
      card={['place', 'keeper_info', 'state', 'borrower_info']}
      titleOf={(row) => `${row.number} ${row.place}`}
      instead={{ keeper }}
      removal="没有待审、待领出和未归还的借用时才能删除"
      empty="还没有钥匙，新增后可以申请借用"
    />
  );
}
