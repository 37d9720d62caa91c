import { Button, Input, InputNumber } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';

interface Line {
  name: string;
  spec: string;
  qty: number;
  price: number;
}
const kept = 'order-materials';
const favourites = (): string[] => JSON.parse(localStorage.getItem(kept) ?? '[]') as string[];
/** Keeps what was used in mind: the last eight are offered at a tap. */
const remember = (name: string) =>
  name && localStorage.setItem(kept, JSON.stringify([name, ...favourites().filter((one) => one !== name)].slice(0, 8)));

/** What was used, line by line. */
export function MaterialsInput({ control }: { control: FieldControl }) {
  const lines = (control.value as Line[] | undefined) ?? [];
  const set = (next: Line[]) => control.onChange?.(next);
  const put = (at: number, part: Partial<Line>) =>
    set(lines.map((line, index) => (index === at ? { ...line, ...part } : line)));
  const add = (name = '') => set([...lines, { name, spec: '', qty: 1, price: 0 }]);
  return (
    <div className="kit-stack">
      {lines.map((line, at) => (
        <div key={at} className="order-material">
          <Input
            aria-label="材料"
            placeholder="材料"
            value={line.name}
            onChange={(event) => put(at, { name: event.target.value })}
            onBlur={() => remember(line.name)}
          />
          <Input
            aria-label="规格"
            placeholder="规格"
            value={line.spec}
            onChange={(event) => put(at, { spec: event.target.value })}
          />
          <InputNumber
            aria-label="数量"
            min={0.01}
            precision={2}
            value={line.qty}
            onChange={(qty) => put(at, { qty: qty ?? 0 })}
          />
          <MoneyInput
            {...{ 'aria-label': '单价（元）' }}
            value={line.price}
            onChange={(price: unknown) => put(at, { price: Number(price ?? 0) })}
          />
          <Button
            type="text"
            aria-label={`删除第 ${at + 1} 行`}
            onClick={() => set(lines.filter((_line, index) => index !== at))}
          >
            删除
          </Button>
        </div>
      ))}
      <div className="kit-row">
        <Button size="small" onClick={() => add()}>
          添加材料
        </Button>
        {favourites().map((name) => (
          <Button key={name} size="small" type="dashed" onClick={() => add(name)}>
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
}
