import { Button, Drawer, Segmented } from 'antd';
import { useState } from 'react';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { oversightCalls, stampRules } from '../../contract/oversight.ts';
import { sealCalls, type Stamp } from '../../contract/seals.ts';
import { stampColumns, stampFilters, stampTo } from './columns.tsx';
import { StampCards } from './StampCards.tsx';
import { StampForm } from './StampForm.tsx';
import '../stamps.css';

/** All seals, with keeper, status and overdue inventories; as cards or as a table. */
export default function StampsPage() {
  const [writing, setWriting] = useState(false);
  const [ruling, setRuling] = useState(false);
  const [look, setLook] = usePreference<string>('look:stamp/list', 'cards');
  const may = usePermission();
  const narrow = useNarrow();
  if (writing) return <StampForm onClose={() => setWriting(false)} />;
  const tools = (
    <div className="kit-row stamp-tools">
      {!narrow && (
        <Segmented
          aria-label="显示方式"
          value={look}
          onChange={setLook}
          options={[
            { value: 'cards', label: '卡片' },
            { value: 'table', label: '表格' },
          ]}
        />
      )}
      <Button onClick={() => setRuling(true)}>用印规则</Button>
      <WithCode code="Create">
        <Button type="primary" onClick={() => setWriting(true)}>
          登记印章
        </Button>
      </WithCode>
    </div>
  );
  const purpose = '各印章的保管人和可用情况；交接、代管、盘点在印章详情中办理';
  return (
    <>
      {look === 'cards' || narrow ? (
        <StampCards title="印章管理" purpose={purpose} tools={tools} />
      ) : (
        <ListPage<Stamp>
          card={['status', 'keeper_now', 'waiting']}
          name="stamp/list"
          title="印章管理"
          purpose={purpose}
          call={sealCalls.stamps}
          columns={stampColumns}
          filters={stampFilters}
          primary={tools}
          to={stampTo}
          empty={{ why: '还没有登记印章，点“登记印章”开始' }}
        />
      )}
      <Drawer
        title="用印规则"
        open={ruling}
        onClose={() => setRuling(false)}
        size={narrow ? '100%' : 560}
        destroyOnHidden
      >
        <RulesPanel
          rules={stampRules}
          read={oversightCalls.rule}
          save={oversightCalls.saveRule}
          readOnly={may('Update') ? null : '用印规则由印章管理人员修改'}
        />
      </Drawer>
    </>
  );
}
