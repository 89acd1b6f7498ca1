import { maxFilesPerField } from '@sheaf/contracts';
import { useReading } from '../reading';
import { formatSize } from '../words/formats';
import { isolated } from '../words/isolated';
import { describedBy, idOf, invalid, type Control } from './control';
import { Hints, Label, Single } from './surroundings';

/** A browser cannot be told which file was chosen before, so files that arrived are listed, and travel with the page as tokens. */
export function FileInput({ control }: { control: Control }) {
  const { field, files } = control;
  const max = field.multiple ? (field.max_files ?? maxFilesPerField) : 1;
  if (files.length >= max) return <Full control={control} />;
  return (
    <Single control={control}>
      {files.length > 0 && <KeptFiles control={control} isTarget={false} />}
      <input
        type="file"
        id={idOf(control)}
        name={`file.${field.key}`}
        multiple={max > 1}
        accept={field.accept?.join(',')}
        aria-describedby={describedBy(control)}
        aria-invalid={invalid(control)}
      />
    </Single>
  );
}

/** A question that takes no further file. A label would press the button that it belongs to, and so remove the file. */
export const Full = ({ control, name }: { control: Control; name?: string }) => (
  <div role="group" aria-labelledby={`l-${control.field.key}`}>
    <p className="label" id={`l-${control.field.key}`}>
      <Label control={control} />
    </p>
    <Hints control={control} />
    <KeptFiles control={control} isTarget name={name} />
  </div>
);

/** `name`: the word for a file that people did not choose by its name. `isTarget`: whether the error summary leads to the first button, because there is no input. */
function KeptFiles({ control, isTarget, name: ownName }: { control: Control; isTarget: boolean; name?: string | undefined }) {
  const { words, language } = useReading();
  const { field, files } = control;
  return (
    <ul className="files" aria-label={words.keptFiles}>
      {files.map(({ id, name: fileName, size, token }, index) => {
        const name = ownName ?? fileName;
        return (
          <li key={id}>
            <span>
              <bdi>{name}</bdi> <span className="size">{formatSize(language, size)}</span>
            </span>
            <input type="hidden" name={`kept.${field.key}`} value={token} />
            <button
              className="quiet"
              id={isTarget && index === 0 ? idOf(control) : undefined}
              name="do"
              value={`remove:${field.key}:${id}`}
              aria-label={words.removeNamed(isolated(language, name))}
              aria-describedby={isTarget && index === 0 ? describedBy(control) : undefined}
            >
              {words.remove}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
