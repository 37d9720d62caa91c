import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { numberRules } from '../../contract/settings.ts';

/** The agency codes by which documents are numbered. */
export function NumberRules() {
  return (
    <NounPage
      card={['status', 'last_number']}
      calls={numberRules}
      name="document/number-rule"
      title="机关代字"
      noun="机关代字"
      purpose="每个代字每年从起始号连续编号，令按“第 n 号”一直连续编下去；编过的号不再重用"
      columns={['agency_code', 'scope', { key: 'start_no', number: true }, 'style', 'last_number', 'status']}
      titleOf={(row) => row.agency_code}
      instead={{ agency_code: { placeholder: '例如：校发' } }}
      removal="没有编过号时才能删除"
      empty="还没有机关代字，发文登记编号前需要先新增"
    />
  );
}
