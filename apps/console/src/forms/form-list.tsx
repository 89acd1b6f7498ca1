import { useEffect, useRef } from 'react';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { useWords } from '../words/use-words';
import type { FormActions } from './actions';
import { EmptyList } from './empty-list';
import { useFolders } from './folders';
import style from './form-list.module.css';
import { useFormList } from './form-list-query';
import type { Ask } from './form-menu';
import { FormRow } from './form-row';
import { pathsOf } from './tree';
import type { PlaceAndWay } from './use-place';

interface FormListProps extends PlaceAndWay {
  actions: FormActions;
  ask: Ask;
  mayCreate: boolean;
  /** Whether something above the list already says that it is empty. */
  isEmptyKnown: boolean;
}

/** The forms of a place. More of them load as the person comes near the end. */
export function FormList({ place, go, actions, ask, mayCreate, isEmptyKnown }: FormListProps) {
  const say = useWords('forms');
  const list = useFormList(place);
  const folders = useFolders();
  const paths = new Map(pathsOf(folders).map(({ folder, labels }) => [folder.id, labels.join(' / ')]));
  if (list.error !== null && list.forms.length === 0) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  // A page may have no forms though a further one has some.
  if (list.forms.length === 0 && (list.isPending || list.hasNextPage)) {
    return (
      <>
        <Skeleton lines={8} />
        <More list={list} />
      </>
    );
  }
  if (list.forms.length === 0) return isEmptyKnown ? null : <EmptyList place={place} go={go} ask={ask} mayCreate={mayCreate} />;
  return (
    <>
      <div role="table" aria-label={say.forms} aria-busy={list.isPlaceholderData} className={style.list}>
        <ColumnHeads />
        <div role="rowgroup">
          {list.forms.map((form) => (
            <FormRow
              key={form.id}
              form={form}
              folder={place.folder === undefined && form.folder_id !== undefined ? paths.get(form.folder_id) : undefined}
              actions={actions}
              ask={ask}
              canDrag={folders.length > 0 && place.view !== 'shared'}
            />
          ))}
        </div>
      </div>
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.fetchNextPage()} />}
      <More list={list} />
    </>
  );
}

function ColumnHeads() {
  const say = useWords('forms');
  return (
    <div role="rowgroup" className={style.heads}>
      <div role="row" className={style.headRow}>
        <div role="columnheader">
          <span className="visually-hidden">{say.favoriteColumn}</span>
        </div>
        <div role="columnheader">{say.formColumn}</div>
        <div role="columnheader">{say.statusColumn}</div>
        <div role="columnheader" className={style.countsHead}>
          {say.submissionsColumn}
        </div>
        <div role="columnheader">{say.lastColumn}</div>
        <div role="columnheader">
          <span className="visually-hidden">{say.actionsColumn}</span>
        </div>
      </div>
    </div>
  );
}

/** Loads the next page when it comes into view, or when it is pressed. */
function More({ list: { hasNextPage, isFetchingNextPage, isError, fetchNextPage } }: { list: ReturnType<typeof useFormList> }) {
  const { loadMore } = useWords('everywhere').parts;
  const box = useRef<HTMLDivElement>(null);
  const isReady = hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (!isReady || !box.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), { rootMargin: '400px' });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isReady, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={box} className={style.more}>
      <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
        {loadMore}
      </Button>
    </div>
  );
}
