import { partLabel, partsOf } from '@sheaf/contracts';
import { useReading } from '../reading';
import { idOf, invalid, nameOf, type Control } from './control';
import { Group } from './surroundings';
import { inputOf } from './text-controls';

/** An input for each part of an answer. Their values arrive in this order, under one name. */
export function Parts({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, values } = control;
  return (
    <Group control={control} isRadio={false}>
      <div className="parts">
        {partsOf(field).map((part, index) => (
          <div key={part.name}>
            <label htmlFor={idOf(control, index + 1)}>{partLabel(part, words.parts)}</label>
            <input
              {...inputOf(part.kind, field, values[index])}
              id={idOf(control, index + 1)}
              name={nameOf(control)}
              defaultValue={values[index]}
              aria-invalid={invalid(control)}
            />
          </div>
        ))}
      </div>
    </Group>
  );
}
