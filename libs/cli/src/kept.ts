import { Failure } from './failure';
import { cell } from './show';

/** Something that is kept with a form under a name. */
interface Kept {
  id: string;
  name: string;
  shared: boolean;
}

/** The one that a name or id means. @throws Failure if the key sees none, or several of that name */
export function theOne<K extends Kept>(all: readonly K[], wanted: string, kind: 'view' | 'preset'): K {
  const found = all.filter(({ id, name }) => id === wanted || name === wanted);
  const [one, another] = found;
  if (one && !another) return one;
  const names = (some: readonly Kept[]) =>
    some.map(({ id, name, shared }) => `${cell(name)} (${shared ? 'shared' : 'own'}, ${id})`).join(', ');
  if (one) throw new Failure(`--${kind}: several ${kind}s have this name: ${names(found)}. Give the id of one.`, 2);
  throw new Failure(
    `--${kind}: the form has no such ${kind}. ${all.length === 0 ? 'It has none that this key sees.' : `There are ${names(all)}.`}`,
    2,
  );
}
