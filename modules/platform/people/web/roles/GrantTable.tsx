import { Checkbox, Table } from 'antd';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { menuChecked, rowChecked, withButton, withMenus, withRow, type GrantNode, type Grants } from './grants.ts';

export interface GrantTableProps {
  tree: GrantNode[];
  grants: Grants;
  disabled: boolean;
  onChange: (grants: Grants) => void;
}

/** Menus as a tree with their codes, all as check boxes; a whole row can be ticked. */
export function GrantTable({ tree, grants, disabled, onChange }: GrantTableProps) {
  const narrow = useNarrow();
  const menuBox = (node: GrantNode) => (
    <Checkbox
      disabled={disabled}
      checked={menuChecked(node, grants) === 'all'}
      indeterminate={menuChecked(node, grants) === 'some'}
      onChange={(event) => onChange(withMenus(grants, node, event.target.checked))}
    >
      {node.name}
    </Checkbox>
  );
  const codeBoxes = (node: GrantNode) => (
    <div className="kit-row">
      {node.buttons.map((button) => (
        <Checkbox
          key={button.id}
          disabled={disabled}
          checked={grants.buttons.has(button.id)}
          onChange={(event) => onChange(withButton(grants, node, button.id, event.target.checked))}
        >
          {button.name}
        </Checkbox>
      ))}
      {narrow && wholeBox(node)}
    </div>
  );
  const wholeBox = (node: GrantNode) => (
    <Checkbox
      aria-label={`${node.name}的全部权限`}
      disabled={disabled}
      checked={rowChecked(node, grants) === 'all'}
      indeterminate={rowChecked(node, grants) === 'some'}
      onChange={(event) => onChange(withRow(grants, node, event.target.checked))}
    >
      {narrow && '整行'}
    </Checkbox>
  );
  return (
    <Table<GrantNode>
      rowKey="id"
      size="small"
      pagination={false}
      {...(!narrow && { scroll: { x: 'max-content' } })}
      expandable={{ defaultExpandAllRows: true }}
      dataSource={tree}
      columns={
        narrow
          ? [
              {
                title: '菜单与权限',
                render: (_value, node) => (
                  <div className="kit-facts">
                    {menuBox(node)}
                    {node.buttons.length > 0 && codeBoxes(node)}
                  </div>
                ),
              },
            ]
          : [
              { title: '菜单', className: 'kit-main', render: (_value, node) => menuBox(node) },
              { title: '权限', render: (_value, node) => codeBoxes(node) },
              { title: '整行', width: 80, render: (_value, node) => wholeBox(node) },
            ]
      }
    />
  );
}
