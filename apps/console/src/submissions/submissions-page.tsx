import { Inbox } from 'lucide-react';
import { Link } from 'react-aria-components/Link';
import { useForm } from '../form/form';
import { HeldSpam } from '../form/held-spam';
import { ButtonLink } from '../parts/button';
import { Empty } from '../parts/states';
import { useTitle } from '../shell/use-title';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './list.module.css';
import { ListPlace } from './list-place';
import { usePageAddress } from './page-search';
import { SpamPlace } from './spam-place';
import { TrashPlace } from './trash-place';

/** The submissions of a form: the list, what was taken for spam, and the trash. */
export function SubmissionsPage() {
  const say = useWords('submissions');
  const { submissions } = useWords('form');
  const form = useForm();
  const { search } = usePageAddress();
  useTitle(submissions, form.title);
  if (form.current_version === 0)
    return (
      <Empty
        icon={Inbox}
        title={say.neverPublishedTitle}
        actions={
          <ButtonLink look="primary" href={`/console/forms/${form.id}/build`}>
            {say.toBuild}
          </ButtonLink>
        }
      >
        {say.neverPublishedHelp}
      </Empty>
    );
  const place = search.place;
  return (
    <div className={style.page}>
      <Places />
      {place === 'spam' ? (
        <SpamPlace form={form} />
      ) : place === 'trash' ? (
        <TrashPlace form={form} />
      ) : (
        <>
          <HeldSpam form={form} />
          <ListPlace key={form.id} form={form} />
        </>
      )}
    </div>
  );
}

function Places() {
  const say = useWords('submissions');
  const form = useForm();
  const formats = useFormats();
  const spam = form.submissions?.spam ?? 0;
  const { search } = usePageAddress();
  const current = ['spam', 'trash'].find((place) => place === search.place);
  const places = [
    [undefined, say.placeList],
    ['spam', spam === 0 ? say.placeSpam : say.placeSpamOf(formats.number(spam))],
    ['trash', say.placeTrash],
  ] as const;
  return (
    <nav aria-label={say.places} className={style.places}>
      {places.map(([place, label]) => (
        <Link
          key={place ?? ''}
          href={`/console/forms/${form.id}/submissions${place === undefined ? '' : `?place=${place}`}`}
          className={style.placeLink ?? ''}
          aria-current={place === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
