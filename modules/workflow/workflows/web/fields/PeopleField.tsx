import { PersonPicker, type PersonPickerProps } from '#modules/platform/people/widgets.tsx';

type Rest = Pick<PersonPickerProps, 'id' | 'disabled' | 'placeholder' | 'known' | 'aria-invalid' | 'aria-describedby'>;
interface Props extends Rest {
  /** At most one person. */
  one: boolean;
  /** User names. */
  value: readonly string[];
  onChange: (usernames: string[]) => void;
}

/** Chooses one person or several; in both cases its value is a list of user names. */
export function PeopleField({ one, value, onChange, ...rest }: Props) {
  return one ? (
    <PersonPicker {...rest} value={value[0]} onChange={(name) => onChange(name ? [name] : [])} />
  ) : (
    <PersonPicker {...rest} multiple value={value} onChange={onChange} />
  );
}
