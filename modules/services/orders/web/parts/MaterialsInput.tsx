import { Button, Input } from 'antd';
import { counted } from '#kernel/web/kit/form/parts/counted.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Instead } from '#kernel/web/kit/form/fields.ts';
import type { z } from 'zod';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { type Material, materials } from '../../contract/shapes.ts';

type Line = z.input<typeof Material>;
const kept = 'order-materials';
const favourites = (): string[] => JSON.parse(localStorage.getItem(kept) ?? '[]') as string[];
/** Remembers used materials: the last eight are offered for a tap. */
const remember = (name: string) =>
  name && localStorage.setItem(kept, JSON.stringify([name, ...favourites().filter((one) => one !== name)].slice(0, 8)));

/** The used materials, row by row. */
export function MaterialsInput({ control }: { control: FieldControl }) {
  const lines = (control.value as Line[] | undefined) ?? [];
  const fresh = (name = ''): Line => ({ name, spec: '', qty: 1, price: 0 });
  const instead: Instead = {
    name: {
      render: ({ value, onChange, ...rest }) => (
        <Input
          {...rest}
          {...counted(50)}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
          onBlur={(event) => remember(event.target.value)}
        />
      ),
    },
  };
  return (
    <RowsInput
      control={control}
      of={materials}
      instead={instead}
      fresh={() => fresh()}
      add="添加材料"
      tools={favourites().map((name) => (
        <Button key={name} size="small" type="dashed" onClick={() => control.onChange?.([...lines, fresh(name)])}>
          {name}
        </Button>
      ))}
    />
  );
}
