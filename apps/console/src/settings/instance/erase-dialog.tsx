import { eraseSubjectSubmissions, type SubjectErasure } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../../api/client';
import { ButtonLink } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { toast } from '../../parts/toasts';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';

interface Outcome {
  erased: number;
  held: ReadonlySet<string>;
  unsearched: ReadonlySet<string>;
}

const add = (sum: Outcome, page: SubjectErasure): Outcome => ({
  erased: sum.erased + page.erased,
  held: new Set([...sum.held, ...page.held_form_ids]),
  unsearched: new Set([...sum.unsearched, ...page.unsearched_form_ids]),
});

/** Erases all submissions of a person, as many requests as it takes, and says how far it is. Closing it stops before the next request. */
export function EraseDialog({ value, onErased, onClose }: { value: string; onErased: () => void; onClose: () => void }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  const [stopper] = useState(() => new AbortController());
  const [sum, setSum] = useState<Outcome>();
  const [isDone, setIsDone] = useState(false);

  const erase = async () => {
    let outcome: Outcome = { erased: 0, held: new Set(), unsearched: new Set() };
    let cursor: string | null | undefined;
    do {
      const page = await eraseSubjectSubmissions({ client, body: { value, ...(typeof cursor === 'string' ? { cursor } : {}) } });
      outcome = add(outcome, page);
      setSum(outcome);
      cursor = page.next_cursor;
    } while (cursor !== null && !stopper.signal.aborted);
    setIsDone(true);
    onErased();
  };
  const close = () => {
    if (sum && !isDone) toast({ text: say.stopped });
    stopper.abort();
    onClose();
  };
  return (
    <ConfirmDialog
      title={say.eraseTitle}
      onClose={close}
      submitLabel={say.eraseAction}
      typeToConfirm={value}
      staysOpen
      result={isDone && sum ? <Report outcome={sum} /> : undefined}
      onSubmit={erase}
    >
      <p>{say.eraseHelp(value)}</p>
      {sum && (
        <div role="status">
          <progress className={style.progress} aria-label={say.erasing(formats.number(sum.erased))} />
          <p>{say.erasing(formats.number(sum.erased))}</p>
        </div>
      )}
    </ConfirmDialog>
  );
}

function Report({ outcome: { erased, held, unsearched } }: { outcome: Outcome }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  return (
    <div role="status" className={style.matches}>
      <p>{say.erased(formats.number(erased))}</p>
      {held.size > 0 && <p>{say.held(formats.number(held.size))}</p>}
      {unsearched.size > 0 && <p>{say.unsearched(formats.number(unsearched.size))}</p>}
      <div>
        <ButtonLink isSmall href="/console/settings/erasures">
          {say.followErasures}
        </ButtonLink>
      </div>
    </div>
  );
}
