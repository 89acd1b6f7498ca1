import type { FormSettingsDetail } from '@sheaf/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/fields';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { AnswerList } from './answer-list';
import { answerText, fieldsOf } from './fields';
import { submissionsKey } from './list-data';
import style from './list.module.css';
import { useMadeVersion } from './use-made-version';
import { VersionMissing } from './version-missing';

/** A submission in the trash or in quarantine. */
export interface Placed {
  id: string;
  data: Readonly<Record<string, unknown>>;
  schema_version: number;
  version_id?: string;
  created_at: string;
}

interface Page<Item> {
  data: Item[];
  total: number;
  offset: number;
}

const pageSize = 50;

/** A list by offset: the trash, or the quarantine. */
export function usePlace<Item extends Placed>(
  form: string,
  place: string,
  load: (offset: number, signal: AbortSignal) => Promise<Page<Item>>,
) {
  const queryClient = useQueryClient();
  const queryKey = [...submissionsKey(form), place];
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ data, total, offset }) => (offset + data.length < total && data.length > 0 ? offset + data.length : undefined),
  });
  // An item that was taken out meanwhile moves the pages: then one is on two of them.
  const items = [...new Map((found.data?.pages ?? []).flatMap(({ data }) => data).map((item) => [item.id, item])).values()];
  return { found, items, total: found.data?.pages.at(-1)?.total ?? 0, reload: () => void queryClient.invalidateQueries({ queryKey }) };
}

export const placePage = (offset: number) => ({ limit: pageSize, offset });

interface PlaceListProps<Item extends Placed> {
  form: FormSettingsDetail;
  place: ReturnType<typeof usePlace<Item>>;
  label: string;
  facts: (item: Item) => ReactNode;
  /** The actions on the items that are selected; absent for viewers. */
  actions: ((items: readonly Item[], clear: () => void) => ReactNode) | undefined;
  empty: ReactNode;
}

/** Submissions out of the list, each with its answers. */
export function PlaceList<Item extends Placed>({ form, place, label, facts, actions, empty }: PlaceListProps<Item>) {
  const say = useWords('submissions');
  const { loadMore } = useWords('everywhere').parts;
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const { found, items, total } = place;
  const selected = items.filter(({ id }) => ids.has(id));
  const toggle = (id: string) => setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  if (found.isPending) return <Skeleton />;
  if (found.error) return <Problem error={found.error} onRetry={() => void found.refetch()} />;
  if (items.length === 0) return empty;
  return (
    <div className={style.cards}>
      <div className={style.cardHead}>
        {actions && (
          <Checkbox
            isSelected={selected.length === items.length}
            isIndeterminate={selected.length > 0 && selected.length < items.length}
            onChange={(isSelected) => setIds(new Set(isSelected ? items.map(({ id }) => id) : []))}
          >
            {say.selectLoaded}
          </Checkbox>
        )}
        <span className={style.count} role="status">
          {selected.length > 0 ? say.selected(selected.length) : say.count(total, String(total))}
        </span>
        {selected.length > 0 && actions?.(selected, () => setIds(new Set()))}
      </div>
      <ul className={style.cards} aria-label={label}>
        {items.map((item) => (
          <Card
            key={item.id}
            form={form}
            item={item}
            facts={facts(item)}
            isSelected={ids.has(item.id)}
            onSelect={actions && (() => toggle(item.id))}
            actions={actions?.([item], () => setIds(new Set()))}
          />
        ))}
      </ul>
      {found.hasNextPage && (
        <Button onPress={() => void found.fetchNextPage()} isPending={found.isFetchingNextPage}>
          {loadMore}
        </Button>
      )}
    </div>
  );
}

interface CardProps {
  form: FormSettingsDetail;
  item: Placed;
  facts: ReactNode;
  isSelected: boolean;
  onSelect: (() => void) | undefined;
  actions: ReactNode;
}

function Card({ form, item, facts, isSelected, onSelect, actions }: CardProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const { fields, isMissing } = useMadeVersion(form.id, item);
  const received = formats.dateTime(item.created_at);
  const preview = fieldsOf(fields ?? [])
    .map((field) => answerText(field, item.data[field.key], formats, say))
    .filter((text) => text !== '')
    .slice(0, 6);
  return (
    <li className={style.card}>
      <div className={style.cardHead}>
        {onSelect && <Checkbox aria-label={say.selectSubmission(received)} isSelected={isSelected} onChange={onSelect} />}
        <b>{received}</b>
        {facts}
        <span className={style.grows} />
        {actions}
      </div>
      {isOpen && isMissing && <VersionMissing version={item.schema_version} />}
      {isOpen && fields ? (
        <AnswerList form={form.id} items={fields} answers={item.data} />
      ) : (
        <p className={style.preview}>
          {preview.map((text, index) => (
            <span key={index}>
              {index > 0 && ' · '}
              <bdi>{text}</bdi>
            </span>
          ))}
        </p>
      )}
      <div>
        <Button isSmall look="quiet" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          {isOpen ? say.hideAnswers : say.showAnswers}
        </Button>
      </div>
    </li>
  );
}
