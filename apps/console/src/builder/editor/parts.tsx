import { Link } from '@tanstack/react-router';
import { useWords } from '../../words/use-words';
import style from './editor.module.css';

/** The parts of building, each with an address. */
export function Parts({ formId, selected }: { formId: string; selected?: string | undefined }) {
  const say = useWords('builder').page;
  const params = { form: formId };
  const parts = [
    [undefined, say.fields],
    ['preview', say.preview],
    ['translations', say.translations],
  ] as const;
  const isExact = { exact: true, includeSearch: true };
  return (
    <nav aria-label={say.parts} className={style.tabs}>
      {parts.map(([view, label]) => (
        <Link
          key={label}
          to="/console/forms/$form/build"
          params={params}
          search={{ ...(view ? { view } : {}), ...(selected === undefined ? {} : { item: selected }) }}
          activeOptions={view ? { ...isExact, exact: false } : isExact}
          className={style.tab}
        >
          {label}
        </Link>
      ))}
      <Link to="/console/forms/$form/versions" params={params} className={style.tab}>
        {say.versions}
      </Link>
    </nav>
  );
}
