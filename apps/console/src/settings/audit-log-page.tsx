import { listAuditEntries, type AuditEntry } from '@sheaf/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Lock, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Page, PageHead } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty, Skeleton } from '../parts/states';
import { useSession, useWorkspaceRole } from '../session/session';
import { useTitle } from '../shell/use-title';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { EntryDialog } from './audit-log/entry-dialog';
import { ExportDialog } from './audit-log/export-dialog';
import style from './audit-log/audit-log.module.css';
import { asQuery, type AuditSearch } from './audit-log/filter';
import { Filters } from './audit-log/filters';
import { useSentence } from './audit-log/use-sentence';

/** The actions of people and programs, newest first. */
export function AuditLogPage() {
  const say = useWords('auditLog').page;
  const denied = useWords('settings').page;
  useTitle(say.title);
  const search: AuditSearch = useSearch({ from: '/shell/console/audit-log' });
  const navigate = useNavigate({ from: '/console/audit-log' });
  const role = useWorkspaceRole();
  const mayRead = useSession().instance.manages || role === 'owner' || role === 'admin';
  const [isExporting, setIsExporting] = useState(false);
  const setSearch = (next: AuditSearch) => void navigate({ search: { ...next } as Record<string, string | undefined> });
  return (
    <Page>
      <PageHead
        title={say.title}
        help={say.help}
        actions={
          mayRead && (
            <Button icon={Download} onPress={() => setIsExporting(true)}>
              {say.export}
            </Button>
          )
        }
      />
      {mayRead ? (
        <>
          <Filters search={search} onSearch={setSearch} />
          <Entries search={search} onSearch={setSearch} />
        </>
      ) : (
        <Empty icon={Lock} title={denied.notAllowedTitle}>
          {denied.notAllowedHelp}
        </Empty>
      )}
      {isExporting && <ExportDialog query={asQuery(search)} onClose={() => setIsExporting(false)} />}
    </Page>
  );
}

const pageSize = 50;

function useEntries(search: AuditSearch) {
  const query = asQuery(search);
  return useInfiniteQuery({
    queryKey: ['audit-log', query],
    queryFn: ({ pageParam, signal }) => listAuditEntries({ client, query: { ...query, limit: pageSize, offset: pageParam }, signal }),
    initialPageParam: 0,
    // Beyond what is counted, there is more as long as pages are full.
    getNextPageParam: ({ data, offset }) => (data.length < pageSize ? undefined : offset + data.length),
    staleTime: 0,
  });
}

function Entries({ search, onSearch }: { search: AuditSearch; onSearch: (search: AuditSearch) => void }) {
  const say = useWords('auditLog').page;
  const { loadMore } = useWords('everywhere').parts;
  const formats = useFormats();
  const sentence = useSentence();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEntries(search);
  // New entries move older ones to the next page, where they come again.
  const entries = [...new Map(data?.pages.flatMap((page) => page.data).map((entry) => [entry.id, entry])).values()];
  const { entry: openId, ...filters } = search;
  const opened = entries.find(({ id }) => id === openId);
  const isFiltered = Object.keys(asQuery(filters)).length > 0;
  if (isPending) return <Skeleton lines={10} />;
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (entries.length === 0)
    return (
      <Empty icon={ScrollText} title={isFiltered ? say.emptyFilter : say.empty}>
        {isFiltered ? undefined : say.emptyHelp}
      </Empty>
    );
  return (
    <>
      <ol className={style.entries} aria-label={say.title}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} sentence={sentence(entry)} onOpen={() => onSearch({ ...search, entry: entry.id })} />
          </li>
        ))}
      </ol>
      <div className={style.foot}>
        {hasNextPage && (
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {loadMore}
          </Button>
        )}
        <span className="muted">{say.total(formats.number(data.pages[0]?.total ?? entries.length))}</span>
      </div>
      {opened && (
        <EntryDialog entry={opened} onFilter={(change) => onSearch({ ...filters, ...change })} onClose={() => onSearch(filters)} />
      )}
    </>
  );
}

function Entry({ entry, sentence, onOpen }: { entry: AuditEntry; sentence: string; onOpen: () => void }) {
  const formats = useFormats();
  return (
    <button type="button" className={style.entry} onClick={onOpen}>
      <time className="muted" dateTime={entry.occurred_at} title={formats.exact(entry.occurred_at)}>
        {formats.dateTime(entry.occurred_at)}
      </time>
      <span className={style.sentence} dir="auto">
        {sentence}
      </span>
      <span className="muted">{entry.address}</span>
    </button>
  );
}
