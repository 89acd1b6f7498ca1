import type { FormSettingsDetail, SubmissionView, SubmissionViewCount } from '@sheaf/client';
import { useRouter } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-aria-components/Link';
import { mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/problem';
import { useAttempt } from '../parts/use-attempt';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import type { PageSearch } from './list-search';
import { usePageAddress } from './page-search';
import type { ActiveView } from './use-active-view';
import { missingFields, pageSearchOf } from './view-search';
import type { Views } from './views-data';
import style from './views.module.css';

interface ViewsBarProps {
  form: FormSettingsDetail;
  views: Views;
  active: ActiveView;
  /** The keys of the form's fields; undefined until they are known. */
  keys: readonly string[] | undefined;
}

/** The pinned views as tabs above the list, and what becomes of a change of the one that is shown. */
export function ViewsBar({ form, views, active, keys }: ViewsBarProps) {
  const say = useWords('submissions');
  const router = useRouter();
  const attempt = useAttempt();
  const { go } = usePageAddress();
  const bar = useRef<HTMLElement>(null);
  const { view: current, isChanged } = active;
  const currentId = current?.id;
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [currentId]);
  const tabs = views.all.filter((view) => view.pinned || view.id === current?.id);
  if (views.error) return <Problem error={views.error} onRetry={views.retry} />;
  if (tabs.length === 0) return null;
  const href = (search: PageSearch) =>
    router.buildLocation({ to: '/console/forms/$form/submissions', params: { form: form.id }, search }).href;
  /** The buttons go away with the change. */
  const focusTab = () => bar.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  const showAsKept = (view: SubmissionView | undefined) => {
    active.forgetColumns();
    if (view) go(({ open }) => ({ ...pageSearchOf(view.search), view: view.id, open }));
  };
  const missing = current && keys ? missingFields(current, keys) : [];
  return (
    <div className={style.bar}>
      <nav ref={bar} aria-label={say.views} className={style.tabs}>
        <Link href={href({})} className={style.tab ?? ''} aria-current={current ? undefined : 'page'}>
          {say.withoutView}
        </Link>
        {tabs.map((view) => (
          <Link
            key={view.id}
            href={href({ view: view.id, ...pageSearchOf(view.search) })}
            className={style.tab ?? ''}
            aria-current={view.id === current?.id ? 'page' : undefined}
          >
            <bdi className={style.name}>{view.name}</bdi>
            {view.pinned && views.counts && <Count of={views.counts.get(view.id)} />}
            {keys && missingFields(view, keys).length > 0 && <TriangleAlert size={14} aria-label={say.viewAsksMissingShort} role="img" />}
          </Link>
        ))}
      </nav>
      {isChanged && (
        <div className={style.changed} role="group" aria-label={say.viewChanged}>
          {current && (!current.shared || mayEdit(form)) && (
            <Button
              isSmall
              onPress={() => {
                focusTab();
                attempt(active.save);
              }}
            >
              {say.saveViewChanges}
            </Button>
          )}
          <Button
            isSmall
            look="quiet"
            onPress={() => {
              focusTab();
              showAsKept(current);
            }}
          >
            {say.resetView}
          </Button>
        </div>
      )}
      {active.conflict && (
        <ConflictDialog
          of={active.conflict}
          onClose={active.leaveConflict}
          onTheirs={() => {
            active.leaveConflict();
            showAsKept(active.conflict);
          }}
          onOwn={() => attempt(active.overwrite)}
        />
      )}
      {missing.length > 0 && <p className={style.missing}>{say.viewAsksMissing(missing.join(', '))}</p>}
    </div>
  );
}

interface ConflictProps {
  of: SubmissionView;
  onClose: () => void;
  onTheirs: () => void;
  onOwn: () => void;
}

/** Two people have changed a view at the same time: neither loses anything before one of them decides. */
function ConflictDialog({ of: { name }, onClose, onTheirs, onOwn }: ConflictProps) {
  const say = useWords('submissions').viewConflict;
  return (
    <Dialog
      title={say.title(name)}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onOwn}>{say.keepOwn}</Button>
          <Button look="primary" onPress={onTheirs} autoFocus>
            {say.showTheirs}
          </Button>
        </>
      }
    >
      <p>{say.help}</p>
    </Dialog>
  );
}

/** How many submissions a view has, as far as they were counted. */
function Count({ of }: { of: SubmissionViewCount | undefined }) {
  const say = useWords('submissions');
  const formats = useFormats();
  if (of?.total !== undefined) return <span className={style.number}>{formats.number(of.total)}</span>;
  if (of?.total_at_least !== undefined) return <span className={style.number}>{formats.number(of.total_at_least)}+</span>;
  return (
    <span className={style.number} role="img" aria-label={say.notCounted}>
      –
    </span>
  );
}
