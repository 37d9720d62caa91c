import { mayMean, meant } from '../../engine/meanings.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import type { Names } from '../names.ts';
import { withLabel } from './label.ts';
import type { StateTabProps } from './PeopleTab.tsx';

interface Props extends Pick<StateTabProps, 'state' | 'onChange'> {
  meanings: Names['meanings'];
}

/** The meanings of a state besides its people; a state that may have none shows only those it has. */
export function MeaningSelects({ state, meanings, onChange }: Props) {
  return meanings
    .filter((meaning) => mayMean(state) || meant(state, meaning) !== null)
    .map((meaning) => (
      <LabelledSelect
        key={meaning.key}
        id={`state-meaning-${meaning.key}`}
        label={meaning.title}
        options={[{ value: '', label: '没有特别的含义' }, ...meaning.values]}
        value={meant(state, meaning) ?? ''}
        onChange={(value) => onChange({ label: withLabel(state.label, meaning.key, value || null) })}
      />
    ));
}
