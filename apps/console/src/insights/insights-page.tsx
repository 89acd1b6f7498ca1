import type { FormInsights, FormSettingsDetail } from '@sheaf/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useForm } from '../form/form';
import { versionQuery } from '../form/form-version';
import { HeldSpam } from '../form/held-spam';
import { usualZone } from '../share/wall-time';
import { ButtonLink } from '../parts/button';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty, Skeleton } from '../parts/states';
import { useChanges } from '../shell/live-changes';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { CompletionSection } from './completion-section';
import { DaysSection } from './days-section';
import { FieldsSection } from './fields-section';
import style from './insights.module.css';
import { insightsQuery, withQuestions } from './insights-query';
import { NarrowControl } from './narrow-control';
import { countedIn, isFiltered, narrowingOf, type InsightsSearch, type Narrowing } from './narrowing';
import { dayIn, spanOf, type Span } from './period';
import { PeriodControl } from './period-control';
import { StatusSection } from './status-section';
import { StepsSection } from './steps-section';

/** The insights of a form. */
export function InsightsPage() {
  const say = useWords('insights');
  const form = useForm();
  useTitle(say.insights, form.title);
  const search = useSearch({ from: '/shell/console/forms/$form/insights' });
  const zone = form.timezone ?? usualZone;
  const span = spanOf(search, dayIn(Date.now(), zone), dayIn(form.created_at, zone));
  const narrowing = narrowingOf(search);
  useLateCounts(form.id);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...insightsQuery(form.id, span, narrowing),
    enabled: form.current_version > 0,
    // The last period stays until the next one is there.
    placeholderData: keepPreviousData,
    // Only while submissions are still being counted.
    refetchInterval: ({ state }) => (state.data?.complete === false ? 5_000 : false),
  });
  if (form.current_version === 0 || (data && isUntouched(data, search))) return <NothingYet form={form} />;
  return (
    <Page>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={10} />
      ) : (
        <Counts {...{ form, data, isStale: isPlaceholderData, search, span, narrowing }} />
      )}
    </Page>
  );
}

/** One that people open and leave has no submissions either, but shows where they leave. Another period than the usual one keeps its controls. */
const isUntouched = ({ submissions, days }: FormInsights, search: InsightsSearch): boolean =>
  submissions === 0 &&
  Object.values(search).every((chosen) => chosen === undefined) &&
  days.every(({ views, starts }) => views === 0 && starts === 0);

function Counts({
  form,
  data,
  isStale,
  search,
  span,
  narrowing,
}: {
  form: FormSettingsDetail;
  data: FormInsights;
  isStale: boolean;
  search: InsightsSearch;
  span: Span;
  narrowing: Narrowing;
}) {
  const say = useWords('insights');
  const { data: version } = useQuery(versionQuery(form));
  const fields = withQuestions(data.fields, version?.fields ?? []);
  const isNarrow = isFiltered(narrowing);
  const counted = countedIn(data);
  const of = data.narrowed === undefined ? say.ofAll : isNarrow ? say.ofMatching : say.ofPeriod;
  return (
    <>
      <HeldSpam form={{ id: form.id, submissions: data }} />
      {!data.complete && (
        <p role="status" className={style.notice}>
          {say.incomplete}
        </p>
      )}
      <NarrowControl title={form.title} {...{ data, fields, search, narrowing }} />
      <DaysSection data={data} isStale={isStale} isNarrow={isNarrow} actions={<PeriodControl search={search} span={span} />} />
      {/* The counts of visits know nothing of the submissions that came of them. */}
      {!isNarrow && <CompletionSection days={data.days} />}
      {!isNarrow && data.steps && <StepsSection steps={data.steps} />}
      {counted === 0 ? (
        <p className="muted">{isNarrow ? say.noneMatch : say.noneInPeriod}</p>
      ) : (
        <>
          <StatusSection counts={data.statuses} total={counted} of={of} />
          <FieldsSection {...{ form, fields, of, span, narrowing }} submissions={counted} isKnown={version !== undefined} />
        </>
      )}
    </>
  );
}

function NothingYet({ form }: { form: FormSettingsDetail }) {
  const say = useWords('insights');
  const isPublished = form.current_version > 0;
  return (
    <Page>
      <HeldSpam form={form} />
      <Empty
        icon={ChartNoAxesColumn}
        title={isPublished ? say.noSubmissions : say.notPublished}
        actions={
          <ButtonLink look="primary" href={`/console/forms/${form.id}/${isPublished ? 'share' : 'build'}`}>
            {isPublished ? say.toShare : say.toBuild}
          </ButtonLink>
        }
      >
        {isPublished ? say.noSubmissionsHelp : say.notPublishedHelp}
      </Empty>
    </Page>
  );
}

const lateMs = [2_000, 6_000, 20_000];

/** Submissions are counted some seconds after they arrive, so the counts are loaded again after the change was told. */
function useLateCounts(id: string): void {
  const queryClient = useQueryClient();
  const waiting = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  // Many changes within a moment are one.
  const again = useCallback(() => {
    for (const wait of lateMs) {
      if (waiting.current.has(wait)) continue;
      const load = () => {
        waiting.current.delete(wait);
        void queryClient.invalidateQueries({ queryKey: ['form', id, 'insights'] });
      };
      waiting.current.set(wait, setTimeout(load, wait));
    }
  }, [queryClient, id]);
  useEffect(() => {
    const { current: timers } = waiting;
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    };
  }, [again]);
  useChanges(id, again);
}
