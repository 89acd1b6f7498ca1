import { Dialog } from '../parts/dialog';
import { useWords } from '../words/use-words';
import style from './list.module.css';

/** Tells what can be typed into the search. */
export function SearchHelp({ onClose }: { onClose: () => void }) {
  const say = useWords('submissions');
  const ways = [
    ['berg', say.searchBeginning],
    ['anna berg', say.searchAll],
    ['"Anna Berger"', say.searchExact],
    ['V5Q2-N0D0-6H', say.searchReference],
  ] as const;
  return (
    <Dialog title={say.searchHelp} onClose={onClose} isDismissable>
      <dl className={style.syntax}>
        {ways.map(([typed, meaning]) => (
          <div key={typed} style={{ display: 'contents' }}>
            <dt dir="ltr">
              <code>{typed}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{say.searchScope}</p>
    </Dialog>
  );
}
