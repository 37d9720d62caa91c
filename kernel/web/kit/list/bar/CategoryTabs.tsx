export interface ListCategory {
  value: string;
  label: string;
  count?: number;
}

interface Props {
  categories: readonly ListCategory[];
  value: string | undefined;
  onChange: (value: string) => void;
}

/** Categories of a list with their counts; the first is chosen until another is. */
export function CategoryTabs({ categories, value, onChange }: Props) {
  const chosen = value ?? categories[0]?.value;
  return (
    <div className="kit-categories" role="group" aria-label="分类">
      {categories.map((category) => (
        <button
          key={category.value}
          type="button"
          aria-pressed={category.value === chosen}
          onClick={() => onChange(category.value)}
        >
          {category.label}
          {category.count !== undefined && <span className="kit-figures"> {category.count}</span>}
        </button>
      ))}
    </div>
  );
}
