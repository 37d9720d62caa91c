import { Tag } from 'antd';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { TreePage } from '#kernel/web/kit/tree/TreePage.tsx';
import { AudienceInput, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { albums, type AlbumNode } from '../contract/albums.ts';

const { name: _name, parent: _parent, order_id: _order, cover: _cover, ...shape } = albums.add.body!.shape;
const everybody = { all: true, depts: [], roles: [], users: [] };

/** The tree of albums, with their viewers, uploaders and managers. */
export default function CategoryPage() {
  const { patch: _patch, ...calls } = albums;
  return (
    <TreePage<AlbumNode>
      calls={calls}
      title="相册分类"
      noun="相册"
      help="最多四级；看不到一个相册的人，也看不到它下面的相册"
      holds="其中没有相册和照片（含回收站）时才能删除"
      initial={{ status: true, review: true, watermark: false, points: 1, audience: everybody, uploaders: everybody }}
      fields={(row) =>
        fieldsOf(shape, {
          audience: { render: (control) => <AudienceInput {...control} known={row?.audience.users_info} /> },
          uploaders: { render: (control) => <AudienceInput {...control} known={row?.uploaders.users_info} /> },
          managers: {
            render: ({ id, value, onChange }) => (
              <PersonPicker
                id={id}
                multiple
                known={row?.managers_info ?? []}
                value={(value as string[] | undefined) ?? []}
                onChange={onChange}
              />
            ),
          },
        })
      }
      columns={{
        count: {},
        audience: { render: (row) => row.audience.called },
        uploaders: { render: (row) => row.uploaders.called },
        managers: { render: (row) => row.managers_info.map((one) => one.alias).join('、') || '—' },
        review: { render: (row) => (row.review ? '须审核' : '直接展示') },
        status: { render: (row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
      }}
      inOne={(row) =>
        [`${row.count} 张`, row.audience.called, row.review ? '须审核' : '直接展示', row.status ? '' : '停用']
          .filter(Boolean)
          .join(' · ')
      }
    />
  );
}
