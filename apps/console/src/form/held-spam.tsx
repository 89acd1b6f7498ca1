import { Link } from 'react-aria-components/Link';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './held-spam.module.css';

interface Held {
  form: { id: string; submissions: { spam: number } | null };
}

const placeOf = ({ id }: Held['form']): string => `/console/forms/${id}/submissions?place=spam`;

/** Says beside the numbers of a form that there is more, which somebody should look at: people are among what looks like spam. */
export function HeldSpam({ form }: Held) {
  const say = useWords('form');
  const formats = useFormats();
  const count = form.submissions?.spam ?? 0;
  if (count === 0) return null;
  return (
    <p className={style.notice}>
      {say.heldAsSpam(count, formats.number(count))} <Link href={placeOf(form)}>{say.lookAtSpam}</Link>
    </p>
  );
}

/** The same in a row of a list. */
export function HeldSpamLink({ form }: Held) {
  const say = useWords('form');
  const formats = useFormats();
  const count = form.submissions?.spam ?? 0;
  if (count === 0) return null;
  return (
    <Link href={placeOf(form)} className={style.link ?? ''}>
      {say.spamHeld(formats.number(count))}
    </Link>
  );
}
