import { isField, isSignature } from '@sheaf/contracts';
import { useReading } from '../reading';
import type { ShownItem } from '../view';
import { idOf, invalid, describedBy, nameOf, type Control } from './control';
import { Full } from './file-control';
import { Group } from './surroundings';

/** The pixels of the picture, whatever the screen: sharp on screens with two pixels for one, and well within what intake takes. */
const size = { width: 1_200, height: 480 };

/** Whether the script has something to draw on. */
export const hasPad = ({ item, files }: Pick<ShownItem, 'item' | 'files'>): boolean =>
  isField(item) && isSignature(item) && files.length === 0;

/**
 * A name to type, which needs neither a script nor a hand that can draw, and beside it a pad, which the script shows. A drawing travels as the file of
 * a control that nobody sees. Once it arrived, it stands in place of both, and a name that was typed waits behind it.
 */
export function Signature({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, values, files } = control;
  const [name = ''] = values;
  if (!hasPad({ item: field, files }))
    return (
      <>
        <Full control={control} name={words.signature.drawn} />
        {name !== '' && <input type="hidden" name={nameOf(control)} value={name} />}
      </>
    );
  const { draw, type, undo, clear } = words.signature;
  return (
    <Group control={control} isRadio={false}>
      <div className="pad" hidden>
        <p>{draw}</p>
        <canvas {...size} role="img" aria-label={draw} />
        <input type="file" name={`file.${field.key}`} accept="image/png" hidden />
        <div>
          <button type="button" className="quiet" disabled>
            {undo}
          </button>
          <button type="button" className="quiet" disabled>
            {clear}
          </button>
        </div>
      </div>
      <label htmlFor={idOf(control)}>{type}</label>
      <input
        type="text"
        id={idOf(control)}
        name={nameOf(control)}
        defaultValue={name}
        autoComplete="name"
        aria-describedby={describedBy(control)}
        aria-invalid={invalid(control)}
      />
    </Group>
  );
}
