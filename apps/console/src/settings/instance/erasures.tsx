import { getErasure, listErasures, type Erasure, type ErasureReason } from '@sheaf/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Eraser } from 'lucide-react';
import { client } from '../../api/client';
import { Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded, LoadMore } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { RowButton, Rows } from '../../parts/rows';
import { Badge, Empty, Since } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';

/** While something is still being erased, it is asked for again: the services confirm within seconds. */
const askAgainMs = 3_000;

/** The erasures, and the services that have confirmed them. */
export function Erasures() {
  const say = useWords('settings').instance;
  const navigate = useNavigate({ from: '/console/settings/{-$section}' });
  const { erasure } = useSearch({ from: '/shell/console/settings/{-$section}' });
  const open = (id: string | undefined) => void navigate({ search: id === undefined ? {} : { erasure: id } });
  const pages = useInfiniteQuery({
    queryKey: ['erasures'],
    queryFn: ({ pageParam, signal }) =>
      listErasures({ client, query: { limit: 50, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.data.some(isRunning)) === true ? askAgainMs : false),
  });
  return (
    <Section title={say.erasures} help={say.erasuresHelp}>
      <Loaded query={pages}>
        {(data) => {
          const erasures = data.pages.flatMap((page) => page.data);
          if (erasures.length > 0) return <ErasureTable erasures={erasures} onOpen={open} />;
          return (
            <Empty icon={Eraser} title={say.erasuresEmpty}>
              {say.erasuresEmptyHelp}
            </Empty>
          );
        }}
      </Loaded>
      <LoadMore pages={pages} />
      {erasure !== undefined && <ErasureDialog id={erasure} onClose={() => open(undefined)} />}
    </Section>
  );
}

const isRunning = ({ state }: Erasure) => state === 'running';

function useReason(): (reason: ErasureReason) => string {
  const say = useWords('settings').instance;
  const sentences: Record<ErasureReason, string> = { requested: say.requested, retention: say.byRetention, person: say.byPerson };
  return (reason) => sentences[reason];
}

function ErasureTable({ erasures, onOpen }: { erasures: readonly Erasure[]; onOpen: (id: string) => void }) {
  const say = useWords('settings').instance;
  const reasonOf = useReason();
  return (
    <Rows
      label={say.erasures}
      rows={erasures}
      keyOf={({ id }) => id}
      hasIds
      columns={[
        {
          head: say.kind,
          cell: ({ id, kind }) => <RowButton onClick={() => onOpen(id)}>{say[kind]}</RowButton>,
        },
        { head: say.reason, cell: ({ reason }) => reasonOf(reason) },
        { head: say.requestedAt, cell: (erasure) => <Since time={erasure.requested_at} /> },
        { head: say.progress, cell: (erasure) => <Progress erasure={erasure} /> },
      ]}
    />
  );
}

function Progress({ erasure: { state, services } }: { erasure: Erasure }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  if (state === 'done') return <Badge tone="good">{say.done}</Badge>;
  const confirmed = services.filter(({ confirmed_at: time }) => time !== undefined).length;
  return <Badge tone="waiting">{say.running(formats.number(confirmed), formats.number(services.length))}</Badge>;
}

/** One erasure, service by service. */
function ErasureDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  const reasonOf = useReason();
  const query = useQuery({
    queryKey: ['erasures', id],
    queryFn: ({ signal }) => getErasure({ client, path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? askAgainMs : false),
  });
  return (
    <Dialog title={say.erasureTitle} onClose={onClose} isDismissable>
      <Loaded query={query} lines={4}>
        {(data) => (
          <>
            <Facts>
              <dt>{say.target}</dt>
              <dd>
                {say[data.kind]} <code>{data.target_id}</code>
              </dd>
              <dt>{say.reason}</dt>
              <dd>{reasonOf(data.reason)}</dd>
              <dt>{say.requestedAt}</dt>
              <dd>{formats.dateTime(data.requested_at)}</dd>
              <dt>{say.progress}</dt>
              <dd>
                <Progress erasure={data} />
              </dd>
            </Facts>
            <Facts>
              {data.services.map(({ service, confirmed_at: confirmedAt, counts }) => (
                <div key={service} className={style.row}>
                  <dt>{service}</dt>
                  <dd>
                    {confirmedAt === undefined ? say.waiting : say.confirmed(formats.dateTime(confirmedAt))}
                    {confirmedAt !== undefined && <Counts counts={counts ?? {}} />}
                  </dd>
                </div>
              ))}
            </Facts>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** How many of which kind, in the words of the service. */
function Counts({ counts }: { counts: Readonly<Record<string, number>> }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  const text = some.map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${formats.number(count)}`).join(', ');
  return <p className="muted">{some.length === 0 ? say.nothingThere : text}</p>;
}
