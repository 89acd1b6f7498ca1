import { addressParts, hasSetting, partsOf, type AddressPart, type Field } from '@sheaf/contracts';
import { Select } from '../../parts/fields';
import { capitalized } from '../../words/capitalized';
import { useLanguage, useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The parts for which an address asks. One part is asked for at least. */
export function AddressSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const language = useLanguage();
  const { edit } = useEditing();
  const fault = useFaultText(entry.id, 'parts');
  if (!hasSetting(field, 'parts')) return null;
  const asked = partsOf(field).map(({ name, required }) => ({ part: name as AddressPart, required }));
  const set = (part: AddressPart, to: Asking) => {
    const known = asked.find((each) => each.part === part);
    const required = to === 'required';
    const parts =
      to === 'not'
        ? asked.filter((each) => each !== known)
        : known
          ? asked.map((each) => (each === known ? { part, required } : each))
          : inOrder([...asked, { part, required }]);
    edit({ do: 'change', id: entry.id, to: { parts } });
  };
  return (
    <Settings title={say.parts}>
      {addressParts.map((part) => {
        const known = asked.find((each) => each.part === part);
        const isOnly = known !== undefined && asked.length === 1;
        return (
          <Select<Asking>
            key={part}
            label={capitalized(say.partNames[part], language)}
            options={[
              { value: 'required', label: say.partRequired },
              { value: 'optional', label: say.partOptional },
              ...(isOnly ? [] : [{ value: 'not' as const, label: say.partNot }]),
            ]}
            value={known ? (known.required ? 'required' : 'optional') : 'not'}
            onChange={(to) => set(part, to)}
          />
        );
      })}
      {fault !== undefined && <p className="fault">{fault}</p>}
    </Settings>
  );
}

type Asking = 'required' | 'optional' | 'not';

/** A part that is added has its usual place. */
const inOrder = <T extends { part: AddressPart }>(parts: readonly T[]): T[] =>
  parts.toSorted((a, b) => addressParts.indexOf(a.part) - addressParts.indexOf(b.part));
