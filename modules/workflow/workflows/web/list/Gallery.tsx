import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Definition } from '../../engine/definition.ts';
import { blank } from '../../engine/gallery/blank.ts';
import { templates } from '../../engine/gallery/templates.ts';
import { Picture } from './Picture.tsx';
import './gallery.css';

const choices: readonly { name: string; about: string; picture: Definition; begins: Definition | null }[] = [
  { name: '空白流程', about: '一个字段、一级审批', picture: blank('空白流程'), begins: null },
  ...templates.map(({ name, about, definition }) => ({ name, about, picture: definition, begins: definition })),
];

/** What a new workflow begins with, by pictures; its value is the definition, nothing for the blank one. */
export default function Gallery({ value, onChange, disabled }: FieldControl) {
  const chosen = (value as Definition | null | undefined)?.name ?? null;
  return (
    <div className="flow-gallery" role="radiogroup" aria-label="从模板开始">
      {choices.map(({ name, about, picture, begins }) => (
        <label key={name} className="flow-template">
          <input
            type="radio"
            name="template"
            className="unseen"
            disabled={disabled}
            checked={chosen === (begins?.name ?? null)}
            onChange={() => onChange?.(begins ?? undefined)}
          />
          <Picture definition={picture} />
          <strong>{name}</strong>
          <span className="kit-muted">{about}</span>
        </label>
      ))}
    </div>
  );
}
