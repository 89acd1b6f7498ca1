import { Select } from '../parts/fields';
import { useFolders } from './folders';
import { mayChangeFolder, pathsOf } from './tree';

/** In place of a folder's id: none of them. */
export const topLevel = 'none';

interface FolderSelectProps {
  label: string;
  /** The name of the choice of no folder. */
  topLabel: string;
  value: string;
  onChange: (folder: string) => void;
  /** Not to be chosen. */
  without?: ReadonlySet<string>;
}

/** A choice of a folder that the person may put something into. */
export function FolderSelect({ label, topLabel, value, onChange, without }: FolderSelectProps) {
  const paths = pathsOf(useFolders()).filter(({ folder }) => mayChangeFolder(folder) && without?.has(folder.id) !== true);
  const options = paths.map(({ folder, labels }) => ({ value: folder.id, label: labels.join(' / ') }));
  return <Select label={label} options={[{ value: topLevel, label: topLabel }, ...options]} value={value} onChange={onChange} />;
}
