import { Button } from 'antd';
import { useState } from 'react';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { download } from '#kernel/web/client.ts';
import { assets } from '../contract/settings.ts';
import { useCategories } from './parts/actions.tsx';

/** 资产与标签: rooms and assets with labels to scan; a label printed again is the same. */
export default function AssetPage() {
  const [printing, print] = useState<readonly number[] | null>(null);
  const { data } = useCall(assets.list, { query: { per_page: 100, order_by: 'building' } });
  const options = useCategories();
  return (
    <>
      <NounPage
        card={['building', 'room', 'open_count']}
        calls={assets}
        name="order/asset"
        title="资产与标签"
        noun="资产"
        purpose="贴在门上和设备上的标签，扫码即可报修；重印不换码"
        columns={[
          'name',
          'building',
          'floor',
          'room',
          { key: 'category_id', render: (row) => row.category_name || '—' },
          'asset_no',
          'open_count',
        ]}
        instead={{ category_id: { kind: 'select', options } }}
        primary={
          <Button disabled={!data?.value.length} onClick={() => print(data!.value.map((row) => row.id))}>
            打印标签
          </Button>
        }
        rowActions={(row) => (
          <Button size="small" onClick={() => print([row.id])}>
            标签
          </Button>
        )}
        removal="删除后门上的标签不能再用来报修，已有的订单不变"
        empty="还没有登记资产"
      />
      {printing && (
        <PdfDrawer
          title="报修标签"
          about={printing.join(',')}
          fetch={(signal) => download(assets.labels, { query: { ids: printing.join(',') } }, { signal, quiet: true })}
          onClose={() => print(null)}
        />
      )}
    </>
  );
}
